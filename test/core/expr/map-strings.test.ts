import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { mapStrings } from '../../../core/expr/map-strings';
import { deepList } from '../base/support';
import { anyJson } from './arbitraries';

/** The plain recursive definition, as an oracle. */
function recursive(value: Json, replace: (text: string) => Json): Json {
  if (typeof value === 'string') return replace(value);
  if (Array.isArray(value)) return value.map((item) => recursive(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, recursive(item, replace)]);
  return Object.fromEntries(entries);
}

describe('mapStrings', () => {
  it.each<[Json, Json]>([
    ['a', 'A'],
    [1, 1],
    [null, null],
    [
      ['a', ['b'], 1],
      ['A', ['B'], 1],
    ],
    [
      { a: 'a', b: { c: ['d'] } },
      { a: 'A', b: { c: ['D'] } },
    ],
    [[], []],
    [{}, {}],
  ])('of %j is %j', (value, expected) => {
    expect(mapStrings(value, (text) => text.toUpperCase())).toEqual(expected);
  });

  it('agrees with the recursive definition, also in the order of keys', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const replace = (text: string): Json => [text.length, text];
        expect(JSON.stringify(mapStrings(value, replace))).toBe(JSON.stringify(recursive(value, replace)));
      }),
    );
  });

  it('visits strings in document order, each once', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const seen: string[] = [];
        const expected: string[] = [];
        mapStrings(value, (text) => seen.push(text));
        recursive(value, (text) => expected.push(text));
        expect(seen).toEqual(expected);
      }),
    );
  });

  it('takes a key without a value out, and keeps the places of a list', () => {
    const given = { a: 'x', b: ['x', 'y'], c: { d: 'x', e: null }, ['__proto__x']: 'y' };
    const result = mapStrings(given, (text) => (text === 'x' ? undefined : text));
    expect(JSON.stringify(result)).toBe('{"b":[null,"y"],"c":{"e":null},"__proto__x":"y"}');
    expect(mapStrings('x', () => undefined)).toBeNull();
  });

  it('does not look into what it placed', () => {
    expect(mapStrings(['x'], () => ['x', { x: 'x' }])).toEqual([['x', { x: 'x' }]]);
  });

  it('gives a copy that shares nothing with the source', () => {
    const source = { a: [{}], b: {} };
    const copy = mapStrings(source, (text) => text) as typeof source;
    expect(copy).toEqual(source);
    expect(copy.a).not.toBe(source.a);
    expect(copy.a[0]).not.toBe(source.a[0]);
    expect(copy.b).not.toBe(source.b);
  });

  it('keeps keys that look like numbers or prototypes', () => {
    const source = JSON.parse('{"b":"x","1":"y","__proto__":["z"],"toString":"t"}') as Json;
    const copy = mapStrings(source, (text) => text.toUpperCase());
    expect(JSON.stringify(copy)).toBe('{"1":"Y","b":"X","__proto__":["Z"],"toString":"T"}');
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });

  it('works on a value of any depth and width', () => {
    const wide = Array.from({ length: 200_000 }, (_, index) => `s${index}`);
    expect(mapStrings(wide, (text) => text.length)).toHaveLength(200_000);
    expect(() => mapStrings(deepList(200_000), (text) => text)).not.toThrow();
  });
});
