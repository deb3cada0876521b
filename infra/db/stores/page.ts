import { isInteger, isText, readCursor, writeCursor, type CursorScope } from './cursor';

/** A page of a list. `next_cursor` is null on the last page. */
export interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
}
export interface PageRequest {
  /** 1 to 200, default 50. */
  limit?: number;
  cursor?: string;
}

/** What a list may be sorted by; what is equal is in order of the id. Constants only: they go into SQL text. */
export interface SortColumn {
  /** As the statement names it; the field of the row is its last part. */
  column: string;
  type: 'timestamptz' | 'text' | 'integer';
  /** As the statement names the id, when it is not `id`. */
  id?: string;
}
export interface ListOrder extends SortColumn {
  descending: boolean;
}

/** `name` upwards and `-name` downwards, for each column of the list. */
export function sortsOf<Name extends string>(columns: Record<Name, SortColumn>): Record<Name | `-${Name}`, ListOrder> {
  const sorts = Object.entries<SortColumn>(columns).flatMap(([name, column]) => [
    [name, { ...column, descending: false }],
    [`-${name}`, { ...column, descending: true }],
  ]);
  return Object.fromEntries(sorts) as Record<Name | `-${Name}`, ListOrder>;
}

export const BY_CREATION = sortsOf({ created_at: { column: 'created_at', type: 'timestamptz' } });

const MOST = 200;
const USUAL = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/;
const FITS: Record<ListOrder['type'], (text: string) => boolean> = {
  timestamptz: (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)),
  text: isText,
  integer: isInteger,
};

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** One page of a list, as SQL asks for it and as it is answered. */
export interface ListPage {
  /**
   * Condition of the rows behind the cursor; its two parameters are `position`. Of a list by time it is a range of an index
   * also for a first page, so that one plan is right for all of them.
   */
  after(valueParam: string, idParam: string): string;
  /** For `order by`. */
  order: string;
  position: readonly [string | null, string | null];
  /** Rows to ask for: one more than a page shows if there is a next one. */
  take: number;
  of<Row extends { id: string }>(rows: Row[]): Page<Row>;
}

/**
 * `list`: its name, and of what it is where the path says so. `request`: whatever it has besides `limit` and `cursor` is a
 * filter that the cursor belongs to. Throws `invalid_cursor`.
 */
export function openPage(list: string, request: PageRequest, order: ListOrder = BY_CREATION['-created_at']): ListPage {
  const { limit: wanted, cursor, ...filters } = request;
  const scope = { list, filters: { ...filters, by: order.column, descending: order.descending } };
  const limit = Math.min(Math.max(Math.trunc(wanted ?? USUAL), 1), MOST);
  const { column, type, descending, id = 'id' } = order;
  const [value = null, rowId = null] = cursor === undefined ? [] : readCursor(scope, cursor, [FITS[type], isUuid]);
  const direction = descending ? 'desc' : 'asc';
  return {
    after: (valueParam, idParam) =>
      type === 'timestamptz'
        ? `(${column}, ${id}) ${descending ? '<' : '>'} ${beginning(descending, valueParam, idParam)}`
        : `(${valueParam}::${type} is null or (${column}, ${id}) ${descending ? '<' : '>'} (${valueParam}::${type}, ${idParam}::uuid))`,
    order: `${column} ${direction}, ${id} ${direction}`,
    position: [value, rowId],
    take: limit + 1,
    of: (rows) => pageOf(rows, limit, scope, column),
  };
}

const LEAST = '00000000-0000-0000-0000-000000000000';
const GREATEST = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Where a page of a list by time begins: behind the cursor, or before all rows. */
function beginning(descending: boolean, valueParam: string, idParam: string): string {
  const [time, row] = descending ? ['infinity', GREATEST] : ['-infinity', LEAST];
  return `(coalesce(${valueParam}::timestamptz, '${time}'), coalesce(${idParam}::uuid, '${row}'))`;
}

/** Of times from (inclusive) and before (exclusive), each open where its parameter is null. */
export function inTimes(column: string, fromParam: string, beforeParam: string): string {
  return `${column} >= coalesce(${fromParam}::timestamptz, '-infinity') and ${column} < coalesce(${beforeParam}::timestamptz, 'infinity')`;
}

function pageOf<Row extends { id: string }>(rows: Row[], limit: number, scope: CursorScope, column: string): Page<Row> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : undefined;
  const field = column.slice(column.lastIndexOf('.') + 1);
  const next = last && writeCursor(scope, [String((last as Record<string, unknown>)[field]), last.id]);
  return { items, next_cursor: next ?? null };
}
