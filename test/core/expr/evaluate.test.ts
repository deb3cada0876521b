import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { evaluateCondition, evaluateExpr } from '../../../core/expr/condition';
import type { Expr, Lookup } from '../../../core/expr/types';
import { deepList } from '../base/support';
import { anyJson } from './arbitraries';
import { expression, isTrue, scopeLookup, valueOf } from './support';

const scope = {
  zero: 0,
  one: 1,
  text: 'abc',
  empty: '',
  none: null,
  yes: true,
  no: false,
  list: [1, 'a', null, { k: [1] }],
  emptyList: [],
  obj: { a: 1, b: { c: 2 } },
  emptyObj: {},
};

describe('truth', () => {
  it.each(['one', 'text', 'yes', 'list', 'obj'])('{%s} is true', (name) => {
    expect(isTrue(`{${name}}`, scope)).toBe(true);
    expect(isTrue(`NOT {${name}}`, scope)).toBe(false);
  });

  it.each(['zero', 'empty', 'none', 'no', 'emptyList', 'emptyObj', 'missing', 'obj.missing'])(
    '{%s} is false',
    (name) => {
      expect(isTrue(`{${name}}`, scope)).toBe(false);
      expect(isTrue(`NOT {${name}}`, scope)).toBe(true);
    },
  );

  it.each(["'0'", "'false'", "' '", '[0]', '[null]', '-1', '0.1'])('%s is true', (text) => {
    expect(isTrue(text)).toBe(true);
  });
});

describe('AND, OR, NOT', () => {
  it.each([
    ['true AND true', true],
    ['true AND false', false],
    ['false AND true', false],
    ['false OR true', true],
    ['false OR false', false],
    ['NOT false', true],
    ["1 AND 'x'", true],
    ["0 OR ''", false],
    ['NOT NOT 5', true],
    ['true OR false AND false', true],
    ['(true OR false) AND false', false],
    ['NOT true OR true', true],
    ['NOT (true OR true)', false],
  ])('%s is %s', (text, expected) => {
    expect(valueOf(text)).toBe(expected);
  });

  it('evaluates the right side only when needed', () => {
    const asked: string[] = [];
    const lookup: Lookup = (reference) => {
      asked.push(reference.text);
      return reference.root === 't';
    };
    const ask = (text: string): string[] => {
      asked.length = 0;
      evaluateCondition(expression(text), lookup);
      return [...asked];
    };
    expect(ask('{f} AND {t}')).toEqual(['f']);
    expect(ask('{t} AND {f}')).toEqual(['t', 'f']);
    expect(ask('{t} OR {f}')).toEqual(['t']);
    expect(ask('{f} OR {t}')).toEqual(['f', 't']);
  });
});

describe('== and !=', () => {
  it.each([
    ['1 == 1.0', true],
    ['1 == 1e0', true],
    ["1 == '1'", false],
    ["'a' == 'a'", true],
    ["'a' == 'A'", false],
    ['true == true', true],
    ['true == 1', false],
    ["'' == false", false],
    ['0 == false', false],
    ['null == null', true],
    ['{none} == null', true],
    ['{missing} == null', true],
    ['{missing} == {none}', true],
    ["{missing} == ''", false],
    ['null == 0', false],
    ['[1, [2]] == [1, [2]]', true],
    ['[1, 2] == [2, 1]', false],
    ['[1] == [1, null]', false],
    ['{list} == {list}', true],
    ['{obj} == {obj}', true],
    ['{obj} == {obj.b}', false],
    ['[] == {emptyList}', true],
    ['[] == {emptyObj}', false],
    ['0 == -0', true],
    ['0.1 + 0.2 == 0.3', true],
  ])('%s is %s', (text, expected) => {
    expect(valueOf(text, scope)).toBe(expected);
    expect(valueOf(text.replace('==', '!='), scope)).toBe(!expected);
  });

  it('compares objects whatever the order of their keys', () => {
    expect(isTrue('{a} == {b}', { a: { x: 1, y: [2] }, b: { y: [2], x: 1 } })).toBe(true);
    expect(isTrue('{a} == {b}', { a: { x: null }, b: { y: null } })).toBe(false);
  });

  it('does not take inherited names for fields', () => {
    expect(isTrue('{a} == {b}', { a: { toString: 1 }, b: { x: 1 } })).toBe(false);
  });

  it('is an equivalence on JSON', () => {
    const equal = (a: Json, b: Json): boolean => isTrue('{a} == {b}', { a, b });
    fc.assert(
      fc.property(anyJson, anyJson, (a, b) => {
        expect(equal(a, JSON.parse(JSON.stringify(a)) as Json)).toBe(true);
        expect(equal(a, b)).toBe(equal(b, a));
      }),
    );
  });

  it('compares values of any depth', () => {
    expect(isTrue('{a} == {b}', { a: deepList(100_000), b: deepList(100_000) })).toBe(true);
    expect(isTrue('{a} == {b}', { a: deepList(100_000), b: deepList(100_001) })).toBe(false);
  });
});

