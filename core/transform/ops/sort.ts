import type { ExactNumbers } from '../../base/exact-numbers';
import { compareKeys, orderKey, type OrderKey } from '../compare';
import { fail } from '../failure';
import { readField } from '../field-path';
import type { Operation } from '../operation';
import { sortKeys, type SortKey } from '../params';
import type { Row } from '../rows';

/** `{field, direction}` or `{by: [{field, direction}]}`. Stable; null and missing values come last in either direction. */
export const sort: Operation = (rows, params, { exact, remarks }) => {
  const keys = sortKeys(params, ['by', 'field', 'fields']);
  if (keys === undefined || keys.length === 0) {
    fail('invalid_operation', '`field` is empty: expected the field to sort by, or `by` with a list of fields.');
  }
  remarks.fields(
    rows,
    keys.map((key) => key.path),
  );
  return sortedIndexes(rows, keys, exact).map((index) => rows[index] as Row);
};

/** Positions of the rows in sorted order. Key values are read once for each row. */
export function sortedIndexes(rows: readonly Row[], keys: readonly SortKey[], exact: ExactNumbers): number[] {
  const columns = keys.map((key) => ({
    values: rows.map((row) => orderKey(readField(row, key.path), exact)),
    sign: key.descending ? -1 : 1,
  }));
  const indexes = rows.map((_row, index) => index);
  return indexes.sort((left, right) => {
    for (const { values, sign } of columns) {
      const order = compareNullsLast(values[left] ?? null, values[right] ?? null, sign);
      if (order !== 0) {
        return order;
      }
    }
    return 0;
  });
}

function compareNullsLast(left: OrderKey | null, right: OrderKey | null, sign: number): number {
  if (left === null || right === null) {
    return Number(left === null) - Number(right === null);
  }
  return compareKeys(left, right) * sign;
}
