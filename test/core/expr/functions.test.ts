import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { arity, callFunction, functionNames } from '../../../core/expr/functions';
import { parseNumber, roundTo } from '../../../core/expr/numbers';
import { deepList } from '../base/support';
import { anyJson } from './arbitraries';
import { isTrue, valueOf } from './support';

const scope = {
  list: [3, null, 1, 2],
  mixed: [1, 'a'],
  words: ['pear', 'apple'],
  none: null,
  obj: { a: 1, b: 2 },
  deep: [[1], [2]],
};

describe('functions', () => {
  it.each<[string, Json]>([
    ["length('')", 0],
    ["length('abc')", 3],
    ["length('é👍🏽')", 3],
    ['length({list})', 4],
    ['length([])', 0],
    ['length({obj})', 2],
    ['length({none})', 0],
    ['length({missing})', 0],
    ['length(5)', null],
    ['length(true)', null],
    ["lower('ÀBC')", 'àbc'],
    ["upper('straße')", 'STRASSE'],
    ["trim('  a b \n')", 'a b'],
    ['lower(1)', null],
    ['upper({missing})', null],
    ['trim([])', null],
    ['abs(-2.5)', 2.5],
    ['abs(2)', 2],
    ["abs('2')", null],
    ['abs({missing})', null],
    ['round(2.5)', 3],
    ['round(-2.5)', -3],
    ['round(2.4)', 2],
    ['round(1.005, 2)', 1.01],
    ['round(1.255, 2)', 1.26],
    ['round(-1.005, 2)', -1.01],
    ['round(1234.5678, -2)', 1200],
    ['round(5, 0)', 5],
    ['round(1e21, 2)', 1e21],
    ['round(1e-7, 7)', 1e-7],
    ['round(1.5e-7, 7)', 2e-7],
    ['round(1e308, 15)', 1e308],
    ['round(1, 16)', null],
    ['round(1, 0.5)', null],
    ["round('1')", null],
    ["round(1, '2')", null],
    ['round({missing}, 2)', null],
    ['round(2.5, {missing})', null],
    ['min(3, 1, 2)', 1],
    ['max(3, 1, 2)', 3],
    ['min({list})', 1],
    ['max({list})', 3],
    ['max({words})', 'pear'],
    ["min('2024-03-01', '2024-02-29')", '2024-02-29'],
    ['max({missing}, 2, {none})', 2],
    ['max({none})', null],
    ['min([])', null],
    ['max({mixed})', null],
    ["max(1, 'a')", null],
    ['max(true, 1)', null],
    ['max({list}, 9)', null],
    ['min([[1]])', null],
    ['coalesce({missing}, {none}, 5)', 5],
    ["coalesce('', 5)", ''],
    ['coalesce(0, 5)', 0],
    ['coalesce(false, 5)', false],
    ['coalesce({missing})', null],
    ["starts_with('abc', 'ab')", true],
    ["starts_with('abc', '')", true],
    ["starts_with('abc', 'b')", false],
    ['starts_with(12, 1)', false],
    ["starts_with({missing}, 'a')", false],
    ["ends_with('abc', 'bc')", true],
    ["ends_with('abc', 'ab')", false],
    ["ends_with({list}, 'a')", false],
    ['number(3)', 3],
    ["number('12.50')", 12.5],
    ["number(' -1e3 ')", -1000],
    ["number('1,000')", null],
    ["number('')", null],
    ['number(true)', null],
    ['number({none})', null],
    ['number([1])', null],
    ['text(3)', '3'],
    ['text(1.50)', '1.5'],
    ['text(true)', 'true'],
    ["text('x')", 'x'],
    ['text({none})', ''],
    ['text({missing})', ''],
    ['text([1, {obj}])', '[1,{"a":1,"b":2}]'],
    ["date_diff_days('2024-02-28', '2024-03-01')", 2],
    ["date_diff_days('2024-03-01', '2024-02-28')", -2],
    ["date_diff_days('2024-03-01T23:59:59Z', '2024-03-02 00:00')", 1],
    ["date_diff_days('2024-02-30', '2024-03-01')", null],
    ["date_diff_days('2024-03-01x', '2024-03-01')", null],
    ["date_diff_days(20240301, '2024-03-01')", null],
    ["date_diff_days({missing}, '2024-03-01')", null],
    ['sum({list})', 6],
    ['sum([])', 0],
    ['sum({mixed})', null],
    ['sum({deep})', null],
    ['sum(5)', null],
    ['sum({missing})', null],
    ['sum([1e308, 1e308])', null],
  ])('%s is %j', (text, expected) => {
    expect(valueOf(text, scope)).toEqual(expected);
  });

  it('compose', () => {
    expect(valueOf("upper(trim(coalesce({missing}, ' x ')))")).toBe('X');
    expect(isTrue('round(sum({list}) / length({list}), 1) == 1.5', scope)).toBe(true);
    expect(isTrue("'apple' in {words} and max({list}) > min({list})", scope)).toBe(true);
  });

  it('with an argument less or more are refused, except where many are allowed', () => {
    for (const name of functionNames()) {
      const count = arity(name);
      expect(count?.min).toBeGreaterThanOrEqual(1);
      expect(() => valueOf(`${name}()`)).toThrow(/takes/);
      const tooMany = Array.from({ length: (count?.max ?? 0) + 1 }, () => '1').join(',');
      expect(() => valueOf(`${name}(${tooMany})`)).toThrow(/takes/);
    }
    expect(arity('no_such')).toBeUndefined();
  });

  it('are total, pure, and give sound JSON for any arguments', () => {
    const anyName = fc.constantFrom(...functionNames(), 'constructor', '');
    fc.assert(
      fc.property(anyName, fc.array(fc.oneof(anyJson, fc.constant(undefined)), { maxLength: 4 }), (name, args) => {
        const before = JSON.stringify(args);
        const result = callFunction(name, args);
        expect(result).toEqual(callFunction(name, args));
        expect(JSON.stringify(args)).toBe(before);
        expect(JSON.parse(JSON.stringify(result))).toEqual(result);
      }),
      { numRuns: 500 },
    );
  });
});

