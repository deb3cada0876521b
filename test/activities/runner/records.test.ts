import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Action } from '../../../activities/actions/types';
import { runUnits } from '../../../activities/runner/run-units';
import { Values } from '../../../activities/runner/values';
import type { UnitCall } from '../../../core/engine/commands';
import { AppError } from '../../../core/errors/app-error';
import { SourceWait } from '../../../connectors/runtime/limits/source-wait';
import { StepHotPath } from '../../../infra/db/stores/step-hot-path.store';
import type { RunUnitsResult } from '../../../workflows/types';
import { OWNER, type TestDatabase } from '../../db/db-fixture';
import { RunnerBench } from './runner-bench';

let db: TestDatabase;
let runId: string;
const bench = new RunnerBench();
const { depsWith, unit, run } = bench;
beforeAll(async () => {
  db = await bench.open();
});
afterAll(() => bench.close());
beforeEach(async () => {
  runId = await bench.newRun();
});

const down = new AppError('down', 'It is down.', { category: 'upstream' });
const failing: Action = () => Promise.reject(down);
const recorded = async (path: string): Promise<unknown> => {
  const [row] = await db.admin.query(
    `select effect_key, try_no, step_name, action, status, input, output, error from step_results
      where run_id = $1 and step_path = $2`,
    [runId, path],
  );
  return row;
};
const events = async (path: string): Promise<unknown[]> => {
  const rows = await db.admin.query<{ type: string; payload: Record<string, unknown> }>(
    'select type, payload from run_events where run_id = $1 and step_path = $2 order by seq',
    [runId, path],
  );
  return rows.map(({ type, payload: { at, ...payload } }) => [type, typeof at, payload]);
};
const row = (path: string, more: object) => ({
  effect_key: `${runId}/${path}`,
  try_no: 1,
  step_name: path,
  action: 'act',
  status: 'ok',
  output: null,
  error: null,
  ...more,
});

describe('the record of a try', () => {
  it('has what the step got, and what came of it', async () => {
    const act: Action = (call) => Promise.resolve({ output: { n: call.inputs['n'] ?? null } });
    await run(depsWith({ act }), [unit('a', { action: 'act', tryNo: 2, inputs: { n: 1 }, params: { p: 2 } })]);
    expect(await recorded('a')).toEqual(
      row('a', { try_no: 2, input: { inputs: { n: 1 }, params: { p: 2 } }, output: { value: { n: 1 } } }),
    );
    await run(depsWith({ act: failing }), [unit('b', { action: 'act', inputs: { n: 1 } })]);
    expect(await recorded('b')).toEqual(
      row('b', {
        status: 'failed',
        input: { inputs: { n: 1 }, params: {} },
        error: { code: 'down', message: 'It is down.', category: 'upstream', retryable: false },
      }),
    );
    expect(await events('b')).toEqual([
      ['step.started', 'string', { step: 'b', action: 'act', try_no: 1, attempt: 1 }],
      ['step.attempt_failed', 'string', { step: 'b', try_no: 1, error: { code: 'down', message: 'It is down.' } }],
    ]);
  });

  it('has no inputs where they could not be filled in, and says so where a thread had them', async () => {
    const long = unit('long', {
      inputs: { t: '{t} '.repeat(33) },
      refs: { t: { kind: 'value', value: 'x'.repeat(1 << 20) } },
    });
    expect((await run(depsWith({}), [long])).outcomes).toMatchObject([
      {
        status: 'failed',
        error: { code: 'rendered_text_too_large', message: expect.stringMatching(/^Step long: /) },
      },
    ]);
    expect(await recorded('long')).toMatchObject({ status: 'failed', input: {} });
    const deps = depsWith({});
    const handle = { ...(await new Values(deps.blobs, OWNER).put([{ n: 1 }])), size: 262_144 };
    const apart = unit('apart', {
      action: 'transform_data',
      inputs: { data: '{rows}' },
      refs: { rows: { kind: 'stored', stored: { value: null, handles: { '': handle } }, path: [] } },
    });
    await run(deps, [apart, unit('next', { inputs: { n: '{apart.data[0].n}' } })]);
    expect(await recorded('apart')).toMatchObject({
      status: 'ok',
      input: { note: 'computed apart from the worker' },
      output: { value: { data: [{ n: 1 }], count: 1 } },
    });
    expect(await recorded('next')).toMatchObject({ output: { value: { n: 1 } } });
  });
});

