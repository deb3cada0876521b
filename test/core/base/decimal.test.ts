import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  addDecimals,
  compareDecimals,
  decimalOf,
  decimalText,
  divideDecimals,
  multiplyDecimals,
  roundDecimal,
  type Decimal,
} from '../../../core/base/decimal';
import { fractionOf, numberSpelling, sameValue } from './numbers';

const read = (text: string): Decimal => decimalOf(text) ?? { digits: -1n, places: -1 };

/** The least power of ten above a quotient: its digits before the point, below zero for noughts behind it. */
function digitsBeforePoint(above: bigint, below: bigint): number {
  const size = above < 0n ? -above : above;
  let digits = -60;
  while (size * 10n ** 60n >= below * 10n ** BigInt(60 + digits)) digits += 1;
  return digits;
}

/** A quotient × 10^`places` as a whole number, half to even, by the remainder of one division of whole numbers. */
function evenQuotient(above: bigint, below: bigint, places: number): bigint {
  const scaled = above * 10n ** BigInt(places);
  const whole = scaled / below;
  const rest = (scaled % below) * 2n;
  const size = rest < 0n ? -rest : rest;
  const isUp = size > below || (size === below && whole % 2n !== 0n);
  return isUp ? whole + (above < 0n ? -1n : 1n) : whole;
}

