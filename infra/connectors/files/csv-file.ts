import { CsvError, parse } from 'csv-parse/sync';
import type { FileEndpoint } from '../../../core/connector/types';
import { FileFault } from './file-fault';
import type { ParsedFile } from './parsed-file';
import { columnNames, numberedNames, readTable } from './table';

/** Reads one CSV text (RFC 4180 quoting, any delimiter). Throws FileFault. */
export function parseCsvFile(endpoint: FileEndpoint, text: string): ParsedFile {
  const all = parseRows(endpoint, text);
  const headerLine = (endpoint.skip_lines ?? 0) + 1;
  if (!endpoint.header) {
    const width = all.reduce((most, row) => Math.max(most, row.length), 0);
    return readTable(endpoint, { names: numberedNames(width), rows: all, type: 'string', headerLine });
  }
  const [header, ...rows] = all;
  if (header === undefined || header.length === 0) {
    throw new FileFault('empty_file', 'The file has no header line.', { line: headerLine, column: 1 });
  }
  return readTable(endpoint, { names: columnNames(header), rows, type: 'string', headerLine });
}

function parseRows(endpoint: FileEndpoint, text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      delimiter: endpoint.delimiter,
      skip_empty_lines: true,
      from_line: (endpoint.skip_lines ?? 0) + 1,
      // A row with more cells than the header has lost its shape; without a header there is no shape to lose.
      relax_column_count: !endpoint.header,
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
