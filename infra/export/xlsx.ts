import { type CellObject, utils, type WorkSheet, write } from '@e965/xlsx';
import type { Json } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { plainCell } from '../../core/report/neutral-cell';
import { firstOf, shorten } from '../../core/base/shorten';
import type { Table } from '../../core/report/types';
import { MOST_CHARACTERS, type AlteredCell } from './altered-cells';

export interface Sheet {
  name: string;
  table: Table;
}

/** Limits of the format (ECMA-376; Excel specifications and limits). */
const MAX_ROWS = 1_048_576;
const MAX_COLUMNS = 16_384;
const MAX_NAME = 31;
/** Spreadsheets reserve the first for their list of changes; the second is the sheet of facts. */
const RESERVED = ['history', 'about'];

export interface Workbook {
  bytes: Buffer;
  altered: AlteredCell[];
}

/**
 * A workbook with a sheet for each table. Numbers and booleans keep their type; everything else is a text cell, which
 * no spreadsheet calculates, so that text that looks like a formula needs no mark. A text that its cell does not hold is reported;
 * one that is cut ends with `…`. `about`: the table of the last sheet, which reports on those before it.
 * @throws AppError `too_many_cells` when a table does not fit on a sheet
 */
export function writeXlsx(
  sheets: readonly Sheet[],
  about: (altered: readonly AlteredCell[]) => Table | undefined = () => undefined,
): Workbook {
  const book = utils.book_new();
  const taken = new Set(RESERVED);
  const altered: AlteredCell[] = [];
  const add = (name: string, table: Table): void => {
    utils.book_append_sheet(book, sheetOf(table, name, altered), name);
  };
  for (const { name, table } of sheets.length === 0 ? [{ name: '', table: NOTHING }] : sheets) {
    add(sheetName(name, taken), table);
  }
  const facts = about(altered);
  if (facts !== undefined) add('About', facts);
  return { bytes: write(book, { type: 'buffer', bookType: 'xlsx', compression: true }) as Buffer, altered };
}

const NOTHING: Table = { columns: [], rows: [] };

function sheetOf(table: Table, name: string, altered: AlteredCell[]): WorkSheet {
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
      const cell = cellOf(value, (what, characters) =>
        altered.push({ sheet: name, row: r + 1, column: table.columns[c] ?? '', what, characters }),
      );
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

type Tell = (what: AlteredCell['what'], characters: number) => void;

function cellOf(value: Json, tell: Tell): CellObject | undefined {
  const cell = plainCell(value);
  if (cell === null) {
    return undefined;
  }
  if (typeof cell === 'number') {
    return { t: 'n', v: cell };
  }
  return typeof cell === 'boolean' ? { t: 'b', v: cell } : { t: 's', v: cellText(cell, tell) };
}

/** Characters that XML cannot hold. */
const UNWRITABLE = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;

function cellText(text: string, tell: Tell): string {
  let replaced = 0;
  const clean = text.replace(UNWRITABLE, () => {
    replaced += 1;
    return '\ufffd';
  });
  if (replaced > 0) tell('replaced', replaced);
  const whole = escapeXml(clean);
  if (whole.length <= MOST_CHARACTERS) return whole;
  tell('cut', whole.length);
  // Cuts the text, not an escape within it.
  let kept = MOST_CHARACTERS - 1;
  let shown = whole;
  while (shown.length > MOST_CHARACTERS) {
    shown = escapeXml(shorten(clean, kept));
    kept -= Math.max(1, shown.length - MOST_CHARACTERS);
  }
  return shown;
}

/** `_x0041_` is how the format writes a character by its number. */
function escapeXml(text: string): string {
  return text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_');
}

/**
 * Makes a name of at most 31 characters, none of `: \ / ? * [ ]`, no `'` at the ends, none of the reserved ones, unique
 * whatever the case.
 */
function sheetName(title: string, taken: Set<string>): string {
  const plain = title.replace(/[:\\/?*[\]\p{C}]+/gu, ' ');
  const cut = (limit: number): string => trimName(firstOf(trimName(plain), limit)) || 'Data';
  let name = cut(MAX_NAME);
  for (let no = 2; taken.has(name.toLowerCase()); no += 1) {
    const suffix = ` ${no}`;
    name = cut(MAX_NAME - suffix.length) + suffix;
  }
  taken.add(name.toLowerCase());
  return name;
}

function trimName(name: string): string {
  return name.replace(/^[\s']+|[\s']+$/g, '');
}
