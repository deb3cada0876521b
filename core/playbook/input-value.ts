import { shorten } from '../base/shorten';
import { isDate } from '../base/calendar';
import { isJsonObject, type Json } from '../base/json';
import { exactDecimal, isNumeric } from '../base/number-rule';
import type { InputType } from './types';

/** Fault of a value for an input of a type, as the rest of a sentence; undefined = none. */
export function inputTypeProblem(value: Json, type: InputType): string | undefined {
  const found = describeValue(value);
  switch (type) {
    case 'any':
      return undefined;
    case 'string':
    case 'entity_name':
      return typeof value === 'string' ? undefined : `is ${found}, but text is expected`;
    case 'number':
      return isNumeric(value) ? undefined : `is ${found}, but a number is expected`;
    case 'integer':
      return isWhole(value) ? undefined : `is ${found}, but a whole number is expected`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `is ${found}, but true or false is expected`;
    case 'list':
      return Array.isArray(value) ? undefined : `is ${found}, but a list is expected`;
    case 'object':
      return isJsonObject(value) ? undefined : `is ${found}, but an object is expected`;
    case 'date':
      return isDateText(value) ? undefined : `is ${found}, but a date written YYYY-MM-DD is expected`;
  }
}

function isWhole(value: Json): boolean {
  const exact = exactDecimal(value);
  return exact !== undefined && exact.places <= 0;
}

/** A calendar date, or an RFC 3339 time stamp that begins with one. */
export function isDateText(value: Json): boolean {
  if (typeof value !== 'string' || !isDate(value.slice(0, 10))) return false;
  return value.length === 10 || TIME.test(value.slice(10));
}

const TIME = /^T([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)?$/;

export function describeValue(value: Json): string {
  if (value === null) return 'empty';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return `the text "${shorten(value, 40)}"`;
  return typeof value === 'number' ? `the number ${value}` : String(value);
}
