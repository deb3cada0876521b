import type { Json } from './json';
import { jsonSize } from './json-size';

/** Replay-sensitive. By reference: a value that two steps share is measured once, and forgotten with its last run. */
const KNOWN = new WeakMap<object, number>();
/** Smaller values are measured sooner than they are found. */
const WORTH_BYTES = 256;
/** Parts below this depth are measured with what holds them: what changes from step to step lies near the top. */
const PART_DEPTH = 6;
/** Elements of a longer list are measured with it: a list of records is passed on whole, or made anew. */
const FEW_ELEMENTS = 16;

/** Bytes of the value as compact UTF-8 JSON, as `jsonSize`; only for values that never change once made. */
export function knownSize(value: Json): number {
  return sizeAt(value, 0);
}

function sizeAt(value: Json, depth: number): number {
  if (typeof value !== 'object' || value === null || depth === PART_DEPTH) return jsonSize(value);
  const known = KNOWN.get(value);
  if (known !== undefined) return known;
  const size = Array.isArray(value) ? listSize(value, depth) : objectSize(value, depth);
  if (size >= WORTH_BYTES) KNOWN.set(value, size);
  return size;
}

function listSize(list: readonly Json[], depth: number): number {
  let size = 2 + Math.max(0, list.length - 1);
  const isLong = list.length > FEW_ELEMENTS;
  for (const item of list) size += isLong ? jsonSize(item) : sizeAt(item, depth + 1);
  return size;
}

function objectSize(object: { [key: string]: Json }, depth: number): number {
  let fields = 0;
  let size = 2;
  for (const key of Object.keys(object)) {
    const field = object[key];
    // JSON leaves it out.
    if (field === undefined) continue;
    fields += 1;
    size += jsonSize(key) + 1 + sizeAt(field, depth + 1);
  }
  return size + Math.max(0, fields - 1);
}
