import { ownField, type Json, type JsonObject } from '../base/json';
import { isNumeric, shownNumber } from './shown-number';

/** Rows as they are shown for a decision. */
export interface ShownRows {
  /** Columns in which the rows differ, in the order in which they come. */
  columns: ShownColumn[];
  /** Columns with one value in all rows: it is shown once. */
  same: { name: string; text: string }[];
  rows: JsonObject[];
}

export interface ShownColumn {
  name: string;
  /** Numbers stand right, so that their digits stand below each other. */
  numeric: boolean;
}

export function shownRows(rows: JsonObject[]): ShownRows {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const same: ShownRows['same'] = [];
  const columns: ShownColumn[] = [];
  for (const name of names) {
    const values = rows.map((row) => ownField(row, name));
    const [first] = values;
    const column = columnOf(name, values);
    if (rows.length > 1 && first !== undefined && values.every((value) => isSame(value, first)))
      same.push({ name, text: cellText(first, column) });
    else columns.push(column);
  }
  return { columns, same, rows };
}

/** One cell in one line of text. What is a text stays as it is written: digits in it may be an account or a docket. */
export function cellText(value: Json | undefined, { name }: ShownColumn): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'number') return shownNumber(value, name);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function isSame(left: Json | undefined, right: Json): boolean {
  return left === right || (left !== undefined && JSON.stringify(left) === JSON.stringify(right));
}

function columnOf(name: string, values: readonly (Json | undefined)[]): ShownColumn {
  const there = values.filter((value) => value !== undefined && value !== null && value !== '');
  return { name, numeric: there.length > 0 && there.every(isNumeric) };
}
