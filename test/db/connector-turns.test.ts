import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ConnectorLimitsStore, type Bucket, type Limit } from '../../infra/db/stores/connector-limits.store';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let limits: ConnectorLimitsStore;
beforeAll(async () => {
  db = await testDatabase();
  limits = new ConnectorLimitsStore(db.database);
});
afterAll(() => db?.close());

/** Two owners at one origin of which the catalogue says nothing. */
function shared(): { greedy: Bucket; modest: Bucket } {
  const greedy = { key: randomUUID(), ownerId: OWNER, common: true, origin: 'https://api.example' };
  return { greedy, modest: { ...greedy, ownerId: STRANGER } };
}
const lease = (of: Bucket, want: number, own: Limit[] = [], shipped: Limit[] = []) =>
  limits.lease(of, { own, shipped }, want);
const refuses = (of: Bucket) => limits.block(of, 60_000, 'rate_limited');
/** The time that the source asked for is over. */
const opens = ({ key }: Bucket) =>
  db.admin.query(`update connector_buckets set blocked_until = now() - interval '1 ms' where key = $1`, [key]);
/** `of` asked while the source wanted silence, and comes again in a minute. */
async function waits(of: Bucket, times = 1): Promise<void> {
  expect(await lease(of, 1)).toMatchObject({ granted: 0, reason: 'rate_limited' });
  for (let n = 0; n < times; n += 1) await limits.awaitTurn(of, 60_000);
}

describe('after a source refused, owners who share it', () => {
  it('take turns: a burst gets one request, and the next when the owner that was held back had theirs', async () => {
    const { greedy, modest } = shared();
    expect(await lease(greedy, 50)).toMatchObject({ granted: 50, limited: false });
    await refuses(greedy);
    await limits.awaitTurn(greedy, 60_000);
    await waits(modest);
    await opens(greedy);
    expect(await lease(greedy, 50)).toMatchObject({ granted: 1, limited: true });
    const held = await lease(greedy, 49);
    expect(held).toMatchObject({ granted: 0, reason: 'rate_limited' });
    expect(held.wait_ms).toBeGreaterThan(0);
    expect(held.wait_ms).toBeLessThanOrEqual(4000);
    expect(await lease(modest, 1)).toMatchObject({ granted: 1 });
    expect(await lease(greedy, 49)).toMatchObject({ granted: 49 });
  });

  it('take them also where the other has several to send', async () => {
    const { greedy, modest } = shared();
    await refuses(greedy);
    await waits(modest, 3);
    await opens(greedy);
    const got: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      expect(await lease(greedy, 50)).toMatchObject({ granted: 1 });
      expect(await lease(greedy, 50)).toMatchObject({ granted: 0 });
      const { granted } = await lease(modest, 1);
      got.push(...Array<string>(granted).fill('modest'));
    }
    expect(got).toEqual(['modest', 'modest', 'modest']);
    expect(await lease(greedy, 50)).toMatchObject({ granted: 50 });
  });

  it('wait for nobody beyond the time at which they would have come', async () => {
    const { greedy, modest } = shared();
    await refuses(greedy);
    await waits(modest);
    await opens(greedy);
    expect(await lease(greedy, 9)).toMatchObject({ granted: 1 });
    expect(await lease(greedy, 9)).toMatchObject({ granted: 0 });
    await db.admin.query(`update connector_askers set back_until = now() - interval '1 ms' where key = $1`, [
      greedy.key,
    ]);
    expect(await lease(greedy, 9)).toMatchObject({ granted: 9 });
  });

  it('have none by a request that was refused: where one passes at a time, they alternate', async () => {
    const { greedy, modest } = shared();
    await refuses(greedy);
    const served: string[] = [];
    for (let round = 0; round < 6; round += 1) {
      await waits(modest, 1);
      await waits(greedy, 1);
      await opens(greedy);
      // Greedy is always the first to ask; whoever comes second is refused by the source.
      let open = true;
      for (const [name, of] of [
        ['greedy', greedy],
        ['modest', modest],
      ] as const) {
        const { granted } = await lease(of, 1);
        if (granted === 0) continue;
        if (open) served.push(name);
        else await refuses(of);
        open = false;
      }
      await refuses(open ? greedy : served.at(-1) === 'greedy' ? modest : greedy);
    }
    expect(served.filter((name) => name === 'modest').length).toBeGreaterThanOrEqual(2);
    expect(served.join(' ')).not.toContain('greedy greedy greedy');
  });

  it('begin where the others are: an owner that comes later is not owed what they never asked for', async () => {
    const { greedy, modest } = shared();
    await refuses(greedy);
    await opens(greedy);
    expect(await lease(greedy, 500)).toMatchObject({ granted: 500 });
    await refuses(greedy);
    await limits.awaitTurn(greedy, 60_000);
    await waits(modest, 100);
    await opens(greedy);
    // A few, however many the other had before.
    const { granted } = await lease(modest, 100);
    expect(granted).toBeLessThanOrEqual(5);
    expect(await lease(greedy, 1)).toMatchObject({ granted: 1 });
  });

  it('do not wait for one who is held back by their own definition alone', async () => {
    const { greedy, modest } = shared();
    await refuses(greedy);
    await opens(greedy);
    expect(await lease(modest, 1, [['hour', 1]])).toMatchObject({ granted: 1 });
    expect(await lease(modest, 1, [['hour', 1]])).toMatchObject({ granted: 0 });
    await limits.awaitTurn(modest, 3_600_000);
    expect(await lease(greedy, 20)).toMatchObject({ granted: 20 });
    expect(await lease(greedy, 20)).toMatchObject({ granted: 20 });
  });

  it('are free of it when the source has been quiet for a while', async () => {
    const { greedy, modest } = shared();
    await refuses(greedy);
    await waits(modest);
    await opens(greedy);
    await db.admin.query(`update connector_buckets set turns_until = now() - interval '1 ms' where key = $1`, [
      greedy.key,
    ]);
    expect(await lease(greedy, 50)).toMatchObject({ granted: 50, limited: false });
  });
});

describe('turns are not for', () => {
  it('an origin of which the catalogue says how much in all: there each has their share', async () => {
    const { greedy, modest } = shared();
    await refuses(greedy);
    await waits(modest);
    await opens(greedy);
    expect(await lease(greedy, 50, [], [['minute', 10]])).toMatchObject({ granted: 5 });
  });

  it('what is asked for with a credential: that is one owner’s alone', async () => {
    const alone = { ...shared().greedy, common: false };
    await refuses(alone);
    await opens(alone);
    expect(await lease(alone, 50)).toMatchObject({ granted: 50, limited: false });
    expect(await db.admin.query('select 1 from connector_askers where key = $1', [alone.key])).toEqual([]);
  });
});
