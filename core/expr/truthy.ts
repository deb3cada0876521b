import type { Json } from '../base/json';

/** False are: nothing (null, not defined), false, 0, the empty text, the empty list, the empty object. */
export function isTruthy(value: Json | undefined): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value !== 'object') return Boolean(value);
  return Array.isArray(value) ? value.length > 0 : Object.keys(value).length > 0;
}
