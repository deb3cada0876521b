import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { fail } from './failure';

/** A row is a plain object; its own enumerable fields are its columns, in order. */
export type Row = JsonObject;

/** Receives the number of elements that were left out. */
interface Told {
  add(code: 'null_records', message: string, facts: { count: number }): void;
}

/** Limit of rows: a join or a flatten that multiplies rows must not exhaust the memory. */
const MAX_ROWS = 1_000_000;
const MAX_LIST_DEPTH = 8;

/**
 * Reads a value as rows. Lists of lists are joined into one (the results of a `for_each` whose items each
 * give a list); null elements are left out (failed items of a `for_each`). Anything else is refused.
 */
export function toRows(value: Json | undefined, what: string, remarks?: Told): Row[] {
  if (value === null || value === undefined) {
    fail(
      'missing_data',
      `\`${what}\` is empty: expected a list of records. The step that it comes from was skipped, failed or gave no such field.`,
    );
  }
  if (!Array.isArray(value)) {
    fail('invalid_data', notAList(value, what));
  }
  const rows: Row[] = [];
  const nulls = collect(value, what, rows, 0);
  if (nulls > 0) {
    const message = `${nulls} of ${nulls + rows.length} elements of \`${what}\` are null and left out.`;
    remarks?.add('null_records', message, { count: nulls });
  }
  return rows;
}

/** Returns how many elements are null. */
function collect(list: Json[], what: string, into: Row[], depth: number): number {
  let nulls = 0;
  for (let index = 0; index < list.length; index += 1) {
    const element = list[index];
    if (element === null || element === undefined) {
      nulls += 1;
    } else if (Array.isArray(element) && depth < MAX_LIST_DEPTH) {
      nulls += collect(element, what, into, depth + 1);
    } else if (isJsonObject(element)) {
      into.push(element);
    } else {
      fail(
        'invalid_data',
        `element ${index + 1} of \`${what}\` is ${describe(element)}: expected a record with named fields.`,
      );
    }
    checkCount(into.length);
  }
  return nulls;
}

export function checkCount(count: number): void {
  if (count > MAX_ROWS) {
    fail('too_many_rows', `more than ${MAX_ROWS} rows: filter or aggregate earlier, or join on more fields.`);
  }
}

function notAList(value: Json, what: string): string {
  const base = `\`${what}\` is ${describe(value)}: expected a list of records.`;
  if (!isJsonObject(value)) {
    return base;
  }
  const listField = Object.keys(value).find((name) => Array.isArray(value[name]));
  return listField === undefined ? base : `${base} Its field \`${listField}\` is a list: pass that one.`;
}

export function describe(value: Json | undefined): string {
  if (value === null || value === undefined) {
    return 'empty';
  }
  if (Array.isArray(value)) {
    return 'a list';
  }
  if (typeof value === 'object') {
    return 'one record';
  }
  return typeof value === 'string' ? 'text' : `a ${typeof value}`;
}

/** Sets an own field whatever its name: `__proto__` becomes data, never a prototype. */
export function setField(row: Row, name: string, value: Json): void {
  if (name === '__proto__') {
    Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    row[name] = value;
  }
}

/** Names of all columns, by first appearance. */
export function columnsOf(rows: readonly Row[]): string[] {
  const seen = new Set<string>();
  for (const row of rows) {
    for (const name of Object.keys(row)) {
      seen.add(name);
    }
  }
  return [...seen];
}
