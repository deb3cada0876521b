import type { ExactNumbers } from '../../base/exact-numbers';
import { isJsonObject, ownField, type Json, type JsonObject } from '../../base/json';
import { fail } from '../failure';
import type { FieldPath } from '../field-path';
import { metricOf } from '../metric-params';
import type { Operation } from '../operation';
import { namedFields, optionalText, sortKeys, type SortKey } from '../params';
import { rowKey } from '../row-key';
import { setField, type Row } from '../rows';
import { sortedIndexes } from './sort';

/** Facts of a row for a function of a window, in the order of its group. */
interface Turn {
  row: Row;
  index: number;
  /** Number in the group, from 1. */
  number: number;
  /** The row before has the same values in `order_by`. */
  isTie: boolean;
}

interface WindowFunction {
  as: string;
  paths: readonly FieldPath[];
  start: (exact: ExactNumbers) => (turn: Turn) => Json;
}

/** Metrics that a window counts on from row to row. */
const RUNNING = ['sum', 'avg', 'min', 'max', 'count', 'first', 'last'];
const PLACES = ['row_number', 'rank', 'dense_rank'];

/**
 * `{group_by?, order_by?, fields: [{op, field?, as?}]}`, or for one `{op, field, as}`: adds to each row its place in its group
 * (`row_number`, `rank`, `dense_rank`), or a metric over the group's rows up to and with this one (`running_<op>_<field>`). Rows stay
 * in their order; `order_by` says what "up to" means.
 */
export const window: Operation = (rows, params, { exact, remarks }) => {
  const group = (namedFields(params, ['group_by']) ?? []).map(({ path }) => path);
  const order = sortKeys(params, ['order_by']) ?? [];
  const functions = functionsOf(params, order);
  remarks.fields(rows, [...group, ...order.map(({ path }) => path), ...functions.flatMap(({ paths }) => paths)]);
  const groups = new Map<string, { number: number; key: string; run: ((turn: Turn) => Json)[] }>();
  const result: Row[] = [...rows];
  const tie = order.map(({ path }) => path);
  for (const index of sortedIndexes(rows, order, exact)) {
    const row = rows[index] as Row;
    const groupKey = rowKey(row, group, false, exact);
    const found = groups.get(groupKey) ?? { number: 0, key: '', run: functions.map(({ start }) => start(exact)) };
    groups.set(groupKey, found);
    const key = rowKey(row, tie, false, exact);
    const turn: Turn = { row, index, number: found.number + 1, isTie: found.number > 0 && found.key === key };
    found.number = turn.number;
    found.key = key;
    const extended: Row = { ...row };
    functions.forEach(({ as }, at) => setField(extended, as, found.run[at]?.(turn) ?? null));
    result[index] = extended;
  }
  return result;
};

function functionsOf(params: JsonObject, order: readonly SortKey[]): WindowFunction[] {
  const list = ownField(params, 'fields') ?? [params];
  if (!Array.isArray(list) || list.length === 0)
    fail('invalid_operation', '`fields` is no list: expected [{op, field, as}].');
  const found = list.map((element: Json) => {
    if (!isJsonObject(element)) fail('invalid_operation', '`fields` holds no record: expected {op, field, as}.');
    return functionOf(element, order);
  });
  const names = found.map(({ as }) => as);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined)
    fail('field_exists', `two columns are named \`${twice}\`: give one of them another name with \`as\`.`);
  return found;
}

function functionOf(params: JsonObject, order: readonly SortKey[]): WindowFunction {
  const op = optionalText(params, 'op', '');
  if (PLACES.includes(op)) {
    if (order.length === 0 && op !== 'row_number') fail('invalid_operation', `\`${op}\` needs \`order_by\`.`);
    return { as: optionalText(params, 'as', op), paths: [], start: () => places(op) };
  }
  if (!RUNNING.includes(op)) {
    fail('invalid_operation', `\`op\` is "${op}": expected one of ${[...PLACES, ...RUNNING].join(', ')}.`);
  }
  const metric = metricOf(params);
  return {
    as: optionalText(params, 'as', `running_${metric.as}`),
    paths: metric.path === undefined ? [] : [metric.path],
    start: (exact) => {
      const state = metric.start(exact);
      return ({ row, index }) => {
        state.add(row, index);
        return state.result();
      };
    },
  };
}

/** Equal rows share a rank; after them `rank` leaves places out (1, 1, 3), `dense_rank` does not (1, 1, 2). */
function places(op: string): (turn: Turn) => Json {
  let rank = 0;
  return ({ number, isTie }) => {
    if (op === 'row_number') return number;
    if (!isTie) rank = op === 'rank' ? number : rank + 1;
    return rank;
  };
}
