import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EXACT, type ExactNumbers } from '../../../core/base/exact-numbers';
import type { Json, JsonObject } from '../../../core/base/json';
import { evaluateExpr } from '../../../core/expr/condition';
import { transformData } from '../../../core/transform/transform';
import { expression, scopeLookup, type Scope } from './support';

/** Runs that began when 16 and 17 digits were calculated as doubles. */
const OLDER: ExactNumbers = Object.assign(() => true, { nearestResults: () => false });
const calculated = (text: string, scope: Scope, exact: ExactNumbers = EXACT): Json | undefined =>
  evaluateExpr(expression(text), scopeLookup(scope), exact);

function metric(op: string, terms: Json[], exact: ExactNumbers = EXACT): Json | undefined {
  const data: JsonObject[] = terms.map((n) => ({ n }));
  const result = transformData(data, [{ type: 'aggregate', op, field: 'n', as: 'n' }], {}, exact);
  return result.ok ? result.data[0]?.['n'] : result.code;
}

describe('a result of doubles is the one nearest to the exact result', () => {
  it.each<[expr: string, value: Json, older: Json]>([
    ['12345678901234.56 - 12345678901234.55', 0.01, 0.009765625],
    ['12345678.12345678 - 12345678.12345677', 1e-8, 9.313225746154785e-9],
    ['1000000000000000 - 999999999999999.9', 0.1, 0.125],
    ['100000000000000.1 - 100000000000000.2', -0.1, -0.109375],
    ['8888888888888.885 - 8888888888888.88', 0.005, 0.00390625],
    ['0.2 * 999999999999999.9', 199_999_999_999_999.97, 200_000_000_000_000],
    ['12345678901234.56 - 12345678901234.55 == 0.01', true, false],
    ['abs(12345678901234.55 - 12345678901234.56) <= 0.01', true, true],
    ['round(22517998136852.484, 2)', 22_517_998_136_852.48, 22_517_998_136_852.49],
    ['round(-22517998136852.484, 2)', -22_517_998_136_852.48, -22_517_998_136_852.49],
    ['-12345678901234.56', -12_345_678_901_234.56, -12_345_678_901_234.56],
    ['0.1 + 0.2', 0.3, 0.3],
    ['1 / 3', 0.3333333333333333, 0.3333333333333333],
  ])('%s is %j, and %j in a run that began before', (text, value, older) => {
    expect([calculated(text, {}), calculated(text, {}, OLDER)]).toEqual([value, older]);
  });

  it('an average has 20 digits where a term is kept as text, also where the sum is a number', () => {
    const terms = ['1e400', 1, '-1e400'];
    expect(metric('avg', terms)).toBe('0.33333333333333333333');
    expect(metric('avg', terms, OLDER)).toBe(0.3333333333333333);
    expect(metric('avg', ['9007199254740993', 1])).toBe(4_503_599_627_370_497);
  });

  it('asks which rule a run follows only where both differ', () => {
    let asked = 0;
    const exact: ExactNumbers = Object.assign(() => true, { nearestResults: () => (asked += 1) > 0 });
    for (const text of ['{a} + {b}', '{a} - 1', 'round({a}, 3)', '{a} / 7', '{b} * 2']) {
      calculated(text, { a: 0.30000000000000004, b: 0.5 }, exact);
    }
    expect(asked).toBe(0);
    calculated('12345678901234.56 - 12345678901234.55', {}, exact);
    expect(asked).toBe(1);
  });
});

/** A double as people read it, and a fraction of whole numbers: the oracle knows nothing of decimals. */
interface Fraction {
  above: bigint;
  below: bigint;
}
function fractionOf(value: number): Fraction {
  const [mantissa = '', exponent = '0'] = String(value).split('e');
  const [whole = '', digits = ''] = mantissa.split('.');
  const shift = Number(exponent) - digits.length;
  const above = BigInt(whole + digits);
  return shift >= 0 ? { above: above * 10n ** BigInt(shift), below: 1n } : { above, below: 10n ** BigInt(-shift) };
}
const minus = (a: Fraction, b: Fraction): Fraction => ({
  above: a.above * b.below - b.above * a.below,
  below: a.below * b.below,
});
const size = (value: bigint): bigint => (value < 0n ? -value : value);
/** The exact value of a double: every one is a whole number of 2^-1074. */
function binaryOf(value: number): Fraction {
  let below = 1n;
  let scaled = value;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    below *= 2n;
  }
  return { above: BigInt(scaled), below };
}
const neighbours = (value: number): number[] => {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, value);
  const at = bits.getBigInt64(0);
  const of = (moved: bigint): number => {
    bits.setBigInt64(0, moved);
    return bits.getFloat64(0);
  };
  return value === 0 ? [5e-324, -5e-324] : [of(at + 1n), of(at - 1n)];
};
/** No double is nearer to the fraction. */
function isNearest(value: number, to: Fraction): boolean {
  const far = (double: number): Fraction => {
    const { above, below } = minus(binaryOf(double), to);
    return { above: size(above), below };
  };
  const own = far(value);
  return neighbours(value).every((other) => minus(far(other), own).above >= 0n);
}

