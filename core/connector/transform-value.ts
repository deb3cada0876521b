import { assertNever } from '../base/assert-never';
import type { Json } from '../base/json';
import { dateReader } from './date-format';
import type { Transform } from './mapping-types';
import { numberOfText } from './number-text';

/** A list that `split` may make, and a text that `replace` may make, at most. */
const MAX_PARTS = 10_000;
const MAX_REPLACED = 1_000_000;

/** Gives the changed value, or nothing where the value is not of the kind that the transform reads. */
type ValueChange = (value: Json) => Json | undefined;

/** `undefined` = it did not fit; `expected` says what the transform wanted. */
export interface CompiledTransform {
  expected: string;
  change: ValueChange;
}

/** Null stays null; in a list each element is changed. */
export function compileTransform(transform: Transform): CompiledTransform {
  const { expected, change } = single(transform);
  const kept: ValueChange = (value) => (value === null ? null : change(value));
  return {
    expected,
    change: transform.op === 'split' ? kept : (value) => (Array.isArray(value) ? each(value, kept) : kept(value)),
  };
}

function each(values: readonly Json[], change: ValueChange): Json[] | undefined {
  const changed: Json[] = [];
  for (const value of values) {
    const one = change(value);
    if (one === undefined) return undefined;
    changed.push(one);
  }
  return changed;
}

function single(transform: Transform): CompiledTransform {
  switch (transform.op) {
    case 'trim':
      return ofText('a text', (text) => text.trim());
    case 'number':
      return { expected: 'a number', change: (value) => toNumber(value, transform.decimal) };
    case 'date':
      return dateChange(transform.format);
    case 'split':
      return ofText(`a text of at most ${MAX_PARTS} parts`, (text) => parts(text, transform.separator));
    case 'replace':
      return ofText('a text', (text) => replaced(text, transform.find, transform.with));
    case 'map':
      return { expected: 'a text, a number or true and false', change: (value) => mapped(value, transform) };
    default:
      return assertNever(transform);
  }
}

function ofText(expected: string, change: (text: string) => Json | undefined): CompiledTransform {
  return { expected, change: (value) => (typeof value === 'string' ? change(value) : undefined) };
}

function toNumber(value: Json, decimal: '.' | ','): number | null | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  // An empty cell is no number and no fault.
  return value.trim() === '' ? null : numberOfText(value, decimal);
}

function dateChange(format: string): CompiledTransform {
  const read = dateReader(format);
  const change: ValueChange = (value) => {
    if (typeof value === 'string' && value.trim() === '') return null;
    return typeof value === 'string' || typeof value === 'number' ? read(value) : undefined;
  };
  return { expected: `a date like ${format}`, change };
}

function parts(text: string, separator: string): Json[] | undefined {
  const found = text === '' ? [] : text.split(separator, MAX_PARTS + 1);
  return found.length > MAX_PARTS ? undefined : found;
}

/** Short texts may grow a lot; the result is bounded before it is made. */
function replaced(text: string, find: string, put: string): string | undefined {
  const pieces = text.split(find);
  const length = text.length + (pieces.length - 1) * (put.length - find.length);
  return length > Math.max(MAX_REPLACED, text.length) ? undefined : pieces.join(put);
}

function mapped(value: Json, { values, otherwise }: Transform & { op: 'map' }): Json | undefined {
  if (typeof value === 'object') return undefined;
  const key = String(value);
  if (Object.prototype.hasOwnProperty.call(values, key)) return values[key] ?? null;
  return otherwise === undefined ? value : otherwise;
}
