import { exceedsJsonDepth } from '../../base/json-depth';
import { parseExactJson } from '../../base/exact-json';
import type { Json } from '../../base/json';
import { exceedsJsonSize, jsonSize } from '../../base/json-size';
import { jsonText } from '../../base/json-text';
import { encodeUtf8 } from '../../base/utf8';
import { sha256 } from '../../base/sha256';
import { writeJson } from '../../base/json-writer';
import { MAX_TEXT_OF_VALUE } from '../limits';
import { finite, parseNumber } from '../numbers';
import type { WorkMeter } from '../work-meter';
import type { CallContext, FunctionEntry, FunctionTable, Value } from './entry';

/** Levels of lists and objects that `from_json` reads. */
const MAX_LEVELS = 100;
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

export const CONVERSIONS: FunctionTable = [
  ['number', { params: 'value: text|number', gives: 'number', example: 'number({a.amount})', call: numberOf }],
  [
    'text',
    {
      params: 'value: any',
      gives: 'text',
      example: 'text({a.id})',
      call: ([value], { meter }) => textOf(value, meter),
    },
  ],
  ['json', { params: 'value: any', gives: 'text', example: 'json({a.record})', call: toJson }],
  ['from_json', { params: 'value: text', gives: 'any', example: 'from_json({a.body})', call: fromJson }],
  ['base64', encodes('base64({a.token})', base64, 8)],
  ['url_encode', encodes('url_encode({a.query})', urlEncode, 4)],
  ['sha256', encodes('sha256({a.email})', sha256, 32)],
];

/** `cost`: units for a character. */
function encodes(example: string, encode: (text: string) => string, cost: number): FunctionEntry {
  return {
    params: 'value: text|number',
    gives: 'text',
    example,
    call([value], { meter }) {
      if (typeof value !== 'string' && typeof value !== 'number') return null;
      const text = String(value);
      meter.use(text.length * cost);
      return encode(text);
    },
  };
}

function numberOf([value]: readonly Value[], { exact }: CallContext): Json {
  if (typeof value === 'number') return finite(value);
  return typeof value === 'string' ? parseNumber(value, exact) : null;
}

/** Nested calls escape quotes again and again, so the text of a value is bounded. */
export function textOf(value: Value, meter: WorkMeter): string | null {
  if (typeof value !== 'object' || value === null) return jsonText(value);
  if (exceedsJsonSize(value, MAX_TEXT_OF_VALUE)) return null;
  meter.use(jsonSize(value));
  return jsonText(value);
}

/** Also of a text, with its quotes; null of nothing is `null`. */
function toJson([value]: readonly Value[], { meter }: CallContext): Json {
  const data = value ?? null;
  if (exceedsJsonSize(data, MAX_TEXT_OF_VALUE)) return null;
  meter.use(jsonSize(data));
  return writeJson(data, false);
}

function fromJson([text]: readonly Value[], { meter }: CallContext): Json {
  if (typeof text !== 'string' || text.length > MAX_TEXT_OF_VALUE) return null;
  meter.use(text.length * 4);
  let data: Json;
  try {
    data = parseExactJson(text);
  } catch {
    return null;
  }
  return exceedsJsonDepth(data, MAX_LEVELS) ? null : data;
}

/** RFC 4648, section 4, of the UTF-8 bytes. */
function base64(text: string): string {
  const bytes = encodeUtf8(text);
  const units: string[] = [];
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const word = (one << 16) | ((two ?? 0) << 8) | (three ?? 0);
    units.push(digit(word >> 18), digit(word >> 12));
    units.push(two === undefined ? '=' : digit(word >> 6), three === undefined ? '=' : digit(word));
  }
  return units.join('');
}

function digit(word: number): string {
  return BASE64.charAt(word & 63);
}

/** RFC 3986: all but letters, digits and `-_.~` in percent signs; a half character is the replacement character. */
function urlEncode(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