describe('decimals', () => {
  it('are read and written without a change of value, like JavaScript where it holds them', () => {
    fc.assert(fc.property(numberSpelling, (text) => sameValue(decimalText(read(text)), text)));
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(decimalText(read(String(value)))).toBe(String(value + 0));
      }),
    );
  });

  it('are no decimals: separators, blanks, other spellings, more than a thousand digits', () => {
    for (const text of ['', '1,000', '1_000', ' 1', '0x1F', '007', '+1', '.5', '5.', 'NaN', '1e', '9'.repeat(1_001)]) {
      expect([text, decimalOf(text)]).toEqual([text, undefined]);
    }
  });

  it('are ordered by value', () => {
    fc.assert(
      fc.property(numberSpelling, numberSpelling, (left, right) => {
        const [a, b] = fractionOf(left);
        const [c, d] = fractionOf(right);
        const order = a * d < c * b ? -1 : a * d > c * b ? 1 : 0;
        expect(Math.sign(compareDecimals(read(left), read(right)))).toBe(order);
      }),
    );
    expect(compareDecimals(read('1e1000000'), read('9'))).toBeGreaterThan(0);
  });

  it('are added and multiplied exactly', () => {
    fc.assert(
      fc.property(numberSpelling, numberSpelling, (left, right) => {
        const [a, b] = fractionOf(left);
        const [c, d] = fractionOf(right);
        const sum = addDecimals(read(left), read(right));
        const product = multiplyDecimals(read(left), read(right));
        if (sum === undefined || product === undefined) throw new Error('no result');
        const [e, f] = fractionOf(decimalText(sum));
        expect(e * b * d).toBe((a * d + c * b) * f);
        const [g, h] = fractionOf(decimalText(product));
        expect(g * b * d).toBe(a * c * h);
      }),
    );
    expect(addDecimals(read('1e1000000'), read('1'))).toBeUndefined();
  });

  it('are divided to so many digits, half to even, exactly where the quotient ends', () => {
    const quotient = (left: string, right: string, digits: number): string | undefined => {
      const found = divideDecimals(read(left), read(right), digits);
      return found && decimalText(found);
    };
    expect(quotient('1', '3', 20)).toBe('0.33333333333333333333');
    expect(quotient('2', '3', 20)).toBe('0.66666666666666666667');
    expect(quotient('-2', '3', 5)).toBe('-0.66667');
    expect(quotient('0.3', '0.1', 20)).toBe('3');
    expect(quotient('1', '8', 2)).toBe('0.12');
    expect(quotient('3', '8', 2)).toBe('0.38');
    expect(quotient('12345678901234567.89', '1', 5)).toBe('12345678901234567.89');
    expect(quotient('1', '0', 5)).toBeUndefined();
    fc.assert(
      fc.property(numberSpelling, numberSpelling, (left, right) => {
        const [c, d] = fractionOf(right);
        fc.pre(c !== 0n);
        const found = divideDecimals(read(left), read(right), 30);
        if (found === undefined) throw new Error('no result');
        // |q × right - left| is at most half a unit of the thirtieth digit of q, times right.
        const [a, b] = fractionOf(left);
        const [e, f] = fractionOf(decimalText(found));
        const off = e * c * b - a * f * d;
        const scale = a * f * d;
        expect((off < 0n ? -off : off) * 2n * 10n ** 29n <= (scale < 0n ? -scale : scale)).toBe(true);
      }),
    );
  });

  it('are divided half to even also where the places of the dividend decide, not the digits', () => {
    const quotient = (left: string, right: string, digits = 20): string | undefined => {
      const found = divideDecimals(read(left), read(right), digits);
      return found && decimalText(found);
    };
    expect(quotient('20000000000000000000000', '3')).toBe('6666666666666666666667');
    expect(quotient('12345678901234567890123', '2')).toBe('6172839450617283945062');
    expect(quotient('12345678901234567890125', '2')).toBe('6172839450617283945062');
    expect(quotient('199999999999999999999.99', '2')).toBe('100000000000000000000');
    expect(quotient('-2000000000000000000000.1', '3', 5)).toBe('-666666666666666666666.7');
    const dividends = fc.tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.nat(12));
    const divisors = fc.oneof(fc.constant(2n), fc.bigInt({ min: 1n, max: 10n ** 12n }));
    fc.assert(
      fc.property(dividends, divisors, fc.integer({ min: 1, max: 25 }), ([digits, places], divisor, significant) => {
        const left = read(decimalText({ digits, places }));
        const found = divideDecimals(left, { digits: divisor, places: 0 }, significant);
        const whole = left.digits * 10n ** BigInt(Math.max(-left.places, 0));
        const by = divisor * 10n ** BigInt(Math.max(left.places, 0));
        const wanted = Math.max(significant - digitsBeforePoint(whole, by), left.places, 0);
        expect(found && decimalText(found)).toBe(decimalText(read(`${evenQuotient(whole, by, wanted)}e-${wanted}`)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('are cut as they once were for whoever keeps that rule, and it is asked for only where it matters', () => {
    const asked: string[] = [];
    const cut = (left: string, right: string): string | undefined => {
      const found = divideDecimals(read(left), read(right), 20, () => asked.push(left) < 0);
      return found && decimalText(found);
    };
    expect(cut('20000000000000000000000', '3')).toBe('6666666666666666666666');
    expect(cut('199999999999999999999.99', '2')).toBe('99999999999999999999.99');
    expect(asked).toEqual(['20000000000000000000000', '199999999999999999999.99']);
    expect([cut('1', '3'), cut('10000000000000000000000', '2'), cut('12345678901234567890123', '3')]).toEqual([
      '0.33333333333333333333',
      '5e+21',
      '4115226300411522630041',
    ]);
    expect(asked).toHaveLength(2);
  });

  it('are rounded half away from zero or half to even', () => {
    const rounded = (text: string, places: number, half: 'even' | 'away'): string =>
      decimalText(roundDecimal(read(text), places, half));
    expect(rounded('1.005', 2, 'away')).toBe('1.01');
    expect(rounded('-1.005', 2, 'away')).toBe('-1.01');
    expect(rounded('1.005', 2, 'even')).toBe('1');
    expect(rounded('12345678901234567.895', 2, 'away')).toBe('12345678901234567.9');
    expect(rounded('150', -2, 'even')).toBe('200');
    expect(rounded('50', -2, 'even')).toBe('0');
    expect(rounded('51', -2, 'even')).toBe('100');
    expect(rounded('1e-400', 2, 'away')).toBe('0');
  });

  it('are divided only where the quotient has no thousands of digits', () => {
    const quotient = (left: string, right: string): string | undefined => {
      const found = divideDecimals(read(left), read(right), 20);
      return found && decimalText(found);
    };
    expect(quotient('1', '1e-1000000')).toBeUndefined();
    expect(quotient('1e999999', '3')).toBeUndefined();
    expect(quotient('1e-900000', '3')).toBe('3.3333333333333333333e-900001');
    expect(quotient('1e400', '8')).toBe('1.25e+399');
  });
});
