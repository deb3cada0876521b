import type { Json } from '../../core/base/json';
import { isDate } from '../../core/base/calendar';

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

/** Whole numbers are bigint, other numbers numeric, calendar dates date, lists and records json. */
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
    return isDate(value) ? 'date' : 'text';
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