describe('length', () => {
  it('counts code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        expect(callFunction('length', [text])).toBe(Array.from(text).length),
      ),
    );
  });
});

describe('text', () => {
  it('of a value above a mebibyte is null, of a long text it is the text', () => {
    const long = 'x'.repeat(2_000_000);
    expect(callFunction('text', [long])).toBe(long);
    expect(callFunction('text', [[long]])).toBeNull();
    expect(callFunction('text', [{ a: 'x'.repeat(1_000_000) }])).toContain('xxx');
  });

  it('does not explode when its quotes are escaped again and again', () => {
    const text = `${'text(['.repeat(25)}'"'${'])'.repeat(25)}`;
    const value = valueOf(text);
    expect(value === null || (typeof value === 'string' && value.length < 3_000_000)).toBe(true);
  });

  it('of a deep value is its JSON', () => {
    expect(callFunction('text', [deepList(10_000)])).toBe('['.repeat(10_000) + ']'.repeat(10_000));
  });
});

describe('parseNumber', () => {
  it.each<[string, number | string | null]>([
    ['0', 0],
    ['-0', 0],
    ['+5', 5],
    ['007', 7],
    ['3.25', 3.25],
    ['1e3', 1000],
    ['1E-2', 0.01],
    ['1e+2', 100],
    ['\t12\n', 12],
    ['', null],
    [' ', null],
    ['-', null],
    ['.', null],
    ['.5', null],
    ['5.', null],
    ['1e', null],
    ['1e+', null],
    ['1e999', '1e999'],
    ['0x10', null],
    ['1_000', null],
    ['1 000', null],
    ['1,5', null],
    ['NaN', null],
    ['Infinity', null],
    ['--1', null],
    ['12abc', null],
    ['１２', null],
  ])('%j is %p', (text, expected) => {
    expect(parseNumber(text)).toBe(expected);
  });

  it('reads what the platform writes', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const kept = Number.isInteger(value) && !Number.isSafeInteger(value) && !String(value).includes('e');
        expect(parseNumber(String(value))).toBe(kept ? String(value) : value + 0);
      }),
    );
  });

  it('never reads more than Number does', () => {
    const near = fc.stringMatching(/^[-+0-9.eE ]{0,10}$/);
    const number = fc.stringMatching(/^ ?[-+]?[0-9]{1,3}(\.[0-9]{1,2})?([eE][-+]?[0-9]{1,3})?$/);
    fc.assert(
      fc.property(fc.oneof(near, number), (text) => {
        const value = parseNumber(text);
        if (value === null) return;
        // Adding zero takes the sign from "-0"; a number that no double holds well is kept as its text.
        if (typeof value === 'number') expect(value).toBe(Number(text) + 0);
        else expect([Number(value), isNormal(Number(value))]).toEqual([Number(text), false]);
      }),
    );
  });
});

const SMALLEST_NORMAL = 2 ** -1022;
function isNormal(value: number): boolean {
  return Number.isFinite(value) && Math.abs(value) >= SMALLEST_NORMAL;
}

describe('roundTo', () => {
  it('is idempotent, symmetric and near', () => {
    const value = fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(value, fc.integer({ min: -10, max: 10 }), (number, places) => {
        const rounded = roundTo(number, places) ?? Number.NaN;
        expect(roundTo(rounded, places)).toBe(rounded);
        expect(roundTo(-number, places)).toBe(-rounded + 0);
        expect(Math.abs(rounded - number)).toBeLessThanOrEqual(
          0.5 * 10 ** -places * (1 + 1e-9) + Math.abs(number) * 1e-15,
        );
      }),
    );
  });

  it.each([0.5, 16, -16, Number.NaN])('has no value for %p places', (places) => {
    expect(roundTo(1, places)).toBeNull();
  });

  it('rounds every half cent up', () => {
    for (let cents = 0; cents < 2_000; cents++) {
      const written = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}5`;
      expect(roundTo(Number(written), 2)).toBe((cents + 1) / 100);
    }
  });
});
