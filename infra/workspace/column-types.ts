import type { Json } from '../../core/base/json';
import { isDate } from '../../core/base/calendar';
import { decimalOf, decimalText, type Decimal } from '../../core/base/decimal';
import { keptNumber, numberOrText } from '../../core/base/number-rule';

/** `unknown`: only empty values so far; the column is text until the first value decides. */
export type ColumnType = 'unknown' | 'bigint' | 'numeric' | 'boolean' | 'date' | 'text' | 'json';

export const SQL_TYPES: Record<ColumnType, string> = {
  unknown: 'text',
  bigint: 'bigint',
  numeric: 'numeric',
  boolean: 'boolean',
  date: 'date',
  text: 'text',
  json: 'jsonb',
};

/** Digits of a number in a column, written out: `1e400` has 401. */
const MOST_DIGITS = 1_000;
/** Zeros that are counted rather than written when a number is read. */
const MOST_ZEROS = 40;

/** A number that is kept as text because a double does not hold it: `numeric` does, to the last digit. */
export function isKeptNumber(value: Json | undefined): value is string {
  const exact = typeof value === 'string' ? keptNumber(value) : undefined;
  return exact !== undefined && writtenDigits(exact) <= MOST_DIGITS;
}

function writtenDigits({ digits, places }: Decimal): number {
  const count = digits.toString().replace('-', '').length;
  return Math.max(count - places, 1) + Math.max(places, 0);
}

/** The number that PostgreSQL writes out: it knows no exponents, so `1e400` comes back with all its zeros. */
export function numericValue(text: string): number | string {
  const exact = text.length > MOST_ZEROS ? decimalOf(text) : undefined;
  const short = exact === undefined ? text : decimalText(exact);
  return numberOrText(text.length - short.length > MOST_ZEROS ? short : text);
}

/** Whole numbers are bigint, other and longer numbers numeric, calendar dates date, lists and records json. */
export function typeOf(value: Json): ColumnType {
  if (value === null) {
    return 'unknown';
  }
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? 'bigint' : 'numeric';
  }
  if (typeof value === 'boolean') {
    return 'boolean';
  }
  if (typeof value === 'string') {
    if (isDate(value)) return 'date';
    return isKeptNumber(value) ? 'numeric' : 'text';
  }
  return 'json';
}

/**
 * The narrowest type that holds both: bigint → numeric → text, boolean → text, date → text. Nothing widens to
 * json, and json holds everything. `undefined` = a list or record meets a column of single values.
 */
export function widen(column: ColumnType, value: ColumnType): ColumnType | undefined {
  if (column === value || value === 'unknown' || column === 'json') {
    return column;
  }
  if (column === 'unknown') {
    return value;
  }
  if (value === 'json') {
    return undefined;
  }
  const pair = new Set([column, value]);
  return pair.has('bigint') && pair.has('numeric') ? 'numeric' : 'text';
}
