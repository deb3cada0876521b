import { isJsonObject, type Json, type JsonObject, ownField } from '../base/json';
import { isForbiddenName } from './forbidden';
import type { CompareOp } from './types';

/** Result of a comparison; undefined counts as null. Unlike types are never ordered and never equal. */
export function compare(op: CompareOp, left: Json | undefined, right: Json | undefined): boolean {
  switch (op) {
    case '==':
      return deepEqual(left ?? null, right ?? null);
    case '!=':
      return !deepEqual(left ?? null, right ?? null);
    case 'in':
      return isIn(left ?? null, right);
    case 'contains':
      return isIn(right ?? null, left);
    case '<':
    case '<=':
    case '>':
    case '>=':
      return isOrdered(op, left, right);
    default:
      return false;
  }
}

/** Numbers by value, texts by code unit: ISO dates and times of one form compare as times do. */
function isOrdered(op: '<' | '<=' | '>' | '>=', left: Json | undefined, right: Json | undefined): boolean {
  let order: number;
  if (typeof left === 'number' && typeof right === 'number') order = left - right;
  else if (typeof left === 'string' && typeof right === 'string') order = left < right ? -1 : left > right ? 1 : 0;
  else return false;
  if (op === '<') return order < 0;
  if (op === '<=') return order <= 0;
  return op === '>' ? order > 0 : order >= 0;
}

/** Element of a list, part of a text, or name of an object's own field. */
function isIn(item: Json, container: Json | undefined): boolean {
  if (Array.isArray(container)) return container.some((element) => deepEqual(item, element));
  if (typeof item !== 'string') return false;
  if (typeof container === 'string') return container.includes(item);
  return isJsonObject(container) && !isForbiddenName(item) && ownField(container, item) !== undefined;
}

/** Structural equality with its own stack: depth of the data cannot overflow. */
export function deepEqual(left: Json, right: Json): boolean {
  const stack: Json[] = [left, right];
  while (stack.length > 0) {
    const a = stack.pop() ?? null;
    const b = stack.pop() ?? null;
    if (a === b) continue;
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
