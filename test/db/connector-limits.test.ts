import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ConnectorBreakersStore } from '../../infra/db/stores/connector-breakers.store';
import {
  ConnectorLimitsStore,
  type Bucket,
  type Limit,
  type Period,
  type SlotRequest,
} from '../../infra/db/stores/connector-limits.store';
import { Limiter } from '../../connectors/runtime/limits/limiter';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let limits: ConnectorLimitsStore;
beforeAll(async () => {
  db = await testDatabase();
  limits = new ConnectorLimitsStore(db.database);
});
afterAll(() => db?.close());

function bucket(more: Partial<Bucket> = {}): Bucket {
  return { key: randomUUID(), ownerId: OWNER, common: false, origin: 'https://api.example', ...more };
}

const own = (...limits: Limit[]) => ({ own: limits, shipped: [] });

async function anotherOwner(): Promise<string> {
  const id = randomUUID();
  await db.admin.query(`insert into users (id, handle, display_name) values ($1, $2, 'Another')`, [
    id,
    `h${id.slice(0, 8)}`,
  ]);
  return id;
}

/** Moves all events of the bucket into the past. */
async function passes(key: string, period: Period, ms: number): Promise<void> {
  await db.admin.query(
    `update connector_bucket_use set slice = slice - ceil($2::numeric / (af_period(period)).slice)
      where key = $1 and period = $3`,
    [key, ms, period],
  );
}

describe('leases of requests', () => {
  it.each<[Period, number, string]>([
    ['second', 1000, 'rate_limited'],
    ['minute', 60_000, 'rate_limited'],
    ['hour', 3_600_000, 'rate_limited'],
    ['day', 86_400_000, 'quota_used_up'],
    ['month', 2_592_000_000, 'quota_used_up'],
  ])('a %s gives no more than its cap, and says when there is more', async (period, length, reason) => {
    const of = bucket();
    const lease = (want: number) => limits.lease(of, own([period, 10]), want);
    expect(await lease(4)).toMatchObject({ granted: 4, wait_ms: 0, reason: null });
    expect(await lease(20)).toMatchObject({ granted: 6 });
    const refused = await lease(1);
    expect(refused).toMatchObject({ granted: 0, reason });
    expect(refused.wait_ms).toBeGreaterThan(length * 0.9);
    // Limit: until the last request of the lease may have been used, plus rounding.
    expect(refused.wait_ms).toBeLessThan(length * 1.3 + 10_000);
    await passes(of.key, period, refused.wait_ms);
    expect(await lease(1)).toMatchObject({ granted: 1 });
  });

  it('all limits hold together, and the longest wait counts', async () => {
    const of = bucket();
    const both = own(['second', 5], ['hour', 7]);
    expect(await limits.lease(of, both, 10)).toMatchObject({ granted: 5 });
    await passes(of.key, 'second', 2000);
    expect(await limits.lease(of, both, 10)).toMatchObject({ granted: 2 });
    await passes(of.key, 'second', 2000);
    const refused = await limits.lease(of, both, 1);
    expect(refused).toMatchObject({ granted: 0, reason: 'rate_limited' });
    expect(refused.wait_ms).toBeGreaterThan(3_000_000);
  });

  it('many workers at once get the cap together, not each', async () => {
    const of = bucket();
    const answers = await Promise.all(Array.from({ length: 40 }, () => limits.lease(of, own(['minute', 25]), 3)));
    expect(answers.reduce((sum, { granted }) => sum + granted, 0)).toBe(25);
  });

  it('what is of different credentials is apart', async () => {
    expect(await limits.lease(bucket(), own(['minute', 1]), 1)).toMatchObject({ granted: 1 });
    expect(await limits.lease(bucket(), own(['minute', 1]), 1)).toMatchObject({ granted: 1 });
  });

  it('who shares an origin without a credential gets a fair share of it', async () => {
    const mine = bucket({ common: true });
    const theirs = { ...mine, ownerId: STRANGER };
    const lease = (of: Bucket, want: number) => limits.lease(of, { own: [], shipped: [['minute', 10]] }, want);
    // Alone: all of it. Then both ask, and the one who has had much waits.
    expect(await lease(mine, 8)).toMatchObject({ granted: 8 });
    expect(await lease(theirs, 8)).toMatchObject({ granted: 2 });
    expect(await lease(mine, 1)).toMatchObject({ granted: 0 });
    await passes(mine.key, 'minute', 70_000);
    expect(await lease(mine, 8)).toMatchObject({ granted: 5 });
    expect(await lease(mine, 1)).toMatchObject({ granted: 0 });
    expect(await lease(theirs, 8)).toMatchObject({ granted: 5 });
  });

  it('a definition limits its own owner alone, however little it allows', async () => {
    const mean = bucket({ common: true });
    const other = { ...mean, ownerId: STRANGER };
    const nothing = own(['day', 1], ['minute', 1], ['concurrency', 1]);
    expect(await limits.lease(mean, nothing, 5)).toMatchObject({ granted: 1, limited: true });
    expect(await limits.lease(mean, nothing, 5)).toMatchObject({ granted: 0 });
    expect(await limits.lease(other, own(['minute', 100]), 50)).toMatchObject({ granted: 50, slots: null });
    expect(await limits.lease(other, own(['minute', 100]), 100)).toMatchObject({ granted: 50 });
    const none = { ...mean, ownerId: await anotherOwner() };
    expect(await limits.lease(none, own(), 500)).toMatchObject({ granted: 500, limited: false, slots: null });
  });

  it('where the catalogue says nothing, what the source says holds for all', async () => {
    const mine = bucket({ common: true });
    const theirs = { ...mine, ownerId: STRANGER };
    expect(await limits.lease(theirs, own(), 1)).toMatchObject({ granted: 1 });
    await limits.block(mine, 60_000, 'rate_limited');
    expect(await limits.lease(theirs, own(), 1)).toMatchObject({ granted: 0, reason: 'rate_limited' });
  });

  it('what the catalogue says of an origin counts alone; a definition lowers it only for its owner', async () => {
    const mine = bucket({ common: true });
    const theirs = { ...mine, ownerId: STRANGER };
    const lease = (of: Bucket, cap: number, want: number) =>
      limits.lease(of, { own: [['minute', cap]], shipped: [['minute', 40]] }, want);
    expect(await lease(mine, 2, 30)).toMatchObject({ granted: 2 });
    expect(await lease(theirs, 1000, 30)).toMatchObject({ granted: 20 });
    expect(await lease(mine, 2, 30)).toMatchObject({ granted: 0 });
  });

  it('nothing is leased while the source wants silence, also without limits; a shorter wish changes nothing', async () => {
    const of = bucket();
    expect(await limits.lease(of, own(), 1)).toMatchObject({ granted: 1, limited: false, slots: null });
    await limits.block(of, 60_000, 'rate_limited');
    await limits.block(of, 1000, 'quota_used_up');
    const refused = await limits.lease(of, own(), 1);
    expect(refused).toMatchObject({ granted: 0, reason: 'rate_limited' });
    expect(refused.wait_ms).toBeGreaterThan(50_000);
  });
});

