import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runUnits } from '../../../activities/runner/run-units';
import type { Action, ActionTable } from '../../../activities/actions/types';
import { Compute } from '../../../activities/runner/compute';
import type { RunnerDeps } from '../../../activities/runner/types';
import type { Json } from '../../../core/base/json';
import type { UnitCall } from '../../../core/engine/commands';
import type { RefValue } from '../../../core/engine/values';
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

describe('a segment', () => {
  beforeAll(async () => {
    runId = await seedRun(db.database);
  });

  it('keeps what an action notes when its time is over, and takes no result of it any more', async () => {
    const late: Action = (_call, { signal, note }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          setTimeout(() => {
            note('source.called', { connector: 'c' });
            resolve({ output: { came: 'too late' } });
          }, 20);
        });
      });
    const { outcomes } = await run(depsWith({ late }), [unit('late', { action: 'late', timeoutMs: 50 })]);
    expect(outcomes).toMatchObject([{ status: 'failed', error: { code: 'step_timeout' } }]);
    const events = await db.admin.query<{ type: string }>(
      `select type from run_events where run_id = $1 and step_path = 'late' order by seq`,
      [runId],
    );
    expect(events.map(({ type }) => type)).toContain('source.called');
  });

  it('reads results of its own steps as the engine would', async () => {
    const refs = (names: string[]) => Object.fromEntries(names.map((name) => [name, `{a.${name}}`]));
    const first = unit('a', { inputs: { status: 'open', error: 'e', decision: 'd', v: 1 } });
    const { outcomes } = await run(depsWith({}), [
      first,
      unit('b', { inputs: refs(['v', 'status', 'error', 'decision', 'result.status']) }),
    ]);
    expect(outcomes[1]?.output?.value).toEqual({
      v: 1,
      status: 'ok',
      error: null,
      decision: null,
      'result.status': 'open',
    });
  });

  it('says of each result how large it is and how it begins', async () => {
    await run(depsWith({}), [unit('shown', { inputs: { text: 'x'.repeat(5_000) } })]);
    const [event] = await db.admin.query<{ payload: Record<string, unknown> }>(
      `select payload from run_events where run_id = $1 and type = 'step.finished' and step_path = 'shown'`,
      [runId],
    );
    expect(event?.payload).toMatchObject({
      status: 'ok',
      size: 5_011,
      output_preview: { text: expect.stringMatching(/^x{400,}…$/) },
    });
  });

  it.each([
    ['a commit that is done', 'commit-done', undefined, 'step.finished'],
    ['a commit that fails', 'commit-fails', 'name_taken', 'step.attempt_failed'],
  ])('what an action notes in %s is recorded with what came of it', async (_what, path, code, ending) => {
    const act: Action = (_call, context) =>
      Promise.resolve({
        commit: () => {
          context.note('source.called', { outcome: code ?? 'ok' });
          if (code === undefined) return Promise.resolve({ done: true });
          return Promise.reject(new AppError(code, 'The name is taken.', { category: 'conflict' }));
        },
      });
    await run(depsWith({ act }), [unit(path, { action: 'act' })]);
    const events = await db.admin.query<{ type: string; payload: Record<string, unknown> }>(
      `select type, payload from run_events where run_id = $1 and step_path = $2 and type <> 'step.started' order by seq`,
      [runId, path],
    );
    expect(events).toMatchObject([{ type: 'source.called', payload: { outcome: code ?? 'ok' } }, { type: ending }]);
  });

  it('what an action notes in a commit that is tried again after a deadlock is recorded once', async () => {
    let tries = 0;
    const act: Action = (_call, context) => {
      context.note('source.drift', { count: 1 });
      return Promise.resolve({
        commit: async (sql) => {
          tries += 1;
          context.note('source.called', { outcome: 'ok', tries });
          if (tries === 1) await sql.query(`do $$ begin raise sqlstate '40P01'; end $$`);
          return { done: true };
        },
      });
    };
    const { outcomes } = await run(depsWith({ act }), [unit('deadlock', { action: 'act' })]);
    expect(outcomes).toMatchObject([{ status: 'ok' }]);
    const events = await db.admin.query(
      `select type, payload from run_events where run_id = $1 and step_path = 'deadlock' and type like 'source.%' order by seq`,
      [runId],
    );
    expect(events).toMatchObject([
      { type: 'source.drift', payload: { count: 1 } },
      { type: 'source.called', payload: { tries: 2 } },
    ]);
    expect(events).toHaveLength(2);
  });

  it('ends where another attempt recorded a failure first, and begins nothing behind it', async () => {
    let letGo = (): void => undefined;
    const blocked = new Promise<void>((done) => (letGo = done));
    let begun = (): void => undefined;
    const isBlocked = new Promise<void>((done) => (begun = done));
    const slow: Action = async () => {
      begun();
      await blocked;
      return { output: { late: true } };
    };
    const failing: Action = () => Promise.reject(new AppError('down', 'It is down.', { category: 'upstream' }));
    const units = [unit('c', { action: 'act' }), unit('d')];
    const late = run(depsWith({ act: slow }), units);
    await isBlocked;
    expect((await run(depsWith({ act: failing }), units, 'w2')).outcomes).toMatchObject([
      { path: 'c', status: 'failed', error: { code: 'down' } },
    ]);
    letGo();
    expect((await late).outcomes).toMatchObject([{ path: 'c', status: 'failed', error: { code: 'down' } }]);
    for (const attempt of await starts('d')) expect(attempt.starts).toBe(attempt.released);
    const done = await db.admin.query(`select 1 from step_results where run_id = $1 and step_path = 'd'`, [runId]);
    expect(done).toHaveLength(0);
  });
});

