import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import { shorten } from '../base/shorten';
import { codeBlock, escapeInline, plainText, sanitiseMarkdown } from './escape';
import { csvText } from './csv-text';
import { isRecordList, nullsIn, recordsOf, tableOf } from './table';
import type { ReportLimits, Table } from './types';

interface Place {
  limits: ReportLimits;
  /** Level of the heading above: 2 for a section. */
  level: number;
}

const EMPTY = '_No data._';

/** A value as a block of Markdown: by `format`, else by its shape. */
export function markdownValue(value: Json, format: string | undefined, place: Place): string {
  switch (format) {
    case 'json':
      return codeBlock(shorten(JSON.stringify(value, null, 2), CODE_LIMIT), 'json');
    case 'csv':
      return codeBlock(csvText(limited(tableOf(recordsOf(value)), place.limits.maxRows)), 'csv');
    case 'table':
      return Array.isArray(value) ? tableOfList(value, place.limits) : tableBlock(recordsOf(value), place.limits);
    case 'text':
      return paragraphs(jsonText(value)) || EMPTY;
    case 'list':
      return Array.isArray(value) ? bullets(value, place.limits) : byShape(value, place);
    default:
      return byShape(value, place);
  }
}

/** UTF-16 units of a code block: a report is for reading, the whole value is in the JSON export. */
const CODE_LIMIT = 200_000;

function byShape(value: Json, place: Place): string {
  if (typeof value === 'string') {
    return sanitiseMarkdown(value, place.level) || EMPTY;
  }
  if (Array.isArray(value)) {
    const there = value.filter((element) => element !== null);
    return isRecordList(there) ? tableOfList(value, place.limits) : bullets(value, place.limits);
  }
  return isJsonObject(value) ? recordBlock(value, place) : escapeInline(jsonText(value)) || EMPTY;
}

function paragraphs(text: string): string {
  return plainText(text)
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.split('\n').map(escapeInline).filter(Boolean).join('  \n'))
    .filter(Boolean)
    .join('\n\n');
}

/** Null elements, which are items that failed, have no row: how many there are stands below. */
function tableOfList(list: readonly Json[], limits: ReportLimits): string {
  const nulls = nullsIn(list);
  const table = tableBlock(recordsOf([...list]), limits);
  return nulls === 0 ? table : `${table}\n\n_${nulls} of ${list.length} elements are null, and not shown._`;
}

function bullets(list: readonly Json[], limits: ReportLimits): string {
  const shown = list
    .slice(0, limits.maxRows)
    .map((element) => `- ${element === null ? '_null_' : inline(element, limits)}`);
  return shown.length === 0 ? EMPTY : [...shown, ...remainder(list.length, limits.maxRows)].join('\n');
}

/** Single values first, as a list; then each larger one under its own heading. */
function recordBlock(record: JsonObject, place: Place): string {
  const entries = Object.entries(record);
  const large = entries.filter(([, value]) => isLarge(value, place));
  const small = entries.filter(([, value]) => !isLarge(value, place));
  const blocks: string[] = [];
  if (small.length > 0) {
    blocks.push(small.map(([name, value]) => `- **${escapeInline(name)}**: ${inline(value, place.limits)}`).join('\n'));
  }
  for (const [name, value] of large) {
    const below = { ...place, level: place.level + 1 };
    blocks.push(`${'#'.repeat(below.level)} ${escapeInline(name)}`, byShape(value, below));
  }
  return blocks.length === 0 ? EMPTY : blocks.join('\n\n');
}

/** True for a value with a heading of its own; below level 5 everything stays on its line, so the depth is bounded. */
function isLarge(value: Json, place: Place): boolean {
  if (place.level >= 5) {
    return false;
  }
  if (typeof value === 'string') {
    return value.length > place.limits.maxCell || value.includes('\n');
  }
  return (Array.isArray(value) && value.length > 0) || (isJsonObject(value) && Object.keys(value).length > 0);
}

function tableBlock(records: readonly JsonObject[], limits: ReportLimits): string {
  const table = tableOf(records.slice(0, limits.maxRows));
  if (table.columns.length === 0) {
    return EMPTY;
  }
  const width = Math.min(table.columns.length, limits.maxColumns);
  const head = table.columns.slice(0, width);
  const lines = [
    row(head, limits),
    `|${' --- |'.repeat(width)}`,
    ...table.rows.map((cells) => row(cells.slice(0, width), limits)),
  ];
  const notes = remainder(records.length, limits.maxRows);
  if (width < table.columns.length) {
    notes.push('', `_${table.columns.length - width} more columns are not shown._`);
  }
  return [...lines, ...notes].join('\n');
}

function row(cells: readonly Json[], limits: ReportLimits): string {
  return `| ${cells.map((cell) => inline(cell, limits)).join(' | ')} |`;
}

function inline(value: Json, limits: ReportLimits): string {
  return typeof value === 'number' ? jsonText(value) : escapeInline(shorten(jsonText(value), limits.maxCell));
}

function limited(table: Table, maxRows: number): Table {
  return { columns: table.columns, rows: table.rows.slice(0, maxRows) };
}

function remainder(total: number, shown: number): string[] {
  return total > shown ? ['', `_${total - shown} more of ${total} are not shown._`] : [];
}
