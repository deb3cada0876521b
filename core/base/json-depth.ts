import type { Json } from './json';

/** Levels of lists and records that data may have. Above some thousands the engine itself cannot write it as text. */
export const MAX_DATA_DEPTH = 500;

/** True when lists and records lie more than `limit` deep in each other. Goes no deeper than that, however deep the data are. */
export function exceedsJsonDepth(value: Json, limit: number = MAX_DATA_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (limit <= 0) return true;
  if (Array.isArray(value)) return value.some((item) => exceedsJsonDepth(item, limit - 1));
  for (const key in value) {
    if (Object.hasOwn(value, key) && exceedsJsonDepth(value[key] ?? null, limit - 1)) return true;
  }
  return false;
}
