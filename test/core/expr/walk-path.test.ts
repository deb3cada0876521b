import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { parseReference, walkPath } from '../../../core/expr/reference';
import { anyJson, anyReference } from './arbitraries';
import { parsed } from './support';

const value: Json = {
  name: 'Acme',
  none: null,
  zero: 0,
  empty: '',
  list: [{ n: 1, tags: ['a', 'b'] }, { n: 2 }, { tags: [] }, 'text', null, [{ n: 9 }]],
  matrix: [[1, 2], [3]],
};

/** The value at `root<path>`; the root itself is not looked up. */
function at(path: string, root: Json | undefined = value): Json | undefined {
  return walkPath(root, parsed(parseReference(`root${path}`)).path);
}

describe('walkPath', () => {
  it.each<[string, Json]>([
    ['', value],
    ['.name', 'Acme'],
    ['["name"]', 'Acme'],
    ['.none', null],
    ['.zero', 0],
    ['.empty', ''],
    ['.list[0].n', 1],
    ['.list[0].tags[1]', 'b'],
    ['.list[4]', null],
    ['.matrix[1][0]', 3],
    ['.list[*].n', [1, 2, null, null, null, null]],
    ['.list[*].tags[0]', ['a', null, null, null, null, null]],
    ['.matrix[*]', [[1, 2], [3]]],
    ['.matrix[*][1]', [2, null]],
    ['.matrix[*][*]', [[1, 2], [3]]],
    ['.list[*][*].n', [null, null, null, null, null, [9]]],
    ['.list[2].tags[*]', []],
  ])('root%s', (path, expected) => {
    expect(at(path)).toEqual(expected);
  });

  it.each([
    '.missing',
    '.missing.deeper[0]',
    '.name.length',
    '.name[0]',
    '.name[*]',
    '.list.length',
    '.list.n',
    '.list[6]',
    '.list["0"]',
    '.none.x',
    '.none[*]',
    '.zero.toFixed',
    '[0]',
    '[*]',
    '.toString',
    '.hasOwnProperty',
    '.list.map',
    '.list["length"]',
  ])('root%s is not defined', (path) => {
    expect(at(path)).toBeUndefined();
  });

  it('of nothing is nothing', () => {
    expect(walkPath(undefined, [])).toBeUndefined();
    expect(walkPath(undefined, [{ kind: 'field', name: 'a' }])).toBeUndefined();
    expect(walkPath(undefined, [{ kind: 'each' }])).toBeUndefined();
    expect(walkPath(null, [])).toBeNull();
  });

  it('keeps the length of a projected list', () => {
    fc.assert(
      fc.property(fc.array(anyJson), anyReference, (list, { path }) => {
        expect(walkPath(list, [{ kind: 'each' }, ...path])).toHaveLength(list.length);
      }),
    );
  });

  it('never throws and never changes the value', () => {
    fc.assert(
      fc.property(anyJson, anyReference, (root, { path }) => {
        const before = JSON.stringify(root);
        const result = walkPath(root, path);
        expect(JSON.stringify(root)).toBe(before);
        if (result !== undefined) expect(() => JSON.stringify(result)).not.toThrow();
      }),
    );
  });

  it('is the composition of its parts', () => {
    fc.assert(
      fc.property(anyJson, anyReference, anyReference, (root, first, second) => {
        const head = first.path.filter((segment) => segment.kind !== 'each');
        expect(walkPath(root, [...head, ...second.path])).toEqual(walkPath(walkPath(root, head), second.path));
      }),
    );
  });

  it('walks a very deep value', () => {
    let deep: Json = 'end';
    for (let level = 0; level < 50; level++) deep = [deep];
    expect(at('[0]'.repeat(50), deep)).toBe('end');
    expect(JSON.stringify(at('[*]'.repeat(50), deep))).toContain('end');
  });

  it('counts from the end where the index is negative', () => {
    expect(at('[-1]', [1, 2])).toBe(2);
    expect(at('[-2]', [1, 2])).toBe(1);
    expect(at('[-3]', [1, 2])).toBeUndefined();
    expect(at('[*][-1]', [[1, 2], [], 3])).toEqual([2, null, null]);
  });

  it('does not read a fractional index of a path made by hand', () => {
    expect(walkPath([1, 2], [{ kind: 'index', index: 0.5 }])).toBeUndefined();
  });
});
