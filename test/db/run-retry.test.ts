import { afterAll, beforeAll, expect, it } from '@jest/globals';
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
  await new TransitionsStore(db.database).finish(runId, {
    status: 'partial',
    events: [
      ended('sorted', { status: 'failed', error: { code: 'invalid_data', message: 'no list\u0000' } }),
      // What a list keeps of its items is told by their results.
      ended('each[1]/named', { status: 'failed' }),
      // Its second try was better.
      ended('again', { status: 'failed' }),
      ended('again', { status: 'ok' }),
      // Somebody's words are not a status.
      ended('quoting', { status: 'ok', output_preview: { text: '"status":"failed"', inner: { status: 'failed' } } }),
    ],
  });
  const found = await retries.outcomes(OWNER, runId);
  expect(found.sort((a, b) => a.step_path.localeCompare(b.step_path))).toEqual([
    { step_path: 'pull', ok: true },
    { step_path: 'sorted', ok: false },
  ]);
  expect(await retries.outcomes(STRANGER, runId)).toEqual([]);
});
