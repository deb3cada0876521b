import { shorten } from '../../core/base/shorten';
import type { Json, JsonObject } from '../../core/base/json';
import { suggestionOr } from '../../core/base/did-you-mean';
import { isDate } from '../../core/base/calendar';
import { AppError } from '../../core/errors/app-error';
import { owner, type Database } from '../db/database';
import { isKeptNumber, numericValue, SQL_TYPES, type ColumnType } from './column-types';
import { quoted } from './identifiers';
import type { WorkspaceColumn } from './table-shape';

export const FILTER_OPS = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'contains', 'is_null', 'not_null'] as const;
export type FilterOp = (typeof FILTER_OPS)[number];
export interface RowFilter {
  /** Name in the data. */
  column: string;
  op: FilterOp;
  value?: string | number | boolean;
}
export interface RowSort {
  column: string;
  descending: boolean;
}
/** Row after which a page begins: its number, and its value in the sorted column as text. */
export interface RowPlace {
  id: number;
  value: string | null;
}
export interface RowQuery {
  filters: readonly RowFilter[];
  sort?: RowSort | undefined;
  after?: RowPlace | undefined;
  limit: number;
}
export interface StoredRow {
  id: number;
  run_id: string | null;
  step: string | null;
  saved_at: string;
  place: RowPlace;
  values: JsonObject;
}
export interface ReadableTable {
  schema_name: string;
  sql_name: string;
  columns: readonly WorkspaceColumn[];
}

const COMPARE: Partial<Record<FilterOp, string>> = {
  eq: '=',
  ne: 'is distinct from',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};

/**
 * Rows of a workspace's table as its owner sees them. Columns are looked up among those of the table, values are parameters:
 * nothing that a caller wrote becomes SQL. Throws `unknown_column`, `invalid_filter`.
 */
export async function readRows(
  database: Database,
  ownerId: string,
  table: ReadableTable,
  query: RowQuery,
): Promise<StoredRow[]> {
  const { text, params } = statement(table, query);
  const rows = await database.query<Record<string, Json>>(owner(ownerId), text, params);
  return rows.map((row) => storedRow(table.columns, row));
}

function statement(table: ReadableTable, query: RowQuery): { text: string; params: unknown[] } {
  const params: unknown[] = [];
  const add = (value: unknown): string => `$${params.push(value)}`;
  const sorted = query.sort && sortable(columnOf(table.columns, query.sort.column));
  const where = query.filters.map((filter) => condition(columnOf(table.columns, filter.column), filter, add));
  if (query.after) where.push(pageAfter(query.after, sorted, query.sort?.descending === true, add));
  // Numbers are read as text: the driver would make doubles of them.
  const columns = table.columns.map(
    ({ sql_name, type }, at) => `${quoted(sql_name)}${type === 'numeric' ? '::text' : ''} as c${at}`,
  );
  const key = sorted === undefined ? 'null' : `${quoted(sorted.sql_name)}::text`;
  const order =
    sorted === undefined ? [] : [`${quoted(sorted.sql_name)}${query.sort?.descending ? ' desc' : ''} nulls last`];
  const text = `select ${['_id', '_run_id', '_step', '_saved_at', `${key} as sort_key`, ...columns].join(', ')}
    from ${quoted(table.schema_name)}.${quoted(table.sql_name)}
    ${where.length === 0 ? '' : `where ${where.join(' and ')}`}
    order by ${[...order, '_id'].join(', ')} limit ${add(query.limit)}`;
  return { text, params };
}

/** Empty values come last, whichever way the rest is sorted. */
function pageAfter(
  after: RowPlace,
  column: WorkspaceColumn | undefined,
  descending: boolean,
  add: (value: unknown) => string,
): string {
  const id = add(after.id);
  if (column === undefined) return `_id > ${id}`;
  const name = quoted(column.sql_name);
  if (after.value === null) return `(${name} is null and _id > ${id})`;
  const value = `${add(after.value)}::text::${SQL_TYPES[column.type]}`;
  return `(${name} ${descending ? '<' : '>'} ${value} or (${name} = ${value} and _id > ${id}) or ${name} is null)`;
}

function condition(column: WorkspaceColumn, { op, value }: RowFilter, add: (value: unknown) => string): string {
  const name = quoted(column.sql_name);
  if (op === 'is_null') return `${name} is null`;
  if (op === 'not_null') return `${name} is not null`;
  const checked = valueFor(column, value);
  if (op === 'contains') {
    if (typeof checked !== 'string' || column.type === 'date') throw invalidFilter(column, '`contains` is for text');
    return `strpos(lower(${name}), lower(${add(checked)}::text)) > 0`;
  }
  const type = isKeptNumber(checked) && column.type === 'bigint' ? 'numeric' : SQL_TYPES[column.type];
  return `${name} ${COMPARE[op] ?? '='} ${add(String(checked))}::text::${type}`;
}

/** The value, if the column can be compared with it. */
function valueFor(column: WorkspaceColumn, value: RowFilter['value']): string | number | boolean {
  const fits =
    value !== undefined &&
    {
      unknown: typeof value === 'string',
      text: typeof value === 'string',
      bigint: Number.isSafeInteger(value) || isKeptNumber(value),
      numeric: (typeof value === 'number' && Number.isFinite(value)) || isKeptNumber(value),
      boolean: typeof value === 'boolean',
      date: typeof value === 'string' && isDate(value),
      json: false,
    }[column.type];
  if (value === undefined || !fits) throw invalidFilter(column, 'the value does not fit the type of the column');
  return value;
}

function sortable(column: WorkspaceColumn): WorkspaceColumn {
  if (column.type !== 'json') return column;
  throw new AppError('invalid_sort', `The column "${column.name}" holds lists or records, which have no order.`, {
    category: 'bad_request',
  });
}

function columnOf(columns: readonly WorkspaceColumn[], name: string): WorkspaceColumn {
  const column = columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const known = columns.map((candidate) => candidate.name);
  const way = suggestionOr(name, known, `It has: ${known.slice(0, 50).join(', ')}.`);
  throw new AppError('unknown_column', `The table has no column "${shorten(name, 100)}". ${way}`, {
    category: 'bad_request',
  });
}

function invalidFilter({ name, type }: WorkspaceColumn, why: string): AppError {
  return new AppError('invalid_filter', `The filter on "${name}" (${type}) cannot be used: ${why}.`, {
    category: 'bad_request',
  });
}

function storedRow(columns: readonly WorkspaceColumn[], row: Record<string, Json>): StoredRow {
  const id = Number(row['_id']);
  const text = (name: string): string | null => (typeof row[name] === 'string' ? row[name] : null);
  return {
    id,
    run_id: text('_run_id'),
    step: text('_step'),
    saved_at: text('_saved_at') ?? '',
    place: { id, value: text('sort_key') },
    values: Object.fromEntries(columns.map(({ name, type }, at) => [name, valueOf(type, row[`c${at}`] ?? null)])),
  };
}

function valueOf(type: ColumnType, value: Json): Json {
  return type === 'numeric' && typeof value === 'string' ? numericValue(value) : value;
}
