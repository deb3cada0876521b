import { compareDecimals, decimalOf, type Decimal } from '../base/decimal';
import { EXACT, isOfOtherType, type ExactNumbers } from '../base/exact-numbers';
import { isJsonObject, type Json, type JsonObject, ownField } from '../base/json';
import { exactDecimal } from '../base/number-rule';
import { isForbiddenName } from './forbidden';
import type { CompareOp } from './types';

/** Result of a comparison; undefined counts as null. Unlike types are never ordered and never equal. */
export function compare(
  op: CompareOp,
  left: Json | undefined,
  right: Json | undefined,
  exact: ExactNumbers = EXACT,
): boolean {
  switch (op) {
    case '==':
      return deepEqual(left ?? null, right ?? null, exact);
    case '!=':
      return !deepEqual(left ?? null, right ?? null, exact);
    case 'in':
      return isIn(left ?? null, right, exact);
    case 'contains':
      return isIn(right ?? null, left, exact);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isOrdered(op, orderOf(left, right, exact));
    default:
      return false;
  }
}

/** Numbers by value, texts by code unit: ISO dates and times of one form compare as times do. */
export function orderOf(left: Json | undefined, right: Json | undefined, exact: ExactNumbers): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  const bothTexts = typeof left === 'string' && typeof right === 'string';
  const older = bothTexts ? (left < right ? -1 : left > right ? 1 : 0) : undefined;
  const order = exactOrder(left, right);
  if (
    bothTexts &&
    order === undefined &&
    isOfOtherType(exactDecimal(left) !== undefined || exactDecimal(right) !== undefined, exact)
  )
    return undefined;
  const newer = order ?? older;
  return newer === older || !exact() ? older : newer;
}

/** Numbers, and texts that the rule keeps as text; beside such a text also any other plain decimal. */
function exactOrder(left: Json | undefined, right: Json | undefined): number | undefined {
  const [a, b] = [exactDecimal(left), exactDecimal(right)];
  if (a === undefined && b === undefined) return undefined;
  const [x, y] = [a ?? plainDecimal(left), b ?? plainDecimal(right)];
  // A number and a text that a double holds stay of unlike types.
  if (x === undefined || y === undefined || (typeof left !== typeof right && (a === undefined || b === undefined))) {
    return undefined;
  }
  return Math.sign(compareDecimals(x, y));
}

function plainDecimal(value: Json | undefined): Decimal | undefined {
  return typeof value === 'string' ? decimalOf(value) : undefined;
}

function isOrdered(op: '<' | '<=' | '>' | '>=', order: number | undefined): boolean {
  if (order === undefined) return false;
  if (op === '<') return order < 0;
  if (op === '<=') return order <= 0;
  return op === '>' ? order > 0 : order >= 0;
}

/** Element of a list, part of a text, or name of an object's own field. */
function isIn(item: Json, container: Json | undefined, exact: ExactNumbers): boolean {
  if (Array.isArray(container)) return container.some((element) => deepEqual(item, element, exact));
  if (typeof item !== 'string') return false;
  if (typeof container === 'string') return container.includes(item);
  return isJsonObject(container) && !isForbiddenName(item) && ownField(container, item) !== undefined;
}

/** Structural equality with its own stack: depth of the data cannot overflow. */
export function deepEqual(left: Json, right: Json, exact: ExactNumbers = EXACT): boolean {
  const stack: Json[] = [left, right];
  while (stack.length > 0) {
    const a = stack.pop() ?? null;
    const b = stack.pop() ?? null;
    if (a === b || (isSameNumber(a, b) && exact())) continue;
    if (Array.isArray(a) && Array.isArray(b)) {
      if (!pushElements(a, b, stack)) return false;
    } else if (isJsonObject(a) && isJsonObject(b)) {
      if (!pushFields(a, b, stack)) return false;
    } else {
      return false;
    }
  }
  return true;
}

/** Numbers of one value that are not both doubles. */
function isSameNumber(a: Json, b: Json): boolean {
  if (typeof a !== 'string' && typeof b !== 'string') return false;
  const [x, y] = [exactDecimal(a), exactDecimal(b)];
  return x !== undefined && y !== undefined && compareDecimals(x, y) === 0;
}

function pushElements(a: Json[], b: Json[], stack: Json[]): boolean {
  if (a.length !== b.length) return false;
  for (let index = a.length - 1; index >= 0; index--) stack.push(b[index] ?? null, a[index] ?? null);
  return true;
}

function pushFields(a: JsonObject, b: JsonObject, stack: Json[]): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  for (const key of keys) {
    const other = ownField(b, key);
    if (other === undefined) return false;
    stack.push(other, a[key] ?? null);
  }
  return true;
}
