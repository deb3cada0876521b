import type { Json, JsonObject } from '../../core/base/json';

/** Odd, and far from each other in their bits: each makes its half of the fingerprint. */
const FIRST = 0x9e3779b1;
const SECOND = 0x5f356495;

/** Beginnings for each kind of value: the text `1` is not the number. */
const TEXT = 1;
const NUMBER = 2;
const LIST = 3;
const RECORD = 4;
const OTHER = 5;

const number = new Float64Array(1);
const words = new Uint32Array(number.buffer);

/**
 * Gives equal values the same 64 bits, in any order of keys, and in practice no others. It runs for every page, so it
 * writes no text. It needs no secret: a source that forges equal pages only ends its own list.
 */
export function fingerprint(value: Json): string {
  return `${half(value, FIRST)}.${half(value, SECOND)}`;
}

function half(value: Json, prime: number): string {
  return (valueOf(value, prime) >>> 0).toString(36);
}

function valueOf(value: Json, prime: number): number {
  if (typeof value === 'string') return textOf(value, TEXT, prime);
  if (typeof value === 'number') return numberOf(value, prime);
  if (typeof value !== 'object' || value === null) return textOf(String(value), OTHER, prime);
  return Array.isArray(value) ? listOf(value, prime) : recordOf(value, prime);
}

function listOf(list: readonly Json[], prime: number): number {
  let mixed = LIST;
  for (const item of list) mixed = mix(mixed, valueOf(item, prime), prime);
  return mix(mixed, list.length, prime);
}

/** A sum does not depend on its order. */
function recordOf(record: JsonObject, prime: number): number {
  let sum = RECORD;
  for (const key in record) {
    sum = (sum + mix(textOf(key, RECORD, prime), valueOf(record[key] ?? null, prime), prime)) | 0;
  }
  return mix(sum, RECORD, prime);
}

function numberOf(value: number, prime: number): number {
  // 0 and -0 are written alike.
  number[0] = value + 0;
  return mix(mix(NUMBER, words[0] ?? 0, prime), words[1] ?? 0, prime);
}

function textOf(text: string, kind: number, prime: number): number {
  let mixed = kind;
  for (let at = 0; at < text.length; at += 1) mixed = Math.imul(mixed ^ text.charCodeAt(at), prime);
  return mix(mixed, text.length, prime);
}

function mix(mixed: number, next: number, prime: number): number {
  const joined = Math.imul(mixed ^ next, prime);
  return Math.imul(joined ^ (joined >>> 15), 0x85ebca6b) ^ (joined >>> 13);
}
