import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let steps: StepsStore;
let hot: StepHotPath;
beforeAll(async () => {
  db = await testDatabase();
  steps = new StepsStore(db.database);
  hot = new StepHotPath(db.database);
});
afterAll(() => db.close());

const begin = (runId: string, path: string, worker = 'w', try_no = 1) =>
  hot.step(runId, { begin: { effect_key: `${runId}/${path}`, try_no, step_path: path, worker } });
const record = (runId: string, path: string, status: 'ok' | 'failed', try_no = 1) =>
  hot.step(runId, {
    record: {
      effect_key: `${runId}/${path}`,
      try_no,
      step_path: path,
      step_name: path,
      action: 'call_connector',
      status,
      input: { a: 1 },
      ...(status === 'ok'
        ? { output: { value: path } }
        : { error: { code: 'x', message: 'm', category: 'upstream', retryable: false } }),
      started_at: '2026-11-28T10:00:00Z',
    },
  });

describe('the view of steps', () => {
  it('shows tries with their attempts, results and effects', async () => {
    const runId = await seedRun(db.database);
    await begin(runId, 'pull', 'a');
    await begin(runId, 'pull', 'b');
    await record(runId, 'pull', 'failed');
    await begin(runId, 'pull', 'b', 2);
    await hot.effectSent(runId, {
      effect_key: `${runId}/pull`,
      try_no: 2,
      worker: 'b',
      effect: 'unsafe',
      target: 'POST x',
    });
    expect(await steps.tries(OWNER, runId)).toMatchObject([
      { step_path: 'pull', try_no: 1, status: 'failed', attempts: 2, losses: 1, error: { code: 'x' }, input: { a: 1 } },
      {
        step_path: 'pull',
        try_no: 2,
        status: null,
        attempts: 1,
        losses: 0,
        effect: 'unsafe',
        effect_target: 'POST x',
        effect_sent_count: 1,
      },
    ]);
    expect(await steps.triesOf(OWNER, runId, 'other')).toEqual([]);
    expect(await steps.tries(STRANGER, runId)).toEqual([]);
  });
});

describe('a person resolves a step', () => {
  it('repeat forgives lost workers and lets an unsafe request leave once more', async () => {
    const runId = await seedRun(db.database);
    for (const worker of ['a', 'b', 'c']) {
      await begin(runId, 'send', worker);
    }
    const send = (worker: string) =>
      hot.effectSent(runId, { effect_key: `${runId}/send`, try_no: 1, worker, effect: 'unsafe', target: 'POST x' });
    expect((await send('c')).sent).toBe(true);
    expect((await send('c')).sent).toBe(false);
    await steps.resolve(OWNER, runId, 'send', 'repeat');
    expect((await begin(runId, 'send', 'd')).begun).toMatchObject({ losses: 0, resolution: 'repeat' });
    expect((await send('d')).sent).toBe(true);
    expect((await send('d')).sent).toBe(false);
  });

  it('what was said to be done stays done, and a run that somebody cancels takes no answer', async () => {
    const runId = await seedRun(db.database);
    await begin(runId, 'send');
    await steps.resolve(OWNER, runId, 'send', 'repeat');
    await steps.resolve(OWNER, runId, 'send', 'done');
    await steps.resolve(OWNER, runId, 'send', 'done');
    const refused = { code: 'step_not_waiting' };
    await expect(steps.resolve(OWNER, runId, 'send', 'not_done')).rejects.toMatchObject(refused);
    await expect(steps.resolve(OWNER, runId, 'send', 'repeat')).rejects.toMatchObject(refused);
    await begin(runId, 'other');
    await db.admin.query(`update runs set control = 'cancel' where id = $1`, [runId]);
    await expect(steps.resolve(OWNER, runId, 'other', 'done')).rejects.toMatchObject(refused);
    const rows = await db.admin.query('select step_path, resolution from step_attempts where run_id = $1', [runId]);
    expect(rows.toSorted((a, b) => String(a['step_path']).localeCompare(String(b['step_path'])))).toEqual([
      { step_path: 'other', resolution: null },
      { step_path: 'send', resolution: 'done' },
    ]);
  });

  it('a list that waits for lost content has no attempt: the run alone hears the answer', async () => {
    const runId = await seedRun(db.database);
    const waits = [{ kind: 'attention', step_path: 'each', code: 'blob_not_found' }];
    await db.admin.query('update runs set waits = $2 where id = $1', [runId, JSON.stringify(waits)]);
    await steps.resolve(OWNER, runId, 'each', 'repeat');
    await expect(steps.resolve(OWNER, runId, 'elsewhere', 'repeat')).rejects.toMatchObject({
      code: 'step_not_waiting',
    });
    await expect(steps.resolve(STRANGER, runId, 'each', 'repeat')).rejects.toMatchObject({ code: 'step_not_waiting' });
  });

  it('refuses where nothing waits', async () => {
    const runId = await seedRun(db.database);
    const refused = { code: 'step_not_waiting', category: 'conflict' };
    await expect(steps.resolve(OWNER, runId, 'send', 'done')).rejects.toMatchObject(refused);
    await begin(runId, 'send');
    await expect(steps.resolve(STRANGER, runId, 'send', 'done')).rejects.toMatchObject(refused);
    await record(runId, 'send', 'ok');
    await expect(steps.resolve(OWNER, runId, 'send', 'done')).rejects.toMatchObject(refused);
    await begin(runId, 'other');
    await new TransitionsStore(db.database).finish(runId, { status: 'failed' });
    await expect(steps.resolve(OWNER, runId, 'other', 'done')).rejects.toMatchObject(refused);
  });
});

describe('a run that retries another', () => {
  it('takes over results of untouched steps under their keys', async () => {
    const from = await seedRun(db.database);
    await record(from, 'pull', 'ok');
    await record(from, 'each[0]/parse', 'ok');
    await record(from, 'bad', 'failed');
    await record(from, 'send', 'ok');
    const to = await seedRun(db.database, { retry: { of: from, from: 'send' } });
    const paths = ['pull', 'each[0]/parse', 'bad'];
    expect((await steps.copyResults(OWNER, { from, to }, paths)).sort()).toEqual(['each[0]/parse', 'pull']);
    expect(await steps.copyResults(OWNER, { from, to }, paths)).toEqual([]);
    const again = (path: string) =>
      hot.step(to, { begin: { effect_key: `${from}/${path}`, try_no: 1, step_path: path, worker: 'w' } });
    expect((await again('each[0]/parse')).begun).toMatchObject({
      result: { status: 'ok', output: { value: 'each[0]/parse' } },
    });
    expect((await again('send')).begun).toMatchObject({ result: null });
    expect((await steps.triesOf(OWNER, to, 'pull'))[0]).toMatchObject({ copied_from: from, attempts: 0 });
    expect(await steps.copyResults(STRANGER, { from, to }, ['send'])).toEqual([]);
  });
});
