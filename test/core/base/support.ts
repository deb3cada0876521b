import type { Json } from '../../../core/base/json';

/** `[[[...]]]`, `depth` levels: deeper than any recursion allows when asked to. */
export function deepList(depth: number): Json {
  let value: Json = [];
  for (let level = 1; level < depth; level++) value = [value];
  return value;
}
