import type { Json } from '../../../core/base/json';
import type { FileEndpoint } from '../../../core/connector/types';
import { FileFault } from '../file-fault';
import type { ParsedFile } from '../parsed-file';
import { columnNames, numberedNames, readTable } from '../text/table';
import { openWorkbook } from './workbook';

/** Reads one sheet of a workbook as a table. Throws FileFault. */
export function parseXlsxFile(endpoint: FileEndpoint, bytes: Uint8Array): ParsedFile {
  const { name, rows, faults } = openWorkbook(bytes).sheet(endpoint.sheet ?? 1);
  const { warnings, ...read } = tableOf(endpoint, name, rows);
  const remarks = faults.map(({ cell, holds }) => ({
    field: cell,
    message: `The cell ${cell} holds ${holds}; it is null.`,
  }));
  return { ...read, warnings: [...remarks, ...warnings] };
}

function tableOf(endpoint: FileEndpoint, name: string, rows: Json[][]): ParsedFile {
  const skip = endpoint.skip_lines ?? 0;
  const filled = rows.slice(skip).filter((row) => row.some((cell) => cell !== null));
  const width = rows[0]?.length ?? 0;
  const headerLine = skip + 1;
  if (!endpoint.header) {
    return readTable(endpoint, {
      names: numberedNames(width),
      isNumbered: true,
      rows: filled,
      type: 'any',
      headerLine,
    });
  }
  const [header, ...records] = filled;
  if (header === undefined) {
    throw new FileFault('empty_file', `The sheet \`${name}\` has no header line.`, { line: headerLine, column: 1 });
  }
  const names = columnNames(
    header.map((cell) => (typeof cell === 'string' ? cell : cell === null ? '' : JSON.stringify(cell))),
  );
  return readTable(endpoint, { names, rows: records, type: 'any', headerLine });
}
