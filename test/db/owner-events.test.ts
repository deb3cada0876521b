import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Sql } from '../../infra/db/database';
import { EventFeed } from '../../infra/db/event-feed';
import type { EventFollower } from '../../infra/db/event-follower';
import { OwnerEventsStore, type EventPlace, type PlacedEvent } from '../../infra/db/stores/owner-events.store';
import { ReadingRightsStore } from '../../infra/db/stores/reading-rights.store';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { newRun, OWNER, seedPlaybook, seedRun, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { RunsStore } from '../../infra/db/stores/runs.store';

let db: TestDatabase;
let store: OwnerEventsStore;
let feeds: EventFeed[] = [];
beforeAll(async () => {
  db = await testDatabase();
  store = new OwnerEventsStore(db.database);
});
afterAll(() => db.close());
afterEach(() => {
  feeds.forEach((feed) => feed.close());
  feeds = [];
});

function newFeed(database: Database = db.database): EventFeed {
  const feed = new EventFeed(database, new OwnerEventsStore(database), { gatherMs: 1, lookMs: 20 });
  feeds.push(feed);
  return feed;
}

const append = (runId: string, id: string): Promise<unknown> =>
  new StepHotPath(db.database).step(runId, { events: [{ id, type: 'step.finished', payload: { id } }] });

/** Appends as a step does, in a transaction that somebody else ends. */
const appendIn = (sql: Sql, runId: string, id: string): Promise<unknown> =>
  sql.query(
    `update runs set seq = af_append(id, owner_id, seq, json_build_array(json_build_object('id', $2::text, 'type', 'x', 'payload', '{}')))
      where id = $1`,
    [runId, id],
  );

const idsOf = (rows: readonly PlacedEvent[]): string[] => rows.map((row) => `${row.run_id} ${row.seq}`);
const limit = { each: 100, all: 1_000 };
async function page(at: EventPlace, ownerId = OWNER): Promise<PlacedEvent[]> {
  const [found] = await store.pages([{ ownerId, at }], limit);
  return found?.rows ?? [];
}

/** The server is shared: a transaction of another test may hold the horizon back for a moment. */
async function eventually(at: EventPlace, count: number): Promise<PlacedEvent[]> {
  for (;;) {
    const rows = await page(at);
    if (rows.length >= count) return rows;
    await sleep(20);
  }
}

async function collect(follower: EventFollower, count: number): Promise<PlacedEvent[]> {
  const seen: PlacedEvent[] = [];
  while (seen.length < count) seen.push(...((await follower.next())?.rows ?? []));
  return seen;
}

describe('the log of all runs', () => {
  it('two writers, the one that began first commits last: nothing is missed, nothing comes twice', async () => {
    const [first, second] = [await seedRun(db.database), await seedRun(db.database)];
    const { at } = await store.horizon();
    const follower = newFeed().open(OWNER, at);
    const heard = collect(follower, 2);
    await db.admin.tx(async (sql) => {
      await appendIn(sql, first, 'a');
      await append(second, 'b');
      // Committed, and yet nobody may go past the one that is still under way.
      const committed = await db.admin.query('select 1 from run_events where run_id = $1', [second]);
      expect(committed).toHaveLength(1);
      expect(await page(at)).toEqual([]);
    });
    expect(idsOf(await eventually(at, 2))).toEqual([`${first} 1`, `${second} 1`]);
    expect(idsOf(await heard)).toEqual([`${first} 1`, `${second} 1`]);
    const [one] = await eventually(at, 2);
    const after = { xid: one?.xid ?? '', runId: first, seq: 1 };
    expect(idsOf(await page(after))).toEqual([`${second} 1`]);
  });

  it('many writers at once: readers that stay and readers that come back see each event once, each run in its order', async () => {
    const playbook = await seedPlaybook(db.database);
    const runs = await Promise.all(
      Array.from({ length: 8 }, async () => (await new RunsStore(db.database).create(OWNER, newRun(playbook))).run.id),
    );
    const { at } = await store.horizon();
    const total = runs.length * 25;
    const staying = newFeed().open(OWNER, at);
    const seen = collect(staying, total);
    const again: PlacedEvent[] = [];
    const comingBack = (async () => {
      const feed = newFeed();
      for (let place = at; again.length < total;) {
        const follower = feed.open(OWNER, place);
        const batch = await follower.next();
        follower.close();
        again.push(...(batch?.rows ?? []));
        place = batch?.upTo ?? place;
      }
    })();
    await Promise.all(
      runs.map(async (runId) => {
        for (let count = 0; count < 25; count += 1) await append(runId, `e${count}`);
      }),
    );
    await comingBack;
    for (const all of [await seen, again]) {
      expect(new Set(idsOf(all)).size).toBe(total);
      expect(all).toHaveLength(total);
      for (const runId of runs) {
        const numbers = all.filter((row) => row.run_id === runId).map((row) => row.seq);
        expect(numbers).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
      }
    }
  });

  it('goes on from every event, through pages that are full', async () => {
    const runId = await seedRun(db.database);
    const { at } = await store.horizon();
    await db.admin.query(
      `update runs set seq = (select af_append(id, owner_id, seq, json_agg(json_build_object('id', n, 'type', 'x', 'payload', '{}')))
        from generate_series(1, 1200) n) where id = $1`,
      [runId],
    );
    const follower = newFeed().open(OWNER, at);
    const rows = await collect(follower, 1_200);
    expect(rows.map((row) => row.seq)).toEqual(Array.from({ length: 1_200 }, (_, index) => index + 1));
  });

  it('shows nothing to others', async () => {
    const runId = await seedRun(db.database);
    const { at } = await store.horizon();
    await append(runId, 'a');
    await eventually(at, 1);
    expect(await page(at, STRANGER)).toEqual([]);
  });

  it('one statement reads for all; those of one owner share what is read; who is busy is not read for', async () => {
    const statements: unknown[][] = [];
    const database = new Proxy(db.database, {
      get: (target, name) => {
        if (name === 'hot') {
          return (text: string, params: unknown[]) => {
            statements.push(params);
            return target.hot(text, params);
          };
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const runId = await seedRun(db.database);
    const { at } = await store.horizon();
    const feed = newFeed(database);
    const followers = Array.from({ length: 200 }, () => feed.open(OWNER, at));
    followers.push(feed.open(STRANGER, at));
    const busy = feed.open(OWNER, at);
    const heard = followers.map((follower) => follower.next());
    await append(runId, 'a');
    const [first, ...others] = await Promise.all(heard.slice(0, 200));
    expect(idsOf(first?.rows ?? [])).toEqual([`${runId} 1`]);
    others.forEach((batch) => expect(batch?.rows).toBe(first?.rows));
    // Two owners, however many follow.
    expect(Math.max(...statements.map(([owners]) => (owners as string[]).length))).toBe(2);
    expect(busy.position.at).toEqual(at);
    expect(idsOf((await busy.next())?.rows ?? [])).toEqual([`${runId} 1`]);
    followers.forEach((follower) => follower.close());
    busy.close();
    expect(await heard[200]).toBeNull();
    expect(feed.size).toBe(0);
  });
});

it('the database says who may still read what they follow', async () => {
  const rights = new ReadingRightsStore(db.database);
  const runId = await seedRun(db.database);
  expect(
    await rights.mayRead([
      { ownerId: OWNER, runId },
      { ownerId: STRANGER, runId },
      { ownerId: OWNER, runId: null },
      { ownerId: randomUUID(), runId: null },
    ]),
  ).toEqual([true, false, true, false]);
});
