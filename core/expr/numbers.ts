import type { Json } from '../base/json';
import { isDigit } from './cursor';

/** Every computed number passes here: no NaN, no infinity, no negative zero ever becomes a value. */
export function finite(value: number): number | null {
  return Number.isFinite(value) ? value + 0 : null;
}

export function arithmetic(op: '+' | '-' | '*' | '/', left: Json | undefined, right: Json | undefined): number | null {
  if (typeof left !== 'number' || typeof right !== 'number') return null;
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

/** Decimal number in a text (`-12.50`, `1e6`), blanks around it allowed; anything else is null. */
export function parseNumber(text: string): number | null {
  const trimmed = text.trim();
  let at = trimmed.startsWith('-') || trimmed.startsWith('+') ? 1 : 0;
  const digits = (): boolean => {
    const start = at;
    while (isDigit(trimmed.charCodeAt(at))) at++;
    return at > start;
  };
  if (!digits()) return null;
  if (trimmed[at] === '.') {
    at++;
    if (!digits()) return null;
  }
  if (trimmed[at] === 'e' || trimmed[at] === 'E') {
    at++;
    if (trimmed[at] === '-' || trimmed[at] === '+') at++;
    if (!digits()) return null;
  }
  return at === trimmed.length ? finite(Number(trimmed)) : null;
}

/** Decimal places that `round` knows, in both directions. */
const MAX_PLACES = 15;

/**
 * Half away from zero, on the decimal digits as they are written (1.005 to 2 places is 1.01).
 * Negative places round to tens, hundreds...; null for places that are no whole number from -15 to 15.
 */
export function roundTo(value: number, places: number): number | null {
  if (!Number.isInteger(places) || Math.abs(places) > MAX_PLACES) return null;
  const shifted = shift(Math.abs(value), places);
  // Above 2^53 there are no fractions left to round.
  if (shifted > Number.MAX_SAFE_INTEGER) return finite(value);
  return finite(Math.sign(value) * shift(Math.round(shifted), -places));
}

/** Moves the decimal point of a number's shortest decimal text: exact where multiplying by 10^n is not. */
function shift(value: number, places: number): number {
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  return Number(`${mantissa}e${Number(exponent) + places}`);
}