describe('the limiter of a process', () => {
  it('asks for more at once where its leases are used up before their time, and for no more than a tenth', async () => {
    const lease = jest.spyOn(limits, 'lease');
    const limiter = new Limiter(limits, () => Promise.resolve(undefined));
    const of = bucket();
    for (let n = 0; n < 300; n += 1)
      expect(await limiter.take(of, { requests_per_hour: 1_000 })).toEqual({ slots: undefined });
    const wanted = lease.mock.calls.map(([, , want]) => want);
    lease.mockRestore();
    expect(wanted.length).toBeLessThan(30);
    expect(Math.max(...wanted)).toBe(100);
    // Unused leased requests are at most the last lease.
    expect(wanted.reduce((sum, want) => sum + want, 0)).toBeLessThan(400);
  });
});

describe('calls in flight', () => {
  const hold = (of: Bucket, worker: string, want: number, more: Partial<SlotRequest> = {}) =>
    limits.hold(of, { worker, want, used: 0, cap: 4, commonCap: undefined, seconds: 30, ...more });

  it('are shared by workers, given back, and end with a worker that died', async () => {
    const of = bucket();
    expect(await hold(of, 'a', 3)).toBe(3);
    expect(await hold(of, 'b', 3)).toBe(1);
    expect(await hold(of, 'a', 1)).toBe(1);
    expect(await hold(of, 'b', 3)).toBe(3);
    expect(await hold(of, 'a', 4)).toBe(1);
    await db.admin.query(`update connector_slots set expires_at = now() - interval '1 s' where worker = 'b'`);
    expect(await hold(of, 'a', 4)).toBe(4);
    expect(await hold(of, 'a', 0)).toBe(0);
    expect(await hold(of, 'c', 9)).toBe(4);
  });

  it('of an origin are shared by owners: nobody holds them all while others want some', async () => {
    const mine = bucket({ common: true });
    const theirs = { ...mine, ownerId: STRANGER };
    const all = { cap: 100, commonCap: 4 };
    // Alone: all of them, in whichever worker.
    expect(await hold(mine, 'a', 3, all)).toBe(3);
    expect(await hold(mine, 'b', 3, all)).toBe(1);
    expect(await hold(theirs, 'a', 3, all)).toBe(0);
    // Gives back all places that are not in use, down to the share, when somebody waits.
    expect(await hold(mine, 'a', 3, { ...all, used: 1 })).toBe(1);
    expect(await hold(theirs, 'a', 3, all)).toBe(2);
    expect(await hold(mine, 'a', 3, { ...all, used: 1 })).toBe(1);
  });

  it('what is under way is not taken away, and not counted twice', async () => {
    const mine = bucket({ common: true });
    const theirs = { ...mine, ownerId: STRANGER };
    const one = { cap: 100, commonCap: 1 };
    expect(await hold(mine, 'a', 1, one)).toBe(1);
    expect(await hold(theirs, 'b', 1, one)).toBe(0);
    // Keeps the place taken, although it may not be used again.
    expect(await hold(mine, 'a', 2, { ...one, used: 1 })).toBe(0);
    expect(await hold(theirs, 'b', 1, one)).toBe(0);
    // The call is over, the next one waits: now it is the other's turn, and then ours again.
    expect(await hold(mine, 'a', 1, one)).toBe(0);
    expect(await hold(theirs, 'b', 1, one)).toBe(1);
    expect(await hold(theirs, 'b', 1, one)).toBe(0);
    expect(await hold(mine, 'a', 1, one)).toBe(1);
  });

  it('an owner’s own cap holds for that owner, in all workers', async () => {
    const mine = bucket({ common: true });
    expect(await hold(mine, 'a', 5, { cap: 2, commonCap: 10 })).toBe(2);
    expect(await hold(mine, 'b', 5, { cap: 2, commonCap: 10 })).toBe(0);
    expect(await hold({ ...mine, ownerId: STRANGER }, 'b', 9, { cap: undefined, commonCap: 10 })).toBe(5);
  });

  it('an origin has as many as the catalogue says; without it only each owner has their own', async () => {
    const of = bucket({ common: true });
    const lease = (asked: Bucket, mine: number, shipped: Limit[] = []) =>
      limits.lease(asked, { own: [['concurrency', mine]], shipped }, 1);
    expect(await lease(of, 7)).toMatchObject({ slots: null, limited: false });
    expect(await lease({ ...of, ownerId: STRANGER }, 90)).toMatchObject({ slots: null });
    expect(await lease(of, 7, [['concurrency', 30]])).toMatchObject({ slots: 30 });
    const alone = { cap: 7, commonCap: undefined };
    expect(await hold(of, 'a', 9, alone)).toBe(7);
    expect(await hold({ ...of, ownerId: STRANGER }, 'a', 9, { ...alone, cap: 90 })).toBe(9);
  });
});

