import type { Json } from '../../base/json';
import { readField } from '../field-path';
import type { Operation } from '../operation';
import { namedFields, optionalText, requiredFields, sortKeys } from '../params';
import { rowKey } from '../row-key';
import { setField, type Row } from '../rows';
import { sortedIndexes } from './sort';

/**
 * `{group_by, order_by, fields, prefix}`: adds to each row the fields of the row before it in its group
 * (`previous_<field>`), null for the first. Rows stay in their order; `order_by` only says what "before" means.
 */
export const previous: Operation = (rows, params, { exact, remarks }) => {
  const group = (namedFields(params, ['group_by']) ?? []).map((field) => field.path);
  const order = sortKeys(params, ['order_by']) ?? [];
  const fields = requiredFields(params, ['fields', 'field']);
  remarks.fields(rows, [...group, ...order.map((key) => key.path), ...fields.map((field) => field.path)]);
  const prefix = optionalText(params, 'prefix', 'previous_');
  const lastOfGroup = new Map<string, Row>();
  const result: Row[] = [...rows];
  for (const index of sortedIndexes(rows, order, exact)) {
    const row = rows[index] as Row;
    const key = rowKey(row, group, false, exact);
    const before = lastOfGroup.get(key);
    const extended: Row = { ...row };
    for (const field of fields) {
      const value: Json = before === undefined ? null : readField(before, field.path);
      setField(extended, prefix + field.as, value);
    }
    result[index] = extended;
    lastOfGroup.set(key, row);
  }
  return result;
};
