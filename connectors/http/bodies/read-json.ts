import { parseExactJson } from '../../../core/base/exact-json';
import type { Json } from '../../../core/base/json';
import { exceedsJsonDepth, MAX_DATA_DEPTH } from '../../../core/base/json-depth';
import { decodeAs, decodeText } from '../../formats/text/decode';
import { FileFault } from '../../formats/file-fault';

/** The `charset` of a content type; `auto` where it names none. */
export function charsetOf(headers: Readonly<Record<string, string>>): string {
  return /charset\s*=\s*"?([A-Za-z0-9._-]+)/i.exec(headers['content-type'] ?? '')?.[1]?.toLowerCase() ?? 'auto';
}

/**
 * Reads a JSON answer; a number that a double does not hold is the text that was written. Of duplicate keys the last one
 * counts (RFC 8259 leaves it open). Throws FileFault for what is no JSON, or too deep.
 */
export function readJson(bytes: Uint8Array, charset: string): { data: Json; text: string } {
  // JSON is UTF-8 (RFC 8259 8.1), whatever a server says of all its texts.
  const isOther = charset !== 'auto' && charset !== 'utf-8' && decodeAs(new Uint8Array(), charset) !== 'unknown';
  const isUtf8 = isOther && !bytes.includes(0) && typeof decodeAs(bytes, 'utf-8') === 'object';
  const text = decodeText(bytes, isUtf8 ? 'utf-8' : charset);
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
  /** Nested deeper than data may be. */
  tooDeep: boolean;
}

/** One JSON text by the rule for numbers, and whether it may be taken. */
export function parseExact(text: string): ExactJson {
  const data = parseExactJson(text);
  return { data, tooDeep: exceedsJsonDepth(data) };
}
