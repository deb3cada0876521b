import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Action } from '../../../activities/actions/types';
import { runUnits } from '../../../activities/runner/run-units';
import type { RunnerDeps } from '../../../activities/runner/types';
import type { UnitCall } from '../../../core/engine/commands';
import { AppError } from '../../../core/errors/app-error';
import { StepHotPath } from '../../../infra/db/stores/step-hot-path.store';
import type { StepCall } from '../../../infra/db/stores/step-types';
import type { RunUnitsInput, RunUnitsResult } from '../../../workflows/types';
import type { TestDatabase } from '../../db/db-fixture';
import { RunnerBench } from './runner-bench';

let db: TestDatabase;
let runId: string;
const bench = new RunnerBench();
const { depsWith, unit, starts } = bench;
beforeAll(async () => {
  db = await bench.open();
});
afterAll(() => bench.close());
beforeEach(async () => {
  runId = await bench.newRun();
});

const beats: string[] = [];
const segment = (
  units: UnitCall[],
  { deps = depsWith({}), attempt = 1, ...more }: Partial<RunUnitsInput> & { deps?: RunnerDeps; attempt?: number } = {},
): Promise<RunUnitsResult> =>
  runUnits(
    deps,
    { ...bench.input(units), ...more },
    {
      worker: 'w1',
      attempt,
      signal: new AbortController().signal,
      beat: (path) => void beats.push(path),
    },
  );
const control = (word: string) => db.admin.query('update runs set control = $2 where id = $1', [runId, word]);
const events = () =>
  db.admin.query<{ type: string; step_path: string | null; payload: Record<string, unknown> }>(
    'select type, step_path, payload from run_events where run_id = $1 order by seq',
    [runId],
  );

describe('a segment', () => {
  it.each(['pause', 'cancel'] as const)('begins nothing in a run that is held by %s', async (word) => {
    await control(word);
    expect(await segment([unit('a')])).toEqual({ outcomes: [], held: word });
    expect(await starts('a')).toEqual([]);
  });

  it('stops between two steps where it is asked to, and keeps what is done', async () => {
    const act: Action = async () => {
      await control('pause');
      return { output: { n: 1 } };
    };
    const found = await segment([unit('a', { action: 'act' }), unit('b')], { deps: depsWith({ act }) });
    expect(found).toMatchObject({
      outcomes: [{ path: 'a', status: 'ok', output: { value: { n: 1 } } }],
      held: 'pause',
    });
    const [row] = await db.admin.query(`select status from step_results where run_id = $1 and step_path = 'a'`, [
      runId,
    ]);
    expect(row).toEqual({ status: 'ok' });
    expect(await starts('b')).toEqual([]);
  });

  it('is a sign of life for each step, and tells which attempt began it', async () => {
    beats.length = 0;
    await segment([unit('a'), unit('b')], { attempt: 3 });
    expect(beats).toEqual(['a', 'b']);
    expect(await events()).toMatchObject([
      { type: 'step.started', step_path: 'a', payload: { attempt: 3, try_no: 1, action: 'echo' } },
      { type: 'step.finished', step_path: 'a', payload: { status: 'ok', try_no: 1 } },
      { type: 'step.started', step_path: 'b' },
      { type: 'step.finished', step_path: 'b' },
    ]);
  });

  it('brings the transitions of its run along, once', async () => {
    const patch = { no: 7, status: 'running' as const, waits: [], steps_done: 1, steps_total: 4 };
    const told = { id: 'told', type: 'step.skipped', step_path: 'x', payload: {} };
    await segment([unit('a'), unit('b')], { transitions: { events: [told], patch, approvals: [] } });
    const types = (await events()).map(({ type }) => type);
    expect(types[0]).toBe('step.skipped');
    expect(types.filter((type) => type === 'step.skipped')).toHaveLength(1);
    const [row] = await db.admin.query('select steps_done, steps_total from runs where id = $1', [runId]);
    expect(row).toEqual({ steps_done: 1, steps_total: 4 });
  });

  it('asks the database once a step, and once for the last result', async () => {
    const calls: string[] = [];
    class Seen extends StepHotPath {
      override step(...[run, call]: Parameters<StepHotPath['step']>): ReturnType<StepHotPath['step']> {
        calls.push(Object.keys(call).toSorted().join(' '));
        return super.step(run, call);
      }
    }
    const deps = { ...depsWith({}), steps: new Seen(db.database) };
    const units = [unit('a'), unit('b')];
    await segment(units, { deps });
    expect(calls.splice(0)).toEqual(['begin events', 'begin record', 'record']);
    await segment(units, { deps, attempt: 2 });
    expect(calls).toEqual(['begin events', 'begin']);
  });

  it('of a run that belongs to somebody else is not carried out', async () => {
    let calls = 0;
    const act: Action = () => {
      calls += 1;
      return Promise.resolve({ output: {} });
    };
    const ownerId = randomUUID();
    await expect(segment([unit('a', { action: 'act' })], { ownerId, deps: depsWith({ act }) })).rejects.toMatchObject({
      name: 'PlatformTrouble',
      code: 'context_mismatch',
      path: 'a',
    });
    expect(calls).toBe(0);
  });

  it('keeps large results outside, where the next step finds them', async () => {
    const rows = Array.from({ length: 50 }, (_unused, n) => ({ n }));
    const big = unit('big', { inputs: { rows, few: 1 }, valueLimit: 100 });
    const { outcomes } = await segment([big, unit('next', { inputs: { n: '{big.rows[7].n}', few: '{big.few}' } })]);
    expect(outcomes).toMatchObject([
      { output: { value: { rows: null, few: 1 }, handles: { rows: { count: 50 } } } },
      { output: { value: { n: 7, few: 1 } } },
    ]);
  });
});

