import { randomUUID } from 'node:crypto';
import type { TestApi } from './api-fixture';

type Item = Record<string, unknown>;

/** One field of every item of a list, page by page to the last. `path` has a query already. */
export async function pagesOf(api: TestApi, path: string, field: (item: Item) => unknown): Promise<unknown[]> {
  return (await itemsOf(api, path)).map(field);
}

/** Every item of a list, as whoever makes the calls sees it. */
export async function itemsOf(api: Pick<TestApi, 'call'>, path: string): Promise<Item[]> {
  const seen: Item[] = [];
  let cursor = '';
  for (let pages = 0; pages < 1_000; pages += 1) {
    const { status, body } = await api.call('GET', `${path}${cursor}`);
    if (status !== 200) throw new Error(`${path}${cursor}: ${status} ${JSON.stringify(body)}`);
    seen.push(...(body.items ?? []));
    if (typeof body['next_cursor'] !== 'string') return seen;
    cursor = `&cursor=${encodeURIComponent(body['next_cursor'])}`;
  }
  throw new Error(`${path} has no end`);
}

/** Gives rows to another user. */
export async function stranger(api: TestApi, table: string, id: string): Promise<string> {
  const user = randomUUID();
  await api.admin.query(`insert into users (id, handle, display_name) values ($1, $2, 'Somebody')`, [user, user]);
  await api.admin.query(`update ${table} set owner_id = $2 where id = $1`, [id, user]);
  return user;
}
