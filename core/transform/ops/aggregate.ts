import type { ExactNumbers } from '../../base/exact-numbers';
import { isJsonObject, ownField, type JsonObject } from '../../base/json';
import { fail } from '../failure';
import { metricOf } from '../metric-params';
import type { Metric, MetricState } from '../metrics';
import type { Operation } from '../operation';
import { namedFields, type NamedField } from '../params';
import { rowKey } from '../row-key';
import { setField, type Row } from '../rows';
import { pick } from './select';

interface Group {
  first: Row;
  states: MetricState[];
}

/**
 * `{group_by, metrics: [{op, field, as}]}`, or for one metric `{group_by, operator, field, as}`.
 * A row for each group, in the order of first appearance: the group's fields, then the metrics.
 * Without `group_by` there is exactly one row, also for no data (count 0, sum 0, the others null).
 */
export const aggregate: Operation = (rows, params, { exact, remarks }) => {
  const group = namedFields(params, ['group_by']) ?? [];
  const metrics = metricsOf(params);
  checkNames(group, metrics);
  remarks.fields(rows, [...group.map((field) => field.path), ...metrics.flatMap((metric) => metric.path ?? [])]);
  const groups = new Map<string, Group>();
  const paths = group.map((field) => field.path);
  if (group.length === 0) {
    groups.set(rowKey({}, [], false, exact), newGroup({}, metrics, exact));
  }
  rows.forEach((row, index) => {
    const key = rowKey(row, paths, false, exact);
    let found = groups.get(key);
    if (found === undefined) {
      found = newGroup(row, metrics, exact);
      groups.set(key, found);
    }
    found.states.forEach((state) => state.add(row, index));
  });
  return [...groups.values()].map((found) => finish(found, group, metrics));
};

function newGroup(first: Row, metrics: readonly Metric[], exact: ExactNumbers): Group {
  return { first, states: metrics.map((metric) => metric.start(exact)) };
}

function finish(found: Group, group: readonly NamedField[], metrics: readonly Metric[]): Row {
  const row = pick(found.first, group);
  metrics.forEach((metric, at) => setField(row, metric.as, found.states[at]?.result() ?? null));
  return row;
}

function metricsOf(params: JsonObject): Metric[] {
  const list = ownField(params, 'metrics');
  if (list === undefined || list === null) {
    return [metricOf(params)];
  }
  if (!Array.isArray(list) || list.length === 0) {
    fail('invalid_operation', '`metrics` is no list: expected [{op, field, as}].');
  }
  return list.map((element) =>
    isJsonObject(element)
      ? metricOf(element)
      : fail('invalid_operation', '`metrics` holds no record: expected {op, field, as}.'),
  );
}

function checkNames(group: readonly NamedField[], metrics: readonly Metric[]): void {
  const seen = new Set<string>();
  for (const { as } of [...group, ...metrics]) {
    if (seen.has(as)) {
      fail('field_exists', `two result fields are named \`${as}\`: give one of them another name with \`as\`.`);
    }
    seen.add(as);
  }
}
