import { isDate } from '../base/calendar';
import { isInstant } from '../base/instant';
import type { Json } from '../base/json';
import { readNumber } from '../base/number-rule';
import { isDateText } from '../playbook/input-value';
import type { ValueType } from './types';

const TRUE = new Set(['true', '1', 'x', 'yes', 'y']);
const FALSE = new Set(['false', '0', 'no', 'n']);

/** A text of a file as the declared type; `undefined` = it does not have that type. An empty text is null. */
export function convertText(text: string, type: ValueType): Json | undefined {
  const bare = trimmed(text);
  if (type === 'string' || type === 'any') {
    return bare;
  }
  if (bare === '') {
    return null;
  }
  switch (type) {
    case 'number':
      return heldNumber(bare);
    case 'integer':
      return wholeNumber(heldNumber(bare));
    case 'boolean':
      return TRUE.has(bare.toLowerCase()) ? true : FALSE.has(bare.toLowerCase()) ? false : undefined;
    case 'date':
      return dayOf(bare);
    case 'datetime':
      return instant(bare);
    default:
      return undefined;
  }
}

/**
 * The day that a text names: alone, as the beginning of an instant (whatever its zone), or with a zone as XML writes it
 * (`2024-01-15Z`). What only begins like a day is none.
 */
export function dayOf(text: string): string | undefined {
  const day = text.slice(0, 10);
  const isInstantOrDay = isDateText(text.replace(/^(.{10})[t ](?=\d)/, '$1T'));
  return isInstantOrDay || (isDate(day) && ZONE.test(text.slice(10))) ? day : undefined;
}

const ZONE = /^(Z|[+-]\d{2}:\d{2})$/;

/** A number that a double does not hold has no value of a number type: it is a mismatch, never rounded. */
function heldNumber(text: string): number | undefined {
  const value = readNumber(text);
  return typeof value === 'number' ? value : undefined;
}

function wholeNumber(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined;
}

/** `trim`, which most texts do not need: one that begins and ends with visible ASCII is left alone. */
export function trimmed(text: string): string {
  return isVisible(text.charCodeAt(0)) && isVisible(text.charCodeAt(text.length - 1)) ? text : text.trim();
}

function isVisible(code: number): boolean {
  return code > 0x20 && code < 0x7f;
}

/** An RFC 3339 instant in UTC without fractions of zero; a time without zone is taken as UTC. */
function instant(text: string): string | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?)(Z|[+-]\d{2}:\d{2})?$/i.exec(text);
  const whole = match === null ? '' : `${match[1]}T${match[2]}${(match[3] ?? 'Z').toUpperCase()}`;
  return isInstant(whole) ? new Date(whole).toISOString().replace('.000Z', 'Z') : undefined;
}

/** A JSON value as the declared type; numbers and booleans written as text are accepted. */
export function convertJson(value: Json, type: ValueType): Json | undefined {
  if (type === 'string' && typeof value === 'string') {
    return trimmed(value);
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
