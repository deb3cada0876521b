/** A value that should be text; anything else counts as missing. */
export function asText(value: unknown, fallback = ''): string {
  return typeof value === 'string' ? value : fallback;
}
