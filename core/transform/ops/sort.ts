import type { Json } from '../../base/json';
import { compareValues } from '../compare';
import { fail } from '../failure';
import { readField } from '../field-path';
import type { Operation } from '../operation';
import { sortKeys, type SortKey } from '../params';
import type { Row } from '../rows';

/** `{field, direction}` or `{by: [{field, direction}]}`. Stable; null and missing values come last in either direction. */
export const sort: Operation = (rows, params) => {
  const keys = sortKeys(params, ['by', 'field', 'fields']);
  if (keys === undefined || keys.length === 0) {
    fail('invalid_operation', '`field` is empty: expected the field to sort by, or `by` with a list of fields.');
  }
  return sortedIndexes(rows, keys).map((index) => rows[index] as Row);
};

/** Positions of the rows in sorted order. Key values are read once for each row. */
export function sortedIndexes(rows: readonly Row[], keys: readonly SortKey[]): number[] {
  const values = rows.map((row) => keys.map((key) => readField(row, key.path)));
  const indexes = rows.map((_row, index) => index);
  return indexes.sort((left, right) => compareKeys(values[left] ?? [], values[right] ?? [], keys));
}

function compareKeys(left: Json[], right: Json[], keys: readonly SortKey[]): number {
  for (let at = 0; at < keys.length; at += 1) {
    const order = compareNullsLast(left[at] ?? null, right[at] ?? null, keys[at]?.descending === true);
    if (order !== 0) {
      return order;
    }
  }
  return 0;
}

function compareNullsLast(left: Json, right: Json, descending: boolean): number {
  if (left === null || right === null) {
    return Number(left === null) - Number(right === null);
  }
  const order = compareValues(left, right);
  return descending ? -order : order;
}