describe('an action that commits with its result', () => {
  it('is read by the next step, and its failure is the step’s, whatever it throws', async () => {
    const act: Action = () => Promise.resolve({ commit: () => Promise.resolve({ done: 1 }) });
    const units = [unit('c', { action: 'act' }), unit('next', { inputs: { n: '{c.done}' } })];
    expect((await run(depsWith({ act }), units)).outcomes).toEqual([
      { path: 'c', status: 'ok', output: { value: { done: 1 } } },
      { path: 'next', status: 'ok', output: { value: { n: 1 } } },
    ]);
    for (const [path, thrown, code] of [
      ['refused', down, 'down'],
      ['unforeseen', new Error('broken'), 'internal_error'],
      ['odd', 'a text', 'internal_error'],
    ] as const) {
      const bad: Action = () => Promise.resolve({ commit: () => Promise.reject(thrown as Error) });
      const { outcomes } = await run(depsWith({ act: bad }), [unit(path, { action: 'act' }), unit(`behind-${path}`)]);
      expect(outcomes).toMatchObject([{ path, status: 'failed', error: { code } }]);
      expect(await recorded(path)).toMatchObject({ status: 'failed', error: { code } });
    }
  });

  /** An attempt that is about to commit while another one ends the step. */
  async function overtaken(other: Action): Promise<{ late: RunUnitsResult; commits: string[] }> {
    let [begun, letGo] = [(): void => undefined, (): void => undefined];
    const isBegun = new Promise<void>((done) => (begun = done));
    const blocked = new Promise<void>((done) => (letGo = done));
    const commits: string[] = [];
    const slow: Action = async () => {
      begun();
      await blocked;
      return {
        commit: () => {
          commits.push('late');
          return Promise.resolve({ by: 'late' });
        },
      };
    };
    const units = [unit('c', { action: 'act' }), unit('next', { inputs: { by: '{c.by}' } })];
    const late = run(depsWith({ act: slow }), units);
    await isBegun;
    await run(depsWith({ act: other }), units.slice(0, 1), 'w2');
    letGo();
    return { late: await late, commits };
  }

  it('does nothing where another attempt has the result, and goes on with that', async () => {
    const { late, commits } = await overtaken(() =>
      Promise.resolve({ commit: () => Promise.resolve({ by: 'other' }) }),
    );
    expect(late.outcomes).toEqual([
      { path: 'c', status: 'ok', output: { value: { by: 'other' } } },
      { path: 'next', status: 'ok', output: { value: { by: 'other' } } },
    ]);
    expect(commits).toEqual([]);
  });

  it('ends with the failure that another attempt has recorded', async () => {
    const { late, commits } = await overtaken(failing);
    expect(late.outcomes).toMatchObject([{ path: 'c', status: 'failed', error: { code: 'down' } }]);
    expect(commits).toEqual([]);
  });
});

it('the next step reads what another attempt recorded of the one before', async () => {
  let [begun, letGo] = [(): void => undefined, (): void => undefined];
  const isBegun = new Promise<void>((done) => (begun = done));
  const blocked = new Promise<void>((done) => (letGo = done));
  const slow: Action = async () => {
    begun();
    await blocked;
    return { output: { by: 'late' } };
  };
  const units = [unit('c', { action: 'act' }), unit('next', { inputs: { by: '{c.by}' } })];
  const late = run(depsWith({ act: slow }), units);
  await isBegun;
  await run(depsWith({ act: () => Promise.resolve({ output: { by: 'other' } }) }), units.slice(0, 1), 'w2');
  letGo();
  expect((await late).outcomes).toEqual([
    { path: 'c', status: 'ok', output: { value: { by: 'other' } } },
    { path: 'next', status: 'ok', output: { value: { by: 'other' } } },
  ]);
});

describe('a wait for a source', () => {
  const waits = async (until: number, act?: () => Promise<void>): Promise<Record<string, unknown>> => {
    const action: Action = async () => {
      await act?.();
      throw new SourceWait(until, 'rate_limited', 'https://api.example');
    };
    const { outcomes } = await run(depsWith({ act: action }), [unit('w', { action: 'act' })]);
    return outcomes[0]?.wait as unknown as Record<string, unknown>;
  };
  it('says how long it was asked for, and how much of its time the step has used', async () => {
    const before = Date.now();
    const wait = await waits(before + 3_600_000, () => new Promise((done) => setTimeout(done, 50)));
    const took = Date.now() - before;
    expect(Number(wait['spentMs'])).toBeGreaterThanOrEqual(40);
    expect(Number(wait['spentMs'])).toBeLessThanOrEqual(took);
    expect(Number(wait['askedMs'])).toBeGreaterThanOrEqual(3_600_000 - took);
    expect(Number(wait['askedMs'])).toBeLessThanOrEqual(3_600_000);
  });
  it('that is over was asked for no time', async () => {
    expect(await waits(Date.now() - 5_000)).toMatchObject({ askedMs: 0 });
  });
});

it('a result that cannot be kept is not waited for by a worker that stops', async () => {
  const worker = new AbortController();
  class Away extends StepHotPath {
    override step(...[id, call]: Parameters<StepHotPath['step']>): ReturnType<StepHotPath['step']> {
      if (call.record === undefined) return super.step(id, call);
      worker.abort();
      return Promise.reject(new AppError('database_unavailable', 'Away.', { category: 'unavailable' }));
    }
  }
  const units: UnitCall[] = [unit('a'), unit('b')];
  const deps = { ...depsWith({}), steps: new Away(db.database) };
  const env = { worker: 'w1', attempt: 1, signal: worker.signal, beat: () => undefined };
  await expect(runUnits(deps, bench.input(units), env)).rejects.toMatchObject({
    name: 'PlatformTrouble',
    code: 'database_unavailable',
    path: 'b',
  });
});