describe('a segment that is carried out again', () => {
  it('takes the results that are there, and does none of them twice', async () => {
    let calls = 0;
    const act: Action = () => {
      calls += 1;
      return Promise.resolve({ output: { n: calls } });
    };
    const deps = depsWith({ act });
    const first = unit('a', { action: 'act' });
    await segment([first], { deps });
    const again = await segment([first, unit('b', { inputs: { n: '{a.n}' } })], { deps, attempt: 2 });
    expect(again.outcomes).toEqual([
      { path: 'a', status: 'ok', output: { value: { n: 1 } } },
      { path: 'b', status: 'ok', output: { value: { n: 1 } } },
    ]);
    expect(calls).toBe(1);
  });

  it('ends at a failure that is there', async () => {
    const down: Action = () => Promise.reject(new AppError('down', 'It is down.', { category: 'upstream' }));
    const units = [unit('a', { action: 'act' }), unit('b')];
    const once = await segment(units, { deps: depsWith({ act: down }) });
    const act: Action = () => Promise.resolve({ output: {} });
    expect(await segment(units, { deps: depsWith({ act }), attempt: 2 })).toEqual(once);
    expect(once.outcomes).toMatchObject([{ path: 'a', status: 'failed', error: { code: 'down' } }]);
    expect(await starts('b')).toEqual([]);
  });
});

describe('a step under which workers were lost', () => {
  async function lose(path: string, count: number): Promise<void> {
    const steps = new StepHotPath(db.database);
    for (let n = 0; n < count; n += 1)
      await steps.step(runId, {
        begin: { effect_key: `${runId}/${path}`, try_no: 1, step_path: path, worker: `dead-${n}` },
      });
  }
  const outcome = async (path: string, queue: RunUnitsInput['queue']): Promise<unknown> => {
    const done = await segment([unit(path)], { queue }).catch((error: unknown) => error);
    return done instanceof Error ? done : (done as RunUnitsResult).outcomes[0]?.status;
  };

  it.each(['main', 'llm'] as const)('goes on alone from the second loss (%s)', async (queue) => {
    await lose('one', 1);
    expect(await outcome('one', queue)).toBe('ok');
    await lose('two', 2);
    expect(await outcome('two', queue)).toMatchObject({
      code: 'quarantine',
      path: 'two',
      message: '2 workers were lost under two.',
    });
    // Live worker: no loss is counted.
    expect(await starts('two')).toEqual([{ starts: 3, released: 1 }]);
  });

  it('needs a person where eight more were lost while it was alone', async () => {
    await lose('nine', 9);
    expect(await outcome('nine', 'quarantine')).toBe('ok');
    await lose('ten', 10);
    expect(await outcome('ten', 'quarantine')).toMatchObject({ code: 'worker_lost', path: 'ten' });
    expect(await starts('ten')).toEqual([{ starts: 11, released: 1 }]);
  });
});

describe('a database that is away', () => {
  /** Fails the first `times` transactions that `when` names. */
  class Away extends StepHotPath {
    constructor(
      private readonly when: (call: StepCall) => boolean,
      private times: number,
      private readonly thrown: Error,
    ) {
      super(db.database);
    }

    override step(...[run, call]: Parameters<StepHotPath['step']>): ReturnType<StepHotPath['step']> {
      if (!this.when(call) || this.times === 0) return super.step(run, call);
      this.times -= 1;
      return Promise.reject(this.thrown);
    }
  }
  const away = new AppError('database_unavailable', 'Away.', { category: 'unavailable' });
  const full = new AppError('storage_full', 'Full.', { category: 'unavailable' });
  const hasResult = (call: StepCall): boolean => call.record !== undefined;

  it.each([
    ['away', away],
    ['full', full],
  ])('or %s is waited for with a result, which is not made twice', async (_what, thrown) => {
    let calls = 0;
    const act: Action = () => {
      calls += 1;
      return Promise.resolve({ output: { calls } });
    };
    const deps = { ...depsWith({ act }), steps: new Away(hasResult, 1, thrown) };
    const { outcomes } = await segment([unit('a', { action: 'act' }), unit('b')], { deps });
    expect(outcomes).toMatchObject([{ status: 'ok', output: { value: { calls: 1 } } }, { status: 'ok' }]);
    expect(calls).toBe(1);
  });

  it.each([
    ['database_unavailable', away],
    ['storage_full', full],
  ])('is not waited for without one: the call is repeated (%s)', async (code, thrown) => {
    const deps = { ...depsWith({}), steps: new Away((call) => !hasResult(call), 1, thrown) };
    await expect(segment([unit('a')], { deps })).rejects.toMatchObject({
      name: 'PlatformTrouble',
      code,
      path: 'a',
      cause: thrown,
    });
  });

  it('is told from an answer of it, which is not asked for again', async () => {
    const refused = new Error('duplicate key');
    const deps = { ...depsWith({}), steps: new Away(hasResult, 1, refused) };
    await expect(segment([unit('a'), unit('b')], { deps })).rejects.toBe(refused);
  });
});
