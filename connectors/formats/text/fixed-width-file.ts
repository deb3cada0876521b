import type { FileEndpoint, FileField } from '../../../core/connector/types';
import { FileFault } from '../file-fault';
import type { ParsedFile } from '../parsed-file';
import { readTable } from './table';

/** Reads lines whose columns lie at fixed places, counted in characters. Throws FileFault. */
export function parseFixedWidthFile(endpoint: FileEndpoint, text: string): ParsedFile {
  const columns = endpoint.fields.map(placeOf);
  const rows = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .slice(endpoint.skip_lines ?? 0)
    .filter((line) => line.trim() !== '')
    .map((line) => columns.map(({ from, to }) => (from < line.length ? line.slice(from, to) : undefined)));
  const names = endpoint.fields.map((field) => field.field);
  const fields = endpoint.fields.map((field) => ({ ...field, paths: [field.field] }));
  const first = (endpoint.skip_lines ?? 0) + 1;
  return readTable({ ...endpoint, fields }, { names, rows, type: 'string', headerLine: first });
}

function placeOf(field: FileField): { from: number; to: number } {
  if (field.start === undefined || field.length === undefined) {
    throw new FileFault(
      'columns_not_found',
      `\`${field.field}\` needs \`start\` and \`length\`: without them its place in a line is not known.`,
    );
  }
  return { from: field.start - 1, to: field.start - 1 + field.length };
}
