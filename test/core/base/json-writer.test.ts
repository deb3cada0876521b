import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { canonicalJson } from '../../../core/base/canonical-json';
import type { Json } from '../../../core/base/json';
import { jsonText } from '../../../core/base/json-text';
import { writeJson } from '../../../core/base/json-writer';
import { deepList } from './support';

const anyJson = fc.jsonValue() as fc.Arbitrary<Json>;

describe('canonicalJson', () => {
  it.each<[Json, string]>([
    [null, 'null'],
    [true, 'true'],
    [1.5, '1.5'],
    [-0, '0'],
    ['a"b\n', '"a\\"b\\n"'],
    [[], '[]'],
    [{}, '{}'],
    [[1, [2, []], {}], '[1,[2,[]],{}]'],
    [{ b: 1, a: { d: [], c: null } }, '{"a":{"c":null,"d":[]},"b":1}'],
  ])('of %j is %s', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('sorts keys by code unit, not by locale and not as numbers', () => {
    expect(canonicalJson({ é: 1, z: 2, Z: 3, '10': 4, '9': 5, a: 6 })).toBe('{"10":4,"9":5,"Z":3,"a":6,"z":2,"é":1}');
  });

  it('leaves out keys without a value', () => {
    expect(canonicalJson({ a: undefined, b: 1 } as unknown as Json)).toBe('{"b":1}');
  });

  it('writes what is not a number as null', () => {
    expect(canonicalJson([Number.NaN, Number.POSITIVE_INFINITY])).toBe('[null,null]');
  });

  it('keeps an own key __proto__ as data', () => {
    const value = JSON.parse('{"__proto__":{"x":1},"a":2}') as Json;
    expect(canonicalJson(value)).toBe('{"__proto__":{"x":1},"a":2}');
  });

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), anyJson), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(object));
      }),
    );
  });

  it('is JSON of the same value', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is idempotent and injective on what it writes', () => {
    fc.assert(
      fc.property(anyJson, anyJson, (left, right) => {
        const text = canonicalJson(left);
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
        if (canonicalJson(right) === text) expect(JSON.parse(JSON.stringify(right))).toEqual(JSON.parse(text));
      }),
    );
  });
});

describe('writeJson', () => {
  it('equals JSON.stringify when keys are not sorted', () => {
    fc.assert(fc.property(anyJson, (value) => expect(writeJson(value, false)).toBe(JSON.stringify(value))));
  });

  it('writes a value too deep for JSON.stringify', () => {
    const depth = 200_000;
    expect(() => JSON.stringify(deepList(depth))).toThrow(RangeError);
    expect(writeJson(deepList(depth), true)).toBe('['.repeat(depth) + ']'.repeat(depth));
  });
});

describe('jsonText', () => {
  it.each<[Json | undefined, string]>([
    [undefined, ''],
    [null, ''],
    ['', ''],
    ['as {it} is', 'as {it} is'],
    [0, '0'],
    [-0, '0'],
    [1e21, '1e+21'],
    [true, 'true'],
    [false, 'false'],
    [[1, 'a', null], '[1,"a",null]'],
    [{ b: 1, a: [] }, '{"b":1,"a":[]}'],
    [Number.NaN, ''],
  ])('of %j is %p', (value, text) => {
    expect(jsonText(value)).toBe(text);
  });

  it('equals JSON.stringify for lists and objects', () => {
    fc.assert(fc.property(fc.array(anyJson), (value) => expect(jsonText(value)).toBe(JSON.stringify(value))));
  });

  it('has no depth at which it fails', () => {
    for (const depth of [499, 500, 501, 502, 100_000]) {
      expect(jsonText(deepList(depth))).toBe('['.repeat(depth) + ']'.repeat(depth));
    }
    const deepObject = { a: { b: deepList(1_000) } };
    expect(jsonText(deepObject)).toBe(`{"a":{"b":${'['.repeat(1_000)}${']'.repeat(1_000)}}}`);
  });
});
