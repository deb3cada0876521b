import fc from 'fast-check';

/** A number as JSON may spell it: short and long, with zeros at the end, fractions and exponents. */
export const numberSpelling: fc.Arbitrary<string> = fc
  .record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      fc.nat(99).map(String),
      fc.bigInt(0n, 10n ** 24n).map(String),
      fc.constantFrom('9007199254740991', '9007199254740992', '9007199254740993', '7615917337495251231'),
    ),
    fraction: fc.oneof(
      fc.constant(''),
      fc.nat(999).map((n) => `.${n}`),
      fc.bigInt(0n, 10n ** 20n).map((n) => `.${n}`),
      fc.constantFrom('.10', '.00', '.50', '.000000000000000000001'),
    ),
    exponent: fc.oneof(
      { weight: 4, arbitrary: fc.constant('') },
      fc.constantFrom('e3', 'E+2', 'e-7', 'e400', 'e-400', 'e22', 'e308'),
    ),
  })
  .map(({ sign, whole, fraction, exponent }) => sign + whole + fraction + exponent);

/** The value of a spelling as a fraction of two whole numbers: another reading than the product's. */
export function fractionOf(spelling: string): [bigint, bigint] {
  const [mantissa = '', exponent = '0'] = spelling.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole.replace('-', '') + fraction) * (mantissa.startsWith('-') ? -1n : 1n);
  const shift = Number(exponent) - fraction.length;
  return shift >= 0 ? [digits * 10n ** BigInt(shift), 1n] : [digits, 10n ** BigInt(-shift)];
}

/** True if a value read back and its original spelling are equal. */
export function sameValue(found: unknown, spelling: string): boolean {
  if (typeof found !== 'number' && typeof found !== 'string') return false;
  const [a, b] = fractionOf(String(found));
  const [c, d] = fractionOf(spelling);
  return a * d === c * b;
}
