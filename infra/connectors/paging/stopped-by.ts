/** Why a call reads no further page. */
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

/** Reasons that only suggest the end of the list. */
const GUESSES: readonly string[] = [
  'short_page',
  'not_found',
  'below_total',
  'total_changed',
  'contradiction',
  'no_next',
  'unreadable',
];

/** Whether there is more than was read: known, or `unknown` where the end is a guess. */
export function isTruncated(stoppedBy: StoppedBy): boolean | 'unknown' {
  return GUESSES.includes(stoppedBy) ? 'unknown' : stoppedBy !== 'end';
}
