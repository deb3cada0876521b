import { compareDecimals, decimalOf, decimalOfDouble, type Decimal } from '../base/decimal';
import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import type { Json } from '../base/json';
import { keptNumber, numberOfDecimal } from '../base/number-rule';

const NUMERIC_TEXT = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/;
/** Shorter plain texts are held by every double. */
const LONG = 16;

/** Numeric value: a double, or the exact value of a text that a double does not hold. */
export type Figure = number | Decimal;

/**
 * The number that a value stands for: a number itself, text that is a plain decimal (XML and CSV give figures as text), or
 * text that the rule for numbers keeps. Anything else, also text such as `1e5`, is none.
 */
export function figureOf(value: Json, exact: ExactNumbers = EXACT): Figure | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const older = NUMERIC_TEXT.test(text) ? Number(text) : undefined;
  if (text.length < LONG && older !== undefined) return older;
  const figure = longFigure(text) ?? older;
  return figure === older || !exact() ? older : figure;
}

function longFigure(text: string): Figure | undefined {
  const kept = keptNumber(text);
  if (kept !== undefined || text.length < LONG) return kept;
  return /[eE]/.test(text) || decimalOf(text) === undefined ? undefined : Number(text);
}

function decimalOfFigure(figure: Figure): Decimal {
  return typeof figure === 'number' ? decimalOfDouble(figure) : figure;
}

export function compareFigures(left: Figure, right: Figure): number {
  if (typeof left !== 'number' || typeof right !== 'number') {
    return compareDecimals(decimalOfFigure(left), decimalOfFigure(right));
  }
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Equal for equal figures. */
export function figureKey(figure: Figure): string {
  return String(typeof figure === 'number' ? figure : numberOfDecimal(figure));
}

/**
 * Running sum with Neumaier's compensation (A. Neumaier, ZAMM 54, 1974): the lost low-order part of each
 * addition is kept apart, so the result does not depend on the size order of the terms.
 */
export class CompensatedSum {
  private sum = 0;
  private compensation = 0;

  add(value: number): void {
    const next = this.sum + value;
    this.compensation += Math.abs(this.sum) >= Math.abs(value) ? this.sum - next + value : value - next + this.sum;
    this.sum = next;
  }

  get total(): number {
    return this.sum + this.compensation;
  }
}
