import { isUuid } from '../../../core/base/uuid';
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

/** Sort column of a list; equal values are in order of the id. Constants only: they go into SQL text. */
export interface SortColumn {
  /** Name in the statement; the field of the row is its last part. */
  column: string;
  type: 'timestamptz' | 'text' | 'integer';
  /** Name of the id in the statement, when it is not `id`. */
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
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)$/;
const FITS: Record<ListOrder['type'], (text: string) => boolean> = {
  timestamptz: (text) => TIME.test(text) && !Number.isNaN(Date.parse(text)),
  text: isText,
  integer: isInteger,
};

/** Puts a value among the parameters and gives its place. */
export type Param = (value: unknown) => string;

/** Rows of one value of a column, read along the index that has it before the columns of the order. `value`: as SQL has it. */
export interface IndexColumn {
  column: string;
  value: string;
}
export interface PageClauses {
  where: string;
  order: string;
}

/** One page of a list, as SQL asks for it and as it is answered. */
export interface ListPage {
  /** Condition of the rows behind the cursor; its two parameters are `position`. */
  after(valueParam: string, idParam: string): string;
  /** Columns for `order by`. */
  order: string;
  /** `after` and `order` for statements whose plan is kept: without a cursor its condition is no part of the text. */
  walk(param: Param, along?: IndexColumn): PageClauses;
  position: readonly [string | null, string | null];
  /** Rows to ask for: one more than a page shows if there is a next one. */
  take: number;
  /** `lookedTo`: where the looking ended before the list did, of a list whose filter has no index. */
  of<Row extends { id: string }>(rows: Row[], lookedTo?: Row): Page<Row>;
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
      `(${valueParam}::${type} is null or (${column}, ${id}) ${descending ? '<' : '>'} (${valueParam}::${type}, ${idParam}::uuid))`,
    order: `${column} ${direction}, ${id} ${direction}`,
    walk: (param, along) => walkOf(order, { value, rowId }, param, along),
    position: [value, rowId],
    take: limit + 1,
    of: (rows, lookedTo) => pageOf(rows, { limit, scope, column }, lookedTo),
  };
}

const LEAST = ['-infinity', '00000000-0000-0000-0000-000000000000'];
const GREATEST = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

/**
 * Adds the column to the order and uses a range for its value, so that only its own index fits. A kept plan does not
 * depend on the values: of two indexes it takes the better one for most values, which may read all rows of an owner for
 * a rare value.
 */
function walkOf(
  { column, type, descending, id = 'id' }: ListOrder,
  from: { value: string | null; rowId: string | null },
  param: Param,
  along: IndexColumn | undefined,
): PageClauses {
  const [direction, before, until] = descending ? ['desc', '<', '>='] : ['asc', '>', '<='];
  const order = [...(along ? [along.column] : []), column, id].map((name) => `${name} ${direction}`).join(', ');
  if (along === undefined && from.value === null) return { where: 'true', order };
  const [value, rowId] = from.value === null ? (descending ? GREATEST : LEAST) : [from.value, from.rowId];
  const begin = `${param(value)}::${type}, ${param(rowId)}::uuid`;
  if (along === undefined) return { where: `(${column}, ${id}) ${before} (${begin})`, order };
  const bound = `(${along.column}, ${column}, ${id}) ${before} (${along.value}, ${begin})`;
  return { where: `${along.column} ${until} ${along.value} and ${bound}`, order };
}

interface PageForm {
  limit: number;
  scope: CursorScope;
  column: string;
}

function pageOf<Row extends { id: string }>(
  rows: Row[],
  { limit, scope, column }: PageForm,
  lookedTo: Row | undefined,
): Page<Row> {
  const items = rows.slice(0, limit);
  const last = rows.length > limit ? items.at(-1) : lookedTo;
  const field = column.slice(column.lastIndexOf('.') + 1);
  const next = last && writeCursor(scope, [String((last as Record<string, unknown>)[field]), last.id]);
  return { items, next_cursor: next ?? null };
}
