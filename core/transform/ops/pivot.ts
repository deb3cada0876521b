import type { ExactNumbers } from '../../base/exact-numbers';
import { ownField, type Json, type JsonObject } from '../../base/json';
import { fail } from '../failure';
import { fieldPath, readField } from '../field-path';
import { metricOf } from '../metric-params';
import type { Metric, MetricState } from '../metrics';
import type { Operation } from '../operation';
import { namedFields, optionalText, requiredText, type NamedField } from '../params';
import { RemarkCounter } from '../remarks';
import { rowKey } from '../row-key';
import { describe, setField, type Row } from '../rows';
import { scalarText } from '../text';
import { pick } from './select';

/** More columns are no table any more. */
const MAX_COLUMNS = 500;

interface Group {
  first: Row;
  cells: Map<string, MetricState>;
}

/**
 * `{group_by, column, value, op?, columns?, prefix?}`: a row for each group, a column for each value of the field `column`, in it the
 * field `value` of the group's rows, combined by `op` (`first` when left out; more than one value in a cell is told then). `columns`
 * names the columns and their order: rows of other values are told. A cell without rows is null.
 */
export const pivot: Operation = (rows, params, { exact, remarks }) => {
  const group = namedFields(params, ['group_by']) ?? [];
  const column = fieldPath(requiredText(params, 'column'));
  const metric = cellMetric(params);
  const isGiven = optionalText(params, 'op', '') !== '';
  const wanted = wantedColumns(params);
  const paths = group.map(({ path }) => path);
  remarks.fields(rows, [...paths, column, ...(metric.path === undefined ? [] : [metric.path])]);
  const groups = new Map<string, Group>();
  const names = new Set<string>(wanted);
  const counters = { unnamed: new RemarkCounter(), several: new RemarkCounter() };
  rows.forEach((row, at) => {
    const name = scalarText(readField(row, column), exact);
    const found = groupOf(groups, row, rowKey(row, paths, false, exact));
    if (name === undefined || name === '' || (wanted !== undefined && !names.has(name)))
      return counters.unnamed.add(at);
    if (!names.has(name)) names.add(checked(name, names.size));
    const known = found.cells.get(name);
    if (known !== undefined && !isGiven) return counters.several.add(at);
    const cell = known ?? metric.start(exact);
    found.cells.set(name, cell);
    cell.add(row, at);
  });
  if (counters.unnamed.count > 0) {
    const message = `${counters.unnamed.of(rows.length)} have no value of \`${column.name}\` that is a column, and are left out.`;
    remarks.add('no_key', message, { field: column.name, count: counters.unnamed.count });
  }
  if (counters.several.count > 0) {
    const message = `${counters.several.of(rows.length)} meet a cell that has a value: give \`op\`, for example sum or list.`;
    remarks.add('several_values', message, { field: metric.as, count: counters.several.count });
  }
  return [...groups.values()].map((found) =>
    finish(found, { group, names, prefix: optionalText(params, 'prefix', ''), exact, metric }),
  );
};

function cellMetric(params: JsonObject): Metric {
  const op = optionalText(params, 'op', 'first');
  const value = ownField(params, 'value');
  if (value === undefined || value === null) {
    if (op === 'count') return metricOf({ op });
    fail('invalid_operation', '`value` is empty: expected the field whose values fill the table.');
  }
  return metricOf({ op, field: value });
}

/** Undefined: every value of the field is a column, in the order in which they come. */
function wantedColumns(params: JsonObject): string[] | undefined {
  const value = ownField(params, 'columns');
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) fail('invalid_operation', `\`columns\` is ${describe(value)}: expected a list of values.`);
  return value.map((item: Json, at) => checked(scalarText(item) ?? '', at));
}

function checked(name: string, before: number): string {
  if (name === '') fail('invalid_operation', '`columns` holds an empty name.');
  if (before < MAX_COLUMNS) return name;
  return fail('too_many_columns', `more than ${MAX_COLUMNS} columns: filter first, or name the \`columns\`.`);
}

function groupOf(groups: Map<string, Group>, row: Row, key: string): Group {
  const found = groups.get(key) ?? { first: row, cells: new Map<string, MetricState>() };
  groups.set(key, found);
  return found;
}

interface Table {
  group: readonly NamedField[];
  names: ReadonlySet<string>;
  prefix: string;
  exact: ExactNumbers;
  metric: Metric;
}

function finish({ first, cells }: Group, { group, names, prefix }: Table): Row {
  const row = pick(first, group);
  for (const name of names) {
    const as = prefix + name;
    if (ownField(row, as) !== undefined) {
      fail('field_exists', `a group field and a column are named \`${as}\`: give a \`prefix\`.`);
    }
    setField(row, as, cells.get(name)?.result() ?? null);
  }
  return row;
}