describe('order', () => {
  it.each([
    ['1 < 2', true],
    ['2 < 1', false],
    ['2 <= 2', true],
    ['-1 < 0', true],
    ['10 > 9', true],
    ["'10' > '9'", false],
    ["'a' < 'b'", true],
    ["'Z' < 'a'", true],
    ["'abc' <= 'abc'", true],
    ["'' < 'a'", true],
    ["'2023-12-31' < '2024-01-01'", true],
    ["'2024-02-29T10:00:00Z' >= '2024-02-29'", true],
    ["1 < '2'", false],
    ["'2' > 1", false],
    ['null <= null', false],
    ['{missing} > 0', false],
    ['{missing} <= 0', false],
    ['{missing} < {missing}', false],
    ['true > false', false],
    ['[2] > [1]', false],
    ['{list} >= {list}', false],
  ])('%s is %s', (text, expected) => {
    expect(valueOf(text, scope)).toBe(expected);
  });

  it('of numbers is total', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (a, b) => {
        const holds = ['<', '==', '>'].filter((op) => isTrue(`{a} ${op} {b}`, { a, b }));
        expect(holds).toHaveLength(1);
        expect(isTrue('{a} <= {b}', { a, b })).toBe(a <= b);
        expect(isTrue('{a} >= {b}', { a, b })).toBe(a >= b);
      }),
    );
  });
});

describe('in and contains', () => {
  it.each([
    ['1 in {list}', true],
    ["'a' in {list}", true],
    ['null in {list}', true],
    ['{missing} in {list}', true],
    ["'1' in {list}", false],
    ['[1] in [[1]]', true],
    ['{list[3]} in {list}', true],
    ["'b' in {text}", true],
    ["'' in {text}", true],
    ["'B' in {text}", false],
    ["'a' in {obj}", true],
    ["'c' in {obj}", false],
    ["'toString' in {obj}", false],
    ['1 in {text}', false],
    ['1 in 1', false],
    ["'a' in {none}", false],
    ["'a' in {missing}", false],
    ['1 in []', false],
  ])('%s is %s', (text, expected) => {
    expect(valueOf(text, scope)).toBe(expected);
    const [item = '', container = ''] = text.split(' in ');
    expect(valueOf(`${container} contains ${item}`, scope)).toBe(expected);
    expect(valueOf(`${item} not in ${container}`, scope)).toBe(!expected);
    expect(valueOf(`${container} not contains ${item}`, scope)).toBe(!expected);
  });
});

describe('is defined', () => {
  it.each([
    ['{one}', true],
    ['{zero}', true],
    ['{empty}', true],
    ['{no}', true],
    ['{emptyList}', true],
    ['{none}', false],
    ['{missing}', false],
    ['{obj.missing.deeper}', false],
    ['{list[9]}', false],
    ['{list[2]}', false],
    ['{list[*].k}', true],
    ['(1 / 0)', false],
    ['null', false],
  ])('%s: %s', (text, expected) => {
    expect(valueOf(`${text} is defined`, scope)).toBe(expected);
    expect(valueOf(`${text} is not defined`, scope)).toBe(!expected);
  });
});

