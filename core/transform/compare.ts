import { canonicalJson } from '../base/canonical-json';
import { isJsonObject, ownField, type Json } from '../base/json';
import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import { keptNumber } from '../base/number-rule';
import { compareFigures, figureKey, figureOf, type Figure } from './numbers';

/** A value ready for comparison: many comparisons of one sort read it once. Null has none. */
export type OrderKey = { kind: 0; number: Figure } | { kind: 1 | 2 | 3; text: string };

/**
 * A total order: numbers (and text that stands for one) by exact value, then text by UTF-16 code unit, then
 * false before true, then lists and records by their canonical text. Null is not compared here: callers put
 * it last in either direction. No locale: the order is the same on every machine and in a replay.
 */
export function orderKey(value: Json, exact: ExactNumbers = EXACT): OrderKey | null {
  if (value === null) {
    return null;
  }
  const number = figureOf(value, exact);
  if (number !== undefined) {
    return { kind: 0, number };
  }
  if (typeof value === 'string') {
    return { kind: 1, text: value };
  }
  return { kind: typeof value === 'boolean' ? 2 : 3, text: valueKey(value) };
}

export function compareKeys(left: OrderKey, right: OrderKey): number {
  if (left.kind === 0 && right.kind === 0) {
    return compareFigures(left.number, right.number);
  }
  if (left.kind === 0 || right.kind === 0 || left.kind !== right.kind) {
    return left.kind - right.kind;
  }
  return left.text < right.text ? -1 : left.text > right.text ? 1 : 0;
}

/** The order of two values that are not null. */
export function compareValues(left: Json, right: Json, exact: ExactNumbers = EXACT): number {
  const leftKey = orderKey(left, exact);
  const rightKey = orderKey(right, exact);
  return leftKey === null || rightKey === null ? 0 : compareKeys(leftKey, rightKey);
}

/** Equal for a filter: same value, or a number (or true, false) and a text that stands for it. */
export function looselyEqual(left: Json, right: Json, exact: ExactNumbers = EXACT): boolean {
  if (left === null || right === null || typeof left === typeof right) {
    return valueKey(left) === valueKey(right) || (sameKept(left, right) && exact());
  }
  const leftNumber = figureOf(left, exact);
  const rightNumber = leftNumber === undefined ? undefined : figureOf(right, exact);
  if (leftNumber !== undefined && rightNumber !== undefined && compareFigures(leftNumber, rightNumber) === 0) {
    return true;
  }
  return (
    (typeof left === 'boolean' && String(left) === right) || (typeof right === 'boolean' && String(right) === left)
  );
}

/** Two spellings of one number that the rule keeps as text: `12345678901234567.50` and `12345678901234567.5`. */
function sameKept(left: Json, right: Json): boolean {
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const [a, b] = [keptNumber(left), keptNumber(right)];
  return a !== undefined && b !== undefined && compareFigures(a, b) === 0;
}

/** `looselyEqual` to one of many, by a set: a list of ten thousand values does not make a filter quadratic. */
export class LooseSet {
  private readonly keys = new Set<string>();

  constructor(
    values: readonly Json[],
    private readonly exact: ExactNumbers = EXACT,
  ) {
    for (const value of values) {
      this.keys.add(valueKey(value));
      const number = figureOf(value, exact);
      if (number !== undefined) {
        // Texts look for numbers and numbers for texts: two texts are equal only to the letter, or both kept.
        const key = figureKey(number);
        this.keys.add(typeof value === 'number' ? `for text ${key}` : `for number ${key}`);
        if (typeof number !== 'number') this.keys.add(`for text ${key}`);
      }
      if (typeof value === 'boolean') {
        this.keys.add(JSON.stringify(String(value)));
      } else if (value === 'true' || value === 'false') {
        this.keys.add(value);
      }
    }
  }

  has(value: Json): boolean {
    if (this.keys.has(valueKey(value))) {
      return true;
    }
    const number = figureOf(value, this.exact);
    if (number === undefined) return false;
    return this.keys.has(`${typeof value === 'number' ? 'for number' : 'for text'} ${figureKey(number)}`);
  }
}

/** Recursion up to here, which is most data; deeper values go the way that needs no stack. */
const SAFE_DEPTH = 50;

/** Text that is equal for equal values and different for different ones (types count, key order does not). */
export function valueKey(value: Json, depth = 0): string {
  if (typeof value !== 'object' || value === null) {
    return JSON.stringify(value);
  }
  if (depth > SAFE_DEPTH) {
    return canonicalJson(value);
  }
  if (Array.isArray(value)) {
    return `[${value.map((element) => valueKey(element, depth + 1)).join(',')}]`;
  }
  const names = isJsonObject(value) ? Object.keys(value).sort() : [];
  return `{${names.map((name) => `${JSON.stringify(name)}:${valueKey(ownField(value, name) ?? null, depth + 1)}`).join(',')}}`;
}
