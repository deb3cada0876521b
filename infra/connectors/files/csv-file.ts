import { CsvError, parse } from 'csv-parse/sync';
import type { Json, JsonObject } from '../../../core/base/json';
import type { FileEndpoint } from '../../../core/connector/types';
import { convertText } from './convert';
import { FileFault } from './file-fault';
import { Warnings } from './parsed-file';
import type { ParsedFile } from './parsed-file';

type Columns = { names: string[]; rows: string[][] };

/** Reads one CSV text (RFC 4180 quoting, any delimiter). Throws FileFault. */
export function parseCsvFile(endpoint: FileEndpoint, text: string): ParsedFile {
  const { names, rows } = readRows(endpoint, text);
  const warnings = new Warnings();
  const position = new Map(names.map((name, index) => [name, index]));
  const fields =
    endpoint.fields.length > 0
      ? endpoint.fields
      : names.map((name) => ({ field: name, paths: [name], type: 'string' as const }));
  requireColumns(endpoint, position);
  const records = rows.map((row): JsonObject => {
    const entries = fields.map((field): [string, Json] => {
      const column = field.paths.find((path) => position.has(path));
      const cell = column === undefined ? undefined : row[position.get(column) ?? -1];
      const value = cell === undefined ? null : convertText(cell, field.type);
      if (value === undefined) {
        warnings.mismatch(field.field, field.type, cell ?? '');
      }
      return [field.field, value ?? null];
    });
    return Object.fromEntries(entries);
  });
  return { records, groups: {}, warnings: warnings.list };
}

function readRows(endpoint: FileEndpoint, text: string): Columns {
  const all = parseRows(endpoint, text);
  const width = all[0]?.length ?? 0;
  if (!endpoint.header) {
    return { names: Array.from({ length: width }, (_, index) => String(index + 1)), rows: all };
  }
  const names = (all[0] ?? []).map((name) => name.trim());
  if (names.length === 0) {
    throw new FileFault('empty_file', 'The file has no header line.', { line: 1, column: 1 });
  }
  return { names, rows: all.slice(1) };
}

function parseRows(endpoint: FileEndpoint, text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: endpoint.delimiter,
      skip_empty_lines: true,
      relax_column_count_less: true,
    });
  } catch (error) {
    if (error instanceof CsvError) {
      throw new FileFault(
        'malformed_csv',
        `The file is not CSV with \`${endpoint.delimiter}\`: ${error.message}.`,
        lineOf(error),
      );
    }
    throw error;
  }
}

function lineOf(error: CsvError): { line?: number; column?: number } {
  const { lines, column } = error as unknown as { lines?: number; column?: number };
  return {
    ...(lines === undefined ? {} : { line: lines }),
    ...(typeof column === 'number' ? { column: column + 1 } : {}),
  };
}

/** A file in which none of the wanted columns exists is another kind of file. */
function requireColumns(endpoint: FileEndpoint, position: ReadonlyMap<string, number>): void {
  const wanted = endpoint.fields.flatMap((field) => field.paths);
  if (wanted.length > 0 && !wanted.some((name) => position.has(name))) {
    throw new FileFault(
      'columns_not_found',
      `None of the columns ${wanted.slice(0, 5).join(', ')} is in the header. Found: ${[...position.keys()].slice(0, 10).join(', ')}.`,
      {
        line: 1,
        column: 1,
      },
    );
  }
}
