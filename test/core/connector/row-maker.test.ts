import { expect, it } from '@jest/globals';
import { rowMaker } from '../../../core/connector/row-maker';

it('rows are plain records of one shape, each of its own', () => {
  const newRow = rowMaker(['b', 'a']);
  const [first, second] = [newRow(), newRow()];
  first['a'] = 1;
  expect([first, second]).toStrictEqual([
    { b: null, a: 1 },
    { b: null, a: null },
  ]);
  expect(Object.keys(second)).toEqual(['b', 'a']);
});

it('rows with a field called __proto__ have it as data', () => {
  const row = rowMaker(['a', '__proto__'])();
  row['__proto__'] = { polluted: true };
  expect([Object.keys(row), (row as { polluted?: true }).polluted]).toEqual([['__proto__'], undefined]);
});
