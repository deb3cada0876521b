import { parse } from 'csv-parse/sync';
import { parseExactJson } from '../../core/base/exact-json';
import type { Json } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import type { RenderedFile } from './render';

/**
 * The content of a file with another one added: Markdown and text below it, CSV rows without their header, the
 * elements of a JSON list behind its own.
 * @throws AppError `append_not_possible` when the two do not fit
 */
export function appendFile(before: Buffer, mediaType: string, added: RenderedFile): Buffer {
  const type = mediaType.split(';')[0]?.trim() ?? '';
  const addedType = added.mediaType.split(';')[0] ?? '';
  if (type === 'text/csv' && addedType === 'text/csv') {
    return appendCsv(before, added.bytes);
  }
  if (type === 'application/json' && addedType === 'application/json') {
    return appendJson(before, added.bytes);
  }
  if ((type === 'text/markdown' || type === 'text/plain') && addedType === 'text/markdown') {
    return Buffer.concat([Buffer.from(`${before.toString('utf8').trimEnd()}\n\n`), added.bytes]);
  }
  return refuse(`${addedType} cannot be added to a document of type ${type}. Use the document's own format`);
}

function appendCsv(before: Buffer, added: Buffer): Buffer {
  if (before.length === 0 || added.length === 0) {
    return before.length === 0 ? added : before;
  }
  const header = headerOf(before);
  if (header !== headerOf(added)) {
    return refuse(
      'the columns of the document are others than those of the new rows. Select the same columns in the same order',
    );
  }
  // The header is written by the same writer, so it ends at the first line break outside quotes.
  const rows = added.subarray(headerLength(added));
  const ended = before.at(-1) === 0x0a ? before : Buffer.concat([before, Buffer.from('\n')]);
  return Buffer.concat([ended, rows]);
}

function headerOf(csv: Buffer): string {
  const [header] = parse(csv, { bom: true, to: 1, relax_column_count: true });
  return JSON.stringify(header ?? []);
}

function headerLength(csv: Buffer): number {
  let quoted = false;
  for (let at = 0; at < csv.length; at += 1) {
    if (csv[at] === 0x22) {
      quoted = !quoted;
    } else if (csv[at] === 0x0a && !quoted) {
      return at + 1;
    }
  }
  return csv.length;
}

function appendJson(before: Buffer, added: Buffer): Buffer {
  const list = parseJson(before);
  const more = parseJson(added);
  if (!Array.isArray(list)) {
    return refuse('the document holds no JSON list to add to');
  }
  const joined = Array.isArray(more) ? [...list, ...more] : [...list, more];
  return Buffer.from(`${JSON.stringify(joined, null, 2)}\n`, 'utf8');
}

function parseJson(bytes: Buffer): Json {
  try {
    return parseExactJson(bytes.toString('utf8'));
  } catch {
    return refuse('the document holds no valid JSON');
  }
}

function refuse(reason: string): never {
  throw new AppError('append_not_possible', `Nothing was added: ${reason}.`, { category: 'conflict' });
}
