/**
 * Replay-sensitive. A decimal number held exactly: `digits` × 10^-`places`. Always in lowest terms (no trailing zero in
 * `digits`; zero has no places), so two decimals of one value are made of the same two parts.
 */
export interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

export const ZERO: Decimal = { digits: 0n, places: 0 };

/** A number as JSON writes it: no leading zero, no plus, digits on both sides of a point. */
const WRITTEN = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;
/** Digits of a number that is calculated with; longer texts are texts. */
const MOST_DIGITS = 1_000;
/** Exponents beyond have no use, and no end. */
const MOST_EXPONENT = 1_000_000;
/** Digits of a result; more would be the size of a document. */
const MOST_RESULT_DIGITS = 4_000;
const LONGEST = 2 * MOST_DIGITS;

/** The exact value of a number as JSON spells it; undefined for any other text, and for more than a thousand digits. */
export function decimalOf(text: string): Decimal | undefined {
  if (text.length > LONGEST) return undefined;
  const match = WRITTEN.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (whole.length + fraction.length > MOST_DIGITS || Math.abs(shift) > MOST_EXPONENT) return undefined;
  return lowest(BigInt(sign + whole + fraction), fraction.length - shift);
}

/** The value of the shortest text that gives a double back: what people read when they see it. */
export function decimalOfDouble(value: number): Decimal {
  if (Number.isSafeInteger(value)) return lowest(BigInt(value), 0);
  return decimalOf(String(value)) ?? ZERO;
}

function lowest(digits: bigint, places: number): Decimal {
  if (digits === 0n) return ZERO;
  const text = digits.toString();
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end -= 1;
  const zeros = text.length - end;
  return zeros === 0 ? { digits, places } : { digits: BigInt(text.slice(0, end)), places: places - zeros };
}

/**
 * Gives a number below, equal to or above zero, as `sort` wants it. Exponents far apart cost nothing: the magnitudes
 * are compared first.
 */
