/** Reasons why a call reads no further page. */
export const STOPPED_BY = [
  'end',
  'max_pages',
  'max_items',
  'max_bytes',
  'max_seconds',
  'repeated_page',
  'repeated_cursor',
  'short_page',
  'not_found',
  'below_total',
  'total_changed',
  'contradiction',
  'no_next',
  'unreadable',
] as const;
export type StoppedBy = (typeof STOPPED_BY)[number];

/**
 * Tells whether there is more than was read: known where the source says so, or records were cut; else `unknown`,
 * whatever ended the reading.
 */
export function isTruncated(stoppedBy: StoppedBy, isMoreKnown: boolean): boolean | 'unknown' {
  if (stoppedBy === 'end') return false;
  return isMoreKnown ? true : 'unknown';
}
