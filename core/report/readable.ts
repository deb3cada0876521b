import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import { shorten } from '../base/shorten';
import { markdownValue } from './markdown-value';
import { DEFAULT_LIMITS } from './types';

const MAX_TITLE = 200;

/** A value where one line is wanted, as in a title: `a, b`; a record `name: value, name: value`, several `…; …`. Never fails. */
export function readableLine(value: Json | undefined): string {
  return shorten(
    lineOf(value ?? null)
      .replace(/\s+/g, ' ')
      .trim(),
    MAX_TITLE,
  );
}

function lineOf(value: Json): string {
  if (!Array.isArray(value)) return isJsonObject(value) ? recordLine(value) : jsonText(value);
  if (value.some(isJsonObject))
    return value.map((item) => (isJsonObject(item) ? recordLine(item) : jsonText(item))).join('; ');
  return value.map(jsonText).join(', ');
}

/** One level is words; what lies deeper is data. */
function recordLine(record: JsonObject): string {
  return Object.entries(record)
    .map(([name, value]) => `${name}: ${jsonText(value)}`)
    .join(', ');
}

/** A value where text is wanted, as in a summary: a text as it is, lists and records as tables and lists of Markdown. */
export function readableText(value: Json | undefined): string {
  if (typeof value !== 'object' || value === null) return jsonText(value);
  return markdownValue(value, undefined, { limits: DEFAULT_LIMITS, level: 2 });
}
