import type { JsonObject } from '../../core/base/json';
import { mustEqual } from '../documents';
import type { ProductClient } from '../product/client';

/** A list with its filters, and a check that each of its items must pass. */
export interface List {
  /** Path with the query, without limit and cursor. */
  path: string;
  /** Field with the time by which the list is sorted. */
  by: 'created_at' | 'requested_at';
  upwards?: true;
  fits?: (item: JsonObject) => boolean;
}

/** Expected content of one page of a list. */
export interface ExpectedPage {
  cursor?: string;
  items: number;
  more: boolean;
}

const LIMIT = 50;
const WALK_LIMIT = 200;

interface PageBody {
  items: JsonObject[];
  next_cursor?: string | null;
}

/** Reads a list from its beginning, page by page, up to a number of pages; `items` receives each item. */
export async function walk(
  product: ProductClient,
  list: List,
  most: number,
  items: JsonObject[] = [],
): Promise<ExpectedPage[]> {
  const pages: ExpectedPage[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(product, list, WALK_LIMIT, cursor);
    const next = page.next_cursor ?? undefined;
    pages.push({
      ...(cursor === undefined ? {} : { cursor }),
      items: Math.min(page.items.length, LIMIT),
      more: page.items.length > LIMIT || next !== undefined,
    });
    items.push(...page.items);
    cursor = next;
  } while (cursor !== undefined && pages.length < most);
  return pages;
}

export async function readExpected(product: ProductClient, list: List, expected: ExpectedPage): Promise<void> {
  const { items, next_cursor } = await read(product, list, LIMIT, expected.cursor);
  const found = { items: items.length, more: typeof next_cursor === 'string' };
  mustEqual(found, { items: expected.items, more: expected.more }, list.path);
}

async function read(product: ProductClient, list: List, limit: number, cursor?: string): Promise<PageBody> {
  const after = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
  const path = `${list.path}${list.path.includes('?') ? '&' : '?'}limit=${limit}${after}`;
  const { status, body } = await product.request('GET', path);
  mustEqual(status, 200, path);
  const page = body as unknown as PageBody;
  mustEqual(inOrder(list, page.items), true, `${path}, order`);
  mustEqual(page.items.every(list.fits ?? (() => true)), true, `${path}, filter`);
  return page;
}

function inOrder({ by, upwards }: List, items: JsonObject[]): boolean {
  const times = items.map((item) => Date.parse(item[by] as string));
  return times.every((time, at) => at === 0 || (upwards ? time >= (times[at - 1] ?? 0) : time <= (times[at - 1] ?? 0)));
}
