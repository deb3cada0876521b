import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { OWNER, seedRun, testDatabase, type TestDatabase } from './db-fixture';

let db: TestDatabase;
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db?.close());

describe('an unsafe effect', () => {
  it('may not leave again after a wait where something of it may have taken effect: that is nobody’s loss either', async () => {
    const runId = await seedRun(db.database);
    const steps = new StepHotPath(db.database);
    const key = { effect_key: 'k', try_no: 1 };
    const begin = () => steps.step(runId, { begin: { ...key, step_path: 's', worker: 'a' } });
    const send = () => steps.effectSent(runId, { ...key, worker: 'a', effect: 'unsafe', target: 't' });
    await begin();
    expect(await send()).toMatchObject({ sent: true });
    await steps.waitStep(runId, { ...key, worker: 'a', not_done: false });
    expect((await begin()).begun).toMatchObject({
      starts: 2,
      losses: 0,
      effect: 'unsafe',
      effect_sent_count: 1,
      resolution: null,
    });
    expect(await send()).toMatchObject({ sent: false, reason: 'outcome_unknown' });
  });

  it('a wait before anything left again takes no word of a person back', async () => {
    const runId = await seedRun(db.database);
    const steps = new StepHotPath(db.database);
    const key = { effect_key: 'k', try_no: 1 };
    const begin = () => steps.step(runId, { begin: { ...key, step_path: 's', worker: 'a' } });
    await begin();
    await steps.effectSent(runId, { ...key, worker: 'a', effect: 'unsafe', target: 't' });
    await new StepsStore(db.database).resolve(OWNER, runId, 's', 'repeat');
    await begin();
    await steps.waitStep(runId, { ...key, worker: 'a', not_done: false });
    expect((await begin()).begun).toMatchObject({ effect_sent_count: 1, resolution: 'repeat' });
  });
});
