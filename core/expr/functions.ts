import { daysBetween } from '../base/calendar';
import { isJsonObject, type Json } from '../base/json';
import { exceedsJsonSize } from '../base/json-size';
import { jsonText } from '../base/json-text';
import { MAX_TEXT_OF_VALUE } from './limits';
import { finite, parseNumber, roundTo } from './numbers';

type Value = Json | undefined;

interface FunctionEntry {
  min: number;
  max: number;
  example: string;
  call: (args: readonly Value[]) => Json;
}

/** Pure and total: an argument of the wrong type gives null (false for the two tests). */
const FUNCTIONS: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  ['length', { min: 1, max: 1, example: 'length({a.results})', call: ([value]) => lengthOf(value) }],
  ['lower', { min: 1, max: 1, example: 'lower({a.name})', call: ([value]) => onText(value, (text) => text.toLowerCase()) }],
  ['upper', { min: 1, max: 1, example: 'upper({a.name})', call: ([value]) => onText(value, (text) => text.toUpperCase()) }],
  ['trim', { min: 1, max: 1, example: 'trim({a.name})', call: ([value]) => onText(value, (text) => text.trim()) }],
  ['abs', { min: 1, max: 1, example: 'abs({a.change})', call: ([value]) => (typeof value === 'number' ? finite(Math.abs(value)) : null) }],
  ['round', { min: 1, max: 2, example: 'round({a.share}, 2)', call: ([value, places = 0]) => round(value, places) }],
  ['min', { min: 1, max: 100, example: 'min({a}, {b}) or min({a.list})', call: (args) => extreme(args, (a, b) => a < b) }],
  ['max', { min: 1, max: 100, example: 'max({a}, {b}) or max({a.list})', call: (args) => extreme(args, (a, b) => a > b) }],
  ['coalesce', { min: 1, max: 100, example: "coalesce({a.name}, 'unknown')", call: (args) => args.find((arg) => arg !== undefined && arg !== null) ?? null }],
  ['starts_with', { min: 2, max: 2, example: "starts_with({a.code}, 'X')", call: ([text, part]) => onTexts(text, part, (whole, start) => whole.startsWith(start)) }],
  ['ends_with', { min: 2, max: 2, example: "ends_with({a.file}, '.xml')", call: ([text, part]) => onTexts(text, part, (whole, end) => whole.endsWith(end)) }],
  ['number', { min: 1, max: 1, example: 'number({a.amount})', call: ([value]) => numberOf(value) }],
  ['text', { min: 1, max: 1, example: 'text({a.id})', call: ([value]) => textOf(value) }],
  ['date_diff_days', { min: 2, max: 2, example: 'date_diff_days({a.start}, {a.end})', call: ([from, to]) => dateDifference(from, to) }],
  ['sum', { min: 1, max: 1, example: 'sum({a.results[*].amount})', call: ([list]) => sum(list) }],
]);

export function functionNames(): string[] {
  return [...FUNCTIONS.keys()];
}

/** How many arguments a function takes; undefined for an unknown one. */
export function arity(name: string): { min: number; max: number; text: string; example: string } | undefined {
  const entry = FUNCTIONS.get(name);
  if (!entry) return undefined;
  const { min, max, example } = entry;
  const count = min === max ? `${min}` : `${min} to ${max}`;
  return { min, max, example, text: `${count} argument${max === 1 ? '' : 's'}` };
}

/** The value of a call; null for an unknown function. */
export function callFunction(name: string, args: readonly Value[]): Json {
  return FUNCTIONS.get(name)?.call(args) ?? null;
}

function onText(value: Value, change: (text: string) => string): Json {
  return typeof value === 'string' ? change(value) : null;
}

function onTexts(text: Value, part: Value, test: (text: string, part: string) => boolean): boolean {
  return typeof text === 'string' && typeof part === 'string' && test(text, part);
}

/** Characters (code points), elements or fields; 0 for nothing. */
function lengthOf(value: Value): Json {
  if (value === undefined || value === null) return 0;
  if (Array.isArray(value)) return value.length;
  if (isJsonObject(value)) return Object.keys(value).length;
  return typeof value === 'string' ? countCharacters(value) : null;
}

function countCharacters(text: string): number {
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    if ((text.codePointAt(index) ?? 0) > 0xffff) index++;
    count++;
  }
  return count;
}

function round(value: Value, places: Value): Json {
  return typeof value === 'number' && typeof places === 'number' ? roundTo(value, places) : null;
}

function numberOf(value: Value): Json {
  if (typeof value === 'number') return finite(value);
  return typeof value === 'string' ? parseNumber(value) : null;
}

/** Nested calls escape quotes again and again, so the text of a value is bounded. */
function textOf(value: Value): Json {
  const compound = typeof value === 'object' && value !== null;
  return compound && exceedsJsonSize(value, MAX_TEXT_OF_VALUE) ? null : jsonText(value);
}

/** Calendar days from one date to the other; of a time stamp, the first ten characters count. */
function dateDifference(from: Value, to: Value): Json {
  if (typeof from !== 'string' || typeof to !== 'string') return null;
  const start = datePart(from);
  const end = datePart(to);
  return start === undefined || end === undefined ? null : (daysBetween(start, end) ?? null);
}

function datePart(text: string): string | undefined {
  const separator = text[10];
  return separator === undefined || separator === 'T' || separator === ' ' ? text.slice(0, 10) : undefined;
}

/** Nothing is skipped, as in SQL; then all must be numbers, or all texts. */
function extreme(args: readonly Value[], better: (a: number | string, b: number | string) => boolean): Json {
  const [only] = args;
  const values = present(args.length === 1 && Array.isArray(only) ? only : args);
  let best: number | string | undefined;
  for (const value of values) {
    if (typeof value !== 'number' && typeof value !== 'string') return null;
    if (best !== undefined && typeof value !== typeof best) return null;
    if (best === undefined || better(value, best)) best = value;
  }
  return best ?? null;
}

/** Null entries are skipped, as in SQL; the sum of nothing is 0. */
function sum(list: Value): Json {
  if (!Array.isArray(list)) return null;
  let total = 0;
  for (const value of present(list)) {
    if (typeof value !== 'number') return null;
    total += value;
  }
  return finite(total);
}

function present(values: readonly Value[]): Json[] {
  return values.filter((value): value is Json => value !== undefined && value !== null);
}
