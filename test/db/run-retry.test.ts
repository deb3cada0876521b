import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/base/json';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
let retries: RunRetryStore;
beforeAll(async () => {
  db = await testDatabase();
  retries = new RunRetryStore(db.database, new StepsStore(db.database));
});
afterAll(() => db.close());

let made = 0;
const ended = (step_path: string, payload: JsonObject) => ({
  id: `e${++made}`,
  type: 'step.finished',
  step_path,
  payload: { step: step_path, ...payload },
});

it('a retry knows what activities recorded, and what failed without one', async () => {
  const runId = await seedRun(db.database);
  await new StepHotPath(db.database).step(runId, {
    record: {
      effect_key: `${runId}/pull`,
      try_no: 1,
      step_path: 'pull',
      step_name: 'pull',
      action: 'call_connector',
      status: 'ok',
      input: {},
      output: { value: {} },
      started_at: '2026-11-28T10:00:00Z',
    },
  });
  const transitions = new TransitionsStore(db.database);
  const step = (step_path: string, type: string) => ({
    id: `e${++made}`,
    type,
    step_path,
    payload: { step: step_path },
  });
  await transitions.apply(runId, {
    events: [step('open', 'step.started'), step('tried', 'step.started'), step('tried', 'step.attempt_failed')],
  });
  await transitions.finish(runId, {
    status: 'partial',
    events: [
      ended('sorted', { status: 'failed', error: { code: 'invalid_data', message: 'no list\u0000' } }),
      // Results of a list tell about its items.
      ended('each[1]/named', { status: 'failed' }),
      // Second attempt that succeeded.
      ended('again', { status: 'failed' }),
      ended('again', { status: 'ok' }),
      // Text of a person that looks like a status does not count.
      ended('quoting', { status: 'ok', output_preview: { text: '"status":"failed"', inner: { status: 'failed' } } }),
    ],
  });
  const found = await retries.outcomes(OWNER, runId);
  expect(found.sort((a, b) => a.step_path.localeCompare(b.step_path))).toEqual([
    // Ends that the database wrote: what was open, and what was to be tried again.
    { step_path: 'open', ok: false, cancelled: true },
    { step_path: 'pull', ok: true },
    { step_path: 'sorted', ok: false },
    { step_path: 'tried', ok: false },
  ]);
  expect(await retries.outcomes(STRANGER, runId)).toEqual([]);
});

describe('retries of one run, side by side', () => {
  const hot = (): StepHotPath => new StepHotPath(db.database);
  const attempt = (root: string, try_no = 1) => ({ effect_key: `${root}/pay`, try_no, step_path: 'pay', worker: 'w' });
  const send = (runId: string, root: string, effect: 'unsafe' | 'keyed' = 'unsafe', try_no = 1) =>
    hot().effectSent(runId, { ...attempt(root, try_no), effect, target: 'POST x' });
  const failing = (root: string, try_no = 1) => ({
    ...attempt(root, try_no),
    step_name: 'pay',
    action: 'call_connector',
    status: 'failed' as const,
    error: { code: 'upstream_error', message: '500', category: 'upstream' as const, retryable: true },
    started_at: '2026-11-28T10:00:00Z',
  });
  /** Failed, as its target said. */
  async function failedRun(): Promise<string> {
    const root = await seedRun(db.database);
    await hot().step(root, { begin: attempt(root) });
    await send(root, root);
    await hot().step(root, { record: failing(root) });
    await new TransitionsStore(db.database).finish(root, { status: 'failed' });
    return root;
  }
  async function retryOf(root: string, renewed: string[] = []): Promise<string> {
    const id = randomUUID();
    const plan = { from: 'pay', keep: [], takenOver: [], presets: {}, overrides: {}, renewed, sharesKeys: false };
    expect(await retries.create(OWNER, root, { id }, plan)).toBe(true);
    return id;
  }

  it('send an unsafe request once; the other asks a person, whose word holds', async () => {
    const root = await failedRun();
    const both = [await retryOf(root), await retryOf(root)];
    for (const id of both) await hot().step(id, { begin: attempt(root) });
    const answers = await Promise.all(both.map((id) => send(id, root)));
    const said = answers.map(({ sent, reason }) => `${String(sent)} ${reason ?? '-'}`);
    expect(said.toSorted((a, b) => a.localeCompare(b))).toEqual(['false outcome_unknown', 'true -']);
    const other = both[answers.findIndex(({ sent }) => !sent)] ?? '';
    expect(await send(other, root)).toMatchObject({ sent: false, reason: 'outcome_unknown' });
    await new StepsStore(db.database).resolve(OWNER, other, 'pay', 'repeat');
    expect(await send(other, root)).toMatchObject({ sent: true });
  });

  it('go on where the target said that it did not happen, and with tries of their own', async () => {
    const root = await failedRun();
    const first = await retryOf(root);
    await hot().step(first, { begin: attempt(root) });
    expect(await send(first, root)).toMatchObject({ sent: true });
    await hot().step(first, { record: failing(root) });
    await hot().step(first, { begin: attempt(root, 2) });
    expect(await send(first, root, 'unsafe', 2)).toMatchObject({ sent: true });
    await hot().step(first, { record: failing(root, 2) });
    const second = await retryOf(root);
    await hot().step(second, { begin: attempt(root) });
    expect(await send(second, root)).toMatchObject({ sent: true });
  });

  it('a target that knows its key hears it again, and what begins anew has another key', async () => {
    const root = await failedRun();
    const [first, second] = [await retryOf(root), await retryOf(root)];
    await hot().step(first, { begin: attempt(root) });
    expect(await send(first, root)).toMatchObject({ sent: true });
    await hot().step(second, { begin: attempt(root) });
    expect(await send(second, root, 'keyed')).toMatchObject({ sent: true });
    const anew = await retryOf(root, ['pay']);
    await hot().step(anew, { begin: attempt(anew) });
    expect(await send(anew, anew)).toMatchObject({ sent: true });
  });
});
