import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { KeyRing } from '../crypto/key-ring';

export interface RunKey {
  /** AES-256 key of one run. */
  key: KeyObject;
  /** Makes nonces from contents. */
  nonceKey: KeyObject;
}

const MOST = 2_000;

/**
 * A key for each run, derived from the payload key: a random nonce may be used 2^32 times under one key (NIST SP 800-38D,
 * 8.3), which all runs together would reach within months. Derived again when it was forgotten.
 */
export class RunKeys {
  private readonly known = new Map<string, RunKey>();

  constructor(private readonly ring: KeyRing) {}

  of(keyId: string, run: string): RunKey {
    const name = `${keyId}/${run}`;
    const known = this.known.get(name);
    if (known !== undefined) return known;
    const payloadKey = this.ring.dataKey('payloads', keyId);
    const made = { key: derive(payloadKey, 'key', run), nonceKey: derive(payloadKey, 'nonce', run) };
    if (this.known.size >= MOST) this.forgetOldest();
    this.known.set(name, made);
    return made;
  }

  private forgetOldest(): void {
    const [oldest] = this.known.keys();
    if (oldest !== undefined) this.known.delete(oldest);
  }
}

function derive(key: Buffer, use: string, run: string): KeyObject {
  return createSecretKey(createHmac('sha256', key).update(`${use}\0${run}`).digest());
}
