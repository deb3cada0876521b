import { isJsonObject, ownField, type Json } from '../../base/json';
import { canonicalNumber } from '../../base/number-rule';
import { jsonSize } from '../../base/json-size';
import { writeJson } from '../../base/json-writer';
import { deepEqual } from '../compare';
import { isForbiddenName } from '../forbidden';
import { MANY, isWhole, type CallContext, type FunctionTable, type Value } from './entry';

/** Levels that `flatten` opens at most. */
const MAX_LEVELS = 50;

export const LISTS: FunctionTable = [
  [
    'length',
    { params: 'value: any', gives: 'number', example: 'length({a.results})', call: ([value]) => lengthOf(value) },
  ],
  [
    'at',
    {
      params: 'value: list|object, place: number|text',
      gives: 'any',
      example: 'at({a.results}, -1)',
      mayFindNothing: true,
      call: at,
    },
  ],
  [
    'slice',
    {
      params: 'list: list, from: number, to?: number',
      gives: 'list',
      example: 'slice({a.results}, 0, 10)',
      call: slice,
    },
  ],
  [
    'range',
    { params: 'from: number, to?: number, step?: number', gives: 'list', example: 'range(1, 13)', call: range },
  ],
  ['distinct', { params: 'list: list', gives: 'list', example: 'distinct({a.names})', call: distinct }],
  [
    'flatten',
    {
      params: 'list: list, levels?: number',
      gives: 'list',
      example: 'flatten({a.results[*].officers})',
      call: flatten,
    },
  ],
  ['zip', { params: 'list: list, ...more: list', gives: 'list', example: 'zip({a.names}, {a.amounts})', call: zip }],
  [
    'lookup',
    {
      params: 'list: list, key: text, value: any',
      gives: 'any',
      example: "lookup({a.results}, 'ein', {ein})",
      mayFindNothing: true,
      call: lookup,
    },
  ],
];

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

/** The element at a place, counted from the end where it is negative; of an object, the field of a name. */
function at([value, place]: readonly Value[]): Json {
  if (Array.isArray(value)) return isWhole(place) ? (value.at(place) ?? null) : null;
  if (!isJsonObject(value) || typeof place !== 'string' || isForbiddenName(place)) return null;
  return ownField(value, place) ?? null;
}

/** From a place up to another, which is left out; both count from the end where they are negative. */
function slice(args: readonly Value[]): Json {
  const [list, from] = args;
  if (!Array.isArray(list) || !isWhole(from)) return null;
  if (args.length < 3) return list.slice(from);
  const to = args[2];
  return isWhole(to) ? list.slice(from, to) : null;
}

/** Whole numbers from 0 or `from` up to `to`, which is left out. */
function range(args: readonly Value[], { meter }: CallContext): Json {
  const [first, second] = args;
  const step = args.length > 2 ? args[2] : 1;
  const [from, to] = args.length > 1 ? [first, second] : [0, first];
  if (!isWhole(from) || !isWhole(to) || !isWhole(step) || step === 0) return null;
  const length = Math.max(0, Math.ceil((to - from) / step));
  meter.use(length);
  const list: number[] = [];
  for (let index = 0; index < length; index++) list.push(from + index * step);
  return list;
}

/** The first of each set of equal elements (by content, numbers by exact value). */
function distinct([list]: readonly Value[], { meter }: CallContext): Json {
  if (!Array.isArray(list)) return null;
  const seen = new Set<string>();
  return list.filter((item) => {
    meter.use(typeof item === 'object' ? jsonSize(item) : 1);
    const key = keyOf(item);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** One text for equal values, another for unlike ones; texts of one number that no double holds are equal. */
function keyOf(value: Json): string {
  if (typeof value === 'string') return `"${canonicalNumber(value)}`;
  return writeJson(value, true);
}

/** Lists in the list give their elements, one level deep or as many as `levels` says; all else stays. */
function flatten(args: readonly Value[], { meter }: CallContext): Json {
  const [list] = args;
  const levels = args.length > 1 ? args[1] : 1;
  if (!Array.isArray(list) || !isWhole(levels) || levels < 0) return null;
  let flat: Json[] = list;
  for (let level = 0; level < Math.min(levels, MAX_LEVELS); level++) {
    if (!flat.some(Array.isArray)) break;
    const opened: Json[] = [];
    for (const item of flat) {
      meter.use(Array.isArray(item) ? item.length : 1);
      if (Array.isArray(item)) for (const inner of item) opened.push(inner);
      else opened.push(item);
    }
    flat = opened;
  }
  return flat;
}

/** A list for each place with the elements of all lists there; null where a list is shorter than the longest. */
function zip(lists: readonly Value[], { meter }: CallContext): Json {
  if (!lists.every((list): list is Json[] => Array.isArray(list))) return null;
  const length = lists.reduce((longest, list) => Math.max(longest, list.length), 0);
  meter.use(length * Math.min(lists.length, MANY));
  return Array.from({ length }, (_, index) => lists.map((list) => list[index] ?? null));
}

/** The first record whose field has the value. */
function lookup([list, key, value]: readonly Value[], { meter, exact }: CallContext): Json {
  if (!Array.isArray(list) || typeof key !== 'string' || isForbiddenName(key)) return null;
  const wanted = value ?? null;
  if (typeof wanted === 'object') meter.use(list.length * jsonSize(wanted));
  const found = list.find((item) => isJsonObject(item) && deepEqual(ownField(item, key) ?? null, wanted, exact));
  return found ?? null;
}
