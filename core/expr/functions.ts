import { daysBetween } from '../base/calendar';
import { EXACT, type ExactNumbers } from '../base/exact-numbers';
import { ExactSum } from '../base/exact-sum';
import { isJsonObject, type Json } from '../base/json';
import { exceedsJsonSize } from '../base/json-size';
import { jsonText } from '../base/json-text';
import { exactDecimal, isNumeric } from '../base/number-rule';
import { MAX_TEXT_OF_VALUE } from './limits';
import { orderOf } from './compare';
import { finite, parseNumber, roundKept, roundTo } from './numbers';

type Value = Json | undefined;

interface FunctionEntry {
  min: number;
  max: number;
  example: string;
  call: (args: readonly Value[], exact: ExactNumbers) => Json;
}
/** Most arguments of a function that takes any number of them. */
const MANY = 100;

function takes(min: number, max: number, example: string, call: FunctionEntry['call']): FunctionEntry {
  return { min, max, example, call };
}

/** Pure and total: an argument of the wrong type gives null (false for the two tests). */
const FUNCTIONS: ReadonlyMap<string, FunctionEntry> = new Map<string, FunctionEntry>([
  ['length', takes(1, 1, 'length({a.results})', ([value]) => lengthOf(value))],
  ['lower', takes(1, 1, 'lower({a.name})', ([value]) => onText(value, (text) => text.toLowerCase()))],
  ['upper', takes(1, 1, 'upper({a.name})', ([value]) => onText(value, (text) => text.toUpperCase()))],
  ['trim', takes(1, 1, 'trim({a.name})', ([value]) => onText(value, (text) => text.trim()))],
  ['abs', takes(1, 1, 'abs({a.change})', ([value], exact) => absolute(value, exact))],
  ['round', takes(1, 2, 'round({a.share}, 2)', (args, exact) => round(args[0], args.length > 1 ? args[1] : 0, exact))],
  ['min', takes(1, MANY, 'min({a}, {b}) or min({a.list})', (args, exact) => extreme(args, -1, exact))],
  ['max', takes(1, MANY, 'max({a}, {b}) or max({a.list})', (args, exact) => extreme(args, 1, exact))],
  ['coalesce', takes(1, MANY, "coalesce({a.name}, 'unknown')", (args) => present(args)[0] ?? null)],
  [
    'starts_with',
    takes(2, 2, "starts_with({a.code}, 'X')", (args) => test(args, (text, part) => text.startsWith(part))),
  ],
  ['ends_with', takes(2, 2, "ends_with({a.file}, '.xml')", (args) => test(args, (text, part) => text.endsWith(part)))],
  ['number', takes(1, 1, 'number({a.amount})', ([value], exact) => numberOf(value, exact))],
  ['text', takes(1, 1, 'text({a.id})', ([value]) => textOf(value))],
  ['date_diff_days', takes(2, 2, 'date_diff_days({a.start}, {a.end})', ([from, to]) => dateDifference(from, to))],
  ['sum', takes(1, 1, 'sum({a.results[*].amount})', ([list], exact) => sum(list, exact))],
]);

export function functionNames(): string[] {
  return [...FUNCTIONS.keys()];
}

/** Number of a function's arguments; undefined for an unknown one. */
export function arity(name: string): { min: number; max: number; text: string; example: string } | undefined {
  const entry = FUNCTIONS.get(name);
  if (!entry) return undefined;
  const { min, max, example } = entry;
  const count = min === max ? `${min}` : `${min} to ${max}`;
  return { min, max, example, text: `${count} argument${max === 1 ? '' : 's'}` };
}

/** Takes any number of values, and looks at those that are there. */
export function ignoresNulls(name: string): boolean {
  return FUNCTIONS.get(name)?.max === MANY;
}

/** The value of a call; null for an unknown function. */
export function callFunction(name: string, args: readonly Value[], exact: ExactNumbers = EXACT): Json {
  return FUNCTIONS.get(name)?.call(args, exact) ?? null;
}

function onText(value: Value, change: (text: string) => string): Json {
  return typeof value === 'string' ? change(value) : null;
}

function test([text, part]: readonly Value[], holds: (text: string, part: string) => boolean): boolean {
  return typeof text === 'string' && typeof part === 'string' && holds(text, part);
}

function absolute(value: Value, exact: ExactNumbers): Json {
  if (typeof value === 'number') return finite(Math.abs(value));
  if (typeof value !== 'string' || !isNumeric(value) || !exact()) return null;
  return value.startsWith('-') ? value.slice(1) : value;
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

function round(value: Value, places: Value, exact: ExactNumbers): Json {
  if (typeof places !== 'number') return null;
  if (typeof value === 'number') return roundTo(value, places, exact);
  return typeof value === 'string' && isNumeric(value) && exact() ? roundKept(value, places) : null;
}

function numberOf(value: Value, exact: ExactNumbers): Json {
  if (typeof value === 'number') return finite(value);
  return typeof value === 'string' ? parseNumber(value, exact) : null;
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

/** Skips nulls, as SQL does; then all must be numbers (also such as are kept as text), or all texts. */
function extreme(args: readonly Value[], sign: 1 | -1, exact: ExactNumbers): Json {
  const [only] = args;
  const values = present(args.length === 1 && Array.isArray(only) ? only : args);
  let best: Json | undefined;
  for (const value of values) {
    if (typeof value !== 'number' && typeof value !== 'string') return null;
    const order = best === undefined ? sign : orderOf(value, best, exact);
    if (order === undefined) return null;
    if (order * sign > 0) best = value;
  }
  return best ?? null;
}

/** Null entries are skipped, as in SQL; the sum of nothing is 0. */
function sum(list: Value, exact: ExactNumbers): Json {
  if (!Array.isArray(list)) return null;
  const values = present(list);
  const older = values.reduce<number | null>(
    (total, value) => (total === null || typeof value !== 'number' ? null : total + value),
    0,
  );
  const newer = exactSum(values);
  const before = older === null ? null : finite(older);
  return newer === before || !exact() ? before : newer;
}

function exactSum(values: readonly Json[]): number | string | null {
  const sum = new ExactSum();
  for (const value of values) {
    if (typeof value === 'number') sum.add(value);
    else {
      const kept = exactDecimal(value);
      if (kept === undefined) return null;
      sum.addKept(kept);
    }
  }
  const { result } = sum;
  return typeof result === 'number' ? finite(result) : (result ?? null);
}

function present(values: readonly Value[]): Json[] {
  return values.filter((value): value is Json => value !== undefined && value !== null);
}
