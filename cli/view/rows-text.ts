import type { JsonObject } from '../../core/base/json';
import { ownField } from '../../core/base/json';
import { cellText, type ShownColumn, shownRows } from '../../core/report/shown-rows';
import { fitTable, padded } from './table';
import { cutTo, plainText, textWidth } from './text-width';

const INDENT = '    ';

export interface RowsTextOptions {
  width: number;
  /** Number of rows that are shown. */
  most: number;
  /** Number of all rows, when there are more than are given. */
  total?: number;
}

/** Rows as a table that fits a width: the columns in which they differ, then what is alike in all of them. */
export function rowsText(
  given: readonly JsonObject[],
  { width, most, total = given.length }: RowsTextOptions,
): string[] {
  const { columns, same, rows } = shownRows(given.slice(0, most));
  const room = width - INDENT.length;
  const [first] = rows;
  const lines =
    first !== undefined && rows.length === 1 ? fieldLines(first, columns, room) : columnLines(rows, columns, room);
  return [
    ...lines,
    ...(same.length === 0 ? [] : [cutTo(`in all rows: ${same.map(sameText).join(', ')}`, room)]),
    ...(total > rows.length ? [`… ${total} rows in all`] : []),
  ].map((each) => INDENT + each);
}

function columnLines(rows: readonly JsonObject[], columns: readonly ShownColumn[], room: number): string[] {
  if (columns.length === 0) return [];
  const cells = rows.map((row) => columns.map((column) => cellText(ownField(row, column.name), column)));
  const looks = columns.map(({ numeric }) => ({ right: numeric }));
  const { lines, shown } = fitTable([columns.map(({ name }) => name), ...cells], room, looks);
  const left = columns.slice(shown).map(({ name }) => plainText(name));
  return [...lines, ...(left.length === 0 ? [] : [cutTo(`no room for: ${left.join(', ')} (--json shows all)`, room)])];
}

function sameText({ name, text }: { name: string; text: string }): string {
  return `${plainText(name)} ${plainText(text)}`;
}

/** One row needs no columns: a name and a value a line. */
function fieldLines(row: JsonObject, columns: readonly ShownColumn[], room: number): string[] {
  const widest = Math.min(Math.max(...columns.map(({ name }) => textWidth(plainText(name)))), Math.floor(room / 2));
  return columns.map((column) => {
    const value = plainText(cellText(ownField(row, column.name), column));
    return cutTo(`${padded(cutTo(plainText(column.name), widest), widest)}  ${value}`, room);
  });
}
