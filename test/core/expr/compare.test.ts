import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { compare, deepEqual } from '../../../core/expr/compare';
import { isTruthy } from '../../../core/expr/truthy';
import type { CompareOp } from '../../../core/expr/types';
import { anyJson } from './arbitraries';

const operand = fc.oneof(anyJson, fc.constant(undefined));

describe('deepEqual', () => {
  it('agrees with the platform on JSON', () => {
    const value = fc.oneof(
      anyJson,
      fc.constantFrom<Json>(0, '0', false, null, [], {}, [[]], [{}], { a: [] }, { a: null }),
    );
    fc.assert(
      fc.property(value, value, (left, right) => {
        // JSON knows one zero; the platform's comparison knows two.
        const [a, b] = [left, right].map((side) => JSON.parse(JSON.stringify(side)) as Json);
        expect(deepEqual(left, right)).toBe(isDeepStrictEqual(a, b));
      }),
      { numRuns: 500 },
    );
  });

  it('sees one difference, wherever it is', () => {
    fc.assert(
      fc.property(fc.array(anyJson, { minLength: 1 }), fc.nat(), (list, pick) => {
        const at = pick % list.length;
        const changed = list.map((item, index): Json => (index === at ? [item, 'more'] : item));
        expect(deepEqual(list, changed)).toBe(false);
        expect(deepEqual({ x: list }, { x: changed })).toBe(false);
      }),
    );
  });

  it('tells an absent field from a null one', () => {
    expect(deepEqual({ a: null }, {})).toBe(false);
    expect(deepEqual({ a: null }, { b: null })).toBe(false);
    expect(deepEqual([null], [])).toBe(false);
  });

  it('compares own fields only', () => {
    const named = JSON.parse('{"__proto__":1}') as Json;
    expect(deepEqual(named, { x: 1 })).toBe(false);
    expect(deepEqual({ x: 1 }, named)).toBe(false);
    expect(deepEqual(named, JSON.parse('{"__proto__":1}') as Json)).toBe(true);
    expect(deepEqual({ hasOwnProperty: 1 }, { hasOwnProperty: 1 })).toBe(true);
  });
});

describe('compare', () => {
  const operators: CompareOp[] = ['==', '!=', '<', '<=', '>', '>=', 'in', 'contains'];

  it('gives a boolean for any two operands', () => {
    fc.assert(
      fc.property(fc.constantFrom(...operators), operand, operand, (op, left, right) => {
        expect(typeof compare(op, left, right)).toBe('boolean');
      }),
      { numRuns: 500 },
    );
  });

  it('keeps its operators consistent', () => {
    fc.assert(
      fc.property(operand, operand, (left, right) => {
        expect(compare('!=', left, right)).toBe(!compare('==', left, right));
        expect(compare('==', left, right)).toBe(compare('==', right, left));
        expect(compare('<', left, right)).toBe(compare('>', right, left));
        expect(compare('<=', left, right)).toBe(compare('>=', right, left));
        expect(compare('in', left, right)).toBe(compare('contains', right, left));
        if (compare('<', left, right)) expect(compare('<=', left, right)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  it('orders only two numbers or two texts', () => {
    fc.assert(
      fc.property(operand, operand, (left, right) => {
        const alike = typeof left === typeof right && (typeof left === 'number' || typeof left === 'string');
        expect(compare('<', left, right) || compare('>=', left, right)).toBe(alike);
      }),
    );
  });

  it('finds every element, part and field', () => {
    fc.assert(
      fc.property(fc.array(anyJson), anyJson, fc.string(), fc.string(), (list, item, before, part) => {
        expect(compare('in', item, [...list, item])).toBe(true);
        expect(compare('in', part, before + part)).toBe(true);
        expect(compare('in', 'field', { field: item })).toBe(true);
      }),
    );
  });

  it('orders ISO dates as dates', () => {
    const day = fc.integer({ min: 0, max: 40_000 });
    const iso = (days: number): string => new Date(days * 86_400_000).toISOString();
    fc.assert(
      fc.property(day, day, (left, right) => {
        expect(compare('<', iso(left), iso(right))).toBe(left < right);
        expect(compare('>=', iso(left).slice(0, 10), iso(right).slice(0, 10))).toBe(left >= right);
      }),
    );
  });
});

describe('isTruthy', () => {
  it('is false exactly for what is empty', () => {
    const empty = [undefined, null, false, 0, -0, '', [], {}];
    for (const value of empty) expect(isTruthy(value as Json | undefined)).toBe(false);
    fc.assert(
      fc.property(anyJson, (value) => {
        const isEmpty = ['null', 'false', '0', '""', '[]', '{}'].includes(JSON.stringify(value));
        expect(isTruthy(value)).toBe(!isEmpty);
      }),
    );
  });
});

describe('a number that is kept as text', () => {
  const kept = '9007199254740993';
  const ordered = ['<', '<=', '>', '>='] as const;
  it.each(['1,234', 'n/a', '', '2024-01-15', '12 345'])('has no order beside the text %j', (text) => {
    for (const op of ordered) {
      expect([op, compare(op, text, kept), compare(op, kept, text)]).toEqual([op, false, false]);
      // The same as with a number of which a double holds all.
      expect(compare(op, text, 1000)).toBe(false);
    }
  });
  it('is compared by value with other decimals, and as letters in a run that began before', () => {
    expect([compare('>', kept, '10'), compare('<', kept, '9007199254740994')]).toEqual([true, true]);
    const before = Object.assign(() => true, { keptApart: () => false });
    expect(compare('>=', 'n/a', kept, before)).toBe(true);
  });
});
