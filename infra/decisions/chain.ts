import { createHash } from 'node:crypto';
import type { LogEntry } from '../db/stores/decisions.store';

/** hash of the entry before the first one. */
export const GENESIS = '0'.repeat(64);

/** As `af_log_decision` makes it in the database: SHA-256, hexadecimal. */
export function chainHash(previous: string, entry: string): string {
  return createHash('sha256')
    .update(previous + entry)
    .digest('hex');
}

/**
 * Checks a whole log offline; gives the number of the first entry that does not fit, or null. A log whose end was cut
 * off is a chain in itself: only one who noted an earlier entry (`seen`) finds that it is gone or another one.
 */
export function brokenLogEntry(
  entries: readonly LogEntry[],
  seen?: Readonly<Pick<LogEntry, 'no' | 'hash'>>,
): number | null {
  let previous = GENESIS;
  for (const [index, entry] of entries.entries()) {
    const hash = chainHash(previous, entry.entry);
    if (entry.no !== index + 1 || entry.prev_hash !== previous || entry.hash !== hash) {
      return entry.no;
    }
    previous = hash;
  }
  return seen === undefined || entries[seen.no - 1]?.hash === seen.hash ? null : seen.no;
}
