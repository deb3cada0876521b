import type { Json } from './json';

/** Levels of lists and records that data may have. Above some thousands the engine itself cannot write it as text. */
export const MAX_DATA_DEPTH = 500;

/** True when lists and records lie more than `limit` deep in each other. Uses a stack of its own, so any depth can be asked. */
export function exceedsJsonDepth(value: Json, limit: number = MAX_DATA_DEPTH): boolean {
  const stack: { item: Json; depth: number }[] = [{ item: value, depth: 1 }];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const { item, depth } = entry;
    if (typeof item !== 'object' || item === null) continue;
    if (depth > limit) return true;
    for (const inner of Array.isArray(item) ? item : Object.values(item)) {
      if (typeof inner === 'object' && inner !== null) stack.push({ item: inner, depth: depth + 1 });
    }
  }
  return false;
}
