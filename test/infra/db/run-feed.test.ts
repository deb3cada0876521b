import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SYSTEM, type Database } from '../../../infra/db/database';
import { RunFeed, type FeedTimes } from '../../../infra/db/run-feed';
import type { RunFollower } from '../../../infra/db/run-follower';
import { EventsStore, type EventRow } from '../../../infra/db/stores/events.store';
import { StepHotPath } from '../../../infra/db/stores/step-hot-path.store';
import { TransitionsStore } from '../../../infra/db/stores/transitions.store';
import { isDatabaseOutage } from '../../../infra/db/outage';
import { newRun, OWNER, seedPlaybook, seedRun, STRANGER, testDatabase, type TestDatabase } from '../../db/db-fixture';
import { RunsStore } from '../../../infra/db/stores/runs.store';

/** Longer than any test: what is seen within such a time was seen at once. */
const NEVER = 3_600_000;

let db: TestDatabase;
let feed: RunFeed;
let feeds: RunFeed[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  feed = await newFeed();
});
afterEach(() => {
  feeds.forEach((each) => each.close());
  feeds = [];
});

/** Resolves once the feed hears: what was announced before is nobody's. */
async function newFeed(times?: FeedTimes, database: Database = db.database): Promise<RunFeed> {
  const made = new RunFeed(database, new EventsStore(database), times);
  feeds.push(made);
  await new Promise<void>((resolve) => {
    const stop = db.database.listen(
      'af_test',
      () => undefined,
      () => {
        stop();
        resolve();
      },
    );
  });
  return made;
}

const append = (runId: string, id: string) =>
  new StepHotPath(db.database).step(runId, { events: [{ id, type: 'step.finished', payload: { id } }] });
const finish = (runId: string) =>
  new TransitionsStore(db.database).finish(runId, {
    status: 'complete',
    events: [{ id: 'complete', type: 'complete', payload: {} }],
  });

async function open(runId: string, after = 0, from = feed): Promise<RunFollower> {
  const follower = await from.open({ runId, ownerId: OWNER, after });
  if (follower === null) throw new Error(`nothing comes after ${after}`);
  return follower;
}

async function* batches(follower: RunFollower): AsyncGenerator<readonly EventRow[], void, undefined> {
  for (let batch = await follower.next(); batch !== null; batch = await follower.next()) yield batch;
}

async function rest(follower: RunFollower): Promise<number[]> {
  const seen: number[] = [];
  for await (const batch of batches(follower)) seen.push(...batch.map((event) => event.seq));
  return seen;
}

const upTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

