import type { Json } from '../../core/base/json';
import { isDate } from '../../core/base/calendar';
import { keptNumber } from '../../core/base/number-rule';

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

/** A number that is kept as text because a double does not hold it: `numeric` does, to the last digit. */
export function isKeptNumber(value: Json | undefined): value is string {
  return typeof value === 'string' && keptNumber(value) !== undefined && !/e/i.test(value);
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
