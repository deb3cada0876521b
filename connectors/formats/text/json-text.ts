import { shorten } from '../../../core/base/shorten';
import { parseExactJson } from '../../../core/base/exact-json';
import type { Json } from '../../../core/base/json';
import { MAX_DATA_DEPTH } from '../../../core/base/json-depth';
import { parseExact } from '../../http/bodies/read-json';
import { FileFault } from '../file-fault';

/** One JSON text, or JSON Lines: then a list of the values of its lines. Throws FileFault with the place. */
export function parseJsonText(text: string): Json {
  return parseWith(text, exactly);
}

/** The same for callers that check the depth of the values that they take. */
export function parseJsonUnchecked(text: string): Json {
  return parseWith(text, parseExactJson);
}

type Parse = (text: string) => Json;

function parseWith(text: string, parse: Parse): Json {
  const clean = text.startsWith('\ufeff') ? text.slice(1) : text;
  return isJsonLines(clean) ? parseLines(clean, parse) : parseOne(clean, 1, parse);
}

function exactly(text: string): Json {
  const { data, tooDeep } = parseExact(text);
  if (tooDeep) throw nestedTooDeeply();
  return data;
}

export function nestedTooDeeply(): FileFault {
  return new FileFault('malformed_json', `The JSON is nested deeper than ${MAX_DATA_DEPTH} levels.`);
}

/** True for more than one line, the first of which is a whole record or list. */
function isJsonLines(text: string): boolean {
  const start = text.search(/\S/);
  const end = text.indexOf('\n', start);
  if (start < 0 || end < 0 || !'{['.includes(text[start] ?? '') || text.slice(end).trim() === '') {
    return false;
  }
  const last = text.slice(start, end).trimEnd().at(-1);
  if (last !== '}' && last !== ']') {
    return false;
  }
  try {
    JSON.parse(text.slice(start, end));
    return true;
  } catch {
    return false;
  }
}

function parseLines(text: string, parse: Parse): Json[] {
  const values: Json[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() !== '') {
      values.push(parseOne(line, index + 1, parse));
    }
  });
  return values;
}

function parseOne(text: string, firstLine: number, parse: Parse): Json {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof FileFault) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const at = /position (\d+)/.exec(message)?.[1];
    const place = placeOf(text, at === undefined ? text.length : Number(at));
    throw new FileFault('malformed_json', `The file is not JSON: ${shorten(message, 200)}.`, {
      line: place.line + firstLine - 1,
      column: place.column,
    });
  }
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
