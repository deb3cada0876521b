import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../core/errors/app-error';

/** Scope of blobs that belong to workflow histories and not to one owner. */
export const HISTORY_SCOPE = '00000000-0000-0000-0000-000000000000';

export interface BlobAddress {
  /** Hex SHA-256 of the content. */
  sha256: string;
  /** Bytes of the content. */
  size: number;
}

/**
 * Content by address. `scope` is an owner's id or HISTORY_SCOPE; a blob of one scope is invisible in every other.
 * Throws `storage_full` or `database_unavailable` when it cannot write.
 */
export interface BlobStore {
  /** Stores durably before it returns. Storing existing content again changes nothing. */
  put(scope: string, bytes: Uint8Array): Promise<BlobAddress>;
  /** Throws `blob_not_found`; `blob_damaged` when the content does not match its address. */
  get(scope: string, sha256: string): Promise<Buffer>;
  has(scope: string, sha256: string): Promise<boolean>;
}

const SCOPE = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const ADDRESS = /^[0-9a-f]{64}$/;
/** Bytes that are hashed at once; between two pieces other work continues. */
const PIECE = 4 * 1024 * 1024;

export async function addressOf(bytes: Uint8Array): Promise<BlobAddress> {
  const hash = createHash('sha256');
  for (let start = 0; start < bytes.length; start += PIECE) {
    if (start > 0) {
      await nextTurn();
    }
    hash.update(bytes.subarray(start, start + PIECE));
  }
  return { sha256: hash.digest('hex'), size: bytes.length };
}

/** Checks both parts, as they end up in file names and keys: only a plain scope and address pass. */
export function checkAddress(scope: string, sha256?: string): void {
  if (!SCOPE.test(scope) || (sha256 !== undefined && !ADDRESS.test(sha256))) {
    throw new AppError('invalid_blob_address', 'A blob is addressed by a lower-case UUID and a hex SHA-256.', {
      category: 'internal',
    });
  }
}

export async function checkContent(bytes: Buffer, sha256: string): Promise<Buffer> {
  if ((await addressOf(bytes)).sha256 !== sha256) {
    throw new AppError('blob_damaged', `The stored content ${sha256.slice(0, 12)}… is damaged. ${CURE}`, {
      category: 'internal',
    });
  }
  return bytes;
}

const CURE = 'Bring it back from a backup, then resolve the step with "repeat", or retry the run.';

export function blobNotFound(sha256: string): AppError {
  return new AppError('blob_not_found', `The stored content ${sha256.slice(0, 12)}… is not there any more. ${CURE}`, {
    category: 'not_found',
  });
}
