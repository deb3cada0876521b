import { expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../core/base/json';
import { jsonSize } from '../../../core/base/json-size';
import { knownSize } from '../../../core/base/known-size';
import { deepList } from './support';

it('is the size as it is measured, at the first look and at the second', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }), (value) => {
      const size = jsonSize(value as Json);
      expect([knownSize(value as Json), knownSize(value as Json)]).toEqual([size, size]);
    }),
  );
});

it('of values that share a part, and of keys without a value', () => {
  const rows = Array.from({ length: 50 }, (_each, n) => ({ n, text: 'é"'.repeat(n) }));
  const first: JsonObject = { rows, step: 1 };
  const second = { ...first, more: { rows, none: undefined } } as unknown as JsonObject;
  for (const value of [first, second, rows, { rows: [rows, rows] }] as Json[])
    expect(knownSize(value)).toBe(jsonSize(value));
});

it('of a value however deep', () => {
  expect(knownSize(deepList(100_000))).toBe(200_000);
  let deep: Json = 1;
  for (let depth = 0; depth < 100_000; depth += 1) deep = { a: deep };
  expect(knownSize(deep)).toBe(600_001);
});

it('looks at a shared part once', () => {
  let looks = 0;
  const part = Object.defineProperty({ text: 'x'.repeat(500) }, 'last', {
    enumerable: true,
    get: () => ((looks += 1), 'y'),
  });
  for (let step = 0; step < 5; step += 1) knownSize({ part, step });
  expect(looks).toBe(1);
});
