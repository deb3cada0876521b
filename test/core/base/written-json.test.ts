import { expect, it } from '@jest/globals';
import { parseExactJson, parseWrittenJson } from '../../../core/base/exact-json';
import { EXACT, isOfOtherType, type ExactNumbers } from '../../../core/base/exact-numbers';
import type { Json } from '../../../core/base/json';
import { writtenNumber } from '../../../core/base/number-rule';

it.each<[text: string, exact: Json, written: Json]>([
  ['1.10', 1.1, '1.10'],
  ['[1, 2.0, -3, 1e2]', [1, 2, -3, 100], [1, '2.0', -3, '1e2']],
  ['{"1.10": "2.0", "a": 5.00}', { '1.10': '2.0', a: 5 }, { '1.10': '2.0', a: '5.00' }],
  ['9007199254740993', '9007199254740993', '9007199254740993'],
  ['[9007199254740993, 0.5]', ['9007199254740993', 0.5], ['9007199254740993', 0.5]],
  ['1e400', '1e400', '1e400'],
  ['"a \\"1.10\\" 2.0"', 'a "1.10" 2.0', 'a "1.10" 2.0'],
  ['"\\\\"', '\\', '\\'],
  ['["\\\\", 2.0, "\\\\\\"", 3.0]', ['\\', 2, '\\"', 3], ['\\', '2.0', '\\"', '3.0']],
  ['[true, null, ""]', [true, null, ''], [true, null, '']],
])('%s is read as %j, and as it is written as %j', (text, exact, written) => {
  expect([parseExactJson(text), parseWrittenJson(text)]).toEqual([exact, written]);
});

it.each(['{', '1.', '[1,]', '01', '{"a": 1.10', ''])('%j is no JSON in either way', (text) => {
  expect(() => parseExactJson(text)).toThrow(SyntaxError);
  expect(() => parseWrittenJson(text)).toThrow(SyntaxError);
});

it.each<[string, number | string]>([
  ['1', 1],
  ['0.5', 0.5],
  ['1.10', '1.10'],
  ['2.0', '2.0'],
  ['12e3', '12e3'],
  ['9007199254740993', '9007199254740993'],
])('the number %s is written as %j', (text, value) => {
  expect(writtenNumber(text)).toBe(value);
});

it('a number that is kept as text stands apart from texts, but in runs that began before', () => {
  const before: ExactNumbers = () => false;
  const lately: ExactNumbers = Object.assign(() => true, { keptApart: () => false });
  const now: ExactNumbers = Object.assign(() => true, { keptApart: () => true });
  expect(EXACT()).toBe(true);
  expect([EXACT, before, lately, now].map((exact) => isOfOtherType(true, exact))).toEqual([true, false, false, true]);
  expect([EXACT, before, lately, now].map((exact) => isOfOtherType(false, exact))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