describe('data that cannot be brought in or kept', () => {
  beforeAll(async () => {
    runId = await seedRun(db.database);
  });

  it('a result nested deeper than can be written is the failure of its step', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as Json;
    const { outcomes } = await run(depsWith({ act: () => Promise.resolve({ output: deep }) }), [
      unit('deep', { action: 'act' }),
    ]);
    expect(outcomes).toMatchObject([{ path: 'deep', status: 'failed', error: { code: 'result_too_deep' } }]);
  });

  const gone: RefValue = {
    kind: 'stored',
    stored: {
      value: null,
      handles: { '': { parts: [{ sha256: 'a'.repeat(64), size: 900_000, kind: 'whole' }], size: 900_000 } },
    },
    path: [],
  };

  it('is the failure of the step, for a tool and for a pure step in a thread', async () => {
    for (const action of ['echo', 'transform_data']) {
      const { outcomes } = await run(depsWith({}), [
        unit(`lost-${action}`, { action, inputs: { data: '{x}' }, refs: { x: gone } }),
      ]);
      expect(outcomes).toMatchObject([
        {
          status: 'failed',
          error: {
            code: 'blob_not_found',
            retryable: false,
            message: expect.stringContaining(`Step lost-${action}: `),
          },
        },
      ]);
    }
  });

  it('names the step and the size of a value that is too large', async () => {
    const large: Action = () => Promise.resolve({ output: { text: 'x'.repeat(70 * 1_048_576) } });
    const { outcomes } = await run(depsWith({ large }), [unit('large', { action: 'large' })]);
    expect(outcomes).toMatchObject([
      {
        status: 'failed',
        error: { code: 'payload_too_large', message: expect.stringMatching(/^Step large: .* 70\.0 MB/) },
      },
    ]);
  });
});

