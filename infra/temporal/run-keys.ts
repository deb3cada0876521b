import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { associatedData } from '../crypto/envelope';
import type { KeyRing } from '../crypto/key-ring';

export interface RunKey {
  /** AES-256 key of one run. */
  key: KeyObject;
  /** Makes nonces from contents; few runs have a content that needs one. */
  nonceKey: () => KeyObject;
  /** Associated data of its payloads by how they are packed; the same for all of them. */
  about: (zip: string) => Buffer;
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
    let nonceKey: KeyObject | undefined;
    const made = {
      key: derive(payloadKey, 'key', run),
      nonceKey: () => (nonceKey ??= derive(payloadKey, 'nonce', run)),
      about: remembered((zip) => associatedData([keyId, run, zip])),
    };
    if (this.known.size >= MOST) this.forgetOldest();
    this.known.set(name, made);
    return made;
  }

  private forgetOldest(): void {
    const [oldest] = this.known.keys();
    if (oldest !== undefined) this.known.delete(oldest);
  }
}

/** Remembers two packings, whatever is asked for: decryption checks the name of a packing. */
function remembered(make: (zip: string) => Buffer): (zip: string) => Buffer {
  const known = new Map<string, Buffer>();
  return (zip) => {
    const found = known.get(zip);
    if (found !== undefined) return found;
    const made = ownMemory(make(zip));
    if (known.size < 2) known.set(zip, made);
    return made;
  };
}

/** A small buffer is a piece of a pool of 64 KB, which would stay with it. */
function ownMemory(bytes: Buffer): Buffer {
  return Buffer.from(new Uint8Array(bytes).buffer);
}

function derive(key: Buffer, use: string, run: string): KeyObject {
  return createSecretKey(createHmac('sha256', key).update(`${use}\0${run}`).digest());
}
