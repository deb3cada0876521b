import { isOfOtherType, type ExactNumbers } from '../../base/exact-numbers';
import { ownField, type Json, type JsonObject } from '../../base/json';
import { keptNumber } from '../../base/number-rule';
import { compareValues, LooseSet, looselyEqual } from '../compare';
import { fail } from '../failure';
import { fieldPath, readField } from '../field-path';
import { figureOf } from '../numbers';
import type { Operation } from '../operation';
import { flag, optionalText, requiredText } from '../params';
import { RemarkCounter, type Remarks } from '../remarks';
import { rowCondition } from '../row-expression';
import type { Row } from '../rows';
import { foldCase, scalarText } from '../text';

type Test = (value: Json, wanted: Json, exact: ExactNumbers) => boolean;

/**
 * `{field, operator, value, case_insensitive?}`, or `{expression}`: a condition over the row's own fields
 * (`{pay} > {expenses} * 0.025`). `operator` is `eq` when left out. A number and a text that stands for it
 * are equal and comparable; an empty value is never greater or smaller than anything.
 */
export const filter: Operation = (rows, params, context) => {
  const { exact, remarks } = context;
  const strange = new RemarkCounter();
  const expression = ownField(params, 'expression');
  if (expression !== undefined && expression !== null) {
    const holds = rowCondition(expression, rows, context);
    return told(
      rows.filter((row, index) => holds(row, index, strange)),
      rows,
      strange,
      remarks,
    );
  }
  const path = fieldPath(requiredText(params, 'field'));
  const operator = optionalText(params, 'operator', 'eq');
  const test = TESTS.get(operator);
  if (test === undefined) {
    fail('invalid_operation', `\`operator\` is "${operator}": expected one of ${[...TESTS.keys()].join(', ')}.`);
  }
  if (operator !== 'is_null' && operator !== 'not_null') remarks.fields(rows, [path]);
  const fold = flag(params, 'case_insensitive') ? foldDeep : (value: Json): Json => value;
  const wanted = fold(wantedValue(params, operator));
  if (operator === 'in' || operator === 'not_in') {
    const set = new LooseSet(Array.isArray(wanted) ? wanted : [], exact);
    return rows.filter((row) => set.has(fold(readField(row, path))) === (operator === 'in'));
  }
  const comparesWith = COMPARABLE.get(operator);
  if (comparesWith !== undefined && wanted === null && rows.length > 0) {
    remarks.add('empty_input', `the \`value\` to compare \`${path.name}\` with is empty.`, { field: path.name });
  }
  const kept = rows.filter((row, index) => {
    const value = fold(readField(row, path));
    const holds = test(value, wanted, exact);
    if (!holds && value !== null && wanted !== null && comparesWith?.(value, wanted, exact) === false) {
      strange.add(index, [value]);
    }
    return holds;
  });
  return told(kept, rows, strange, remarks);
};

/** Counts records that were left out because a value cannot be compared: they may belong to the result. */
function told(kept: Row[], rows: readonly Row[], strange: RemarkCounter, remarks: Remarks): Row[] {
  if (strange.count === 0) return kept;
  const message = `${strange.of(rows.length)} left out: a value cannot be compared.`;
  remarks.add('not_comparable', message, { count: strange.count });
  return kept;
}

function wantedValue(params: JsonObject, operator: string): Json {
  const value = ownField(params, 'value');
  const needsValue = operator !== 'is_null' && operator !== 'not_null';
  if (value === undefined && needsValue) {
    fail('invalid_operation', `\`value\` is missing: \`${operator}\` compares the field with a value.`);
  }
  if ((operator === 'in' || operator === 'not_in') && !Array.isArray(value)) {
    fail('invalid_operation', `\`value\` is no list: \`${operator}\` expects a list of values.`);
  }
  return value ?? null;
}

function ordered(accepts: (order: number) => boolean): Test {
  return (value, wanted, exact) => comparable(value, wanted, exact) && accepts(compareValues(value, wanted, exact));
}

function comparable(value: Json, wanted: Json, exact: ExactNumbers): boolean {
  if (value === null || wanted === null) {
    return false;
  }
  const bothNumbers = figureOf(value, exact) !== undefined && figureOf(wanted, exact) !== undefined;
  if (bothNumbers || typeof value !== 'string' || typeof wanted !== 'string') return bothNumbers;
  return !isOfOtherType(keptNumber(value) !== undefined || keptNumber(wanted) !== undefined, exact);
}

function contains(value: Json, wanted: Json, exact: ExactNumbers): boolean {
  if (Array.isArray(value)) {
    return value.some((element) => looselyEqual(element, wanted, exact));
  }
  const text = plainText(value);
  const part = plainText(wanted);
  return text !== undefined && part !== undefined && text.includes(part);
}

/** Text of a value as it is written: parts of a number are searched in its own spelling. */
function plainText(value: Json): string | undefined {
  return scalarText(value, () => false);
}

function isText(value: Json): boolean {
  return plainText(value) !== undefined;
}

function edge(test: (text: string, part: string) => boolean): Test {
  return (value, wanted) => {
    const text = plainText(value);
    const part = plainText(wanted);
    return text !== undefined && part !== undefined && test(text, part);
  };
}

function foldDeep(value: Json): Json {
  if (typeof value === 'string') {
    return foldCase(value);
  }
  return Array.isArray(value)
    ? value.map((element) => (typeof element === 'string' ? foldCase(element) : element))
    : value;
}

/**
 * Operators that want a value of a kind, with the test for it. Other operators treat incomparable values as unequal.
 */
const COMPARABLE = new Map<string, Test>([
  ...['gt', 'gte', 'lt', 'lte'].map((operator): [string, Test] => [operator, comparable]),
  ...['starts_with', 'ends_with'].map((operator): [string, Test] => [operator, isText]),
  ['contains', (value) => Array.isArray(value) || isText(value)],
]);

const TESTS = new Map<string, Test>([
  ['eq', looselyEqual],
  ['ne', (value, wanted, exact) => !looselyEqual(value, wanted, exact)],
  ['gt', ordered((order) => order > 0)],
  ['gte', ordered((order) => order >= 0)],
  ['lt', ordered((order) => order < 0)],
  ['lte', ordered((order) => order <= 0)],
  ['contains', contains],
  ['not_contains', (value, wanted, exact) => !contains(value, wanted, exact)],
  ['in', () => true],
  ['not_in', () => true],
  ['starts_with', edge((text, part) => text.startsWith(part))],
  ['ends_with', edge((text, part) => text.endsWith(part))],
  ['is_null', (value) => value === null],
  ['not_null', (value) => value !== null],
]);
