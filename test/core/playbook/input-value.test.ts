import { expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { describeValue, inputTypeProblem, isDateText } from '../../../core/playbook/input-value';
import type { InputType } from '../../../core/playbook/types';

const VALUES: { [name: string]: Json } = {
  null: null,
  text: 'abc',
  'a number as text': '12.50',
  'a whole number as text': '9007199254740993',
  'a date': '2026-02-28',
  'no date': '2026-02-30',
  'a whole number': 3,
  'a fraction': 0.5,
  true: true,
  'a list': [1],
  'an object': { a: 1 },
};
const ALL = Object.keys(VALUES);
const TEXTS = ALL.filter((name) => typeof VALUES[name] === 'string');

it.each<[InputType, string[], string]>([
  ['any', ALL, ''],
  ['string', TEXTS, 'text'],
  ['entity_name', TEXTS, 'text'],
  ['number', ['a whole number as text', 'a whole number', 'a fraction'], 'a number'],
  ['integer', ['a whole number as text', 'a whole number'], 'a whole number'],
  ['boolean', ['true'], 'true or false'],
  ['list', ['a list'], 'a list'],
  ['object', ['an object'], 'an object'],
  ['date', ['a date'], 'a date written YYYY-MM-DD'],
])('an input of the type %s takes %j', (type, taken, wanted) => {
  expect(ALL.filter((name) => inputTypeProblem(VALUES[name] ?? null, type) === undefined)).toEqual(taken);
  for (const name of ALL.filter((each) => !taken.includes(each))) {
    const value = VALUES[name] ?? null;
    expect(inputTypeProblem(value, type)).toBe(`is ${describeValue(value)}, but ${wanted} is expected`);
  }
});

it.each<[Json, boolean]>([
  ['2026-01-31', true],
  ['2026-01-32', false],
  ['2026-01-3', false],
  ['2026-01-31 ', false],
  ['2026-01-31x', false],
  ['2026-01-31T10:00', true],
  ['2026-01-31T23:59:59.123456789Z', true],
  ['2026-01-31T24:00', false],
  ['2026-01-31T10:60', false],
  ['2026-01-31T10:00:60', false],
  ['2026-01-31T10:00:00.', false],
  ['2026-01-31T10:00:00.1234567890', false],
  ['2026-01-31T10:00+02:00', true],
  ['2026-01-31T10:00-23:59', true],
  ['2026-01-31T10:00+24:00', false],
  ['2026-01-31T10:00+2:00', false],
  ['2026-01-31T10:00Zx', false],
  ['x2026-01-31', false],
  [20_260_131, false],
  [null, false],
])('%j is a date: %s', (value, isDate) => {
  expect(isDateText(value)).toBe(isDate);
});

it.each<[Json, string]>([
  [null, 'empty'],
  [[1], 'a list'],
  [{}, 'an object'],
  ['abc', 'the text "abc"'],
  ['x'.repeat(40), `the text "${'x'.repeat(40)}"`],
  ['x'.repeat(41), `the text "${'x'.repeat(40)}…"`],
  [3, 'the number 3'],
  [false, 'false'],
])('%j is %s', (value, words) => {
  expect(describeValue(value)).toBe(words);
});
