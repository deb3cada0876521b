import { isJsonObject, ownField, type JsonObject } from '../../base/json';
import { fail } from '../failure';
import type { Operation } from '../operation';
import { setField, type Row } from '../rows';

/** `{fields: {old: new}}`: columns keep their place; a new name that another column has is refused. */
export const rename: Operation = (rows, params, { remarks }) => {
  const names = mapping(params);
  remarks.fields(
    rows,
    [...names.keys()].map((name) => ({ name, parts: [name] })),
  );
  return rows.map((row) => renameRow(row, names));
};

function mapping(params: JsonObject): Map<string, string> {
  const given = ownField(params, 'fields') ?? ownField(params, 'mapping');
  if (!isJsonObject(given) || Object.keys(given).length === 0) {
    fail('invalid_operation', '`fields` is empty: expected {old_name: new_name}.');
  }
  const names = new Map<string, string>();
  for (const [old, name] of Object.entries(given)) {
    if (typeof name !== 'string' || name === '') {
      fail('invalid_operation', `the new name of \`${old}\` is no text: expected {old_name: new_name}.`);
    }
    names.set(old, name);
  }
  return names;
}

function renameRow(row: Row, names: Map<string, string>): Row {
  const renamed: Row = {};
  for (const [name, value] of Object.entries(row)) {
    const target = names.get(name) ?? name;
    if (ownField(renamed, target) !== undefined) {
      fail('field_exists', `two fields would be named \`${target}\`: rename or leave out one of them first.`);
    }
    setField(renamed, target, value);
  }
  return renamed;
}
