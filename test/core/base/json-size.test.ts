import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { exceedsJsonSize, jsonSize } from '../../../core/base/json-size';
import { deepList } from './support';

const bytes = (value: Json): number => Buffer.byteLength(JSON.stringify(value), 'utf8');

describe('jsonSize', () => {
  it.each<Json>([
    null,
    true,
    false,
    0,
    -1.25e-7,
    '',
    'plain',
    'quote " backslash \\ slash /',
    'tab\t line\n return\r back\b feed\f nul\0 bell\u0007 del\u007f',
    'é ß ñ',
    '漢字 \u2028',
    '👍🏽',
    '\ud800',
    'x\udc00y',
    '\udc00\ud800',
    [],
    {},
    [[], {}, [null]],
    { a: 1, 'ключ"': [1, 2, { b: 'c' }] },
  ])('of %j is its bytes', (value) => {
    expect(jsonSize(value)).toBe(bytes(value));
  });

  it('is exact for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        expect(jsonSize(value as Json)).toBe(bytes(value as Json));
      }),
    );
  });

  it('leaves out keys without a value', () => {
    expect(jsonSize({ a: undefined, b: 1 } as unknown as Json)).toBe(bytes({ b: 1 }));
  });

  it('handles depth without recursion', () => {
    expect(jsonSize(deepList(100_000))).toBe(200_000);
  });
});

describe('a limit', () => {
  it('tells above from not above, exactly at the border', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: -3, max: 3 }), (value, delta) => {
        const size = bytes(value as Json);
        expect(exceedsJsonSize(value as Json, size + delta)).toBe(delta < 0);
      }),
    );
  });

  it('stops early: a list that would be read forever is not', () => {
    let reads = 0;
    const list = new Proxy(
      Array.from({ length: 1_000 }, () => 'x'.repeat(100)),
      {
        get: (target, key, receiver) => {
          reads++;
          return Reflect.get(target, key, receiver) as unknown;
        },
      },
    );
    const many = Array.from({ length: 50 }, () => list);
    expect(jsonSize(many, 5_000)).toBeGreaterThan(5_000);
    expect(reads).toBeLessThan(5_000);
  });

  it('does not look at the characters of a text that is longer than what is left', () => {
    const huge = 'é'.repeat(5_000_000);
    expect(jsonSize(huge, 1_000)).toBe(huge.length + 2);
  });
});
