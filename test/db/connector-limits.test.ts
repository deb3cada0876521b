import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ConnectorBreakersStore } from '../../infra/db/stores/connector-breakers.store';
import { ConnectorLimitsStore, type Bucket, type Period } from '../../infra/db/stores/connector-limits.store';
import { Limiter } from '../../infra/connectors/runtime/limiter';
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

/** As if everything of the bucket had happened so much earlier. */
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
    const lease = (want: number) => limits.lease(of, [[period, 10]], want);
    expect(await lease(4)).toMatchObject({ granted: 4, wait_ms: 0, reason: null });
    expect(await lease(20)).toMatchObject({ granted: 6 });
    const refused = await lease(1);
    expect(refused).toMatchObject({ granted: 0, reason });
    expect(refused.wait_ms).toBeGreaterThan(length * 0.9);
    // Until the last request of the lease may have been used, and a slice of rounding.
    expect(refused.wait_ms).toBeLessThan(length * 1.3 + 10_000);
    await passes(of.key, period, refused.wait_ms);
    expect(await lease(1)).toMatchObject({ granted: 1 });
  });

  it('all limits hold together, and the longest wait counts', async () => {
    const of = bucket();
    const both = [['second', 5] as const, ['hour', 7] as const];
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
    const answers = await Promise.all(Array.from({ length: 40 }, () => limits.lease(of, [['minute', 25]], 3)));
    expect(answers.reduce((sum, { granted }) => sum + granted, 0)).toBe(25);
  });

  it('what is of different credentials is apart', async () => {
    expect(await limits.lease(bucket(), [['minute', 1]], 1)).toMatchObject({ granted: 1 });
    expect(await limits.lease(bucket(), [['minute', 1]], 1)).toMatchObject({ granted: 1 });
  });

  it('who shares an origin without a credential gets a fair share of it', async () => {
    const mine = bucket({ common: true });
    const theirs = { ...mine, ownerId: STRANGER };
    const lease = (of: Bucket, want: number) => limits.lease(of, [['minute', 10]], want);
    // Alone: all of it. Then both ask, and the one who has had much waits.
    expect(await lease(mine, 8)).toMatchObject({ granted: 8 });
    expect(await lease(theirs, 8)).toMatchObject({ granted: 2 });
    expect(await lease(mine, 1)).toMatchObject({ granted: 0 });
    await passes(mine.key, 'minute', 70_000);
    expect(await lease(mine, 8)).toMatchObject({ granted: 5 });
    expect(await lease(mine, 1)).toMatchObject({ granted: 0 });
    expect(await lease(theirs, 8)).toMatchObject({ granted: 5 });
  });

  it('nothing is leased while the source wants silence, also without limits; a shorter wish changes nothing', async () => {
    const of = bucket();
    expect(await limits.lease(of, [], 1)).toMatchObject({ granted: 1 });
    await limits.block(of, 60_000, 'rate_limited');
    await limits.block(of, 1000, 'quota_used_up');
    const refused = await limits.lease(of, [], 1);
    expect(refused).toMatchObject({ granted: 0, reason: 'rate_limited' });
    expect(refused.wait_ms).toBeGreaterThan(50_000);
  });
});

describe('the limiter of a process', () => {
  it('asks for more at once where its leases are used up before their time, and for no more than a tenth', async () => {
    const lease = jest.spyOn(limits, 'lease');
    const limiter = new Limiter(limits);
    const of = bucket();
    for (let n = 0; n < 300; n += 1) expect(await limiter.take(of, { requests_per_hour: 1_000 })).toBeUndefined();
    const wanted = lease.mock.calls.map(([, , want]) => want);
    lease.mockRestore();
    expect(wanted.length).toBeLessThan(30);
    expect(Math.max(...wanted)).toBe(100);
    // What was leased and not used is at most the last lease.
    expect(wanted.reduce((sum, want) => sum + want, 0)).toBeLessThan(400);
  });
});

describe('calls in flight', () => {
  const hold = (of: Bucket, worker: string, want: number, cap = 4) =>
    limits.hold(of, { worker, want, cap, seconds: 30 });

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
    // What was under way says nothing new.
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
