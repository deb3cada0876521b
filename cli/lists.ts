import { usageError } from './errors';
import type { Api } from './http/api';
import type { Page } from './http/types';
import { table, type ColumnLook } from './view/table';

/** Option of every list: how many items, or all. */
export const LIMIT_FLAG = '--limit <n>';
export const LIMIT_TEXT = 'at most so many, or "all"';

/** Number of items that the API gives at once. */
const MOST_A_PAGE = 200;

/** First page of a list. `next_cursor` tells that there are more. */
export async function firstOf<Item>(
  api: Api,
  path: string,
  query: URLSearchParams,
  limit: string,
): Promise<Page<Item>> {
  const most = limitOf(limit);
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    query.set('limit', String(Math.min(MOST_A_PAGE, most - items.length)));
    if (cursor !== undefined) query.set('cursor', cursor);
    const page = await api.get<Page<Item>>(`${path}?${query.toString()}`);
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== undefined && items.length < most);
  return cursor === undefined ? { items } : { items, next_cursor: cursor };
}

/** A list for people; it says when it is not the whole. */
export function listText<Item>(
  { items, next_cursor: next }: Page<Item>,
  none: string,
  row: (item: Item) => string[],
  looks?: readonly ColumnLook[],
): string {
  if (items.length === 0) return none;
  return [table(items.map(row), looks), ...moreLines(items.length, next)].join('\n');
}

export function moreLines(shown: number, next: string | undefined): string[] {
  return next === undefined
    ? []
    : [
        `There are more than ${shown === 1 ? 'this one' : `these ${shown}`}: --limit <n> shows more, --limit all all of them.`,
      ];
}

function limitOf(text: string): number {
  if (text === 'all') return Infinity;
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1) return limit;
  throw usageError(`--limit wants a whole number from 1 on, or "all", not ${JSON.stringify(text)}.`);
}
