import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { jsonText } from '../base/json-text';
import { shorten } from '../base/shorten';
import { codeBlock, escapeInline, plainText, sanitiseMarkdown } from './escape';
import { csvText } from './csv-text';
import { isRecordList, nullsIn, recordsOf, tableOf } from './table';
import type { ReportLimits } from './types';

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
      return jsonBlock(JSON.stringify(value, null, 2));
    case 'csv':
      return csvBlock(recordsOf(value), place.limits.maxRows);
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

function jsonBlock(text: string): string {
  const block = codeBlock(shorten(text, CODE_LIMIT), 'json');
  return text.length > CODE_LIMIT ? `${block}\n\n_Cut after ${CODE_LIMIT} of ${text.length} characters._` : block;
}

function csvBlock(records: readonly JsonObject[], maxRows: number): string {
  const table = tableOf(records);
  const block = codeBlock(csvText({ ...table, rows: table.rows.slice(0, maxRows) }), 'csv');
  return [block, ...remainder(records.length, maxRows)].join('\n');
}

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
  const line = new Inline(limits);
  const shown = list.slice(0, limits.maxRows).map((element) => `- ${element === null ? '_null_' : line.text(element)}`);
  return shown.length === 0 ? EMPTY : [...shown, ...remainder(list.length, limits.maxRows), ...line.notes()].join('\n');
}

/** Single values first, as a list; then each larger one under its own heading. */
function recordBlock(record: JsonObject, place: Place): string {
  const entries = Object.entries(record);
  const large = entries.filter(([, value]) => isLarge(value, place));
  const small = entries.filter(([, value]) => !isLarge(value, place));
  const blocks: string[] = [];
  if (small.length > 0) {
    const line = new Inline(place.limits);
    const lines = small.map(([name, value]) => `- **${escapeInline(name)}**: ${line.text(value)}`);
    blocks.push([...lines, ...line.notes()].join('\n'));
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
  const cell = new Inline(limits);
  const row = (cells: readonly Json[]): string =>
    `| ${cells
      .slice(0, width)
      .map((value) => cell.text(value))
      .join(' | ')} |`;
  const lines = [row(table.columns), `|${' --- |'.repeat(width)}`, ...table.rows.map(row)];
  const notes = remainder(records.length, limits.maxRows);
  if (width < table.columns.length) {
    notes.push('', `_${table.columns.length - width} more columns are not shown._`);
  }
  return [...lines, ...notes, ...cell.notes()].join('\n');
}

/** Values on one line of a block, and how many of them were longer than that. */
class Inline {
  private cut = 0;

  constructor(private readonly limits: ReportLimits) {}

  text(value: Json): string {
    const text = jsonText(value);
    if (typeof value === 'number') return text;
    if (text.length > this.limits.maxCell) this.cut += 1;
    return escapeInline(shorten(text, this.limits.maxCell));
  }

  notes(): string[] {
    const what = this.cut === 1 ? '1 text is' : `${this.cut} texts are`;
    return this.cut === 0 ? [] : ['', `_${what} cut after ${this.limits.maxCell} characters._`];
  }
}

function remainder(total: number, shown: number): string[] {
  return total > shown ? ['', `_${total - shown} more of ${total} are not shown._`] : [];
}
