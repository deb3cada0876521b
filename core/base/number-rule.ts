import { compareDecimals, decimalOf, decimalOfDouble, decimalText, type Decimal } from './decimal';
import type { Json } from './json';

/**
 * Replay-sensitive. The one rule for numbers: a number that a double gives back as it was written is a number, any other
 * one is the text that was written. So nothing is rounded on its way in, and such texts are compared, sorted, joined and
 * added up by their exact value. docs/numbers.md says what that means at each door.
 */

/** Digits, with what may stand between and before them, that every double gives back. */
const SHORT = 15;
const INTEGER = /^-?\d+$/;
/** Spellings of a decimal number by people and programs; JSON knows fewer spellings. */
const SPELLED = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:[eE]([+-]?\d+))?$/;

/**
 * True if a double gives back the number as JSON would write it. False for whole numbers beyond 2^53 that are written
 * out, so that identifiers of one column all have one type.
 */
export function isExactDouble(written: string): boolean {
  if (written.length <= SHORT && !hasExponent(written)) return true;
  const value = Number(written);
  if (!Number.isFinite(value)) return false;
  if (INTEGER.test(written)) return Number.isSafeInteger(value);
  const exact = decimalOf(written);
  if (exact === undefined || compareDecimals(exact, decimalOfDouble(value)) !== 0) return false;
  return hasExponent(written) || Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isInteger(value);
}

function hasExponent(text: string): boolean {
  return text.includes('e') || text.includes('E');
}

/** A number as JSON writes it, by the rule. A negative zero is a zero. */
export function numberOrText(written: string): number | string {
  return isExactDouble(written) ? Number(written) + 0 : written;
}

/**
 * The number that a text spells (`+1`, `.5`, `007` too; no separators), by the rule: a text result is spelled as JSON
 * would. Undefined for a text that is no number.
 */
export function readNumber(text: string): number | string | undefined {
  const spelling = jsonSpelling(text.trim());
  return spelling === undefined ? undefined : numberOrText(spelling);
}

/** `+.5` as `0.5`, `-007.` as `-7`; undefined for a text that is no decimal number. */
function jsonSpelling(text: string): string | undefined {
  const match = SPELLED.exec(text);
  if (match === null) return undefined;
  const [, sign = '', digits = '', exponent] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  const plain = whole.replace(/^0+(?=\d)/, '') || '0';
  const point = fraction === '' ? '' : `.${fraction}`;
  return `${sign === '-' ? '-' : ''}${plain}${point}${exponent === undefined ? '' : `e${exponent}`}`;
}

/** True if the text is a number that would be shown in another spelling, such as `1.10` or `12e3`. */
export function losesSpelling(text: string): boolean {
  const value = readNumber(text);
  return typeof value === 'number' && String(value) !== text.trim();
}

/** A number as JSON writes it where its text counts: one that would be shown in another way stays as it is written. */
export function writtenNumber(written: string): number | string {
  return losesSpelling(written) ? written : numberOrText(written);
}

/** A remark for a text with more digits than a number holds, where a number was expected; empty for all other texts. */
export function digitsRemark(found: string): string {
  const lost = typeof readNumber(found.replace(/^"|"$|[\s,']/g, '')) === 'string';
  return lost ? ' It has more digits than a number holds: read it as text to keep them.' : '';
}

/** The exact value of a text that the rule keeps as text because a double does not hold it; undefined for all others. */
export function keptNumber(text: string): Decimal | undefined {
  // Checks the first and the last character first, as most texts are no numbers.
  if (!mayBeNumber(text)) return undefined;
  const exact = decimalOf(text);
  return exact === undefined || isExactDouble(text) ? undefined : exact;
}

function mayBeNumber(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  const first = text.charCodeAt(0);
  return last >= 48 && last <= 57 && ((first >= 48 && first <= 57) || first === 45) && text.length > 4;
}

/** One spelling for all texts of one number that the rule keeps as text; every other text as it is. */
export function canonicalNumber(text: string): string {
  const exact = keptNumber(text);
  return exact === undefined ? text : decimalText(exact);
}

/** A number, or a text that is one by the rule. */
export function isNumeric(value: Json | undefined): boolean {
  return typeof value === 'number' || (typeof value === 'string' && keptNumber(value) !== undefined);
}

/** The exact value of a number, or of a text that the rule keeps; undefined for all else. */
export function exactDecimal(value: Json | undefined): Decimal | undefined {
  if (typeof value === 'number') return decimalOfDouble(value);
  return typeof value === 'string' ? keptNumber(value) : undefined;
}

/** A result by the rule: a number where a double gives it back, otherwise its text. */
export function numberOfDecimal(value: Decimal): number | string {
  const text = decimalText(value);
  const double = Number(text);
  const held = Number.isFinite(double) && compareDecimals(value, decimalOfDouble(double)) === 0;
  return held ? double + 0 : text;
}

/** Digits of a result of doubles. */
const MOST_RESULT_DIGITS = 40;

/** Results of doubles that are no amounts any more: of numbers that lie very far apart in size. */
export function hasTooManyDigits({ digits }: Decimal): boolean {
  return digits.toString().length > MOST_RESULT_DIGITS;
}

/**
 * A double of 16 and 17 digits is what a calculation or a measurement left behind: a result that pretended to know all of
 * its digits would be no better, and not a number any more. Whole numbers are exact up to 2^53.
 */
export function isApproximate(value: number, { digits }: Decimal): boolean {
  return !Number.isSafeInteger(value) && digits.toString().replace('-', '').length > SHORT;
}
