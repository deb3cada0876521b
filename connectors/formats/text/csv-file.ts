import { CsvError, parse } from 'csv-parse/sync';
import type { FileEndpoint } from '../../../core/connector/types';
import { FileFault } from '../file-fault';
import type { FieldWarning, ParsedFile } from '../parsed-file';
import { columnNames, numberedNames, readTable } from './table';
import { sentence } from '../../../core/base/sentence';

/** Reads one CSV text (RFC 4180 quoting, any delimiter). Throws FileFault. */
export function parseCsvFile(endpoint: FileEndpoint, text: string): ParsedFile {
  const skipped = endpoint.skip_lines ?? 0;
  const first = SEPARATOR_LINE.exec(text)?.[2];
  // Line that names the delimiter: at the beginning it is one of the lines to skip; after them it is one more.
  const behind = skipped === 0 ? undefined : SEPARATOR_LINE.exec(behindLines(text, skipped))?.[2];
  const named = behind ?? first;
  const headerLine = (behind === undefined ? Math.max(skipped, first === undefined ? 0 : 1) : skipped + 1) + 1;
  const all = parseRows(text, { delimiter: named ?? endpoint.delimiter, header: endpoint.header, from: headerLine });
  if (!endpoint.header) {
    const width = all.reduce((most, row) => Math.max(most, row.length), 0);
    return readTable(endpoint, {
      names: numberedNames(width),
      isNumbered: true,
      rows: all,
      type: 'string',
      headerLine,
    });
  }
  const [header, ...rows] = all;
  if (header === undefined || header.length === 0) {
    throw new FileFault('empty_file', 'The file has no header line.', { line: headerLine, column: 1 });
  }
  const parsed = readTable(endpoint, { names: columnNames(header), rows, type: 'string', headerLine });
  return { ...parsed, warnings: [...shortRows(rows, header.length), ...parsed.warnings] };
}

function behindLines(text: string, count: number): string {
  let at = 0;
  for (let line = 0; line < count; line += 1) {
    LINE_END.lastIndex = at;
    if (LINE_END.exec(text) === null) return '';
    at = LINE_END.lastIndex;
  }
  return text.slice(at);
}

const LINE_END = /\r\n?|\n/g;

/** Warnings of rows that end early: their missing fields are null, and the row itself may be cut without a sign. */
function shortRows(rows: readonly string[][], width: number): FieldWarning[] {
  const first = rows.findIndex((row) => row.length < width);
  if (first < 0) return [];
  const count = rows.filter((row) => row.length < width).length;
  const which = `row ${first + 1} with ${rows[first]?.length ?? 0} of ${width}`;
  const message =
    count === 1
      ? `1 row has fewer cells than the header (${which}): what is missing is null.`
      : `${count} rows have fewer cells than the header (first ${which}): what is missing is null.`;
  return [{ code: 'short_rows', field: '', message }];
}

/** The line with which spreadsheet programs name the delimiter; it overrides the definition. */
const SEPARATOR_LINE = /^\ufeff?("?)sep=([^"\r\n])\1(?:\r\n?|\n|$)/i;

function parseRows(text: string, rule: { delimiter: string; header: boolean; from: number }): string[][] {
  const { delimiter, header, from } = rule;
  try {
    return parse(text, {
      bom: true,
      delimiter,
      skip_empty_lines: true,
      from_line: from,
      // A row with more cells than the header is malformed; without a header there is nothing to compare with.
      relax_column_count: !header,
      relax_column_count_less: true,
    });
  } catch (error) {
    if (error instanceof CsvError) {
      throw new FileFault(
        'malformed_csv',
        `The file is not CSV with \`${delimiter}\`: ${sentence(error.message)}`,
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
