import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { KeyRing } from './key-ring';

/** PKCS #8 and SubjectPublicKeyInfo frames of Ed25519 (RFC 8410); the 32 bytes of the key follow. */
const PRIVATE_FRAME = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_FRAME = Buffer.from('302a300506032b6570032100', 'hex');
const PUBLIC_BYTES = 32;

export interface Signer {
  keyId: string;
  /** 32 bytes in base64url. */
  publicKey: string;
  /** base64url. */
  sign(text: string): string;
}

/** The Ed25519 key that the current master key gives for heads of decision chains. */
export function headSigner(ring: KeyRing): Signer {
  const seed = ring.dataKey('decision-heads', ring.current);
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_FRAME, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return {
    keyId: ring.current,
    publicKey: spki.subarray(-PUBLIC_BYTES).toString('base64url'),
    sign: (text) => sign(null, Buffer.from(text), key).toString('base64url'),
  };
}

/** False also for a key or a signature that is none. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  const key = readPublicKey(publicKey);
  return key !== undefined && verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64url'));
}

function readPublicKey(encoded: string): KeyObject | undefined {
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.length !== PUBLIC_BYTES) return undefined;
  try {
    return createPublicKey({ key: Buffer.concat([PUBLIC_FRAME, bytes]), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}