describe('a breaker', () => {
  const rules = { threshold: 3, openSeconds: 5, probeSeconds: 30 };
  const workers = () => ['a', 'b'].map((name) => new ConnectorBreakersStore(db.database, name, rules));
  const breaker = () => ({ key: randomUUID(), ownerId: OWNER, origin: 'https://api.example' });
  const over = (key: string) =>
    db.admin.query(`update connector_breakers set open_until = now() - interval '1 ms' where key = $1`, [key]);

  it('opens after failures in a row, wherever they were, and a success counts from the beginning', async () => {
    const [a, b] = workers();
    const of = breaker();
    expect(await a!.act(of, 'look')).toMatchObject({ state: 'closed', failures: 0 });
    await a!.act(of, 'failed');
    await b!.act(of, 'failed');
    expect(await a!.act(of, 'ok')).toMatchObject({ state: 'closed', failures: 0 });
    await a!.act(of, 'failed');
    await b!.act(of, 'failed');
    expect(await b!.act(of, 'look')).toMatchObject({ state: 'closed', failures: 2 });
    const open = await a!.act(of, 'failed');
    expect(open).toMatchObject({ state: 'open', failures: 3 });
    expect(open.wait_ms).toBeGreaterThan(4000);
    expect(await b!.act(of, 'look')).toMatchObject({ state: 'open' });
    // Results of calls that were already under way change nothing.
    expect(await b!.act(of, 'failed')).toMatchObject({ failures: 3 });
  });

  it('lets one try when its time is over; a failure opens it for longer, a success closes it', async () => {
    const [a, b] = workers();
    const of = breaker();
    for (let n = 0; n < 3; n += 1) await a!.act(of, 'failed');
    expect(await a!.act(of, 'probe')).toMatchObject({ mine: false, state: 'open' });
    await over(of.key);
    expect(await a!.act(of, 'look')).toMatchObject({ state: 'half_open' });
    const tries = await Promise.all([...workers(), ...workers()].map((worker) => worker.act(of, 'probe')));
    expect(tries.filter(({ mine }) => mine)).toHaveLength(1);
    expect(await b!.act(of, 'look')).toMatchObject({ state: 'probing' });
    await db.admin.query(`update connector_breakers set probe_worker = 'a' where key = $1`, [of.key]);
    const again = await a!.act(of, 'failed');
    expect(again.state).toBe('open');
    expect(again.wait_ms).toBeGreaterThan(9000);
    await over(of.key);
    expect(await b!.act(of, 'probe')).toMatchObject({ mine: true });
    expect(await b!.act(of, 'ok')).toMatchObject({ state: 'closed', failures: 0 });
  });

  it('whoever tries and dies holds it for the time of the lease', async () => {
    const [a, b] = workers();
    const of = breaker();
    for (let n = 0; n < 3; n += 1) await a!.act(of, 'failed');
    await over(of.key);
    expect(await a!.act(of, 'probe')).toMatchObject({ mine: true });
    expect(await b!.act(of, 'probe')).toMatchObject({ mine: false });
    await db.admin.query(`update connector_breakers set probe_until = now() - interval '1 ms' where key = $1`, [
      of.key,
    ]);
    expect(await b!.act(of, 'probe')).toMatchObject({ mine: true });
  });
});
