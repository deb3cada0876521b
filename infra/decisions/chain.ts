import { createHash } from 'node:crypto';

/** hash of the entry before the first one. */
export const GENESIS = '0'.repeat(64);

/** The hash of `af_log_decision` in the database: SHA-256, hexadecimal. */
export function chainHash(previous: string, entry: string): string {
  return createHash('sha256')
    .update(previous + entry)
    .digest('hex');
}
