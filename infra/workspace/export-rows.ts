import { stringify } from 'csv-stringify/sync';
import { neutralCell } from '../../core/report/neutral-cell';
import type { Database } from '../db/database';
import { readRows, type ReadableTable, type RowFilter, type RowPlace, type StoredRow } from './read-rows';

/** Rows of one read: no transaction stays open while the client takes its time. */
const READ_ROWS = 1_000;

export interface ExportRequest {
  ownerId: string;
  table: ReadableTable;
  filters: readonly RowFilter[];
  format: 'csv' | 'json';
}

/** A table as text, read by read in the order in which rows were saved. What is saved meanwhile may be in it or not. */
export async function* exportRows(database: Database, request: ExportRequest): AsyncGenerator<Buffer> {
  const write = request.format === 'csv' ? csvRows : jsonRows;
  yield Buffer.from(request.format === 'csv' ? csvHead(request.table) : '[');
  let after: RowPlace | undefined;
  for (let first = true; ; first = false) {
    const { ownerId, table, filters } = request;
    const rows = await readRows(database, ownerId, table, { filters, after, limit: READ_ROWS });
    if (rows.length > 0) yield Buffer.from(write(table, rows, first));
    after = rows.at(-1)?.place;
    if (rows.length < READ_ROWS) break;
  }
  if (request.format === 'json') yield Buffer.from('\n]\n');
}

function csvHead({ columns }: ReadableTable): string {
  return columns.length === 0 ? '' : csvLines([columns.map(({ name }) => neutralCell(name))]);
}

/** Cells are safe for spreadsheets. */
function csvRows({ columns }: ReadableTable, rows: readonly StoredRow[]): string {
  return csvLines(rows.map(({ values }) => columns.map(({ name }) => neutralCell(values[name] ?? null))));
}

function csvLines(cells: readonly (string | number | boolean | null)[][]): string {
  return stringify([...cells], { cast: { boolean: String } });
}

function jsonRows(_table: ReadableTable, rows: readonly StoredRow[], first: boolean): string {
  const lines = rows.map(({ values }) => `\n${JSON.stringify(values)}`).join(',');
  return first ? lines : `,${lines}`;
}
