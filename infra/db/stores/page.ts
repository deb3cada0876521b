import { AppError } from '../../../core/errors/app-error';

/** A page of a list, newest first. `next_cursor` is null on the last page. */
export interface Page<Row> {
  items: Row[];
  next_cursor: string | null;
}
export interface PageRequest {
  /** 1 to 200, default 50. */
  limit?: number;
  cursor?: string;
}

const MOST = 200;
const USUAL = 50;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function limitOf(request: PageRequest): number {
  return Math.min(Math.max(Math.trunc(request.limit ?? USUAL), 1), MOST);
}

/** Position after which a page begins; null for the first page. Throws `invalid_cursor`. */
export function positionOf(request: PageRequest): { at: string; id: string } | null {
  if (request.cursor === undefined) {
    return null;
  }
  const [at, id, rest] = Buffer.from(request.cursor, 'base64url').toString().split('|');
  if (at === undefined || id === undefined || rest !== undefined || !isUuid(id) || Number.isNaN(Date.parse(at))) {
    throw new AppError(
      'invalid_cursor',
      'This cursor does not come from a page of this list. Leave it out to begin at the top.',
      {
        category: 'bad_request',
      },
    );
  }
  return { at, id };
}

/** `rows`: one more than `limit` if there is a next page. */
export function pageOf<Row extends { id: string }>(rows: Row[], limit: number, at: (row: Row) => string): Page<Row> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { items, next_cursor: more ? Buffer.from(`${at(last)}|${last.id}`).toString('base64url') : null };
}
