import { readField } from '../field-path';
import type { Operation } from '../operation';
import { requiredFields, type NamedField } from '../params';
import { setField, type Row } from '../rows';

/** `{fields: ["a", {field: "b.c", as: "d"}]}`: exactly these columns, in this order; a missing one is null. */
export const select: Operation = (rows, params, { remarks }) => {
  const fields = requiredFields(params, ['fields', 'field']);
  remarks.fields(
    rows,
    fields.map((field) => field.path),
  );
  return rows.map((row) => pick(row, fields));
};

export function pick(row: Row, fields: readonly NamedField[]): Row {
  const picked: Row = {};
  for (const field of fields) {
    setField(picked, field.as, readField(row, field.path));
  }
  return picked;
}
