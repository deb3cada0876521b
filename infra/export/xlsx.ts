import { type CellObject, utils, type WorkSheet, write } from '@e965/xlsx';
import type { Json } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { plainCell } from '../../core/report/neutral-cell';
import type { Table } from '../../core/report/types';

export interface Sheet {
  name: string;
  table: Table;
}

/** Limits of the format (ECMA-376; Excel specifications and limits). */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_TEXT = 32_767;

/**
 * A workbook with a sheet for each table. Numbers and booleans keep their type; everything else is a text cell, which
 * no spreadsheet calculates, so that what looks like a formula needs no mark. Longer texts than a cell holds are cut, marked by `…`.
 * @throws AppError `too_many_cells` when a table does not fit on a sheet
 */
export function writeXlsx(sheets: readonly Sheet[]): Buffer {
  const book = utils.book_new();
  const taken = new Set<string>();
  for (const sheet of sheets.length === 0 ? [{ name: 'Data', table: { columns: [], rows: [] } }] : sheets) {
    utils.book_append_sheet(book, sheetOf(sheet.table), sheetName(sheet.name, taken));
  }
  return write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer;
}

function sheetOf(table: Table): WorkSheet {
  if (table.rows.length >= MAX_ROWS || table.columns.length > MAX_COLUMNS) {
    throw new AppError(
      'too_many_cells',
      `A sheet holds ${MAX_ROWS - 1} rows and ${MAX_COLUMNS} columns, but the data has ${table.rows.length} and ${table.columns.length}. Export it as CSV, or filter it first.`,
      { category: 'too_large' },
    );
  }
  const sheet: WorkSheet = {};
  [table.columns, ...table.rows].forEach((row, r) => {
    row.forEach((value, c) => {
      const cell = cellOf(value);
      if (cell !== undefined) {
        sheet[utils.encode_cell({ r, c })] = cell;
      }
    });
  });
  sheet['!ref'] = utils.encode_range({
    s: { r: 0, c: 0 },
    e: { r: table.rows.length, c: Math.max(0, table.columns.length - 1) },
  });
  return sheet;
}

function cellOf(value: Json): CellObject | undefined {
  const cell = plainCell(value);
  if (cell === null) {
    return undefined;
  }
  if (typeof cell === 'number') {
    return { t: 'n', v: cell };
  }
  return typeof cell === 'boolean' ? { t: 'b', v: cell } : { t: 's', v: cellText(cell) };
}

function cellText(text: string): string {
  // XML cannot hold these, and `_x0041_` is how the format writes a character by its number.
  const clean = text
    .replace(/(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
  return clean.length > MAX_TEXT ? `${clean.slice(0, MAX_TEXT - 1)}…` : clean;
}

/** At most 31 characters, none of `: \ / ? * [ ]`, no `'` at the ends, unique whatever the case. */
function sheetName(title: string, taken: Set<string>): string {
  const base =
    title
      .replace(/[:\\/?*[\]\p{C}]+/gu, ' ')
      .trim()
      .replace(/^'+|'+$/g, '')
      .slice(0, 31)
      .trim() || 'Data';
  let name = base;
  for (let no = 2; taken.has(name.toLowerCase()); no += 1) {
    const suffix = ` ${no}`;
    name = base.slice(0, 31 - suffix.length) + suffix;
  }
  taken.add(name.toLowerCase());
  return name;
}
