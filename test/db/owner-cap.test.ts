import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Database, owner } from '../../infra/db/database';
import { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import { OWNER_CAP, type NewRun, type RunRow } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { loginUrl } from '../support/postgres';
import { newRun, OWNER, seedPlaybook, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

const CAP = 3;
let db: TestDatabase;
/** A process that starts runs under the cap. */
let capped: Database;
let runs: RunsStore;
let open: OpenRunsStore;
beforeAll(async () => {
  db = await testDatabase();
  capped = await Database.connect({ url: loginUrl(db.url), poolSize: 10, ownerRunningCap: CAP });
  runs = new RunsStore(capped);
  open = new OpenRunsStore(capped);
});
afterAll(async () => {
  await capped.close();
  await db.close();
});

const held = (run: RunRow): boolean => run.status_code === OWNER_CAP;

/** Ends all runs: each test begins with room. */
async function quiet(): Promise<void> {
  await db.admin.query(`update runs set status = 'complete', status_code = null, waits = '[]'`);
}

async function startMany(ownerId: string, count: number, more: Partial<NewRun> = {}): Promise<RunRow[]> {
  const playbook = await seedPlaybook(db.database, ownerId);
  const made = await Promise.all(
    Array.from({ length: count }, () => runs.create(ownerId, newRun(playbook, { ...more, id: randomUUID() }))),
  );
  return made.map(({ run }) => run);
}

const setStatus = (runId: string, status: string): Promise<unknown> =>
  db.admin.query('update runs set status = $2 where id = $1', [runId, status]);
const finish = (runId: string): Promise<unknown> =>
  new TransitionsStore(db.database).finish(runId, { status: 'complete', events: [] });

describe('the cap on running runs of one owner', () => {
  it('many starts at once of two owners: exactly so many of each are let through, the rest is pending with the reason', async () => {
    await quiet();
    const both = await Promise.all([startMany(OWNER, 25), startMany(STRANGER, 25)]);
    for (const made of both) {
      expect(made.filter((run) => !held(run))).toHaveLength(CAP);
      expect(made.every((run) => run.status === 'pending')).toBe(true);
      const waiting = made.find(held);
      expect(waiting).toMatchObject({
        waits: [
          { kind: 'owner_cap', code: 'owner_cap', since: expect.any(String), until: null, message: expect.any(String) },
        ],
      });
    }
    const pending = await open.pending(0, 1_000);
    expect(pending).toHaveLength(2 * CAP);
    expect(pending.some(held)).toBe(false);
  });

  it('runs that wait for a person do not count, and those that run do', async () => {
    await quiet();
    const made = await startMany(OWNER, CAP);
    expect(made.some(held)).toBe(false);
    const [a, b, c] = made.map((run) => run.id);
    await setStatus(a ?? '', 'waiting_approval');
    await setStatus(b ?? '', 'running');
    await setStatus(c ?? '', 'paused');
    const next = await startMany(OWNER, CAP);
    expect(next.filter(held)).toHaveLength(1);
  });

  it('is let go oldest first, only when there is room, and nobody overtakes', async () => {
    await quiet();
    const first = await startMany(OWNER, CAP);
    const waiting: string[] = [];
    for (let count = 0; count < 4; count += 1) waiting.push(...(await startMany(OWNER, 1)).map((run) => run.id));
    expect(await open.ownersHeld(10)).toEqual([OWNER]);
    expect(await open.release(OWNER, CAP)).toEqual([]);
    await finish(first[0]?.id ?? '');
    // Room, but others were there before.
    const [late] = await startMany(OWNER, 1);
    expect(late !== undefined && held(late)).toBe(true);
    const [released, ...more] = await open.release(OWNER, CAP);
    expect(more).toEqual([]);
    expect(released).toMatchObject({ id: waiting[0], status: 'pending', status_code: null, waits: [] });
    await finish(first[1]?.id ?? '');
    await finish(first[2]?.id ?? '');
    expect((await open.release(OWNER, CAP)).map((run) => run.id)).toEqual(waiting.slice(1, 3));
    await quiet();
    expect(await open.ownersHeld(10)).toEqual([]);
  });

  it('two sweepers and new starts at the same time: never more than the cap', async () => {
    await quiet();
    const first = await startMany(OWNER, CAP);
    await startMany(OWNER, 10);
    await Promise.all(first.map((run) => finish(run.id)));
    const [one, two, late] = await Promise.all([
      open.release(OWNER, CAP),
      new OpenRunsStore(db.database).release(OWNER, CAP),
      startMany(OWNER, 5),
    ]);
    expect(one.length + two.length).toBe(CAP);
    expect(late.every(held)).toBe(true);
  });

  it('a run that is cancelled needs no room; a child and a process without a cap are never held', async () => {
    await quiet();
    const [parent] = await startMany(OWNER, CAP);
    const [waits] = await startMany(OWNER, 1);
    const place = { run_id: parent?.id ?? '', step_path: 'a', root_run_id: parent?.id ?? '', depth: 1 };
    const [child] = await startMany(OWNER, 1, { parent: place });
    expect([waits, child].map((run) => run !== undefined && held(run))).toEqual([true, false]);
    const free = await new RunsStore(db.database).create(OWNER, newRun(await seedPlaybook(db.database)));
    expect(held(free.run)).toBe(false);
    await runs.setControl(OWNER, waits?.id ?? '', 'cancel');
    expect((await open.release(OWNER, CAP)).map((run) => run.id)).toEqual([waits?.id]);
  });

  it('a repeated start and a retry meet it as well', async () => {
    await quiet();
    const playbook = await seedPlaybook(db.database);
    const [done] = await startMany(OWNER, 1);
    await finish(done?.id ?? '');
    await startMany(OWNER, CAP);
    const request = newRun(playbook, { idempotency: { key: randomUUID(), hash: 'h' } });
    const made = await runs.create(OWNER, request);
    const again = await runs.create(OWNER, { ...request, id: randomUUID() });
    expect({ held: held(made.run), again: again.run.id }).toEqual({ held: true, again: made.run.id });
    const id = randomUUID();
    const [retry] = await capped.query<{ made: boolean }>(owner(OWNER), 'select app_retry_run($1) as made', [
      JSON.stringify({ id, run: done?.id }),
    ]);
    expect(retry).toEqual({ made: true });
    expect(held(await runs.require(OWNER, id))).toBe(true);
  });
});
