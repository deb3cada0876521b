import type { Cursor } from './cursor';
import { found, refused, type Scan } from './scan';

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['/', '/'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
]);
const BACKSLASH = 92;

/** A text in single or double quotes; the cursor stands on the opening quote. Escapes are those of JSON and `\'`. */
export function scanString(cursor: Cursor): Scan<string> {
  const start = cursor.position;
  const quote = cursor.peek();
  const parts: string[] = [];
  cursor.advance();
  for (;;) {
    parts.push(cursor.takeWhile((unit) => unit !== quote && unit !== BACKSLASH));
    if (cursor.done) return refused(start, 'This quote is never closed.', 'Close the text with the same quote.');
    if (cursor.peek() === quote) break;
    const escape = scanEscape(cursor);
    if (!escape.ok) return escape;
    parts.push(escape.value);
  }
  cursor.advance();
  return found(parts.join(''));
}

function scanEscape(cursor: Cursor): Scan<string> {
  const start = cursor.position;
  cursor.advance();
  const name = cursor.text[cursor.position] ?? '';
  if (name === 'u') return scanUnicode(cursor, start);
  const value = ESCAPES.get(name);
  if (value === undefined) {
    return refused(
      start,
      `\\${name} is not a known escape.`,
      'Write \\\\ for a backslash. Known: \\n \\t \\r \\b \\f \\/ \\\' \\" \\\\ \\uXXXX.',
    );
  }
  cursor.advance();
  return found(value);
}

function scanUnicode(cursor: Cursor, start: number): Scan<string> {
  let unit = 0;
  for (let index = 1; index <= 4; index++) {
    const digit = hexDigit(cursor.peek(index));
    if (digit < 0) return refused(start, '\\u needs four hexadecimal digits.', 'For example \\u00e9.');
    unit = unit * 16 + digit;
  }
  cursor.advance(5);
  return found(String.fromCharCode(unit));
}

function hexDigit(unit: number): number {
  if (unit >= 48 && unit <= 57) return unit - 48;
  const lower = unit | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : -1;
}