describe('an unsafe request whose step has no time left', () => {
  beforeAll(async () => {
    runId = await seedRun(db.database);
  });

  /** Sends, and says what came of it at the very moment that the step's time is up: before anybody else does. */
  function late(path: string, error: AppError): [RunnerDeps, UnitCall[]] {
    const act: Action = (_call, context) =>
      new Promise((_done, fail) => {
        context.signal.addEventListener('abort', () => fail(error), { once: true });
        context.beforeEffect({ description: 'POST somewhere', effect: 'unsafe' }).catch(fail);
      });
    return [depsWith({ act }), [unit(path, { action: 'act', timeoutMs: 2000 })]];
  }

  it('asks a person when its outcome is unknown, however often it is asked', async () => {
    const unknown = new AppError('effect_outcome_unknown', 'It may be done.', { category: 'upstream' });
    const [deps, units] = late('unknown', unknown);
    for (const tryNo of [1, 2]) {
      const { outcomes } = await run(deps, [{ ...units[0]!, tryNo }]);
      expect(outcomes).toMatchObject([{ status: 'attention', error: { code: 'effect_outcome_unknown' } }]);
    }
    const [sent] = await db.admin.query(
      `select sum(effect_sent_count)::integer as count from step_attempts where run_id = $1 and step_path = 'unknown'`,
      [runId],
    );
    expect(sent).toEqual({ count: 1 });
  });

  it('says what came of it when that is known', async () => {
    const refused = new AppError('upstream_rejected', 'No.', { category: 'upstream' });
    const { outcomes } = await run(...late('refused', refused));
    expect(outcomes).toMatchObject([{ status: 'failed', error: { code: 'upstream_rejected', retryable: false } }]);
  });
});

describe('a step whose source asks for a wait', () => {
  beforeAll(async () => {
    runId = await seedRun(db.database);
  });
  const until = Date.UTC(2030, 0, 1);

  /** Waits once, unless it has been left something. */
  function waiting(resume?: Json): { action: Action; seen: unknown[] } {
    const seen: unknown[] = [];
    const action: Action = (_call, context) => {
      seen.push([context.waitedMs, context.resume]);
      if (context.resume !== undefined) return Promise.resolve({ output: { done: true } });
      const wait = new SourceWait(until, 'rate_limited', 'https://api.example');
      if (resume !== undefined) wait.resume = resume;
      return Promise.reject(wait);
    };
    return { action, seen };
  }

  it('ends well, without a result and without a loss; those behind it do not begin', async () => {
    const { action } = waiting();
    const { outcomes } = await run(depsWith({ act: action }), [unit('w1', { action: 'act' }), unit('behind')]);
    expect(outcomes).toEqual([
      {
        path: 'w1',
        status: 'waiting',
        wait: { until, reason: 'rate_limited', source: 'https://api.example', spentMs: expect.any(Number) },
      },
    ]);
    expect(await starts('w1')).toEqual([{ starts: 1, released: 1 }]);
    expect(await starts('behind')).toEqual([]);
    const rows = await db.admin.query(`select 1 from step_results where run_id = $1`, [runId]);
    expect(rows).toHaveLength(0);
  });

  it.each<[string, Json]>([
    ['a little', { page: 3 }],
    ['much', { pages: Array.from({ length: 2000 }, (_each, n) => ({ n, text: 'x'.repeat(50) })) }],
  ])('goes on with %s that it left behind', async (name, left) => {
    const { action, seen } = waiting(left);
    const path = name.replaceAll(' ', '-');
    const { outcomes } = await run(depsWith({ act: action }), [unit(path, { action: 'act' })]);
    const resume = outcomes[0]?.wait?.resume;
    // What travels through the history stays small.
    expect(JSON.stringify(resume).length).toBeLessThan(5000);
    const again = await run(depsWith({ act: action }), [
      unit(path, { action: 'act', waitedMs: 5000, ...(resume === undefined ? {} : { resume }) }),
    ]);
    expect(again.outcomes).toMatchObject([{ status: 'ok', output: { value: { done: true } } }]);
    expect(seen).toEqual([
      [undefined, undefined],
      [5000, left],
    ]);
    expect(await starts(path)).toEqual([{ starts: 2, released: 1 }]);
  });
});
