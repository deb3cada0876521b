import { ownField } from '../../base/json';
import { fail } from '../failure';
import { readField } from '../field-path';
import type { Operation } from '../operation';
import { namedFields, optionalText, requiredFields } from '../params';
import { checkCount, columnsOf, setField, type Row } from '../rows';
import { pick } from './select';

/**
 * `{fields, name_as?, value_as?, keep?}`: a row for each of the fields, with its name (`name`), its value (`value`), and the row's other
 * columns, or those of `keep`. Empty values have their row, too.
 */
export const unpivot: Operation = (rows, params, { remarks }) => {
  const fields = requiredFields(params, ['fields', 'field']);
  const nameAs = optionalText(params, 'name_as', 'name');
  const valueAs = optionalText(params, 'value_as', 'value');
  if (nameAs === valueAs) fail('field_exists', `\`name_as\` and \`value_as\` are both \`${nameAs}\`.`);
  const keep = namedFields(params, ['keep']);
  remarks.fields(
    rows,
    [...fields, ...(keep ?? [])].map(({ path }) => path),
  );
  const turned = new Set(fields.map(({ path }) => path.name));
  const others = columnsOf(rows).filter((name) => !turned.has(name));
  const result: Row[] = [];
  for (const row of rows) {
    const kept = keep === undefined ? onlyOf(row, others) : pick(row, keep);
    for (const name of [nameAs, valueAs]) {
      if (ownField(kept, name) !== undefined) {
        fail(
          'field_exists',
          `the records have a field \`${name}\`: give \`name_as\` or \`value_as\`, or name the fields to \`keep\`.`,
        );
      }
    }
    for (const { path, as } of fields) {
      const turnedRow: Row = { ...kept };
      setField(turnedRow, nameAs, as);
      setField(turnedRow, valueAs, readField(row, path));
      result.push(turnedRow);
    }
    checkCount(result.length);
  }
  return result;
};

function onlyOf(row: Row, names: readonly string[]): Row {
  const rest: Row = {};
  for (const name of names) {
    const value = ownField(row, name);
    if (value !== undefined) setField(rest, name, value);
  }
  return rest;
}
