import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { transformData } from '../../../core/transform/transform';

function rowsOf(data: Json[], operation: JsonObject, extra: JsonObject = {}): Json {
  const result = transformData(data, [operation], extra);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return result.data;
}

const EMPTY: [string, JsonObject][] = [
  ['an empty text', { v: '' }],
  ['null', { v: null }],
  ['no value', {}],
];

const EVERY = ['count', 'sum', 'avg', 'min', 'max', 'first', 'last', 'list'].map((op) => ({ op, field: 'v', as: op }));

describe('empty values', () => {
  it.each(EMPTY)('%s takes no part in any metric', (_name, empty) => {
    const data = [empty, { v: 3 }, empty, { v: 5 }, empty];
    expect(rowsOf(data, { type: 'aggregate', metrics: EVERY })).toEqual([
      { count: 2, sum: 8, avg: 4, min: 3, max: 5, first: 3, last: 5, list: [3, 5] },
    ]);
  });

  it.each(EMPTY)('%s alone gives no metric, and is no row that counts', (_name, empty) => {
    expect(rowsOf([empty, empty], { type: 'aggregate', metrics: EVERY })).toEqual([
      { count: 0, sum: 0, avg: null, min: null, max: null, first: null, last: null, list: [] },
    ]);
  });

  it('a metric without a field counts rows, also empty ones', () => {
    expect(rowsOf([{}, { v: '' }], { type: 'aggregate', metrics: [{ op: 'count', as: 'n' }] })).toEqual([{ n: 2 }]);
  });

  it.each(EMPTY)('%s as a key joins nothing, neither side, in any part of the key', (_name, empty) => {
    const left = [{ ...empty, k: 1, name: 'left' }];
    const right = [{ ...empty, k: 1, note: 'right' }];
    expect(rowsOf(left, { type: 'join', with: 'right', on: ['v'] }, { right })).toEqual([]);
    expect(rowsOf(left, { type: 'join', with: 'right', on: ['k', 'v'] }, { right })).toEqual([]);
    expect(rowsOf(left, { type: 'join', with: 'right', on: ['v'], how: 'left' }, { right })).toMatchObject([
      { name: 'left', note: null },
    ]);
    expect(rowsOf(left, { type: 'join', with: 'right', on: ['k'] }, { right })).toMatchObject([
      { name: 'left', note: 'right' },
    ]);
  });
});
