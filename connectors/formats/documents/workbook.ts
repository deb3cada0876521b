import { read, SSF, utils } from '@e965/xlsx';
import type { CellObject, DenseWorkSheet, WorkBook } from '@e965/xlsx';
import { shorten } from '../../../core/base/shorten';
import type { Json } from '../../../core/base/json';
import { readArchive, requireRoom, type ArchiveEntry } from './archive';
import { FileFault } from '../file-fault';
import { hasUncomputedCells, withKeptCells, withKeptNumbers } from './sheet-xml';
import { storedArchive } from './stored-archive';

const MAX_ROWS = 200_000;
const MAX_CELLS = 5_000_000;
const ZIP = [0x50, 0x4b];
const OLE2 = [0xd0, 0xcf, 0x11, 0xe0];

interface Sheet {
  name: string;
  /** Every row of the used range, also empty ones; numbers, texts, booleans, dates as ISO text; `null` = empty. */
  rows: Json[][];
  /** Cells that hold no value although they are not empty; they are null. */
  faults: CellFault[];
}

interface CellFault {
  /** Name such as `B7`. */
  cell: string;
  /** Content of the cell: an error, or a formula that was never calculated. */
  holds: string;
}

export interface Workbook {
  names: string[];
  /** Finds a sheet by name, or by number counted from 1. Throws FileFault. */
  sheet(which: string | number): Sheet;
}

/** Opens XLSX, XLSM, ODS and the older XLS. Formulas give the value that was last computed. Throws FileFault. */
export function openWorkbook(bytes: Uint8Array): Workbook {
  const { file, uncomputed } = unpacked(bytes);
  const book = parse(file, uncomputed);
  const dates1904 = book.Workbook?.WBProps?.date1904 === true;
  return {
    names: book.SheetNames,
    sheet: (which) => {
      const name = nameOf(book, which);
      const sheet = book.Sheets[name] as unknown as DenseWorkSheet | undefined;
      return { name, rows: rowsOf(sheet, dates1904), faults: faultsOf(sheet) };
    },
  };
}

/** The library never gets a compressed archive: it would unpack it without our limits. */
function unpacked(bytes: Uint8Array): { file: Buffer; uncomputed: boolean } {
  if (startsWith(bytes, ZIP)) {
    const seen = { uncomputed: false };
    return { file: storedArchive(partsOf(readArchive(bytes), seen)), uncomputed: seen.uncomputed };
  }
  if (startsWith(bytes, OLE2)) {
    return { file: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), uncomputed: false };
  }
  throw new FileFault('malformed_workbook', 'The file is no workbook (XLSX, ODS or XLS).', { line: 1, column: 1 });
}

/** Pictures, macros and settings of printers say nothing of cells: they are never unpacked. */
const PART = /\.(xml|rels)$|^xl\/.*\.bin$|^mimetype$/i;
const NO_PART = /(^|\/)(vbaProject[^/]*|printerSettings[^/]*|media|embeddings|activeX|ctrlProps)(\/|\.bin$|$)/i;

/** Parts of an archive that the library reads. Throws before anything is unpacked when they are too large together. */
function partsOf(entries: readonly ArchiveEntry[], seen: { uncomputed: boolean }): ArchiveEntry[] {
  const parts = entries.filter(({ name }) => PART.test(name) && !NO_PART.test(name));
  requireRoom(parts);
  return parts.map((part) => ({ ...part, size: roomFor(part), read: () => readPart(part, seen) }));
}

/** A kept number takes eight characters more, in a cell of nineteen at least. Memory that is not used costs nothing. */
function roomFor({ name, size }: ArchiveEntry): number {
  return SHEET.test(name) || name === ODS_CONTENT ? Math.ceil(size * 1.5) : size;
}

const SHEET = /^xl\/worksheets\/[^/]+\.xml$/i;

const ODS_CONTENT = 'content.xml';

