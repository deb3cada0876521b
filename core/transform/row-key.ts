import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import { valueKey } from './compare';
import { readField, type FieldPath } from './field-path';
import type { Row } from './rows';
import { normaliseName, canonicalSpelling } from './text';

/** One text for the values of some fields of a row. Types count; a missing field is null; with `fold` names are normalised. */
export function rowKey(row: Row, fields: readonly FieldPath[], fold: boolean, exact: ExactNumbers = EXACT): string {
  return JSON.stringify(fields.map((field) => part(readField(row, field), fold, exact)));
}

/** Single values are written by the engine itself; the list around a nested one keeps it apart from a text. */
function part(value: Json, fold: boolean, exact: ExactNumbers): Json {
  if (typeof value === 'object' && value !== null) {
    return [valueKey(value)];
  }
  if (typeof value !== 'string') return value;
  const text = canonicalSpelling(value, exact);
  return fold ? normaliseName(text) : text;
}
