import type { Json, JsonObject } from '../../../core/base/json';

/** A number that a double may have changed, or that became infinite. */
export const LARGE_NUMBER = 1;
export const TOO_DEEP = 2;

const MOST = Number.MAX_SAFE_INTEGER;

/**
 * What of parsed JSON needs more care, found in one walk: LARGE_NUMBER, TOO_DEEP (more than `levels`), both, or 0.
 * Numbers and texts are looked at in place: they are most of it, and a call for each would cost more than the look.
 */
export function lookOver(value: Json, levels: number): number {
  if (typeof value === 'number') return isLarge(value) ? LARGE_NUMBER : 0;
  if (typeof value !== 'object' || value === null) return 0;
  if (levels <= 0) return TOO_DEEP;
  return Array.isArray(value) ? lookOverList(value, levels - 1) : lookOverRecord(value, levels - 1);
}

function lookOverList(list: Json[], levels: number): number {
  let found = 0;
  for (const item of list) {
    if (typeof item === 'number') found |= isLarge(item) ? LARGE_NUMBER : 0;
    else if (typeof item === 'object' && item !== null) found |= lookOver(item, levels);
    if (found >= TOO_DEEP) return found;
  }
  return found;
}

function lookOverRecord(record: JsonObject, levels: number): number {
  let found = 0;
  for (const key in record) {
    const item = record[key];
    if (typeof item === 'number') found |= isLarge(item) ? LARGE_NUMBER : 0;
    else if (typeof item === 'object' && item !== null) found |= lookOver(item, levels);
    if (found >= TOO_DEEP) return found;
  }
  return found;
}

function isLarge(value: number): boolean {
  return value > MOST || value < -MOST;
}
