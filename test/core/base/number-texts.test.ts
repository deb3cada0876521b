import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { decimalOf, decimalText, negated, roundDecimal, type Decimal } from '../../../core/base/decimal';
import { parseExactJson } from '../../../core/base/exact-json';
import {
  canonicalNumber,
  digitsRemark,
  exactDecimal,
  isApproximate,
  isExactDouble,
  hasTooManyDigits,
  isNumeric,
  keptNumber,
  losesSpelling,
  numberOfDecimal,
  readNumber,
} from '../../../core/base/number-rule';

const read = (text: string): Decimal => decimalOf(text) as Decimal;

describe('whether a double gives a number back', () => {
  it.each([
    ['0', true],
    ['123456789012345', true],
    ['1234567890123456', true],
    ['9007199254740991', true],
    ['9007199254740992', false],
    ['-9007199254740991', true],
    ['-9007199254740992', false],
    ['0.1234567890123', true],
    ['0.1000000000000000055', false],
    ['0.10000000000000000', true],
    ['9007199254740992.0', false],
    ['9007199254740990.5', false],
    ['2251799813685248.5', true],
    ['4503599627370496.5', false],
    ['1e5', true],
    ['1E5', true],
    ['1e22', true],
    ['1e309', false],
    ['1e-400', false],
    ['12345678901234567890e1', false],
    ['1.5e300', true],
  ])('%s: %s', (text, held) => {
    expect(isExactDouble(text)).toBe(held);
  });
});

