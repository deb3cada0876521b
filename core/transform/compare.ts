import { canonicalJson } from '../base/canonical-json';
import type { Json } from '../base/json';
import { numberOf } from './numbers';

/**
 * A total order: numbers (and text that is a plain number) by value, then text by UTF-16 code unit, then
 * false before true, then lists and records by their canonical text. Null is not compared here: callers put
 * it last in either direction. No locale: the order is the same on every machine and in a replay.
 */
export function compareValues(left: Json, right: Json): number {
  const leftNumber = numberOf(left);
  const rightNumber = numberOf(right);
  if (leftNumber !== undefined && rightNumber !== undefined) {
    return leftNumber < rightNumber ? -1 : leftNumber > rightNumber ? 1 : 0;
  }
  const byKind = rank(left, leftNumber) - rank(right, rightNumber);
  if (byKind !== 0) {
    return byKind;
  }
  if (typeof left === 'boolean' || typeof right === 'boolean') {
    return Number(left) - Number(right);
  }
  return compareText(
    typeof left === 'string' ? left : valueKey(left),
    typeof right === 'string' ? right : valueKey(right),
  );
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function rank(value: Json, asNumber: number | undefined): number {
  if (asNumber !== undefined) {
    return 0;
  }
  if (typeof value === 'string') {
    return 1;
  }
  return typeof value === 'boolean' ? 2 : 3;
}

/** Equal for a filter: same value, or a number and a text that stands for it. */
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

/** Text that is equal for equal values and different for different ones (types count, key order does not). */
export function valueKey(value: Json): string {
  return typeof value === 'object' && value !== null ? canonicalJson(value) : JSON.stringify(value);
}
