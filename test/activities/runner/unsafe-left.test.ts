import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runUnits } from '../../../activities/runner/run-units';
import type { Action, ActionTable } from '../../../activities/actions/types';
import { Compute } from '../../../activities/runner/compute';
import type { RunnerDeps } from '../../../activities/runner/types';
import type { UnitCall } from '../../../core/engine/commands';
import { AppError } from '../../../core/errors/app-error';
import { PostgresBlobs } from '../../../infra/blob/postgres-blobs';
import { SourceWait } from '../../../infra/connectors/runtime/source-wait';
import { ApprovalsStore } from '../../../infra/db/stores/approvals.store';
import { StepHotPath } from '../../../infra/db/stores/step-hot-path.store';
import { createLogger } from '../../../infra/log/logger';
import type { RunUnitsInput } from '../../../workflows/types';
import { OWNER, seedRun, testDatabase, type TestDatabase } from '../../db/db-fixture';

let db: TestDatabase;
let runId: string;
const compute = new Compute();
beforeAll(async () => {
  db = await testDatabase();
});
afterAll(async () => {
  await compute.close();
  await db?.close();
});

const echo: Action = (call) => Promise.resolve({ output: { ...call.inputs } });

function depsWith(actions: ActionTable): RunnerDeps {
  return {
    steps: new StepHotPath(db.database),
    approvals: new ApprovalsStore(db.database),
    blobs: new PostgresBlobs(db.database),
    actions: { echo, ...actions },
    compute,
    log: createLogger({ name: 'test', level: 'fatal' }),
    quarantineAfter: 2,
    workerLostAfter: 8,
  };
}

function unit(path: string, more: Partial<UnitCall> = {}): UnitCall {
  return {
    path,
    name: path,
    key: path,
    effectKey: `${runId}/${path}`,
    tryNo: 1,
    action: 'echo',
    inputs: {},
    params: {},
    refs: {},
    timeoutMs: 60_000,
    valueLimit: 1_048_576,
    ...more,
  };
}

function input(units: UnitCall[]): RunUnitsInput {
  return {
    runId,
    ownerId: OWNER,
    versionId: '',
    units,
    queue: 'main',
    clock: { now: '2026-01-01T00:00:00Z', today: '2026-01-01', time_zone: 'UTC' },
    connectors: {},
    playbook: 'p',
    transitions: { events: [], approvals: [] },
  };
}

function run(deps: RunnerDeps, units: UnitCall[], worker = 'w1') {
  return runUnits(deps, input(units), {
    worker,
    attempt: 1,
    signal: new AbortController().signal,
    beat: () => undefined,
  });
}

async function starts(path: string): Promise<{ starts: number; released: number }[]> {
  return db.admin.query('select starts, released from step_attempts where run_id = $1 and step_path = $2', [
    runId,
    path,
  ]);
}

describe('an unsafe request that left with a worker that died', () => {
  beforeAll(async () => {
    runId = await seedRun(db.database);
  });
  const target = { description: 'POST somewhere', effect: 'unsafe' as const };
  const wait = new SourceWait(Date.UTC(2030, 0, 1), 'rate_limited', 'https://login.example');

  /** As a worker leaves it that dies after it has announced the request. */
  async function sent(path: string): Promise<UnitCall> {
    const one = unit(path, { action: 'act', timeoutMs: 200 });
    const key = { effect_key: one.effectKey, try_no: 1 };
    const steps = new StepHotPath(db.database);
    await steps.step(runId, { begin: { ...key, step_path: path, worker: 'dead' } });
    expect(await steps.effectSent(runId, { ...key, effect: 'unsafe', target: 'somewhere' })).toMatchObject({
      sent: true,
    });
    return one;
  }
  const resolve = (path: string, resolution: string) =>
    db.admin.query('update step_attempts set resolution = $3 where run_id = $1 and step_path = $2', [
      runId,
      path,
      resolution,
    ]);
  const attempt = async (path: string) => {
    const [row] = await db.admin.query(
      `select effect_sent_count as sent, resolution, (select count(*)::integer from step_results r
          where r.run_id = a.run_id and r.step_path = a.step_path) as results
        from step_attempts a where run_id = $1 and step_path = $2`,
      [runId, path],
    );
    return row;
  };

  it.each<[string, string, Action]>([
    [
      'the token service does not answer',
      'away',
      () => Promise.reject(new AppError('upstream_unavailable', 'Away.', { category: 'upstream' })),
    ],
    ['the token service asks for a wait', 'waits', () => Promise.reject(wait)],
    ['the time of the step is over', 'slow', () => new Promise(() => undefined)],
    ['nothing is sent at all', 'silent', () => Promise.resolve({ output: null })],
  ])('asks a person, and nothing is carried out, where else %s', async (_what, path, act) => {
    const one = await sent(path);
    let calls = 0;
    const counted: Action = (...given) => {
      calls += 1;
      return act(...given);
    };
    const { outcomes } = await run(depsWith({ act: counted }), [one, unit(`behind-${path}`)], 'w2');
    expect(outcomes).toMatchObject([{ path, status: 'attention', error: { code: 'effect_outcome_unknown' } }]);
    expect(outcomes).toHaveLength(1);
    expect(calls).toBe(0);
    expect(await attempt(path)).toEqual({ sent: 1, resolution: null, results: 0 });
    expect(await starts(`behind-${path}`)).toEqual([]);
  });

  it.each(['repeat', 'not_done'])('leaves again after "%s"', async (resolution) => {
    const path = `again-${resolution}`;
    const one = await sent(path);
    await resolve(path, resolution);
    const act: Action = async (_call, { beforeEffect }) => {
      await beforeEffect(target);
      return { output: 'sent' };
    };
    const { outcomes } = await run(depsWith({ act }), [one], 'w2');
    expect(outcomes).toMatchObject([{ status: 'ok' }]);
    expect(await attempt(path)).toMatchObject({ sent: 2, results: 1 });
  });

  it.each<[string, string, boolean, string]>([
    ['keeps the word of a person where nothing left before the wait', 'before', false, 'repeat'],
    ['is not done where what this start sent was refused', 'refused', true, 'not_done'],
  ])('%s', async (_what, path, sends, resolution) => {
    const one = await sent(path);
    await resolve(path, 'repeat');
    const act: Action = async (_call, { beforeEffect }) => {
      if (sends) await beforeEffect(target);
      throw wait;
    };
    const { outcomes } = await run(depsWith({ act }), [one], 'w2');
    expect(outcomes).toMatchObject([{ status: 'waiting' }]);
    expect(await attempt(path)).toMatchObject({ resolution });
  });
});
