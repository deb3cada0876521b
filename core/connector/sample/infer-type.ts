import { isDate } from '../../base/calendar';
import { isInstant } from '../../base/instant';
import type { Json } from '../../base/json';
import { isJsonObject } from '../../base/json';
import { readNumber } from '../../base/number-rule';
import { convertText } from '../convert';
import type { ValueType } from '../types';

const INTEGER = /^[+-]?(0|[1-9]\d{0,14})$/;
const NUMBER = /^[+-]?(?=\.?\d)(0|[1-9]\d{0,14})?(\.\d{1,15})?([eE][+-]?\d{1,3})?$/;

/** The one type that all values have; nulls and empty texts tell nothing. */
export function typeOfValues(values: readonly Json[]): ValueType {
  const types = new Set(values.filter((value) => value !== null && value !== '').map(typeOfValue));
  return common(types);
}

/** The one type that all texts can be read as. A number with leading zeros is a name, such as a postal code. */
export function typeOfTexts(texts: readonly string[]): ValueType {
  const types = new Set(
    texts
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .map(typeOfText),
  );
  return common(types) === 'any' ? 'string' : common(types);
}

function typeOfValue(value: Json): ValueType {
  if (typeof value === 'string') return typeOfString(value);
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'boolean') return 'boolean';
  return isJsonObject(value) ? 'object' : 'array';
}

function typeOfString(text: string): ValueType {
  if (isDate(text)) return 'date';
  // Finer than milliseconds no instant is read.
  return isInstant(text) && convertText(text, 'datetime') !== undefined ? 'datetime' : 'string';
}

function typeOfText(text: string): ValueType {
  if (/^(true|false)$/i.test(text)) return 'boolean';
  if (INTEGER.test(text)) return 'integer';
  // Digits that no number holds would be lost.
  return NUMBER.test(text) && typeof readNumber(text) === 'number' ? 'number' : typeOfString(text);
}

function common(types: ReadonlySet<ValueType>): ValueType {
  const [only] = types;
  if (types.size <= 1) return only ?? 'string';
  const within = (...allowed: ValueType[]): boolean => [...types].every((type) => allowed.includes(type));
  if (within('integer', 'number')) return 'number';
  return within('string', 'date', 'datetime') ? 'string' : 'any';
}