describe('arithmetic', () => {
  it.each<[string, number]>([
    ['1 + 2', 3],
    ['1 - 2', -1],
    ['2 * 3.5', 7],
    ['7 / 2', 3.5],
    ['-{one}', -1],
    ['- -3', 3],
    ['2 + 3 * 4 - 6 / 2', 11],
    ['(2 + 3) * 4', 20],
    ['100 / 10 / 5', 2],
    ['10 - 3 - 2', 5],
  ])('%s is %d', (text, expected) => {
    expect(valueOf(text, scope)).toBe(expected);
  });

  it.each([
    '1 / 0',
    '0 / 0',
    '-1 / 0',
    '1e308 * 10',
    '-1e308 - 1e308',
    "1 + '1'",
    "'a' + 'b'",
    'true + 1',
    'null + 1',
    '{missing} * 2',
    '[1] + [2]',
    '-{text}',
    '-{missing}',
    '-true',
    '(1 / 0) + 1',
  ])('%s is null', (text) => {
    expect(valueOf(text, scope)).toBeNull();
  });

  it('never yields a negative zero', () => {
    for (const text of ['-0', '0 * -1', '-{zero}', '0 / -5', 'round(-0.2)', '-1 + 1']) {
      expect(Object.is(valueOf(text, scope), 0)).toBe(true);
    }
  });

  /** The platform's own error: half a unit of the last place of what goes in and of what comes out. */
  const off = (...values: number[]): number => Math.max(...values.map(Math.abs)) * Number.EPSILON;

  it('agrees with the numbers of the platform but for the error of its binary fractions', () => {
    // Normal doubles: shown decimals of the smallest ones say little about their values.
    const number = fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((value) => value === 0 || Math.abs(value) > 1e-300);
    fc.assert(
      fc.property(number, number, (a, b) => {
        const results = { '+': a + b, '-': a - b, '*': a * b, '/': a / b };
        for (const [op, expected] of Object.entries(results)) {
          const found = valueOf(`{a} ${op} {b}`, { a, b });
          if (Number.isFinite(expected))
            expect(Math.abs(Number(found) - expected)).toBeLessThanOrEqual(off(a, b, expected));
          else expect(found).toBeNull();
        }
      }),
    );
  });
});

describe('values', () => {
  it('of a lone reference is what the lookup gives', () => {
    expect(valueOf('{missing}', scope)).toBeUndefined();
    expect(valueOf('{none}', scope)).toBeNull();
    expect(valueOf('{obj.b}', scope)).toEqual({ c: 2 });
  });

  it('in a list are null where nothing is defined', () => {
    expect(valueOf('[{missing}, {one}, [1 / 0]]', scope)).toEqual([null, 1, [null]]);
  });

  it('that are no numbers are stopped at the door', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
      expect(valueOf('{x}', { x: bad })).toBeNull();
      expect(valueOf('{x} is defined', { x: bad })).toBe(false);
      expect(valueOf('sum([1, {x}])', { x: bad })).toBe(1);
    }
  });
});

describe('trees made by hand', () => {
  it('of unknown kind, operator or function have the value null or false', () => {
    const one: Expr = { kind: 'literal', value: 1 };
    const lookup = scopeLookup({});
    expect(evaluateExpr({ kind: 'magic' } as unknown as Expr, lookup)).toBeNull();
    expect(evaluateExpr({ kind: 'arith', op: '^' as '+', left: one, right: one }, lookup)).toBeNull();
    expect(evaluateExpr({ kind: 'compare', op: '~' as '<', left: one, right: one }, lookup)).toBe(false);
    expect(evaluateExpr({ kind: 'call', name: 'constructor', args: [one] }, lookup)).toBeNull();
  });

  it('that are higher than any text allows do not overflow', () => {
    let not: Expr = { kind: 'literal', value: 1 };
    let sum: Expr = { kind: 'literal', value: 1 };
    for (let level = 0; level < 100_000; level++) {
      not = { kind: 'not', operand: not };
      sum = { kind: 'arith', op: '+', left: sum, right: { kind: 'literal', value: 1 } };
    }
    expect(typeof evaluateExpr(not, scopeLookup({}))).toBe('boolean');
    expect(evaluateExpr(sum, scopeLookup({}))).toBeNull();
  });

  it('as high as a text allows are evaluated in full', () => {
    const text = Array.from({ length: 1_001 }, () => '1').join(' + ');
    expect(valueOf(text)).toBe(1_001);
    const nested = `${'('.repeat(50)}${text}${')'.repeat(50)}`;
    expect(valueOf(nested)).toBe(1_001);
    const deep = `${'[not '.repeat(24)}${Array.from({ length: 900 }, () => 'true').join(' and ')}${']'.repeat(24)}`;
    expect(valueOf(deep)).toEqual([false]);
  });
});
