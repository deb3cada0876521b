import { canonicalJson } from '../base/canonical-json';
import { isJsonObject, ownField, type Json } from '../base/json';
import { numberOf } from './numbers';

/** A value ready for comparison: many comparisons of one sort read it once. Null has none. */
export type OrderKey = { kind: 0; number: number } | { kind: 1 | 2 | 3; text: string };

/**
 * A total order: numbers (and text that is a plain number) by value, then text by UTF-16 code unit, then
 * false before true, then lists and records by their canonical text. Null is not compared here: callers put
 * it last in either direction. No locale: the order is the same on every machine and in a replay.
 */
export function orderKey(value: Json): OrderKey | null {
  if (value === null) {
    return null;
  }
  const number = numberOf(value);
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
    return left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
  }
  if (left.kind === 0 || right.kind === 0 || left.kind !== right.kind) {
    return left.kind - right.kind;
  }
  return left.text < right.text ? -1 : left.text > right.text ? 1 : 0;
}

/** The order of two values that are not null. */
export function compareValues(left: Json, right: Json): number {
  const leftKey = orderKey(left);
  const rightKey = orderKey(right);
  return leftKey === null || rightKey === null ? 0 : compareKeys(leftKey, rightKey);
}

/** Equal for a filter: same value, or a number (or true, false) and a text that stands for it. */
export function looselyEqual(left: Json, right: Json): boolean {
  if (left === null || right === null || typeof left === typeof right) {
    return valueKey(left) === valueKey(right);
  }
  const leftNumber = numberOf(left);
  if (leftNumber !== undefined && leftNumber === numberOf(right)) {
    return true;
  }
  return (
    (typeof left === 'boolean' && String(left) === right) || (typeof right === 'boolean' && String(right) === left)
  );
}

/** `looselyEqual` to one of many, by a set: a list of ten thousand values does not make a filter quadratic. */
export class LooseSet {
  private readonly keys = new Set<string>();

  constructor(values: readonly Json[]) {
    for (const value of values) {
      this.keys.add(valueKey(value));
      const number = numberOf(value);
      if (number !== undefined) {
        // Texts look for numbers and numbers for texts: two texts are equal only to the letter.
        this.keys.add(typeof value === 'number' ? `for text ${number}` : `for number ${number}`);
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
    const number = numberOf(value);
    return (
      number !== undefined && this.keys.has(typeof value === 'number' ? `for number ${number}` : `for text ${number}`)
    );
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
