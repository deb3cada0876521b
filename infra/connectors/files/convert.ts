import { isDate } from '../../../core/base/calendar';
import type { Json } from '../../../core/base/json';
import type { ValueType } from '../../../core/connector/types';

const NUMBER = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;
const TRUE = new Set(['true', '1', 'x', 'yes', 'y']);
const FALSE = new Set(['false', '0', 'no', 'n']);

/** A text of a file as the declared type; `undefined` = it does not have that type. An empty text is null. */
export function convertText(text: string, type: ValueType): Json | undefined {
  const trimmed = text.trim();
  if (type === 'string' || type === 'any') {
    return trimmed;
  }
  if (trimmed === '') {
    return null;
  }
  switch (type) {
    case 'number':
      return NUMBER.test(trimmed) ? Number(trimmed) : undefined;
    case 'integer':
      return NUMBER.test(trimmed) && Number.isSafeInteger(Number(trimmed)) ? Number(trimmed) : undefined;
    case 'boolean':
      return TRUE.has(trimmed.toLowerCase()) ? true : FALSE.has(trimmed.toLowerCase()) ? false : undefined;
    case 'date':
      return isDate(trimmed.slice(0, 10)) ? trimmed : undefined;
    case 'datetime':
      return instant(trimmed);
    default:
      return undefined;
  }
}

/** An RFC 3339 instant in UTC without fractions of zero; a time without zone is taken as UTC. */
function instant(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(Z|[+-]\d{2}:\d{2})?$/i.exec(text);
  const time = match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2]}${(match[3] ?? 'Z').toUpperCase()}`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().replace('.000Z', 'Z');
}

/** A JSON value as the declared type; numbers and booleans written as text are accepted. */
export function convertJson(value: Json, type: ValueType): Json | undefined {
  if (type === 'string' && typeof value === 'string') {
    return value.trim();
  }
  if (value === null || type === 'any') {
    return value;
  }
  if (type === 'array') {
    return Array.isArray(value) ? value : undefined;
  }
  if (type === 'object') {
    return typeof value === 'object' && !Array.isArray(value) ? value : undefined;
  }
  if (typeof value === 'object') {
    return undefined;
  }
  if (typeof value === 'boolean' && type === 'boolean') {
    return value;
  }
  if (typeof value === 'number' && (type === 'number' || (type === 'integer' && Number.isInteger(value)))) {
    return value;
  }
  return convertText(String(value), type);
}
