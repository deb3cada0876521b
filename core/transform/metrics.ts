import { divideDecimals, decimalText, ZERO, type Decimal } from '../base/decimal';
import { nearestOr, roundsQuotients, type ExactNumbers } from '../base/exact-numbers';
import { ExactSum } from '../base/exact-sum';
import type { Json } from '../base/json';
import { numberOfDecimal } from '../base/number-rule';
import { compareValues } from './compare';
import { fail } from './failure';
import { readField, type FieldPath } from './field-path';
import { CompensatedSum, figureOf } from './numbers';
import type { Row } from './rows';

export interface MetricState {
  add(row: Row, index: number): void;
  result(): Json;
}
export interface Metric {
  as: string;
  /** Absent: it counts rows. */
  path?: FieldPath;
  start(exact: ExactNumbers): MetricState;
}
type Start = (path: FieldPath | undefined, exact: ExactNumbers) => MetricState;

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

/** Digits of an average of amounts that no double holds. */
const AVERAGE_DIGITS = 20;
/** Digits beyond those of a double: rounding to one afterwards gives the nearest. */
const GUARD_DIGITS = 40;

type Finish = (sum: number, terms: number) => number | null;
type ExactFinish = (sum: ExactSum, terms: number, exact: ExactNumbers) => number | string | null | undefined;

/** The exact sum, and beside it the sum of the older rule: only where they differ is asked which one counts. */
function numeric(path: FieldPath | undefined, exact: ExactNumbers, finish: Finish, exactly: ExactFinish): MetricState {
  const older = new CompensatedSum();
  const sum = new ExactSum();
  let terms = 0;
  return {
    add: (row, index) => {
      const value = present(row, path);
      if (value === null) {
        return;
      }
      const term = figureOf(value, exact);
      if (term === undefined) {
        const shown = JSON.stringify(value).slice(0, 60);
        fail(
          'not_a_number',
          `\`${path?.name ?? ''}\` of row ${index + 1} is ${shown}: expected a number. Filter such rows out first.`,
        );
      }
      if (typeof term === 'number') {
        older.add(term);
        sum.add(term);
      } else {
        sum.addKept(term);
      }
      terms += 1;
    },
    result: () => {
      const newer = exactly(sum, terms, exact);
      const result = finish(older.total, terms);
      return sum.hasKept || (newer !== result && exact()) ? finite(newer, path) : finite(result, path);
    },
  };
}

function finite(value: number | string | null | undefined, path: FieldPath | undefined): Json {
  if (value === undefined || (typeof value === 'number' && !Number.isFinite(value))) {
    fail('number_overflow', `the sum of \`${path?.name ?? ''}\` is too large for a number.`);
  }
  return value;
}

/** Average of doubles: the double nearest to the quotient; of other numbers 20 digits, the last one half to even. */
function average(sum: ExactSum, terms: number, exact: ExactNumbers): number | string | null | undefined {
  const { total, result } = sum;
  if (terms === 0) return null;
  if (total === undefined || result === undefined) return undefined;
  const count: Decimal = { digits: BigInt(terms), places: 0 };
  const quotient = (digits: number): Decimal =>
    divideDecimals(total, count, digits, () => roundsQuotients(exact)) ?? ZERO;
  const isHeld = typeof result === 'number';
  const older = isHeld ? Number(decimalText(quotient(GUARD_DIGITS))) : numberOfDecimal(quotient(AVERAGE_DIGITS));
  return isHeld && sum.hasKept ? nearestOr(older, numberOfDecimal(quotient(AVERAGE_DIGITS)), exact) : older;
}

function extreme(path: FieldPath | undefined, sign: 1 | -1, exact: ExactNumbers): MetricState {
  let best: Json = null;
  return {
    add: (row) => {
      const value = present(row, path);
      if (value !== null && (best === null || compareValues(value, best, exact) * sign > 0)) {
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
  [
    'sum',
    (path, exact) =>
      numeric(
        path,
        exact,
        (sum) => sum,
        (sum) => sum.result,
      ),
  ],
  ['avg', (path, exact) => numeric(path, exact, (sum, terms) => (terms === 0 ? null : sum / terms), average)],
  ['min', (path, exact) => extreme(path, -1, exact)],
  ['max', (path, exact) => extreme(path, 1, exact)],
  ['first', (path) => edge(path, 'first')],
  ['last', (path) => edge(path, 'last')],
  ['list', list],
]);
