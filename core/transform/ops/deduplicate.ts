import { valueKey } from '../compare';
import { readField } from '../field-path';
import type { Operation } from '../operation';
import { flag, namedFields, oneOf, type NamedField } from '../params';
import type { Row } from '../rows';
import { normaliseName } from '../text';
import type { Json } from '../../base/json';

/**
 * `{fields, keep: first|last, case_insensitive}`: one row of each set of equal values, in input order.
 * Without fields whole rows are compared. `case_insensitive` also joins differences of white space.
 */
export const deduplicate: Operation = (rows, params) => {
  const fields = namedFields(params, ['fields', 'field']);
  const keep = oneOf(params, 'keep', ['first', 'last'], 'first');
  const fold = flag(params, 'case_insensitive');
  const kept = new Map<string, number>();
  rows.forEach((row, index) => {
    const key = rowKey(row, fields, fold);
    if (keep === 'last' || !kept.has(key)) {
      kept.set(key, index);
    }
  });
  return [...kept.values()].sort((left, right) => left - right).map((index) => rows[index] as Row);
};

/** One text for the values of some fields of a row (all fields when none are named). */
export function rowKey(row: Row, fields: readonly NamedField[] | undefined, fold: boolean): string {
  if (fields === undefined) {
    return valueKey(fold ? Object.fromEntries(Object.entries(row).map(([name, value]) => [name, folded(value)])) : row);
  }
  return valueKey(fields.map((field) => (fold ? folded(readField(row, field.path)) : readField(row, field.path))));
}

function folded(value: Json): Json {
  return typeof value === 'string' ? normaliseName(value) : value;
}
