import type { Json } from './json';

/** Levels of lists and records that data may have. Above some thousands the engine itself cannot write it as text. */
export const MAX_DATA_DEPTH = 500;

/**
 * True when lists and records lie more than `limit` deep in each other. Goes no deeper than that, however deep the data are.
 * Numbers and texts are looked at in place: they are most of it, and a call for each would cost more than the look.
 */
export function exceedsJsonDepth(value: Json, limit: number = MAX_DATA_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'object' && item !== null && exceedsJsonDepth(item, limit - 1)) return true;
    }
    return false;
  }
  for (const key in value) {
    const item = value[key];
    if (typeof item !== 'object' || item === null || !Object.hasOwn(value, key)) continue;
    if (exceedsJsonDepth(item, limit - 1)) return true;
  }
  return false;
}
