import { isJsonObject, ownField, type Json, type JsonObject } from '../base/json';
import { fail } from './failure';
import { fieldPath, type FieldPath } from './field-path';
import { describe } from './rows';

/** A source field and the name of the column that it becomes. */
export interface NamedField {
  path: FieldPath;
  as: string;
}
export interface SortKey {
  path: FieldPath;
  descending: boolean;
}

const INVALID = 'invalid_operation';

export function requiredText(params: JsonObject, name: string): string {
  const value = ownField(params, name);
  if (typeof value !== 'string' || value === '') {
    fail(INVALID, `\`${name}\` is ${describe(value)}: expected a name.`);
  }
  return value;
}

export function optionalText(params: JsonObject, name: string, fallback: string): string {
  const value = ownField(params, name);
  if (value === undefined || value === null) {
    return fallback;
  }
  return typeof value === 'string' ? value : fail(INVALID, `\`${name}\` is ${describe(value)}: expected text.`);
}

export function oneOf<T extends string>(params: JsonObject, name: string, choices: readonly T[], fallback: T): T {
  const text = optionalText(params, name, fallback);
  const found = choices.find((choice) => choice === text);
  return found ?? fail(INVALID, `\`${name}\` is "${text}": expected one of ${choices.join(', ')}.`);
}

export function flag(params: JsonObject, name: string): boolean {
  const value = ownField(params, name);
  if (value === undefined || value === null) {
    return false;
  }
  return typeof value === 'boolean'
    ? value
    : fail(INVALID, `\`${name}\` is ${describe(value)}: expected true or false.`);
}

/** The first of `names` that is given, as a whole number of at least 0. */
export function optionalCount(params: JsonObject, names: readonly string[]): number | undefined {
  for (const name of names) {
    const value = ownField(params, name);
    if (value === undefined || value === null) {
      continue;
    }
    if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) {
      fail(INVALID, `\`${name}\` is ${JSON.stringify(value)}: expected a whole number of at least 0.`);
    }
    return value;
  }
  return undefined;
}

/** The first of `names` that is given, read as a list of fields: `"a"`, `["a", "b.c"]`, `[{field, as}]`. */
export function namedFields(params: JsonObject, names: readonly string[]): NamedField[] | undefined {
  for (const name of names) {
    const value = ownField(params, name);
    if (value !== undefined && value !== null) {
      return (Array.isArray(value) ? value : [value]).map((element) => namedField(element, name));
    }
  }
  return undefined;
}

export function requiredFields(params: JsonObject, names: readonly string[]): NamedField[] {
  const fields = namedFields(params, names);
  if (fields === undefined || fields.length === 0) {
    fail(INVALID, `\`${names[0]}\` is empty: expected a list of field names.`);
  }
  return fields;
}

function namedField(element: Json, where: string): NamedField {
  if (typeof element === 'string' && element !== '') {
    return { path: fieldPath(element), as: element };
  }
  if (isJsonObject(element)) {
    const field = requiredText(element, 'field');
    return { path: fieldPath(field), as: optionalText(element, 'as', field) };
  }
  return fail(INVALID, `\`${where}\` holds ${describe(element)}: expected field names or {field, as}.`);
}

/** `"a"`, `["a", "b"]` or `[{field, direction}]`; `direction` beside it is the default. */
export function sortKeys(params: JsonObject, names: readonly string[]): SortKey[] | undefined {
  const fallback = oneOf(params, 'direction', DIRECTIONS, 'asc');
  for (const name of names) {
    const value = ownField(params, name);
    if (value !== undefined && value !== null) {
      return (Array.isArray(value) ? value : [value]).map((element) => sortKey(element, name, fallback));
    }
  }
  return undefined;
}

const DIRECTIONS = ['asc', 'desc'] as const;

function sortKey(element: Json, where: string, fallback: 'asc' | 'desc'): SortKey {
  if (typeof element === 'string' && element !== '') {
    return { path: fieldPath(element), descending: fallback === 'desc' };
  }
  if (isJsonObject(element)) {
    const direction = oneOf(element, 'direction', DIRECTIONS, fallback);
    return { path: fieldPath(requiredText(element, 'field')), descending: direction === 'desc' };
  }
  return fail(INVALID, `\`${where}\` holds ${describe(element)}: expected field names or {field, direction}.`);
}
