import type { Json } from '../base/json';
import { compareValues } from './compare';
import { fail } from './failure';
import { readField, type FieldPath } from './field-path';
import { CompensatedSum, numberOf } from './numbers';
import type { Row } from './rows';

export interface MetricState {
  add(row: Row, index: number): void;
  result(): Json;
}
export interface Metric {
  as: string;
  start(): MetricState;
}
type Start = (path: FieldPath | undefined) => MetricState;

/** Reads the field; empty values (null, missing, empty text) take no part in any metric. */
function present(row: Row, path: FieldPath | undefined): Json {
  const value = path === undefined ? true : readField(row, path);
  return value === '' ? null : value;
}

function count(path: FieldPath | undefined): MetricState {
  let rows = 0;
  return {
    add: (row) => {
      rows += present(row, path) === null ? 0 : 1;
    },
    result: () => rows,
  };
}

function numeric(path: FieldPath | undefined, finish: (sum: number, terms: number) => number | null): MetricState {
  const sum = new CompensatedSum();
  let terms = 0;
  return {
    add: (row, index) => {
      const value = present(row, path);
      if (value === null) {
        return;
      }
      const term = numberOf(value);
      if (term === undefined) {
        const shown = JSON.stringify(value).slice(0, 60);
        fail(
          'not_a_number',
          `\`${path?.name ?? ''}\` of row ${index} is ${shown}: expected a number. Filter such rows out first.`,
        );
      }
      sum.add(term);
      terms += 1;
    },
    result: () => finite(finish(sum.total, terms), path),
  };
}

function finite(value: number | null, path: FieldPath | undefined): number | null {
  if (value !== null && !Number.isFinite(value)) {
    fail('number_overflow', `the sum of \`${path?.name ?? ''}\` is too large for a number.`);
  }
  return value;
}

function extreme(path: FieldPath | undefined, sign: 1 | -1): MetricState {
  let best: Json = null;
  return {
    add: (row) => {
      const value = present(row, path);
      if (value !== null && (best === null || compareValues(value, best) * sign > 0)) {
        best = value;
      }
    },
    result: () => best,
  };
}

function edge(path: FieldPath | undefined, which: 'first' | 'last'): MetricState {
  let found: Json = null;
  return {
    add: (row) => {
      const value = present(row, path);
      if (value !== null && (which === 'last' || found === null)) {
        found = value;
      }
    },
    result: () => found,
  };
}

function list(path: FieldPath | undefined): MetricState {
  const values: Json[] = [];
  return {
    add: (row) => {
      const value = present(row, path);
      if (value !== null) {
        values.push(value);
      }
    },
    result: () => values,
  };
}

/** `count` without a field counts rows; the others look at the values that are there. */
export const METRICS: ReadonlyMap<string, Start> = new Map<string, Start>([
  ['count', count],
  ['sum', (path) => numeric(path, (sum) => sum)],
  ['avg', (path) => numeric(path, (sum, terms) => (terms === 0 ? null : sum / terms))],
  ['min', (path) => extreme(path, -1)],
  ['max', (path) => extreme(path, 1)],
  ['first', (path) => edge(path, 'first')],
  ['last', (path) => edge(path, 'last')],
  ['list', list],
]);