describe('what a text spells', () => {
  it.each<[string, number | string | undefined]>([
    ['1', 1],
    [' 1 ', 1],
    ['+1', 1],
    ['-1', -1],
    ['-0', 0],
    ['00', 0],
    ['007', 7],
    ['-007.50', -7.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['5.', 5],
    ['1e3', 1000],
    ['1E+3', 1000],
    ['.5e1', 5],
    ['0009007199254740993', '9007199254740993'],
    ['+9007199254740993', '9007199254740993'],
    ['1.', 1],
    ['+', undefined],
    ['e5', undefined],
    ['1e', undefined],
    ['1 2', undefined],
    ['1.2.3', undefined],
    ['x1', undefined],
    ['1x', undefined],
  ])('%j is %j', (text, value) => {
    expect(readNumber(text)).toBe(value);
  });

  it.each([
    ['1', false],
    [' 1 ', false],
    ['1.1', false],
    ['1.10', true],
    ['007', true],
    ['+1', true],
    ['1e3', true],
    ['abc', false],
    ['9007199254740993', false],
  ])('%j would be shown otherwise: %s', (text, loses) => {
    expect(losesSpelling(text)).toBe(loses);
  });

  it.each([
    ['9007199254740993', true],
    ['"9007199254740993"', true],
    ["9'007'199'254'740'993", true],
    ['9,007,199,254,740,993', true],
    ['9 007 199 254 740 993', true],
    ['900"7199254740993', false],
    ['123', false],
    ['abc', false],
    ['', false],
  ])('%j is remarked on for its digits: %s', (found, remarked) => {
    expect(digitsRemark(found) !== '').toBe(remarked);
  });
});

describe('a text that stands for a number', () => {
  it.each<[Json | undefined, boolean]>([
    [5, true],
    ['9007199254740993', true],
    ['-9007199254740993', true],
    ['0.12345678901234567890', true],
    ['1e400', true],
    ['1e5', false],
    ['5', false],
    ['12345', false],
    ['9007199254740993x', false],
    ['x9007199254740993', false],
    ['+9007199254740993', false],
    ['.12345678901234567890', false],
    ['9007199254740993.', false],
    [null, false],
    [true, false],
    [['9007199254740993'], false],
    [undefined, false],
  ])('%j: %s', (value, numeric) => {
    expect(isNumeric(value)).toBe(numeric);
    expect(exactDecimal(value) !== undefined).toBe(numeric);
    if (typeof value === 'string') expect(keptNumber(value) !== undefined).toBe(numeric);
  });

  it('has one spelling for all of its value', () => {
    expect(canonicalNumber('9007199254740993.0')).toBe('9007199254740993');
    expect(canonicalNumber('90071992547409930e-1')).toBe('9007199254740993');
    expect(canonicalNumber('1.10')).toBe('1.10');
    expect(canonicalNumber('word')).toBe('word');
  });

  it.each<[string, number | string]>([
    ['0.1', 0.1],
    ['-0', 0],
    ['1e21', 1e21],
    ['9007199254740993', '9007199254740993'],
    ['9007199254740994', 9_007_199_254_740_994],
    ['1e400', '1e+400'],
    ['0.10000000000000000555', '0.10000000000000000555'],
  ])('as a result %s is %j', (text, result) => {
    expect(numberOfDecimal(read(text))).toBe(result);
  });

  it('of more than forty digits is long; of 16 and 17 digits, but no whole number, it is approximate', () => {
    expect([hasTooManyDigits(read('1'.repeat(40))), hasTooManyDigits(read('1'.repeat(41)))]).toEqual([false, true]);
    const approximate = (value: number): boolean => isApproximate(value, exactDecimal(value) as Decimal);
    expect([1 / 3, 0.1 + 0.2, -1 / 3].map(approximate)).toEqual([true, true, true]);
    expect([0.1, 0.123456789012345, -0.123456789012345, 2 ** 53 - 1, 0.5].map(approximate)).toEqual(
      Array(5).fill(false),
    );
  });
});

describe('a decimal as text', () => {
  it.each([
    ['0', '0'],
    ['-0.0', '0'],
    ['100', '100'],
    ['1.50', '1.5'],
    ['-1.5', '-1.5'],
    ['0.001', '0.001'],
    ['0.000001', '0.000001'],
    ['0.0000001', '1e-7'],
    ['-0.00000015', '-1.5e-7'],
    ['1e20', '100000000000000000000'],
    ['1e21', '1e+21'],
    ['15e20', '1.5e+21'],
    ['123456789012345678901234', '123456789012345678901234'],
    ['1.5e-7', '1.5e-7'],
    ['12.5e3', '12500'],
  ])('%s is %s', (text, written) => {
    expect(decimalText(read(text))).toBe(written);
  });

  it('may be turned round, and rounded to nothing', () => {
    expect(decimalText(negated(read('1.5')))).toBe('-1.5');
    const rounded = (text: string, places: number, half: 'even' | 'away' = 'away') =>
      decimalText(roundDecimal(read(text), places, half));
    expect([rounded('0.5', 0), rounded('0.5', 0, 'even'), rounded('1.5', 0, 'even'), rounded('-0.5', 0)]).toEqual([
      '1',
      '0',
      '2',
      '-1',
    ]);
    expect([
      rounded('0.04', 1),
      rounded('0.05', 1),
      rounded('4', -1),
      rounded('5', -1),
      rounded('499', -3),
      rounded('500', -3),
    ]).toEqual(['0', '0.1', '0', '10', '0', '1000']);
    expect([rounded('1.5', 1), rounded('1.5', 5)]).toEqual(['1.5', '1.5']);
  });

  it('has a thousand digits and an exponent of a million at most', () => {
    expect(decimalOf('9'.repeat(1000))).toBeDefined();
    expect(decimalOf('9'.repeat(1001))).toBeUndefined();
    expect(decimalOf(`0.${'9'.repeat(999)}`)).toBeDefined();
    expect(decimalOf(`0.${'9'.repeat(1000)}`)).toBeUndefined();
    expect(decimalOf('1e1000000')).toBeDefined();
    expect(decimalOf('1e1000001')).toBeUndefined();
    expect(decimalOf('1e-1000000')).toBeDefined();
    expect(decimalOf('1e-1000001')).toBeUndefined();
    expect(decimalOf(`1e${'0'.repeat(2000)}`)).toBeUndefined();
  });
});

describe('numbers in JSON', () => {
  it.each<[string, Json]>([
    ['9007199254740993', '9007199254740993'],
    [' -9007199254740993 ', '-9007199254740993'],
    ['[1234567890123456,9007199254740993]', [1_234_567_890_123_456, '9007199254740993']],
    ['{"a": 9007199254740993 }', { a: '9007199254740993' }],
    ['{"a":0.12345678901234567890}', { a: '0.12345678901234567890' }],
    ['[1e999,1e5]', ['1e999', 100_000]],
    ['["9007199254740993",9007199254740993]', ['9007199254740993', '9007199254740993']],
    ['["a \\" 9007199254740993",9007199254740993]', ['a " 9007199254740993', '9007199254740993']],
    ['["\\\\",9007199254740993]', ['\\', '9007199254740993']],
    ['[[9007199254740993],5]', [['9007199254740993'], 5]],
    ['{"9007199254740993":1,"b":9007199254740993}', { '9007199254740993': 1, b: '9007199254740993' }],
    ['[\n9007199254740993\n]', ['9007199254740993']],
    ['[0.1,-1]', [0.1, -1]],
  ])('%s', (text, value) => {
    expect(parseExactJson(text)).toEqual(value);
  });
});