export function compareDecimals(left: Decimal, right: Decimal): number {
  const sign = signOf(left) - signOf(right);
  if (sign !== 0 || left.digits === 0n) return sign;
  const magnitude = magnitudeOf(left) - magnitudeOf(right);
  if (magnitude !== 0) return magnitude * signOf(left);
  const places = Math.max(left.places, right.places);
  const difference = scaled(left, places) - scaled(right, places);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

function signOf({ digits }: Decimal): number {
  return digits < 0n ? -1 : digits > 0n ? 1 : 0;
}

/** Digits before the point; not above zero for numbers below one. */
function magnitudeOf({ digits, places }: Decimal): number {
  return digits === 0n ? 0 : countDigits(digits) - places;
}

function countDigits(digits: bigint): number {
  const { length } = digits.toString();
  return digits < 0n ? length - 1 : length;
}

function scaled({ digits, places }: Decimal, wanted: number): bigint {
  return wanted === places ? digits : digits * 10n ** BigInt(wanted - places);
}

/** Undefined when the result has thousands of digits. */
export function addDecimals(left: Decimal, right: Decimal): Decimal | undefined {
  if (left.digits === 0n) return right;
  if (right.digits === 0n) return left;
  const places = Math.max(left.places, right.places);
  if (Math.max(magnitudeOf(left), magnitudeOf(right)) + places > MOST_RESULT_DIGITS) return undefined;
  return lowest(scaled(left, places) + scaled(right, places), places);
}

export function negated({ digits, places }: Decimal): Decimal {
  return { digits: -digits, places };
}

/** Undefined when the result has thousands of digits. */
export function multiplyDecimals(left: Decimal, right: Decimal): Decimal | undefined {
  if (countDigits(left.digits) + countDigits(right.digits) > MOST_RESULT_DIGITS) return undefined;
  return lowest(left.digits * right.digits, left.places + right.places);
}

/**
 * A quotient to `significant` digits, and to no fewer decimal places than the dividend has; the last one is rounded half
 * to even. Exact where it ends before that. Undefined for a division by zero, and when the result has thousands of digits.
 * `isRounded` is asked only where it matters: false cuts the quotient at the dividend's places, as runs that began before do.
 */
export function divideDecimals(
  left: Decimal,
  right: Decimal,
  significant: number,
  isRounded: () => boolean = () => true,
): Decimal | undefined {
  if (right.digits === 0n) return undefined;
  if (left.digits === 0n) return ZERO;
  const magnitude = magnitudeOf(left) - magnitudeOf(right);
  // A quotient has as many digits before the point as `magnitude` says, or one more. One place beyond all that can be
  // wanted, also where the dividend's places decide, so that the digit behind the last one is known.
  const places = Math.max(significant - magnitude, left.places, 0) + 1;
  const cutAt = Math.max(significant - magnitude + 1, left.places, 0);
  const rounded = quotientOf(left, right, { significant, magnitude, places });
  if (cutAt === places) return rounded;
  const cut = quotientOf(left, right, { significant, magnitude, places: cutAt });
  const isSame = rounded === undefined || cut === undefined ? rounded === cut : compareDecimals(rounded, cut) === 0;
  return isSame || isRounded() ? rounded : cut;
}

function quotientOf(
  left: Decimal,
  right: Decimal,
  { significant, magnitude, places }: { significant: number; magnitude: number; places: number },
): Decimal | undefined {
  if (places > MOST_EXPONENT) return ZERO;
  if (magnitude + places > MOST_RESULT_DIGITS) return undefined;
  const shift = places - left.places + right.places;
  const above = shift >= 0 ? left.digits * 10n ** BigInt(shift) : left.digits;
  const below = shift >= 0 ? right.digits : right.digits * 10n ** BigInt(-shift);
  const whole = above / below;
  // Adds one digit that says whether anything follows, so that no result is rounded twice.
  const sticky = whole * 10n + (whole * below === above ? 0n : signOfBig(above) * signOfBig(below));
  const exact: Decimal = { digits: sticky, places: places + 1 };
  const wanted = Math.max(significant - magnitudeOf(exact), left.places, 0);
  return roundDecimal(exact, wanted, 'even');
}

function signOfBig(value: bigint): bigint {
  return value < 0n ? -1n : 1n;
}

/** Rounds to so many decimal places (negative: to tens, hundreds…). Half goes to the even digit, or away from zero. */
export function roundDecimal(value: Decimal, places: number, half: 'even' | 'away'): Decimal {
  const dropped = value.places - places;
  if (dropped <= 0) return lowest(value.digits, value.places);
  if (magnitudeOf(value) + places < 0) return ZERO;
  const unit = 10n ** BigInt(dropped);
  const whole = value.digits / unit;
  const rest = (value.digits - whole * unit) * 2n;
  const size = rest < 0n ? -rest : rest;
  const up = size > unit || (size === unit && (half === 'away' || whole % 2n !== 0n));
  return lowest(up ? whole + signOfBig(value.digits) : whole, places);
}

/** The text that JavaScript gives a number: plain, with an exponent for what is very large or very small. */
export function decimalText({ digits, places }: Decimal): string {
  const sign = digits < 0n ? '-' : '';
  const plain = (digits < 0n ? -digits : digits).toString();
  const point = plain.length - places;
  if (point > 21 && point > plain.length) return withExponent(sign, plain, point - 1);
  if (point <= -6) return withExponent(sign, plain, point - 1);
  if (places <= 0) return sign + plain + '0'.repeat(-places);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${plain}`;
  return `${sign}${plain.slice(0, point)}.${plain.slice(point)}`;
}

function withExponent(sign: string, digits: string, exponent: number): string {
  const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits.slice(0, 1)}${fraction}e${exponent < 0 ? '' : '+'}${exponent}`;
}
