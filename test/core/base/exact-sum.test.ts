import { describe, expect, it } from '@jest/globals';
import { decimalOf, decimalText, type Decimal } from '../../../core/base/decimal';
import { ExactSum } from '../../../core/base/exact-sum';

function sumOf(...terms: (number | string)[]): ExactSum {
  const sum = new ExactSum();
  for (const term of terms) {
    if (typeof term === 'number') sum.add(term);
    else sum.addKept(decimalOf(term) as Decimal);
  }
  return sum;
}

describe('an exact sum', () => {
  it.each<[(number | string)[], number | string]>([
    [[], 0],
    [[-0], 0],
    [[0.1, 0.2], 0.3],
    [[0.1, 0.2, -0.3], 0],
    [[1.005, 2.005], 3.01],
    [[1e-6, 2e-6], 3e-6],
    [[1e-7, 2e-7], 3e-7],
    [[19.99, 5, 0.01], 25],
    [[1_000_000.5, 0.25], 1_000_000.75],
    [[2 ** 50, 1], 2 ** 50 + 1],
    [[2 ** 53 - 1, -1], 2 ** 53 - 2],
    [[-(2 ** 52), -(2 ** 52) + 1], -(2 ** 53) + 1],
    [[2 ** 51 + 0.5, 0.5], 2 ** 51 + 1],
    [Array<number>(5).fill(2 ** 50), 5 * 2 ** 50],
    [Array<number>(9).fill(2 ** 50 - 1), '10133099161583607'],
    [Array<number>(12).fill(2 ** 50), 12 * 2 ** 50],
    [[1e15, 0.001], '1000000000000000.001'],
    [[1e22, 1], '10000000000000000000001'],
    [['9007199254740993', 1], 9_007_199_254_740_994],
    [['9007199254740993', 2], '9007199254740995'],
    [['9007199254740993', -9_007_199_254_740_000], 993],
    [['0.12345678901234567', 1], '1.12345678901234567'],
  ])('of %j is %j', (terms, result) => {
    expect(sumOf(...terms).result).toBe(result);
    expect(sumOf(...terms.toReversed()).result).toBe(result);
  });

  it('of what a calculation left behind is the nearest double, unless a term was kept as text', () => {
    const third = 1 / 3;
    expect(sumOf(third, third).result).toBe(2 / 3);
    expect(typeof sumOf(third, '9007199254740993').result).toBe('string');
  });

  it('of numbers that lie very far apart is a double, and one that no double reaches is infinite', () => {
    expect(sumOf(1e300, 1e-6).result).toBe(1e300);
    expect(sumOf(1e308, 1e308).result).toBe(Number.POSITIVE_INFINITY);
    expect(sumOf(-1e308, -1e308).result).toBe(Number.NEGATIVE_INFINITY);
    expect(sumOf(1e308, 1e308, '1e400').result).toMatch(/^1\.0+2e\+400$/);
  });

  it('with thousands of digits is none', () => {
    expect(sumOf('1e999999', 1).result).toBeUndefined();
    expect(sumOf('1e999999', 1).total).toBeUndefined();
    expect(sumOf('1e999999', 1, 5).result).toBeUndefined();
  });

  it('knows whether a term was kept as text, and may be read while it grows', () => {
    const sum = sumOf(0.1, 7);
    expect([sum.hasKept, decimalText(sum.total as Decimal)]).toEqual([false, '7.1']);
    sum.add(0.2);
    sum.addKept(decimalOf('9007199254740993') as Decimal);
    expect([sum.hasKept, sum.result]).toEqual([true, '9007199254741000.3']);
  });
});