/** Amounts of 15 to 17 digits and their like, near to each other as well as far apart. */
const amount = fc
  .tuple(fc.bigInt({ min: 1n, max: 99_999_999_999_999_999n }), fc.integer({ min: -4, max: 20 }), fc.boolean())
  .map(([digits, places, below]) => Number(`${below ? '-' : ''}${digits}e${-places}`));
const pair = fc.oneof(
  fc.tuple(amount, amount),
  fc.tuple(amount, fc.integer({ min: -9, max: 9 })).map(([a, steps]): [number, number] => {
    let b = a;
    for (let n = 0; n < Math.abs(steps); n++) b = neighbours(b)[steps > 0 ? 0 : 1] ?? b;
    return [a, b];
  }),
);

function expectNearest(result: Json | undefined, exact: Fraction): void {
  if (typeof result === 'string') {
    // Kept by its digits, because no double is it: then it is exact.
    const [whole = '', digits = ''] = result.split('.');
    const written = /e/i.test(result)
      ? undefined
      : { above: BigInt(whole + digits), below: 10n ** BigInt(digits.length) };
    if (written !== undefined) expect(minus(written, exact).above).toBe(0n);
    return;
  }
  expect(typeof result).toBe('number');
  expect(isNearest(result as number, exact)).toBe(true);
}

describe('whatever the digits', () => {
  const OPS: Record<string, (a: Fraction, b: Fraction) => Fraction> = {
    '+': (a, b) => ({ above: a.above * b.below + b.above * a.below, below: a.below * b.below }),
    '-': minus,
    '*': (a, b) => ({ above: a.above * b.above, below: a.below * b.below }),
  };
  it.each(Object.keys(OPS))('{a} %s {b} is nearest, or exact', (op) => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const exact = OPS[op]?.(fractionOf(a), fractionOf(b)) as Fraction;
        expectNearest(calculated(`{a} ${op} {b}`, { a, b }), exact);
      }),
      { numRuns: 300 },
    );
  });

  it('a quotient is nearest', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const [x, y] = [fractionOf(a), fractionOf(b)];
        const sign = y.above < 0n ? -1n : 1n;
        expectNearest(calculated('{a} / {b}', { a, b }), {
          above: x.above * y.below * sign,
          below: x.below * y.above * sign,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('a rounded amount is nearest to the decimal rounded half away from zero', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: -5, max: 10 }), (a, places) => {
        const { above, below } = fractionOf(a);
        const unit = places >= 0 ? { up: 10n ** BigInt(places), down: 1n } : { up: 1n, down: 10n ** BigInt(-places) };
        const [top, bottom] = [size(above) * unit.up * 2n + below * unit.down, below * unit.down * 2n];
        const whole = (top / bottom) * (above < 0n ? -1n : 1n);
        expectNearest(calculated(`round({a}, ${places})`, { a }), { above: whole * unit.down, below: unit.up });
      }),
      { numRuns: 300 },
    );
  });

  it('a sum, a difference and a comparison say the same as the metric', () => {
    fc.assert(
      fc.property(pair, ([a, b]) => {
        const sum = metric('sum', [a, -b]);
        expect(calculated('sum({l})', { l: [a, -b] })).toEqual(sum);
        // The metric keeps the digits of some sums of 16 digits that an expression rounds.
        expect(Number(calculated('{a} - {b}', { a, b }))).toBe(Number(sum));
        const order = [calculated('{a} < {b}', { a, b }), calculated('{a} > {b}', { a, b })];
        const difference = minus(fractionOf(a), fractionOf(b)).above;
        expect(order).toEqual([difference < 0n, difference > 0n]);
        expect([calculated('max({a}, {b})', { a, b }), calculated('min({a}, {b})', { a, b })]).toEqual([
          Math.max(a, b),
          Math.min(a, b),
        ]);
      }),
      { numRuns: 300 },
    );
  });
});
