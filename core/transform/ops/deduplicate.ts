import type { Operation } from '../operation';
import { flag, namedFields, oneOf } from '../params';
import { rowKey } from '../row-key';
import { columnsOf, type Row } from '../rows';
import { readField, type FieldPath } from '../field-path';
import { RemarkCounter, type Remarks } from '../remarks';

/**
 * `{fields, keep: first|last, case_insensitive}`: one row of each set of equal values, in input order.
 * Without fields whole rows are compared. `case_insensitive` also joins differences of white space.
 */
export const deduplicate: Operation = (rows, params, { exact, remarks }) => {
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
  if (named !== undefined) remarkUnkeyed(rows, fields, remarks);
  return [...kept.values()].sort((left, right) => left - right).map((index) => rows[index] as Row);
};

/** Gives all records without any of the fields one key, because they cannot be compared. */
function remarkUnkeyed(rows: readonly Row[], fields: readonly FieldPath[], remarks: Remarks): void {
  remarks.fields(rows, fields);
  const without = new RemarkCounter();
  rows.forEach((row, index) => {
    if (fields.every((field) => readField(row, field) === null)) without.add(index);
  });
  if (without.count < 2) return;
  const names = fields.map((field) => `\`${field.name}\``).join(', ');
  const message = `${without.of(rows.length)} have no ${names} and count as one: ${without.count - 1} are left out.`;
  remarks.add('no_key', message, { count: without.count - 1 });
}
