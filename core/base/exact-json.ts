import type { Json } from './json';
import { numberOrText, writtenNumber } from './number-rule';

/** A number that a double may not hold: 16 digits and points in a row, or an exponent of three digits. */
const SUSPECT = /(?:^|[:[,\s])-?(?:\d[\d.]{15}|\d[\d.]*[eE][+-]?\d{3})/;
/** Beginning of the next text or number: digits inside of a text are never taken for a number. */
const TOKEN = /["\d-]/g;
const NUMBER = /-?\d[\d.eE+-]*/y;

/**
 * `JSON.parse` by the rule of `number-rule.ts`: a number that a double does not hold is the text that was written. Throws
 * what `JSON.parse` throws. Of duplicate keys the last one counts (RFC 8259 leaves it open): what people and models write is looked at with
 * `duplicate-key.ts`, what sources answer is taken as it comes.
 */
export function parseExactJson(text: string): Json {
  const data = JSON.parse(text) as Json;
  return SUSPECT.test(text) ? (JSON.parse(withKeptNumbers(text)) as Json) : data;
}

/** The same, and a number that would be written in another way (`1.10`, `2.0`) is the text that was written, too. */
export function parseWrittenJson(text: string): Json {
  JSON.parse(text);
  return JSON.parse(withKeptNumbers(text, writtenNumber)) as Json;
}

/** Valid JSON whose numbers that no double holds are texts. A loop: one pattern for a whole text overflows on long ones. */
function withKeptNumbers(text: string, read = numberOrText): string {
  const pieces: string[] = [];
  let copied = 0;
  TOKEN.lastIndex = 0;
  for (let found = TOKEN.exec(text); found !== null; found = TOKEN.exec(text)) {
    const at = found.index;
    if (found[0] === '"') {
      TOKEN.lastIndex = endOfText(text, at);
      continue;
    }
    NUMBER.lastIndex = at;
    const [number = ''] = NUMBER.exec(text) ?? [];
    TOKEN.lastIndex = at + Math.max(1, number.length);
    if (typeof read(number) === 'number') continue;
    pieces.push(text.slice(copied, at), `"${number}"`);
    copied = at + number.length;
  }
  return pieces.join('') + text.slice(copied);
}

/** Finds the place after the quote that closes the text which begins at `start`. */
export function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return text.length;
}