function readPart(part: ArchiveEntry, seen: { uncomputed: boolean }): Buffer {
  const data = withoutEntities(part.name, part.read());
  if (part.name === ODS_CONTENT) return withKeptCells(data);
  if (!SHEET.test(part.name)) return data;
  seen.uncomputed ||= hasUncomputedCells(data);
  return withKeptNumbers(data);
}

function withoutEntities(name: string, data: Buffer): Buffer {
  if (/\.(xml|rels)$/i.test(name) && data.includes('<!ENTITY')) {
    throw new FileFault('xml_entities_refused', `\`${name}\` in the file declares XML entities. They are refused.`);
  }
  return data;
}

/** `uncomputed`: formulas without a value are asked for, and with them come all cells that are merely formatted. */
function parse(file: Buffer, uncomputed: boolean): WorkBook {
  try {
    return read(file, {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellText: false,
      cellHTML: false,
      cellFormula: uncomputed,
      sheetStubs: uncomputed,
      sheetRows: MAX_ROWS + 1,
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    if (/password|encrypt/i.test(message)) {
      throw new FileFault('file_encrypted', 'The workbook is encrypted. Save it without a password.');
    }
    throw new FileFault('malformed_workbook', `The file is no readable workbook: ${shorten(message, 200)}.`);
  }
}

function nameOf(book: WorkBook, which: string | number): string {
  const found = typeof which === 'number' ? book.SheetNames[which - 1] : book.SheetNames.find((name) => name === which);
  if (found === undefined) {
    const names = book.SheetNames.slice(0, 20).map((name) => `\`${name}\``);
    throw new FileFault('sheet_not_found', `The workbook has no sheet \`${which}\`. It has ${names.join(', ')}.`);
  }
  return found;
}

function rowsOf(sheet: DenseWorkSheet | undefined, dates1904: boolean): Json[][] {
  const range = sheet?.['!ref'];
  const data = sheet?.['!data'];
  if (range === undefined || data === undefined) {
    return [];
  }
  const { s: first, e: last } = utils.decode_range(range);
  const height = last.r - first.r + 1;
  const width = last.c - first.c + 1;
  if (height > MAX_ROWS || height * width > MAX_CELLS) {
    throw new FileFault(
      'file_too_complex',
      `The sheet has ${height} rows and ${width} columns; at most ${MAX_ROWS} rows and ${MAX_CELLS} cells are read.`,
    );
  }
  return Array.from({ length: height }, (_row, row) =>
    Array.from({ length: width }, (_cell, column) => valueOf(data[first.r + row]?.[first.c + column], dates1904)),
  );
}

/** Error values by Excel's numbers. */
const ERRORS: Readonly<Record<number, string>> = {
  0x00: '#NULL!',
  0x07: '#DIV/0!',
  0x0f: '#VALUE!',
  0x17: '#REF!',
  0x1d: '#NAME?',
  0x24: '#NUM!',
  0x2a: '#N/A',
  0x2b: '#GETTING_DATA',
};
/** Limit of faults: further ones tell nothing new. */
const MAX_FAULTS = 20;

function faultsOf(sheet: DenseWorkSheet | undefined): CellFault[] {
  const faults: CellFault[] = [];
  const data: readonly (readonly (CellObject | undefined)[] | undefined)[] = sheet?.['!data'] ?? [];
  for (let row = 0; row < data.length; row += 1) {
    const cells = data[row] ?? [];
    for (let column = 0; column < cells.length; column += 1) {
      const holds = faultOf(cells[column]);
      if (holds === undefined) continue;
      faults.push({ cell: utils.encode_cell({ r: row, c: column }), holds });
      if (faults.length >= MAX_FAULTS) return faults;
    }
  }
  return faults;
}

const MAX_FORMULA = 100;

function faultOf(cell: CellObject | undefined): string | undefined {
  if (cell?.t === 'e') return `the error \`${ERRORS[Number(cell.v)] ?? String(cell.v)}\``;
  if (cell?.t !== 'z' || cell.f === undefined) return undefined;
  return `the formula \`=${shorten(cell.f, MAX_FORMULA)}\`, which was not calculated before the file was saved`;
}

function valueOf(cell: CellObject | undefined, dates1904: boolean): Json {
  if (cell === undefined || cell.v === undefined || cell.v === null || cell.t === 'e' || cell.t === 'z') {
    return null;
  }
  if (cell.v instanceof Date) {
    return cell.v
      .toISOString()
      .replace(/(T00:00:00)?\.000Z$/, (_whole, midnight) => (midnight === undefined ? 'Z' : ''));
  }
  if (cell.t !== 'n' || typeof cell.v !== 'number') return cell.v;
  if (typeof cell.z === 'string' && SSF.is_date(cell.z)) {
    return isElapsed(cell.z, cell.v) ? durationOf(cell.v) : (dateOf(cell.v, cell.z, dates1904) ?? cell.v);
  }
  return cell.v;
}

/** Texts between quotes, and characters that stand for themselves. */
const LITERAL = /"[^"]*"|\\.|_./g;
/** Locale and currency, in brackets as elapsed times are. */
const NO_ELAPSED = /\[(?![hms]+\])[^\]]*\]/gi;
const LAST_OF_1900 = 366;

