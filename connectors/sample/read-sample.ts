import { parse } from 'csv-parse/sync';
import { shorten } from '../../core/base/shorten';
import type { Json } from '../../core/base/json';
import { exceedsJsonDepth } from '../../core/base/json-depth';
import { placeOfJsonFault } from '../../core/connector/json-place';
import { shapeOfJson } from '../../core/connector/sample/from-json';
import { shapeOfTable } from '../../core/connector/sample/from-table';
import { shapeOfXml } from '../../core/connector/sample/from-xml';
import type { SampleFormat, SampleShape } from '../../core/connector/sample/shape';
import { AppError } from '../../core/errors/app-error';
import { parseExact } from '../http/bodies/read-json';
import { FileFault } from '../formats/file-fault';
import { parseXml } from '../formats/xml/xml-document';
import { elementTree } from './element-tree';

const MAX_DEPTH = 100;
const DELIMITERS = [',', ';', '\t', '|'];

/** Shape of a sample. Throws `invalid_sample` with the line where it cannot be read. */
export function readSample(text: string, format: SampleFormat | undefined): SampleShape {
  const clean = text.startsWith('\ufeff') ? text.slice(1) : text;
  const chosen = format ?? formatOf(clean);
  try {
    const shape = shapeOf(clean, chosen);
    if (shape !== undefined && shape.fields.length > 0) return shape;
  } catch (error) {
    if (error instanceof FileFault) throw invalid(chosen, error.message, error.place);
    throw error;
  }
  throw invalid(chosen, 'There is no record in it: an object, a list of objects, or a table.', {});
}

function formatOf(text: string): SampleFormat {
  const start = text.trimStart();
  if (/^<(!doctype\s+html|html)\b/i.test(start)) {
    throw invalid(
      'xml',
      'This is a web page. Give the answer of the API, or write a connector of type `web_scraper`.',
      {},
    );
  }
  if (start.startsWith('<')) return 'xml';
  return /^[{[]/.test(start) ? 'json' : 'csv';
}

function shapeOf(text: string, format: SampleFormat): SampleShape | undefined {
  if (format === 'json') return shapeOfJson(parseJson(text));
  if (format === 'csv') return shapeOfTable(tableOf(text));
  const root = parseXml(text).documentElement;
  return root === null ? undefined : shapeOfXml(elementTree(root));
}

function parseJson(text: string): Json {
  let value: Json;
  try {
    value = parseExact(text).data;
  } catch (error) {
    throw new FileFault('malformed_json', 'The sample is not valid JSON.', placeOfJsonFault(text, error));
  }
  if (exceedsJsonDepth(value, MAX_DEPTH)) {
    throw new FileFault('malformed_json', `The sample is nested deeper than ${MAX_DEPTH} levels.`);
  }
  return value;
}

function tableOf(text: string): { names: string[]; rows: string[][]; delimiter: string } {
  const delimiter = delimiterOf(text);
  let rows: string[][];
  try {
    rows = parse(text, { bom: true, delimiter, skip_empty_lines: true, relax_column_count: true });
  } catch (error) {
    const { lines, message } = error as { lines?: number; message?: string };
    const place = typeof lines === 'number' ? { line: lines } : {};
    throw new FileFault('malformed_csv', `The sample is not CSV: ${shorten(String(message), 200)}.`, place);
  }
  const [first = []] = rows;
  // A line of numbers and dates names nothing.
  const names = first.some((cell) => /[A-Za-z_]/.test(cell)) ? first.map((cell) => cell.trim()) : [];
  return { names, rows: names.length > 0 ? rows.slice(1) : rows, delimiter };
}

/** The mark that the first line has most of, outside quotes. */
function delimiterOf(text: string): string {
  const line = (/^[^\r\n]*/.exec(text.trimStart())?.[0] ?? '').replace(/"[^"]*"/g, '');
  const counts = DELIMITERS.map((delimiter) => ({ delimiter, count: line.split(delimiter).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

function invalid(format: SampleFormat, message: string, place: { line?: number; column?: number }): AppError {
  return new AppError('invalid_sample', `The sample cannot be read as ${format.toUpperCase()}.`, {
    category: 'validation',
    problems: [{ severity: 'error', code: 'invalid_sample', message, ...place }],
  });
}
