import type { Json } from './json';
import { numberOrText } from './number-rule';

/** A number that a double may not hold: 16 digits and points in a row, or an exponent of three digits. */
const SUSPECT = /(?:^|[:[,\s])-?(?:\d[\d.]{15}|\d[\d.]*[eE][+-]?\d{3})/;
/** A whole text or a whole number, so that digits inside of a text are never taken for a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** May the text hold a number that `JSON.parse` would change without a word? Almost every text does not. */
export function mayLoseNumbers(text: string): boolean {
  return SUSPECT.test(text);
}

/**
 * `JSON.parse` by the rule of `number-rule.ts`: a number that a double does not hold is the text that was written. Throws
 * what `JSON.parse` throws. Of duplicate keys the last one counts (RFC 8259 leaves it open).
 */
export function parseExactJson(text: string): Json {
  const data = JSON.parse(text) as Json;
  return SUSPECT.test(text) ? (JSON.parse(text.replace(TOKEN, exactToken)) as Json) : data;
}

function exactToken(token: string): string {
  if (token.startsWith('"')) return token;
  const value = numberOrText(token);
  return typeof value === 'string' ? `"${value}"` : token;
}
