import { createCipheriv, createDecipheriv, randomFillSync, type KeyObject } from 'node:crypto';
import { AppError } from '../../core/errors/app-error';
import type { KeyPurpose, KeyRing } from './key-ring';

/** First byte of every envelope: the layout that follows it. */
const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

export interface Sealed {
  keyId: string;
  bytes: Buffer;
}

/**
 * Encrypts with AES-256-GCM (NIST SP 800-38D) under the current key. `about` names what the content belongs to: it is not
 * stored, and opening needs the same.
 */
export function seal(ring: KeyRing, purpose: KeyPurpose, content: Uint8Array, about: readonly string[]): Sealed {
  const keyId = ring.current;
  const bytes = encrypt(ring.dataKey(purpose, keyId), content, associatedData([purpose, keyId, ...about]));
  return { keyId, bytes };
}

/** Throws `master_key_unknown`, `envelope_invalid` or `envelope_damaged`; none of them says more about the content. */
export function open(ring: KeyRing, purpose: KeyPurpose, sealed: Sealed, about: readonly string[]): Buffer {
  const key = ring.dataKey(purpose, sealed.keyId);
  return decrypt(key, sealed.bytes, associatedData([purpose, sealed.keyId, ...about]));
}

/** A key that is used often is a KeyObject: with bytes, making the cipher takes six times as long. */
export type CipherKey = KeyObject | Buffer;

const drawn = Buffer.alloc(NONCE_BYTES * 256);
let used = drawn.length;

/** Draws random bytes for many nonces at once, because each draw is a system call. No byte is used twice. */
export function randomNonce(): Buffer {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const nonce = Buffer.from(drawn.subarray(used, used + NONCE_BYTES));
  used += NONCE_BYTES;
  return nonce;
}

/** `[version][nonce][tag][ciphertext]`. `nonce`: 12 bytes that this key sees for no other content; random by default. */
export function encrypt(key: CipherKey, content: Uint8Array, aad: Buffer, nonce: Buffer = randomNonce()): Buffer {
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(aad);
  const body = cipher.update(content);
  cipher.final();
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
}

export function decrypt(key: CipherKey, envelope: Uint8Array, aad: Buffer): Buffer {
  if (envelope.length < HEAD_BYTES) throw invalid(`it has ${envelope.length} bytes and is cut off`);
  if (envelope[0] !== VERSION) throw invalid(`its version is ${envelope[0]}, this product reads ${VERSION}`);
  const nonce = envelope.subarray(1, 1 + NONCE_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(aad);
  decipher.setAuthTag(envelope.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  const content = decipher.update(envelope.subarray(HEAD_BYTES));
  try {
    decipher.final();
  } catch {
    throw new AppError(
      'envelope_damaged',
      'Encrypted content does not open: it was changed, cut off, or belongs to something else.',
      { category: 'internal' },
    );
  }
  return content;
}

/** Every part with its length before it: no two lists of parts give the same bytes. */
export function associatedData(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

function invalid(why: string): AppError {
  return new AppError('envelope_invalid', `Encrypted content cannot be read: ${why}.`, { category: 'internal' });
}