function bareFormat(format: string): string {
  return format
    .replace(LITERAL, '')
    .replace(NO_ELAPSED, '')
    .toLowerCase()
    .replace(/general/g, '');
}

/** `[h]`, `[m]` and `[s]` count on beyond a day; so does a sum of hours under a format that shows no day. */
function isElapsed(format: string, days: number): boolean {
  const bare = bareFormat(format);
  return /\[(h+|m+|s+)\]/.test(bare) || (!showsDay(bare) && days >= 1 && days < LAST_OF_1900);
}

function showsDay(bare: string): boolean {
  return /[yde]/.test(bare) || !showsTime(bare);
}

function showsTime(bare: string): boolean {
  return /[hs]/.test(bare);
}

/** `36:00:00`, with thousandths of a second where there are any. */
function durationOf(days: number): string {
  const ms = Math.round(Math.abs(days) * MS_OF_DAY);
  const sign = days < 0 && ms > 0 ? '-' : '';
  return sign + clock(ms);
}

const MS_OF_DAY = 86_400_000;

function clock(ms: number): string {
  const pad = (value: number, width = 2): string => String(Math.floor(value)).padStart(width, '0');
  const text = `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1000) % 60)}`;
  return ms % 1000 === 0 ? text : `${text}.${pad(ms % 1000, 3)}`;
}

/** Excel's 29 February 1900, which never was. */
const NO_DAY = 60;

/**
 * Days since the workbook's own epoch as the date that it shows: a sheet knows no time zone. A time alone has no day; parts of a second count where
 * the format shows them. Nothing for what is no date.
 */
function dateOf(days: number, format: string, dates1904: boolean): string | undefined {
  const bare = bareFormat(format);
  const unit = /s\.0/.test(bare) ? 1 : 1000;
  const ms = Math.round((days * MS_OF_DAY) / unit) * unit;
  const day = Math.floor(ms / MS_OF_DAY);
  const time = clock(ms - day * MS_OF_DAY);
  if (days < 0 || (!dates1904 && day === NO_DAY)) return undefined;
  if (days < 1 && !(dates1904 && showsDay(bare))) return showsTime(bare) ? time : undefined;
  const parts = SSF.parse_date_code(day, { date1904: dates1904 }) as
    { y: number; m: number; d: number } | null | undefined;
  if (parts === null || parts === undefined || parts.y === 0) return undefined;
  const date = [String(parts.y).padStart(4, '0'), ...[parts.m, parts.d].map((part) => String(part).padStart(2, '0'))];
  return `${date.join('-')}${time === '00:00:00' ? '' : `T${time}Z`}`;
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
