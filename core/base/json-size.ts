import type { Json } from './json';

/**
 * Bytes of the value as compact UTF-8 JSON, without building the text.
 * Stops as soon as `limit` is exceeded: then the answer is only known to be above `limit`.
 */
export function jsonSize(value: Json, limit: number = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return stringSize(value, limit);
  if (typeof value !== 'object' || value === null) return scalarSize(value);
  const stack: Json[] = [value];
  let size = 0;
  while (stack.length > 0 && size <= limit) {
    const current = stack.pop() ?? null;
    if (typeof current === 'string') size += stringSize(current, limit - size);
    else if (typeof current !== 'object' || current === null) size += scalarSize(current);
    else if (Array.isArray(current)) size += openList(current, stack);
    else size += openObject(current, stack);
  }
  return size;
}

export function exceedsJsonSize(value: Json, limit: number): boolean {
  return jsonSize(value, limit) > limit;
}

function scalarSize(value: number | boolean | null): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 10) return 1;
  return JSON.stringify(value).length;
}

function openList(list: Json[], stack: Json[]): number {
  for (const item of list) stack.push(item);
  return 2 + Math.max(0, list.length - 1);
}

function openObject(object: { [key: string]: Json }, stack: Json[]): number {
  let fields = 0;
  let size = 2;
  for (const key of Object.keys(object)) {
    const field = object[key];
    if (field === undefined) continue;
    fields++;
    size += stringSize(key, Number.POSITIVE_INFINITY) + 1;
    stack.push(field);
  }
  return size + Math.max(0, fields - 1);
}

/**
 * Text without characters that JSON escapes or that take more than a byte. Most texts are plain, and the engine's own
 * loop finds the first other character sooner than ours.
 */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Each character takes one byte. */
export function isPlainText(text: string): boolean {
  return PLAIN.test(text);
}

/** Each code unit takes at least one byte, so a string longer than what is left needs no closer look. */
function stringSize(text: string, left: number): number {
  if (text.length + 2 > left || isPlainText(text)) return text.length + 2;
  let size = 2;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(index + 1))) {
      size += 4;
      index++;
    } else {
      size += unitSize(unit);
    }
  }
  return size;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function unitSize(unit: number): number {
  if (unit === 0x22 || unit === 0x5c) return 2;
  if (unit < 0x20) return SHORT_ESCAPES.has(unit) ? 2 : 6;
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  // A surrogate without its partner is written as an escape of six characters.
  return unit >= 0xd800 && unit <= 0xdfff ? 6 : 3;
}

/** \b \t \n \f \r */
const SHORT_ESCAPES: ReadonlySet<number> = new Set([8, 9, 10, 12, 13]);
