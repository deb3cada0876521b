import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { newRun, OWNER, seedPlaybook, seedRun, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let runs: RunsStore;
let open: OpenRunsStore;
let transitions: TransitionsStore;
let playbook: { playbookId: string; versionId: string };

beforeAll(async () => {
  db = await testDatabase();
  runs = new RunsStore(db.database);
  open = new OpenRunsStore(db.database);
  transitions = new TransitionsStore(db.database);
  playbook = await seedPlaybook(db.database);
});
afterAll(() => db.close());

const age = (runId: string, seconds: number) =>
  db.admin.query('update runs set created_at = created_at - make_interval(secs => $2) where id = $1', [runId, seconds]);

describe('creating a run', () => {
  it('writes what was given, with the defaults of a new run', async () => {
    const inputs = { z: 'a\u0000b', a: [1, { b: null }] };
    const { run, created } = await runs.create(
      OWNER,
      newRun(playbook, { inputs, query: 'nul \u0000', connectors: { fec: 'v1' } }),
    );
    expect(created).toBe(true);
    expect(run).toMatchObject({
      status: 'pending',
      control: 'run',
      seq: 0,
      waits: [],
      inputs,
      query: 'nul \ufffd',
      connectors: { fec: 'v1' },
      root_run_id: run.id,
      depth: 0,
      invoked_by: 'api',
    });
    expect(run.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    expect(await runs.get(OWNER, run.id)).toEqual(run);
  });

  it('the same key and body give the same run, 20 times at once', async () => {
    const idempotency = { key: randomUUID(), hash: 'h1' };
    const all = await Promise.all(
      Array.from({ length: 20 }, () => runs.create(OWNER, newRun(playbook, { idempotency }))),
    );
    expect(new Set(all.map(({ run }) => run.id)).size).toBe(1);
    expect(all.filter(({ created }) => created)).toHaveLength(1);
  });

  it('F28b: the same key with another body is refused, F28c: also a day later', async () => {
    const key = randomUUID();
    const { run } = await runs.create(OWNER, newRun(playbook, { idempotency: { key, hash: 'h1' } }));
    await age(run.id, 90_000);
    await expect(runs.create(OWNER, newRun(playbook, { idempotency: { key, hash: 'h2' } }))).rejects.toMatchObject({
      code: 'idempotency_mismatch',
      category: 'validation',
    });
    expect((await runs.create(OWNER, newRun(playbook, { idempotency: { key, hash: 'h1' } }))).run.id).toBe(run.id);
  });

  it('keys of two owners do not meet', async () => {
    const idempotency = { key: randomUUID(), hash: 'h1' };
    const mine = await runs.create(OWNER, newRun(playbook, { idempotency }));
    const other = await runs.create(STRANGER, newRun(await seedPlaybook(db.database, STRANGER), { idempotency }));
    expect(other.created).toBe(true);
    expect(other.run.id).not.toBe(mine.run.id);
  });

  it('a child with a derived id is written once', async () => {
    const parent = await seedRun(db.database);
    const child = newRun(playbook, { parent: { run_id: parent, step_path: 'sub', root_run_id: parent, depth: 1 } });
    expect((await runs.create(OWNER, child)).created).toBe(true);
    expect((await runs.create(OWNER, child)).created).toBe(false);
    expect((await runs.children(OWNER, parent)).map((run) => [run.id, run.depth, run.root_run_id])).toEqual([
      [child.id, 1, parent],
    ]);
  });
});

describe('reading runs', () => {
  it('shows nothing of others', async () => {
    const runId = await seedRun(db.database);
    expect(await runs.get(STRANGER, runId)).toBeNull();
    expect((await runs.list(STRANGER, {})).items.map((run) => run.id)).not.toContain(runId);
    await expect(runs.setControl(STRANGER, runId, 'cancel')).rejects.toMatchObject({ code: 'run_not_found' });
    await expect(runs.require(OWNER, 'no-uuid')).rejects.toMatchObject({ code: 'run_not_found' });
  });

  it('pages through all runs of a playbook once, newest first', async () => {
    const mine = await seedPlaybook(db.database);
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      ids.unshift((await runs.create(OWNER, newRun(mine, { playbook_slug: 'paged' }))).run.id);
    }
    await db.admin.query(`update runs set created_at = '2026-01-01T00:00:00.000001Z' where playbook_slug = 'paged'`);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await runs.list(OWNER, { playbook: 'paged', limit: 3, ...(cursor && { cursor }) });
      seen.push(...page.items.map((run) => run.id));
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toHaveLength(7);
    expect(new Set(seen)).toEqual(new Set(ids));
    await expect(runs.list(OWNER, { cursor: 'bogus' })).rejects.toMatchObject({
      code: 'invalid_cursor',
      category: 'bad_request',
    });
  });

  it('filters by status, playbook and time', async () => {
    const mine = await seedPlaybook(db.database);
    const a = (await runs.create(OWNER, newRun(mine))).run.id;
    const b = (await runs.create(OWNER, newRun(mine))).run.id;
    await age(a, 3600);
    await transitions.finish(b, { status: 'complete' });
    const list = async (filter: object) =>
      (await runs.list(OWNER, { playbook: mine.playbookId, ...filter })).items.map((run) => run.id);
    const before = new Date(Date.now() - 1_800_000).toISOString();
    expect(await list({})).toEqual([b, a]);
    expect(await list({ status: ['complete', 'failed'] })).toEqual([b]);
    expect(await list({ created_before: before })).toEqual([a]);
    expect(await list({ created_after: before })).toEqual([b]);
  });

  it('knows the last execution of a playbook', async () => {
    const mine = await seedPlaybook(db.database);
    expect(await runs.lastExecution(OWNER, mine.playbookId)).toBeNull();
    for (const status of ['partial', 'complete', 'failed'] as const) {
      await transitions.finish((await runs.create(OWNER, newRun(mine))).run.id, { status });
    }
    const started = (await runs.list(OWNER, { playbook: mine.playbookId, status: ['complete'] })).items[0]?.started_at;
    expect(await runs.lastExecution(OWNER, mine.playbookId)).toBe(started);
    expect(await runs.lastExecution(STRANGER, mine.playbookId)).toBeNull();
  });
});

describe('control', () => {
  it('pause and run alternate, cancel stays', async () => {
    const runId = await seedRun(db.database);
    expect((await runs.setControl(OWNER, runId, 'pause')).control).toBe('pause');
    expect((await runs.setControl(OWNER, runId, 'run')).control).toBe('run');
    await Promise.all([runs.setControl(OWNER, runId, 'cancel'), runs.setControl(OWNER, runId, 'cancel')]);
    await expect(runs.setControl(OWNER, runId, 'run')).rejects.toMatchObject({
      code: 'run_closed',
      category: 'conflict',
    });
  });

  it('a closed run takes none', async () => {
    const runId = await seedRun(db.database);
    await transitions.finish(runId, { status: 'complete' });
    await expect(runs.setControl(OWNER, runId, 'cancel')).rejects.toMatchObject({ code: 'run_closed' });
  });
});

describe('sweeper and reconciler', () => {
  it('finds runs that were never started, and only those', async () => {
    const [late, fresh, started] = await Promise.all([
      seedRun(db.database),
      seedRun(db.database),
      seedRun(db.database),
    ]);
    await age(late, 60);
    await age(started, 60);
    await open.markWorkflowStarted(started);
    const ids = (await open.pending(30, 1000)).map((run) => run.id);
    expect(ids).toContain(late);
    expect(ids).not.toContain(fresh);
    expect(ids).not.toContain(started);
  });

  it('pages through open runs that have a workflow, once each', async () => {
    const mine: string[] = [];
    for (let i = 0; i < 5; i += 1) {
      const runId = await seedRun(db.database);
      await open.markWorkflowStarted(runId);
      mine.push(runId);
    }
    await transitions.finish(mine[4] ?? '', { status: 'failed' });
    const seen: string[] = [];
    let after: { created_at: string; id: string } | null = null;
    for (;;) {
      const page: { created_at: string; id: string }[] = await open.open(after, 2);
      seen.push(...page.map((run) => run.id));
      after = page.at(-1) ?? null;
      if (after === null) {
        break;
      }
    }
    expect(seen.filter((id) => mine.includes(id))).toEqual(mine.slice(0, 4));
    expect(new Set(seen).size).toBe(seen.length);
  });
});
