import { addDecimals, decimalOfDouble, decimalText, ZERO, type Decimal } from './decimal';
import { isApproximate, hasTooManyDigits, numberOfDecimal } from './number-rule';

/** Powers of ten that a double holds, as far as amounts need them. */
const POWERS = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000];
/** Limit below which a product with a power of ten is off by less than a half: rounding finds the digits. */
const EASY = 2 ** 50;

/** Replay-sensitive. The exact sum of decimals, in any order the same. */
export class ExactSum {
  /** Whole sums of what has so many decimal places, held exactly by doubles. */
  private readonly easy = POWERS.map(() => 0);
  private rest: Decimal | undefined = ZERO;
  private approximate = false;
  private kept = false;

  /** Amounts of a few decimal places, which most are, cost no more than two multiplications. */
  add(value: number): void {
    for (let places = 0; places < POWERS.length; places++) {
      const power = POWERS[places] ?? 1;
      const digits = Math.round(value * power);
      if (Math.abs(digits) > EASY) break;
      if (digits / power !== value) continue;
      const sum = (this.easy[places] ?? 0) + digits;
      this.easy[places] = sum;
      if (Math.abs(sum) > EASY) this.clear(places);
      return;
    }
    const exact = decimalOfDouble(value);
    this.approximate ||= isApproximate(value, exact);
    this.plus(exact);
  }

  /** A number that no double holds. */
  addKept(value: Decimal): void {
    this.kept = true;
    this.plus(value);
  }

  private plus(value: Decimal): void {
    this.rest = this.rest && addDecimals(this.rest, value);
  }

  private clear(places: number): void {
    this.plus(shifted(this.easy[places] ?? 0, places));
    this.easy[places] = 0;
  }

  /** Were there terms that no double holds? */
  get hasKept(): boolean {
    return this.kept;
  }

  /**
   * Sum by the rule for numbers. The double nearest to it if a term was approximate, infinite beyond all doubles,
   * unless a term was kept as text. Undefined when it has thousands of digits.
   */
  get result(): number | string | undefined {
    const { total } = this;
    if (total === undefined) return undefined;
    const nearest = Number(decimalText(total)) + 0;
    return !this.kept && (this.approximate || hasTooManyDigits(total) || !Number.isFinite(nearest))
      ? nearest
      : numberOfDecimal(total);
  }

  /** Undefined when it has thousands of digits. */
  get total(): Decimal | undefined {
    this.easy.forEach((_sum, places) => this.clear(places));
    return this.rest;
  }
}

function shifted(digits: number, places: number): Decimal {
  const { digits: whole, places: zeros } = decimalOfDouble(digits);
  return whole === 0n ? ZERO : { digits: whole, places: zeros + places };
}
