import type { Json } from '../base/json';

const NUMERIC_TEXT = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/;

/**
 * The number that a value stands for: a number itself, or text that is a plain decimal of at most 15 digits
 * before the point (XML and CSV give figures as text). Anything else, also text such as `1e5`, is none.
 */
export function numberOf(value: Json): number | undefined {
  if (typeof value === 'number') {
    return value;
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  const text = value.trim();
  return NUMERIC_TEXT.test(text) ? Number(text) : undefined;
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
