import type { Operation } from '../operation';
import { flag, namedFields, oneOf } from '../params';
import { rowKey } from '../row-key';
import { columnsOf, type Row } from '../rows';

/**
 * `{fields, keep: first|last, case_insensitive}`: one row of each set of equal values, in input order.
 * Without fields whole rows are compared. `case_insensitive` also joins differences of white space.
 */
export const deduplicate: Operation = (rows, params, _extra, exact) => {
  const named = namedFields(params, ['fields', 'field']);
  const fields = named?.map((field) => field.path) ?? columnsOf(rows).map((name) => ({ name, parts: [name] }));
  const keep = oneOf(params, 'keep', ['first', 'last'], 'first');
  const fold = flag(params, 'case_insensitive');
  const kept = new Map<string, number>();
  rows.forEach((row, index) => {
    const key = rowKey(row, fields, fold, exact);
    if (keep === 'last' || !kept.has(key)) {
      kept.set(key, index);
    }
  });
  return [...kept.values()].sort((left, right) => left - right).map((index) => rows[index] as Row);
};