/** The database, with a count of the statements of the hot path that went through this door. */
function counting(): { database: Database; statements: string[] } {
  const statements: string[] = [];
  const database = new Proxy(db.database, {
    get: (target, name) => {
      if (name === 'hot') {
        return (text: string, params: unknown[]) => {
          statements.push(text);
          return target.hot(text, params);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { database, statements };
}

async function seedRuns(count: number): Promise<string[]> {
  const playbook = await seedPlaybook(db.database);
  const runs = new RunsStore(db.database);
  const made = await Promise.all(Array.from({ length: count }, () => runs.create(OWNER, newRun(playbook))));
  return made.map(({ run }) => run.id);
}

/** One event for each run, all announced by one commit. */
async function appendToAll(runIds: string[], id: string): Promise<void> {
  await db.admin.query(
    `select af_touch(r.id, r.seq, af_append(r.id, r.owner_id, r.seq, $2::json), null, r.watched_until)
       from runs r where r.id = any($1::uuid[])`,
    [runIds, JSON.stringify([{ id, type: 'step.started', payload: '{}' }])],
  );
}

describe('following a run', () => {
  it('50 branches and a reader that reconnects after every event: each event once, in order', async () => {
    const runId = await seedRun(db.database);
    const writing = Promise.all(Array.from({ length: 50 }, (_, i) => append(runId, `e${i}`))).then(() => finish(runId));
    const seen: number[] = [];
    for (let ended = false; !ended;) {
      const follower = await open(runId, seen.at(-1) ?? 0);
      const [first] = (await follower.next()) ?? [];
      seen.push(first?.seq ?? -1);
      ended = first?.type === 'complete';
      follower.close();
    }
    await writing;
    expect(seen).toEqual(upTo(51));
  });

  it('ends after the last event; who has seen it already need not follow', async () => {
    const runId = await seedRun(db.database);
    await append(runId, 'a');
    await finish(runId);
    expect(await rest(await open(runId))).toEqual([1, 2]);
    expect(await rest(await open(runId, 1))).toEqual([2]);
    expect(await feed.open({ runId, ownerId: OWNER, after: 2 })).toBeNull();
    expect(feed.size).toBe(0);
  });

  it('a log of more than a page arrives whole, and so do twenty of them', async () => {
    const runs = await seedRuns(20);
    const events = JSON.stringify(upTo(1_200).map((no) => ({ id: `e${no}`, type: 'step.started', payload: '{}' })));
    await db.admin.query(`update runs set seq = af_append(id, owner_id, 0, $2::json) where id = any($1::uuid[])`, [
      runs,
      events,
    ]);
    const reading = Promise.all(runs.map(async (runId) => rest(await open(runId))));
    await Promise.all(runs.map(finish));
    for (const seen of await reading) expect(seen).toEqual(upTo(1_201));
  });

  it('an event that is committed while the reader comes is not lost', async () => {
    const alone = await newFeed({ gatherMs: 200, idleMs: NEVER });
    for (const runId of await seedRuns(30)) {
      const [follower] = await Promise.all([open(runId, 0, alone), append(runId, 'a')]);
      expect((await follower.next())?.map((event) => event.seq)).toEqual([1]);
      follower.close();
    }
  });

  it('two processes: readers of each see every event once', async () => {
    const runId = await seedRun(db.database);
    const other = await newFeed();
    const readers = await Promise.all([open(runId), open(runId), open(runId, 0, other), open(runId, 0, other)]);
    const reading = Promise.all(readers.map(rest));
    for (let count = 0; count < 40; count += 1) await append(runId, `e${count}`);
    await finish(runId);
    for (const seen of await reading) expect(seen).toEqual(upTo(41));
  });

  it('shows nothing to others', async () => {
    const runId = await seedRun(db.database);
    await expect(feed.open({ runId, ownerId: STRANGER, after: 0 })).rejects.toMatchObject({ code: 'run_not_found' });
    await expect(feed.open({ runId: 'x', ownerId: OWNER, after: 0 })).rejects.toMatchObject({ code: 'run_not_found' });
    expect(feed.size).toBe(0);
  });
});

describe('the one reader of a process', () => {
  it('200 followers of 200 runs: a burst of events needs a statement or two, not 200', async () => {
    const { database, statements } = counting();
    const shared = await newFeed({ gatherMs: 500, idleMs: NEVER }, database);
    const runs = await seedRuns(200);
    const followers = await Promise.all(runs.map((runId) => open(runId, 0, shared)));
    for (let round = 1; round <= 3; round += 1) {
      statements.length = 0;
      const heard = Promise.all(followers.map((follower) => follower.next()));
      await appendToAll(runs, `round${round}`);
      for (const batch of await heard) expect(batch?.map((event) => event.seq)).toEqual([round]);
      // The first after a quiet time is read at once, and what its packet did not hold is gathered.
      expect(statements.length).toBeGreaterThan(0);
      expect(statements.length).toBeLessThanOrEqual(2);
    }
  });

  it('followers of one run share what is read', async () => {
    const { database, statements } = counting();
    const shared = await newFeed({ gatherMs: 50, idleMs: NEVER }, database);
    const runId = await seedRun(db.database);
    const followers = await Promise.all(Array.from({ length: 20 }, () => open(runId, 0, shared)));
    statements.length = 0;
    const heard = Promise.all(followers.map((follower) => follower.next()));
    await append(runId, 'a');
    const [first, ...others] = await heard;
    expect(first?.map((event) => event.seq)).toEqual([1]);
    others.forEach((batch) => expect(batch).toBe(first));
    expect(statements).toHaveLength(1);
  });

  it('an end is seen at once while others are gathered', async () => {
    const slow = await newFeed({ gatherMs: NEVER, idleMs: NEVER });
    const [first = '', waits = '', ends = ''] = await seedRuns(3);
    const followers = await Promise.all([first, waits, ends].map((runId) => open(runId, 0, slow)));
    const [opening, waiting, ending] = followers.map((follower) => follower.next());
    await append(first, 'a');
    await opening;
    // Gathers changes for an hour from here on.
    await append(waits, 'a');
    await finish(ends);
    expect((await ending)?.map((event) => event.type)).toEqual(['complete']);
    followers.forEach((follower) => follower.close());
    expect(await waiting).toBeNull();
  });

  it('a reader that lags delays nobody, is not read for, and misses nothing', async () => {
    const { database, statements } = counting();
    const shared = await newFeed({ gatherMs: 1, idleMs: NEVER }, database);
    const runId = await seedRun(db.database);
    const lagging = await open(runId, 0, shared);
    const quick = await open(runId, 0, shared);
    statements.length = 0;
    for (let count = 1; count <= 20; count += 1) {
      const heard = quick.next();
      await append(runId, `e${count}`);
      expect((await heard)?.map((event) => event.seq)).toEqual([count]);
    }
    expect(statements).toHaveLength(20);
    expect((await lagging.next())?.map((event) => event.seq)).toEqual(upTo(20));
    await finish(runId);
    expect(await rest(lagging)).toEqual([21]);
    expect(await rest(quick)).toEqual([21]);
  });

  it('looks at the logs of all in one statement when nothing was announced', async () => {
    const { database, statements } = counting();
    const shared = await newFeed({ gatherMs: 1, idleMs: 50 }, database);
    const runs = await seedRuns(50);
    const followers = await Promise.all(runs.map((runId) => open(runId, 0, shared)));
    await db.admin.query('update runs set watched_until = null where id = any($1::uuid[])', [runs]);
    statements.length = 0;
    const heard = followers.map((follower) => follower.next());
    await appendToAll(runs, 'unheard');
    const [first] = await Promise.all(heard);
    expect(first).toHaveLength(1);
    // Looks that came before found nothing.
    const listed = statements.filter((text) => text.includes('af_log_pages'));
    expect(listed).toHaveLength(statements.length);
    expect(new Set(listed).size).toBe(1);
  });

  it('an error of the database ends those that wait, and the feed goes on', async () => {
    let broken = false;
    const database = new Proxy(db.database, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (name === 'hot' && broken) {
          return () => target.hot('select pg_terminate_backend(pg_backend_pid())', []);
        }
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const frail = await newFeed({ gatherMs: 1, idleMs: NEVER }, database);
    const runId = await seedRun(db.database);
    const lost = (await open(runId, 0, frail)).next();
    broken = true;
    await append(runId, 'a');
    const error: unknown = await lost.catch((reason: unknown) => reason);
    expect(isDatabaseOutage(error)).toBe(true);
    expect(frail.size).toBe(0);
    broken = false;
    expect((await (await open(runId, 0, frail)).next())?.map((event) => event.seq)).toEqual([1]);
  });

  it('who leaves leaves nothing behind: no wait, no timer', async () => {
    // The pool keeps a timer for each idle connection: all are there before and after.
    const timers = async (): Promise<number> => {
      await Promise.all(upTo(10).map(() => db.database.query(SYSTEM, 'select pg_sleep(0.05)')));
      return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
    };
    const before = await timers();
    const runs = await seedRuns(20);
    const followers = await Promise.all(runs.map((runId) => open(runId)));
    const waiting = followers.map((follower) => follower.next());
    await append(runs[0] ?? '', 'a');
    expect((await waiting[0])?.length).toBe(1);
    expect(await timers()).toBe(before + 1);
    followers.forEach((follower) => follower.close());
    expect(await Promise.all(waiting.slice(1))).toEqual(runs.slice(1).map(() => null));
    expect(await followers[0]?.next()).toBeNull();
    expect(feed.size).toBe(0);
    expect(await timers()).toBe(before);
  });
});

describe('EventsStore', () => {
  const watched = (runId: string): Promise<{ watched_until: string | null }[]> =>
    db.admin.query('select watched_until from runs where id = $1', [runId]);

  it('renews the watch of many, leaves one that is locked, and tells which are closed', async () => {
    const store = new EventsStore(db.database);
    const [open = '', locked = '', closed = ''] = await seedRuns(3);
    await finish(closed);
    const outcome = await db.admin.tx(async (sql) => {
      await sql.query('select 1 from runs where id = $1 for no key update', [locked]);
      return store.renew([open, locked, closed], 120);
    });
    expect(new Map(outcome.map(({ id, ...rest }) => [id, rest]))).toEqual(
      new Map([
        [open, { renewed: true, closed: false }],
        [locked, { renewed: false, closed: false }],
        [closed, { renewed: false, closed: true }],
      ]),
    );
    expect((await watched(open))[0]?.watched_until).not.toBeNull();
    expect((await watched(closed))[0]?.watched_until).toBeNull();
  });

  it('opening tells of an event whose writer it had to wait for', async () => {
    const store = new EventsStore(db.database);
    const runId = await seedRun(db.database);
    const opening = await db.admin.tx(async (sql) => {
      await sql.query(
        `select af_touch(id, seq, af_append(id, owner_id, seq, $2::json), null, watched_until) from runs where id = $1`,
        [runId, JSON.stringify([{ id: 'a', type: 'step.started', payload: '{}' }])],
      );
      const waits = store.open({ runId, ownerId: OWNER, after: 0 }, 120, 10);
      await blocked();
      return { waits };
    });
    expect(await opening.waits).toMatchObject({ seq: 1, watched: true, page: [] });
  });

  async function blocked(): Promise<void> {
    for (let waiting = 0; waiting === 0;) {
      const rows = await db.admin.query(
        `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      waiting = rows.length;
    }
  }
});
