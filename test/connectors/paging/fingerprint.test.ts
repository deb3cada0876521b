import { describe, expect, it } from '@jest/globals';
import { assert, jsonValue, property } from 'fast-check';
import { canonicalJson } from '../../../core/base/canonical-json';
import type { Json, JsonObject } from '../../../core/base/json';
import { fingerprint } from '../../../connectors/paging/fingerprint';

function turned(value: Json): Json {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Json] => [key, turned(item)]);
  return Object.fromEntries(entries.toReversed());
}

describe('the fingerprint of a page', () => {
  it('is the same for equal values alone', () => {
    assert(
      property(jsonValue(), jsonValue(), (a, b) => {
        const [left, right] = [a as Json, b as Json];
        expect(fingerprint(left) === fingerprint(right)).toBe(canonicalJson(left) === canonicalJson(right));
      }),
    );
  });

  it('does not depend on the order of keys', () => {
    assert(
      property(jsonValue(), (value) => expect(fingerprint(turned(value as Json))).toBe(fingerprint(value as Json))),
    );
  });

  it('is the same for nothing and for less than nothing, which are written alike', () =>
    expect(fingerprint([-0])).toBe(fingerprint([0])));

  it.each<[string, Json, Json]>([
    ['the order of a list', [1, 2], [2, 1]],
    ['what belongs to which key', { a: 1, b: 2 }, { a: 2, b: 1 }],
    ['which record has what', [{ a: 1, b: 2 }, {}], [{ a: 1 }, { b: 2 }]],
    ['a number and its text', [1], ['1']],
    ['numbers that differ in their last bit', [0.1 + 0.2], [0.3]],
    ['nothing and its name', [null], ['null']],
    ['nothing and an empty record', [null], [{}]],
    ['an empty list and an empty record', [[]], [{}]],
    ['where a text ends', ['ab', 'c'], ['a', 'bc']],
    ['a list in a list', [[1], 2], [1, [2]]],
  ])('tells apart %s', (_name, left, right) => expect(fingerprint(left)).not.toBe(fingerprint(right)));

  it('tells a hundred thousand pages apart that differ in a digit', () => {
    const page = (no: number): JsonObject[] => [
      { id: `a${no}`, amount: no },
      { id: 'same', amount: 0.5 },
    ];
    const found = new Set(Array.from({ length: 100_000 }, (_each, no) => fingerprint(page(no))));
    expect(found.size).toBe(100_000);
  });
});
