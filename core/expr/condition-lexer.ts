import { readNumber } from '../base/number-rule';
import { type Cursor, isDigit, isNameStart, isSpace, isWordPart } from './cursor';
import { found, refused, type Scan, shown } from './scan';
import { scanReference } from './scan-reference';
import { scanString } from './scan-string';
import type { ExprProblem, Reference } from './types';

export type Token =
  | { kind: 'number'; offset: number; value: number; written?: string }
  | { kind: 'string'; offset: number; value: string }
  | { kind: 'ref'; offset: number; ref: Reference }
  /** `word` in lower case, `text` as written. */
  | { kind: 'word'; offset: number; word: string; text: string }
  | { kind: 'symbol'; offset: number; symbol: string }
  /** `problem`: the text could not be read further. */
  | { kind: 'end'; offset: number; problem?: ExprProblem };

/** Longest first. */
const SYMBOLS = ['==', '!=', '<=', '>=', '<', '>', '+', '-', '*', '/', '(', ')', '[', ']', ','];

/** Operators of other languages that people write, longest first. */
const FOREIGN: readonly (readonly [string, string])[] = [
  ['===', 'Write == to compare.'],
  ['!==', 'Write != to compare.'],
  ['&&', 'Write AND.'],
  ['||', 'Write OR.'],
  ['<>', 'Write != to compare.'],
  ['=>', 'Write >= to compare.'],
  ['=<', 'Write <= to compare.'],
  ['**', 'There is no power operator.'],
  ['??', 'Write coalesce({a}, {b}).'],
];
const STRAIGHT = 'Write straight quotes: "text".';
const FOREIGN_SINGLE: ReadonlyMap<string, string> = new Map([
  ['=', 'Write == to compare.'],
  ['!', 'Write NOT.'],
  ['&', 'Write AND.'],
  ['|', 'Write OR, or a function around the value: upper({a}).'],
  ['?', "Write if({a.count} > 0, 'yes', 'no')."],
  ['%', 'Write mod({a}, 2).'],
  ['$', 'Write {step.field} for a value.'],
  ['\u201c', STRAIGHT],
  ['\u201d', STRAIGHT],
  ['\u2018', STRAIGHT],
  ['\u2019', STRAIGHT],
]);

/**
 * The tokens of an expression, closed by an `end` token. A text that cannot be read ends the list early:
 * what the parser objects to before that place is the better explanation.
 */
export function scanTokens(cursor: Cursor): Token[] {
  const tokens: Token[] = [];
  for (;;) {
    cursor.takeWhile(isSpace);
    if (cursor.done) break;
    const token = scanToken(cursor);
    if (!token.ok) return [...tokens, { kind: 'end', offset: token.problem.offset, problem: token.problem }];
    tokens.push(token.value);
  }
  tokens.push({ kind: 'end', offset: cursor.position });
  return tokens;
}

function scanToken(cursor: Cursor): Scan<Token> {
  const offset = cursor.position;
  const unit = cursor.peek();
  if (unit === 123) return scanBraces(cursor);
  if (unit === 34 || unit === 39) {
    const text = scanString(cursor);
    return text.ok ? found({ kind: 'string', offset, value: text.value }) : text;
  }
  if (isDigit(unit)) return scanNumber(cursor);
  if (isNameStart(unit)) return scanWord(cursor);
  return scanSymbol(cursor);
}

function scanBraces(cursor: Cursor): Scan<Token> {
  const offset = cursor.position;
  cursor.advance();
  if (cursor.peek() === 123) {
    return refused(offset, 'A reference has one pair of braces.', 'For example {pull.count}.');
  }
  if (isSpace(cursor.peek())) {
    return refused(cursor.position, 'There is no blank between { and the reference.', 'For example {pull.count}.');
  }
  const reference = scanReference(cursor);
  if (!reference.ok) return reference;
  if (cursor.peek() !== 125) {
    return refused(
      cursor.position,
      `A reference goes on with . or [ or ends with }, but here is ${shown(cursor)}.`,
      'Braces hold a reference alone; operators and functions stand outside: {pull.count} > 0.',
    );
  }
  cursor.advance();
  return found({ kind: 'ref', offset, ref: reference.value });
}

function scanNumber(cursor: Cursor): Scan<Token> {
  const offset = cursor.position;
  cursor.takeWhile(isDigit);
  if (cursor.peek() === 46 && isDigit(cursor.peek(1))) {
    cursor.advance();
    cursor.takeWhile(isDigit);
  }
  if ((cursor.peek() | 32) === 101 && exponentLength(cursor) > 0) {
    cursor.advance(exponentLength(cursor));
    cursor.takeWhile(isDigit);
  }
  const text = cursor.text.slice(offset, cursor.position);
  const value = Number(text);
  if (isWordPart(cursor.peek()) || cursor.peek() === 46) {
    return refused(cursor.position, `A number cannot be followed by ${shown(cursor)}.`, 'Put text in quotes.');
  }
  if (!Number.isFinite(value)) return refused(offset, 'This number is too large.');
  const kept = readNumber(text);
  return found({ kind: 'number', offset, value, ...(typeof kept === 'string' ? { written: kept } : {}) });
}

/** Length of `e`, `e+` or `e-` when a digit follows, else 0. */
function exponentLength(cursor: Cursor): number {
  if (isDigit(cursor.peek(1))) return 1;
  const signed = cursor.peek(1) === 43 || cursor.peek(1) === 45;
  return signed && isDigit(cursor.peek(2)) ? 2 : 0;
}

function scanWord(cursor: Cursor): Scan<Token> {
  const offset = cursor.position;
  const text = cursor.takeWhile(isWordPart);
  return found({ kind: 'word', offset, word: text.toLowerCase(), text });
}

function scanSymbol(cursor: Cursor): Scan<Token> {
  const offset = cursor.position;
  const foreign = FOREIGN.find(([symbol]) => cursor.at(symbol));
  if (foreign) return refused(offset, `\`${foreign[0]}\` is not an operator here.`, foreign[1]);
  const symbol = SYMBOLS.find((candidate) => cursor.at(candidate));
  if (symbol === undefined) {
    const hint = FOREIGN_SINGLE.get(cursor.text[offset] ?? '');
    return refused(offset, `Here is ${shown(cursor)}, which has no meaning in an expression.`, hint);
  }
  cursor.advance(symbol.length);
  return found({ kind: 'symbol', offset, symbol });
}
