/** A value that should be text; anything else counts as missing. */
export function asText(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}

/** A text of an answer, or nothing. Throws TypeError: what is neither is of another protocol. */
export function textOrNothing(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw new TypeError('no text');
  return value;
}
