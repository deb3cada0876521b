import type { Json } from './json';
import { writeJson } from './json-writer';

/** `JSON.stringify` recurses; below this depth it cannot overflow the stack of any process we run in. */
const SAFE_DEPTH = 500;

/**
 * A value as text for people and models: a string as it is, numbers and booleans as they are written,
 * null and undefined as the empty text, lists and objects as compact JSON. Never throws.
 */
export function jsonText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
  if (typeof value === 'boolean') return String(value);
  return isDeeperThan(value, SAFE_DEPTH) ? writeJson(value, false) : JSON.stringify(value);
}

/** Level by level, so that the check itself needs no recursion. */
function isDeeperThan(value: Json, limit: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    const below: Json[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const child of Array.isArray(item) ? item : Object.values(item)) {
        if (typeof child === 'object' && child !== null) below.push(child);
      }
    }
    level = below;
  }
  return false;
}
