import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { parseDotPath, readDotPath } from '../../../core/connector/path';

const DATA: Json = { a: { b: [{ c: 1 }, { c: 2, d: null }] }, 'odd.key': { x: 'y' }, list: [[1], [2]] };
const read = (path: string): unknown => {
  const segments = parseDotPath(path);
  return segments === undefined ? 'malformed' : readDotPath(DATA, segments);
};

describe('dot paths', () => {
  it.each([
    ['a.b[1].c', 2],
    ['a.b.0.c', 1],
    ['a.b[*].c', [1, 2]],
    ['a.b[*].d', [null, null]],
    ['["odd.key"].x', 'y'],
    ['list[1][0]', 2],
    ['a.b[1].d', null],
    ['a.nope.c', undefined],
    ['a.b[9].c', undefined],
    ['a.b.length', undefined],
    ['__proto__.x', undefined],
    ['constructor', undefined],
    ['a[*].c', undefined],
    ['', 'malformed'],
    ['.a', 'malformed'],
    ['a..b', 'malformed'],
    ['a[', 'malformed'],
    ['a[-1]', 'malformed'],
    ['a[x]', 'malformed'],
  ])('%s', (path, expected) => {
    expect(read(path)).toEqual(expected);
  });
  it('P10: long hostile paths are linear', () => {
    const started = Date.now();
    parseDotPath(`${'a.'.repeat(50_000)}[`);
    parseDotPath('['.repeat(100_000));
    expect(Date.now() - started).toBeLessThan(500);
  });
});
