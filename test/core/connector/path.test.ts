import { describe, expect, it, jest } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { parseDotPath, pathReader, readDotPath } from '../../../core/connector/path';

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
    const segments = parseDotPath(path);
    if (segments !== undefined) expect(pathReader(segments)(DATA)).toEqual(expected);
  });
  it.each([
    ['names', 'a.', 100_000],
    ['opening brackets', '[', 0],
    ['quotes that stay open', '["', 0],
    ['indexes', '[1]', 100_000],
    ['digits', '[1', 0],
  ])('P10: a long hostile path of %s is read once', (_name, piece, segments) => {
    const look = jest.spyOn(RegExp.prototype, 'exec');
    const parsed = parseDotPath(`${piece.repeat(100_000)}[`);
    const looks = look.mock.calls.length;
    look.mockRestore();
    expect(parsed).toBeUndefined();
    // One look a segment, and one at what is none.
    expect(looks).toBe(segments + 1);
  });
});
