import type { JsonObject } from '../../core/base/json';
import { ownField } from '../../core/base/json';
import { cellText, type ShownColumn, shownRows } from '../../core/report/shown-rows';
import { cutTo, plainText, textWidth } from './text-width';

const GAP = 2;
const INDENT = '    ';
/** A column is not made narrower than this before another is left out. */
const NARROWEST = 8;

export interface RowsTextOptions {
  width: number;
  /** So many rows are shown. */
  most: number;
  /** How many there are in all, when more than are given. */
  total?: number;
}

/** Rows as a table that fits a width: the columns in which they differ, then what is alike in all of them. */
export function rowsText(
  given: readonly JsonObject[],
  { width, most, total = given.length }: RowsTextOptions,
): string[] {
  const { columns, same, rows } = shownRows(given.slice(0, most));
  const room = width - INDENT.length;
  if (rows.length === 1) return rows.flatMap((row) => fieldLines(row, room));
  const cells = columns.map(({ name }): Cells => [
    plainText(name),
    ...rows.map((row) => plainText(cellText(ownField(row, name), name))),
  ]);
  const widths = fitted(
    cells.map((texts) => Math.max(...texts.map(textWidth))),
    room,
  );
  const lines = ['', ...rows].map((_row, at) => line(cells, columns, { widths, at }));
  const left = columns.slice(widths.length).map(({ name }) => plainText(name));
  return [
    ...lines,
    ...(same.length === 0 ? [] : [cutTo(`in all rows: ${same.map(sameText).join(', ')}`, room)]),
    ...(left.length === 0 ? [] : [cutTo(`no room for: ${left.join(', ')} (--json shows all)`, room)]),
    ...(total > rows.length ? [`… ${total} rows in all`] : []),
  ].map((each) => INDENT + each);
}

type Cells = string[];

function sameText({ name, text }: { name: string; text: string }): string {
  return `${plainText(name)} ${plainText(text)}`;
}

/** One row needs no columns: a name and a value a line. */
function fieldLines(row: JsonObject, room: number): string[] {
  const names = Object.keys(row);
  const widest = Math.min(Math.max(...names.map((name) => textWidth(plainText(name)))), Math.floor(room / 2));
  return names.map((name) => {
    const value = plainText(cellText(ownField(row, name), name));
    return cutTo(`${INDENT}${padded(cutTo(plainText(name), widest), widest)}  ${value}`, room + INDENT.length);
  });
}

/** Widths of the columns that fit: the widest give way first, then the last ones are left out. */
function fitted(wanted: readonly number[], room: number): number[] {
  for (let count = wanted.length; count > 0; count--) {
    const widths = wanted.slice(0, count);
    const floor = widths.map((width) => Math.min(width, NARROWEST));
    const space = room - GAP * (count - 1);
    if (count > 1 && sum(floor) > space) continue;
    for (let over = sum(widths) - space; over > 0; over--) {
      const widest = widths.indexOf(Math.max(...widths));
      widths[widest] = (widths[widest] ?? 1) - 1;
    }
    return widths;
  }
  return [];
}

function line(
  cells: readonly Cells[],
  columns: readonly ShownColumn[],
  { widths, at }: { widths: readonly number[]; at: number },
): string {
  const parts = widths.map((width, column) => {
    const text = cutTo(cells[column]?.[at] ?? '', width);
    return padded(text, width, columns[column]?.numeric);
  });
  return parts.join(' '.repeat(GAP)).trimEnd();
}

function padded(text: string, width: number, right = false): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return right ? space + text : text + space;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, each) => all + each, 0);
}
