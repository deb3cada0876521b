import { stringify } from 'csv-stringify/sync';
import { neutralCell } from '../../core/report/neutral-cell';
import type { Table } from '../../core/report/types';

/** UTF-8 CSV (RFC 4180 quoting, lines end in LF), header line first. Cells are safe for spreadsheets. */
export function writeCsv(table: Table): Buffer {
  if (table.columns.length === 0) {
    return Buffer.alloc(0);
  }
  const text = stringify([table.columns.map(neutralCell), ...table.rows.map((row) => row.map(neutralCell))], {
    cast: { boolean: String },
  });
  return Buffer.from(text, 'utf8');
}
