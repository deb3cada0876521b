import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  profileJournalQuery,
  ProfileJournalStore,
  type ProfileJournalFilter,
} from '../../infra/db/stores/profile-journal.store';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { lookedAt } from './kept-plan';

/** 12,000 entries of one agent a second apart: every one mentions `Usual`, the oldest alone `Rare`; one in a thousand failed. */
const ENTRIES = 12_000;
const LOOKED = 5_000;
const profile = randomUUID();

let db: TestDatabase;
let store: ProfileJournalStore;
beforeAll(async () => {
  db = await testDatabase();
  store = new ProfileJournalStore(db.database);
  await db.admin.query(`insert into agent_profiles (id, owner_id, handle, name) values ($1, $2, 'a', 'A')`, [
    profile,
    OWNER,
  ]);
  await db.admin.query(
    `insert into journal_entries (id, owner_id, profile_id, profile_owner_id, kind, summary, entities_mentioned, task_status, created_at)
      select gen_random_uuid(), $1, $2, $1, 'note', 'n ' || n,
          case when n = $3::integer then '{Usual,Rare}'::text[] else '{Usual}' end,
          case when n % 1000 = 0 then 'failed' else 'complete' end, now() - make_interval(secs => n)
        from generate_series(1, $3::integer) n`,
    [OWNER, profile, ENTRIES],
  );
  await db.admin.query('analyze journal_entries');
}, 60_000);
afterAll(() => db.close());

async function pages(filter: ProfileJournalFilter): Promise<string[][]> {
  const found: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await store.list(OWNER, profile, { ...filter, ...(cursor && { cursor }) });
    found.push(page.items.map(({ summary }) => summary));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return found;
}

describe('the journal of an agent without a range of time', () => {
  it('finds what the oldest entry alone mentions, a bounded part of the journal at a time', async () => {
    expect(await pages({ entity: 'Rare' })).toEqual([[], [], [`n ${ENTRIES}`]]);
    expect(await pages({ entity: 'Nobody' })).toEqual([[], [], []]);
  });

  it('finds every entry of a status once, in order', async () => {
    const all = Array.from({ length: 12 }, (_, no) => `n ${(no + 1) * 1000}`);
    expect((await pages({ status: 'failed' })).flat()).toEqual(all);
    expect((await pages({ status: 'failed', limit: 5 })).flat()).toEqual(all);
    expect((await pages({ status: 'failed', entity: 'Usual', limit: 5 })).flat()).toEqual(all);
    expect((await pages({ status: 'failed', entity: 'Rare' })).flat()).toEqual(['n 12000']);
  });

  it('gives a full page of what is usual, and the whole list in the end', async () => {
    const first = await store.list(OWNER, profile, { entity: 'Usual', limit: 7 });
    expect(first.items.map(({ summary }) => summary)).toEqual(['n 1', 'n 2', 'n 3', 'n 4', 'n 5', 'n 6', 'n 7']);
    expect(first.items[0]).not.toHaveProperty('is_end');
    const all = (await pages({ entity: 'Usual', limit: 200 })).flat();
    expect([all.length, new Set(all).size]).toEqual([ENTRIES, ENTRIES]);
  });

  it.each<[ProfileJournalFilter, number]>([
    [{ entity: 'Rare' }, LOOKED],
    [{ entity: 'Nobody', status: 'failed' }, LOOKED],
    [{ limit: 50 }, 51],
  ])('%j looks at no more entries than that', async (filter, most) => {
    const { statement } = profileJournalQuery(OWNER, profile, filter);
    const { rows, whole } = await lookedAt(db.database, OWNER, 'journal_entries', statement, 'fresh_list');
    // One's own, and those that were made with one's profiles.
    expect({ whole, fits: rows <= 2 * most ? 'yes' : `${rows} rows` }).toEqual({ whole: false, fits: 'yes' });
  });

  it('of others is empty', async () => {
    expect(await store.list(STRANGER, profile, { entity: 'Usual' })).toEqual({ items: [], next_cursor: null });
  });
});
