import { capitalize } from '../base/capitalize';
import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import { AppError } from '../errors/app-error';
import { guarded } from '../transform/failure';
import { Remarks } from '../transform/remarks';
import { toRows } from '../transform/rows';

/** Reads rendered params: a reference may have brought any type, so each is checked where it is used. */
export function textOption(options: JsonObject, name: string): string | undefined {
  const value = ownField(options, name) ?? null;
  if (value === null || value === '') {
    return undefined;
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value);
  }
  throw invalid(name, 'text');
}

export function flagOption(options: JsonObject, name: string, fallback: boolean): boolean {
  const value = ownField(options, name) ?? fallback;
  if (typeof value !== 'boolean') {
    throw invalid(name, 'true or false');
  }
  return value;
}

/** A whole number between bounds. */
export function countOption(options: JsonObject, name: string, range: { fallback: number; most: number }): number {
  const value = ownField(options, name) ?? range.fallback;
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 1 || value > range.most) {
    throw invalid(name, `a whole number from 1 to ${range.most}`);
  }
  return value;
}

/** One name or a list of names. */
export function namesOption(options: JsonObject, name: string): string[] {
  const value = ownField(options, name) ?? null;
  const list = value === null || value === '' ? [] : Array.isArray(value) ? value : [value];
  return list.map((element) => (typeof element === 'string' && element !== '' ? element : refuse(name)));
}

function refuse(name: string): never {
  throw invalid(name, 'a field name or a list of field names');
}

export function invalid(name: string, expected: string): AppError {
  return new AppError('invalid_params', `\`${name}\` must be ${expected}.`, {
    category: 'validation',
    details: { field: name },
  });
}

/** Records of an input, and what was left out of them, in the shape of a step's `warnings`. */
export interface RecordsRead {
  records: JsonObject[];
  warnings: JsonObject[];
}

/**
 * Reads an input that may be one record or a list. Lists of lists (what the items of a `for_each` gave) are joined, as
 * transforms join them; null elements (failed items) are left out, which is told.
 * @throws AppError missing_data, invalid_data
 */
export function recordsInput(value: Json | undefined, name: string): RecordsRead {
  const remarks = new Remarks();
  const read = guarded('', () => toRows(isJsonObject(value) ? [value] : value, name, remarks));
  if (!read.ok) throw new AppError(read.code, capitalize(read.message), { category: 'validation' });
  return { records: read.value, warnings: remarks.list };
}
