import type { Json } from '../../../core/base/json';
import { MAX_DATA_DEPTH } from '../../../core/base/json-depth';
import { parseExact, type ExactJson } from '../bodies/read-json';
import { FileFault } from './file-fault';

/** One JSON text, or JSON Lines: then a list of the values of its lines. Throws FileFault with the place. */
export function parseJsonText(text: string): Json {
  const clean = text.startsWith('\ufeff') ? text.slice(1) : text;
  return isJsonLines(clean) ? parseLines(clean) : parseOne(clean, 1);
}

/** More than one line, and the first line alone is a whole record or list. */
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

function parseLines(text: string): Json[] {
  const values: Json[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.trim() !== '') {
      values.push(parseOne(line, index + 1));
    }
  });
  return values;
}

function parseOne(text: string, firstLine: number): Json {
  const { data, tooDeep } = parsed(text, firstLine);
  if (tooDeep) {
    throw new FileFault('malformed_json', `The JSON is nested deeper than ${MAX_DATA_DEPTH} levels.`);
  }
  return data;
}

function parsed(text: string, firstLine: number): ExactJson {
  try {
    return parseExact(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const at = /position (\d+)/.exec(message)?.[1];
    const place = placeOf(text, at === undefined ? text.length : Number(at));
    throw new FileFault('malformed_json', `The file is not JSON: ${message.slice(0, 200)}.`, {
      line: place.line + firstLine - 1,
      column: place.column,
    });
  }
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
