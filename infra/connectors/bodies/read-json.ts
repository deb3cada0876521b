import type { Json } from '../../../core/base/json';
import { MAX_DATA_DEPTH } from '../../../core/base/json-depth';
import { decodeText } from '../files/decode';
import { FileFault } from '../files/file-fault';
import { LARGE_NUMBER, lookOver, TOO_DEEP } from './look-over';

/** The `charset` of a content type; `auto` where it names none. */
export function charsetOf(headers: Readonly<Record<string, string>>): string {
  return /charset\s*=\s*"?([A-Za-z0-9._-]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'auto';
}

/**
 * Reads a JSON answer. Of duplicate keys the last one counts (RFC 8259 leaves it open). Throws FileFault for what is no
 * JSON, too deep, or holds a number beyond what a double can.
 */
export function readJson(bytes: Uint8Array, charset: string): { data: Json; text: string } {
  const text = decodeText(bytes, charset);
  let parsed: ExactJson;
  try {
    parsed = parseExact(text);
  } catch (error) {
    throw new FileFault('malformed_json', error instanceof Error ? error.message : String(error));
  }
  if (parsed.tooDeep) {
    throw new FileFault('malformed_json', `it is nested deeper than ${MAX_DATA_DEPTH} levels`);
  }
  return { data: parsed.data, text };
}

export interface ExactJson {
  data: Json;
  /** Nested deeper than data may be; then its numbers are as they were parsed. */
  tooDeep: boolean;
}

const INFINITE = /\d[eE]\+?\d{3}|\d{309}/;
const LONG_INTEGER = /(?:^|[[:,\s])-?\d{16,}(?:$|[\],}\s])/;
/** A whole text or a whole number, so that digits inside of a text are never taken for a number. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** One JSON text without a number that a double would change without a word. */
export function parseExact(text: string): ExactJson {
  const data = JSON.parse(text) as Json;
  const found = lookOver(data, MAX_DATA_DEPTH);
  const tooDeep = (found & TOO_DEEP) !== 0;
  // Only a large number can have been changed: without one the text is not read again.
  return { data: tooDeep || (found & LARGE_NUMBER) === 0 ? data : carefully(text, data), tooDeep };
}

function carefully(text: string, data: Json): Json {
  if (INFINITE.test(text)) requireFinite(text);
  return LONG_INTEGER.test(text) ? (JSON.parse(text.replace(TOKEN, exact)) as Json) : data;
}

/** A number that JavaScript reads as infinite would be recorded as null. */
function requireFinite(text: string): void {
  JSON.parse(text, (_key, value: Json) => {
    if (value === Infinity || value === -Infinity) throw new Error('it holds a number beyond 1.8e308');
    return value;
  });
}

/** An identifier of 17 and more digits would come out as another one: it becomes a text. */
function exact(token: string): string {
  return /^-?\d{16,}$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
}
