import { createHash } from 'node:crypto';

/** hash of the entry before the first one. */
export const GENESIS = '0'.repeat(64);

/** As `af_log_decision` makes it in the database: SHA-256, hexadecimal. */
export function chainHash(previous: string, entry: string): string {
  return createHash('sha256')
    .update(previous + entry)
    .digest('hex');
}
