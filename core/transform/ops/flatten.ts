import { isJsonObject, ownField, type Json } from '../../base/json';
import { fail } from '../failure';
import { fieldPath, hasField, readField } from '../field-path';
import type { Operation } from '../operation';
import { flag, namedFields, optionalText, requiredText } from '../params';
import { RemarkCounter } from '../remarks';
import { checkCount, setField, type Row } from '../rows';
import { pick } from './select';

/**
 * `{field, as?, keep?, keep_empty?}`: a row for each element of the list field, with the parent's fields
 * (all but the list, or those named in `keep`). With `as` the element becomes that column; without, the
 * fields of a record become columns, another element a column named as the list. A value that is no list
 * counts as a list of one. An empty list gives no row, or with `keep_empty` the parent's alone.
 */
export const flatten: Operation = (rows, params, { remarks }) => {
  const field = requiredText(params, 'field');
  const path = fieldPath(field);
  const column = optionalText(params, 'as', '');
  const keep = namedFields(params, ['keep']);
  const keepEmpty = flag(params, 'keep_empty');
  const lacking = new RemarkCounter();
  const result: Row[] = [];
  remarks.fields(rows, [path, ...(keep ?? []).map((kept) => kept.path)]);
  rows.forEach((row, index) => {
    const value = readField(row, path);
    if (value === null && !keepEmpty) lacking.add(index);
    const elements = Array.isArray(value) ? value : value === null ? [] : [value];
    const parent = keep === undefined ? without(row, field) : pick(row, keep);
    if (elements.length === 0 && keepEmpty) {
      result.push(parent);
    }
    for (const element of elements) {
      result.push(withElement(parent, element, column, field));
    }
    checkCount(result.length);
  });
  if (lacking.count > 0 && rows.some((row) => hasField(row, path))) {
    const message = `${lacking.of(rows.length)} have no list \`${field}\` and give no row.`;
    remarks.add('no_list', message, { field, count: lacking.count });
  }
  return result;
};

function without(row: Row, field: string): Row {
  const rest: Row = {};
  for (const [name, value] of Object.entries(row)) {
    if (name !== field) {
      setField(rest, name, value);
    }
  }
  return rest;
}

function withElement(parent: Row, element: Json, column: string, field: string): Row {
  const row: Row = { ...parent };
  if (column === '' && isJsonObject(element)) {
    for (const [name, value] of Object.entries(element)) {
      addColumn(row, name, value);
    }
  } else {
    addColumn(row, column === '' ? field : column, element);
  }
  return row;
}

function addColumn(row: Row, name: string, value: Json): void {
  if (ownField(row, name) !== undefined) {
    fail(
      'field_exists',
      `both the record and its elements have a field \`${name}\`: name the parent's fields in \`keep\` as {field, as}, or give \`as\` for the element.`,
    );
  }
  setField(row, name, value);
}
