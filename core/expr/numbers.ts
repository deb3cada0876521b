import {
  addDecimals,
  decimalOfDouble,
  decimalText,
  divideDecimals,
  multiplyDecimals,
  negated,
  roundDecimal,
  type Decimal,
} from '../base/decimal';
import { EXACT, nearestOr, roundsQuotients, type ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import {
  exactDecimal,
  isApproximate,
  hasTooManyDigits,
  keptNumber,
  numberOfDecimal,
  readNumber,
} from '../base/number-rule';
import { isDigit } from './cursor';

/** Every computed number passes here: no NaN, no infinity, no negative zero ever becomes a value. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value + 0 : null;
}

export type ArithmeticOp = '+' | '-' | '*' | '/';

/**
 * Sums, differences and products of decimals are exact; a quotient is the double nearest to it, or has 20 digits where an
 * operand is no double. Null for what is no number, and for what is beyond all doubles.
 */
export function arithmetic(
  op: ArithmeticOp,
  left: Json | undefined,
  right: Json | undefined,
  exact: ExactNumbers = EXACT,
): number | string | null {
  const older = typeof left === 'number' && typeof right === 'number' ? doubles(op, left, right) : null;
  const newer = decimals(op, left, right, { older, exact });
  return newer === older || !exact() ? older : newer;
}

function doubles(op: ArithmeticOp, left: number, right: number): number | null {
  switch (op) {
    case '+':
      return finite(left + right);
    case '-':
      return finite(left - right);
    case '*':
      return finite(left * right);
    case '/':
      return finite(left / right);
    default:
      return null;
  }
}

const QUOTIENT_DIGITS = 20;
/** More than a double has: rounding to one afterwards gives the nearest. */
const GUARD_DIGITS = 40;

function decimals(
  op: ArithmeticOp,
  left: Json | undefined,
  right: Json | undefined,
  { older, exact }: { older: number | null; exact: ExactNumbers },
): number | string | null {
  if (op !== '/' && Number.isSafeInteger(left) && Number.isSafeInteger(right) && Number.isSafeInteger(older))
    return older;
  const [a, b] = [exactDecimal(left), exactDecimal(right)];
  if (a === undefined || b === undefined) return older;
  const areDoubles = typeof left === 'number' && typeof right === 'number';
  if (areDoubles && older === null) return null;
  const result = op === '/' ? quotient(a, b, areDoubles, exact) : combined(op, a, b);
  if (result === undefined) return older;
  if (!areDoubles) return numberOfDecimal(result);
  // 16 and 17 digits are what a calculation left behind: a result of more would pretend to know them.
  const isRounded = isApproximate(left, a) || isApproximate(right, b);
  if (!isRounded && op === '/') return nearestTo(result);
  const value = isRounded ? undefined : numberOfDecimal(result);
  // Doubles far apart in size: their sum would be a row of hundreds of zeros.
  const isFar = value === undefined || hasTooManyDigits(result) || (older === 0 && value !== 0);
  return isFar ? nearestOr(older, nearestTo(result), exact) : value;
}

function nearestTo(result: Decimal): number | null {
  return finite(Number(decimalText(result)));
}

function quotient(left: Decimal, right: Decimal, areDoubles: boolean, exact: ExactNumbers): Decimal | undefined {
  return divideDecimals(left, right, areDoubles ? GUARD_DIGITS : QUOTIENT_DIGITS, () => roundsQuotients(exact));
}

function combined(op: ArithmeticOp, left: Decimal, right: Decimal): Decimal | undefined {
  if (op === '*') return multiplyDecimals(left, right);
  return addDecimals(left, op === '-' ? negated(right) : right);
}

/** Decimal number in a text (`-12.50`, `1e6`), blanks around it allowed; anything else is null. */
export function parseNumber(text: string, exact: ExactNumbers = EXACT): number | string | null {
  const trimmed = text.trim();
  if (!isDecimal(trimmed)) return null;
  const older = finite(Number(trimmed));
  const newer = readNumber(trimmed) ?? null;
  return newer === older || !exact() ? older : newer;
}

function isDecimal(text: string): boolean {
  let at = text.startsWith('-') || text.startsWith('+') ? 1 : 0;
  const digits = (): boolean => {
    const start = at;
    while (isDigit(text.charCodeAt(at))) at++;
    return at > start;
  };
  if (!digits()) return false;
  if (text[at] === '.') {
    at++;
    if (!digits()) return false;
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at++;
    if (text[at] === '-' || text[at] === '+') at++;
    if (!digits()) return false;
  }
  return at === text.length;
}

/** Decimal places that `round` knows, in both directions. */
const MAX_PLACES = 15;

/**
 * Half away from zero, on the decimal digits as they are written (1.005 to 2 places is 1.01).
 * Negative places round to tens, hundreds...; null for places that are no whole number from -15 to 15.
 */
export function roundTo(value: number, places: number, exact: ExactNumbers = EXACT): number | null {
  if (!Number.isInteger(places) || Math.abs(places) > MAX_PLACES) return null;
  return nearestOr(olderRoundTo(value, places), nearestTo(roundDecimal(decimalOfDouble(value), places, 'away')), exact);
}

/** Goes by a shifted double, which has no room for the digits behind the point of a large number. */
function olderRoundTo(value: number, places: number): number | null {
  const shifted = shift(Math.abs(value), places);
  // Above 2^53 there are no fractions left to round.
  if (shifted > Number.MAX_SAFE_INTEGER) return finite(value);
  return finite(Math.sign(value) * shift(Math.round(shifted), -places));
}

/** The same of a number that is kept as text; null for any other text. */
export function roundKept(text: string, places: number): number | string | null {
  const value = keptNumber(text);
  if (value === undefined || !Number.isInteger(places) || Math.abs(places) > MAX_PLACES) return null;
  return numberOfDecimal(roundDecimal(value, places, 'away'));
}

/** Moves the decimal point of a number's shortest decimal text: exact where multiplying by 10^n is not. */
function shift(value: number, places: number): number {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}
