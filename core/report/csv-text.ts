import type { Json } from '../base/json';
import { jsonText } from '../base/json-text';
import { neutralCell } from './neutral-cell';
import type { Table } from './types';

/** A small table as CSV (RFC 4180 quoting) for showing inside a report. */
export function csvText(table: Table): string {
  return [table.columns, ...table.rows].map((cells) => cells.map(field).join(',')).join('\n');
}

function field(value: Json): string {
  const text = jsonText(neutralCell(value));
  return /[",\n\r]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}
