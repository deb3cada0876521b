import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EventsStore } from '../../infra/db/stores/events.store';
import { logRunEnds } from '../../infra/log/run-lines';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, testDatabase, type TestDatabase } from './db-fixture';
import { openEnds } from '../support/open-ends';

let db: TestDatabase;
let runs: RunsStore;
let transitions: TransitionsStore;
beforeAll(async () => {
  db = await testDatabase();
  runs = new RunsStore(db.database);
  transitions = new TransitionsStore(db.database);
}, 60_000);
afterAll(() => db.close());

const WAITS_FOR_A_LOCK = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

/** A run below another one, as an activity of that one makes it. */
async function below(parentId: string): Promise<string> {
  const parent = await runs.require(OWNER, parentId);
  const { run } = await runs.create(OWNER, {
    id: randomUUID(),
    playbook_id: parent.playbook_id,
    playbook_version_id: parent.playbook_version_id,
    playbook_slug: parent.playbook_slug,
    playbook_name: parent.playbook_name,
    inputs: {},
    run_context: parent.run_context,
    approval_policy: parent.approval_policy,
    invoked_by: 'playbook',
    clock: parent.clock,
    parent: { run_id: parentId, step_path: 'sub', root_run_id: parent.root_run_id, depth: parent.depth + 1 },
    idempotency: { key: randomUUID(), hash: 'child' },
  });
  return run.id;
}
async function tree(): Promise<[string, string, string]> {
  const root = await seedRun(db.database);
  const child = await below(root);
  return [root, child, await below(child)];
}
const standing = async (ids: string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await runs.require(OWNER, id)).control));

describe('a pause', () => {
  it('reaches all levels in one transaction, and so does the end of it', async () => {
    const ids = await tree();
    await runs.setControl(OWNER, ids[0], 'pause');
    expect(await standing(ids)).toEqual(['pause', 'pause', 'pause']);
    expect((await runs.require(OWNER, ids[2])).paused_by).toBe(ids[0]);
    expect((await runs.openBelow(OWNER, ids[0])).toSorted()).toEqual(ids.slice(1).toSorted());
    await expect(runs.setControl(OWNER, ids[1], 'run')).rejects.toMatchObject({ code: 'parent_paused' });
    await runs.setControl(OWNER, ids[0], 'run');
    expect(await standing(ids)).toEqual(['run', 'run', 'run']);
    expect((await runs.require(OWNER, ids[2])).paused_by).toBeNull();
  });

  it('is there for a run that comes into being below it, and leaves what is above alone', async () => {
    const [root, child] = await tree();
    await runs.setControl(OWNER, child, 'pause');
    const late = await below(child);
    expect(await standing([root, child, late])).toEqual(['run', 'pause', 'pause']);
    expect((await runs.require(OWNER, late)).paused_by).toBe(child);
  });

  it('misses no run that comes into being at the same moment', async () => {
    for (let at = 0; at < 10; at += 1) {
      const [root, child] = await tree();
      const [, ...made] = await Promise.all([
        runs.setControl(OWNER, root, 'pause'),
        below(root),
        below(child),
        below(child),
      ]);
      expect(await standing(made)).toEqual(['pause', 'pause', 'pause']);
    }
  });

  it('holds for a run below that somebody resumes at the same moment', async () => {
    const [root, child] = await tree();
    let resumed: Promise<unknown> = Promise.resolve();
    await db.admin.tx(async (sql) => {
      await sql.query(`update runs set control = 'pause' where id = $1`, [root]);
      resumed = runs.setControl(OWNER, child, 'run').catch((error: unknown) => error);
      while ((await db.admin.query(WAITS_FOR_A_LOCK)).length === 0);
    });
    expect(await resumed).toMatchObject({ code: 'parent_paused' });
    expect(await standing([root, child])).toEqual(['pause', 'pause']);
  });

  it('whoever orders it: also where a share was lost', async () => {
    const ids = await tree();
    await db.admin.query(`update runs set control = 'pause', revoked_at = now() where id = $1`, [ids[0]]);
    expect(await standing(ids)).toEqual(['pause', 'pause', 'pause']);
  });
});

describe('the end of a run', () => {
  const step = (path: string, type: string, no: number): object => ({
    id: `${path}:${no}`,
    type,
    step_path: path,
    payload: { step: path, text: 'a \u0000 b' },
  });

  it('closes what is open, before the last event, and cancels what it started', async () => {
    const [root, child, grandchild] = await tree();
    await transitions.apply(child, { patch: { no: 1, status: 'running', waits: [], steps_done: 0, steps_total: 1 } });
    const events = [
      step('done', 'step.started', 1),
      step('done', 'step.finished', 2),
      step('gate', 'step.waiting', 3),
      step('list[2]/call', 'step.started', 4),
      step('tried', 'step.attempt_failed', 5),
      step('sub', 'child.started', 6),
      step('not', 'step.skipped', 7),
    ];
    await transitions.apply(root, { events: events as never });
    await transitions.closeFromOutside({ id: root, playbook_name: 'p' }, 'failed', 'workflow_terminated', 'gone');
    const log = await new EventsStore(db.database).listAfter(root, OWNER, 0, 100);
    expect(log.slice(-7).map(({ type, step_path: path, payload }) => [type, path, payload.status])).toEqual([
      ['step.skipped', 'not', undefined],
      ['run.status', null, 'failed'],
      ['step.finished', 'gate', 'cancelled'],
      ['step.finished', 'list[2]/call', 'cancelled'],
      ['step.finished', 'tried', 'failed'],
      ['step.finished', 'sub', 'cancelled'],
      ['complete', null, 'failed'],
    ]);
    expect(log.at(-4)?.payload).toMatchObject({ step: 'call', error: { code: 'run_closed' } });
    expect(await standing([child])).toEqual(['cancel']);
    // Running child: its own workflow ends it. A child that has not begun ends with its caller.
    expect(await openEnds(db.admin, [root])).toEqual([`child ${child} (running) of ${root}`]);
    const own = await runs.require(OWNER, child);
    const end = {
      status: 'cancelled' as const,
      events: [{ id: 'e', type: 'complete' as const, payload: {} }],
      journal: { summary: 'cancelled', outputs_produced: [] },
    };
    const answer = await transitions.finish(child, end);
    const told: object[] = [];
    logRunEnds({ info: (fields) => void told.push(fields) }, own, answer, end);
    expect(told).toMatchObject([
      { event: 'run.ended', runId: child, status: 'cancelled', ms: expect.any(Number) },
      {
        event: 'run.ended',
        runId: grandchild,
        owner: OWNER,
        status: 'cancelled',
        code: 'cancelled',
        ms: expect.any(Number),
      },
    ]);
    // Said once: the end of a run is the first one.
    logRunEnds({ info: (fields) => void told.push(fields) }, own, await transitions.finish(child, end), end);
    expect(told).toHaveLength(2);
    expect(await runs.require(OWNER, grandchild)).toMatchObject({ status: 'cancelled', status_code: 'cancelled' });
    expect(await openEnds(db.admin, [root])).toEqual([]);
    const ended = await new EventsStore(db.database).listAfter(grandchild, OWNER, 0, 100);
    expect(ended.map(({ type, payload }) => [type, payload.status])).toEqual([
      ['run.status', 'cancelled'],
      ['complete', 'cancelled'],
    ]);
    const kept = await db.admin.query('select summary from journal_entries where run_id = $1', [grandchild]);
    expect(kept).toHaveLength(1);
  });
});
