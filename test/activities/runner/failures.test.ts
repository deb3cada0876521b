import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Action } from '../../../activities/actions/types';
import { runUnits } from '../../../activities/runner/run-units';
import { PlatformTrouble, type RunnerDeps } from '../../../activities/runner/types';
import type { UnitCall } from '../../../core/engine/commands';
import { AppError, type ErrorCategory } from '../../../core/errors/app-error';
import { SourceWait } from '../../../connectors/runtime/limits/source-wait';
import { StepHotPath } from '../../../infra/db/stores/step-hot-path.store';
import type { TestDatabase } from '../../db/db-fixture';
import { RunnerBench } from './runner-bench';

let db: TestDatabase;
let runId: string;
const bench = new RunnerBench();
const { depsWith, unit, starts } = bench;
beforeAll(async () => {
  db = await bench.open();
  runId = await bench.newRun();
});
afterAll(() => bench.close());

const error = (code: string, category: ErrorCategory = 'upstream'): AppError =>
  new AppError(code, `It says ${code}.`, { category });
const never = (): Promise<never> => new Promise(() => undefined);
const post = (effect: 'idempotent' | 'unsafe') => ({ description: 'POST somewhere', effect });

interface Surroundings {
  deps?: (deps: RunnerDeps) => RunnerDeps;
  signal?: AbortSignal;
}
async function outcomes(path: string, act: Action, more: Partial<UnitCall> & Surroundings = {}): Promise<unknown> {
  const { deps = (own: RunnerDeps) => own, signal = new AbortController().signal, ...call } = more;
  const env = { worker: 'w1', attempt: 1, signal, beat: () => undefined };
  const units = [unit(path, { action: 'act', ...call }), unit(`behind-${path}`)];
  const result = await runUnits(deps(depsWith({ act })), bench.input(units), env);
  return result.outcomes;
}
const failing =
  (thrown: unknown, effect?: 'idempotent' | 'unsafe'): Action =>
  async (_call, { beforeEffect }) => {
    if (effect !== undefined) await beforeEffect(post(effect));
    throw thrown;
  };
/** Action that calls `then` when its time is over. */
const atTheEnd =
  (then: () => Promise<never>, effect?: 'unsafe'): Action =>
  async (_call, { signal, beforeEffect }) => {
    if (effect !== undefined) await beforeEffect(post(effect));
    return new Promise((_done, fail) => {
      signal.addEventListener('abort', () => void then().catch(fail), { once: true });
    });
  };
const later = async (thrown: Error): Promise<never> => {
  await sleep(20);
  throw thrown;
};

describe('what an action throws', () => {
  it('on purpose is the failure of its step, with what it says, and nothing behind it begins', async () => {
    const said = new AppError('rejected', 'No.', { category: 'upstream', retryable: true, details: { status: 422 } });
    expect(await outcomes('said', failing(said))).toEqual([
      {
        path: 'said',
        status: 'failed',
        error: { code: 'rejected', message: 'No.', category: 'upstream', retryable: true, details: { status: 422 } },
      },
    ]);
    expect(await starts('behind-said')).toEqual([]);
    const [row] = await db.admin.query<{ status: string; error: unknown }>(
      `select status, error from step_results where run_id = $1 and step_path = 'said'`,
      [runId],
    );
    expect(row).toMatchObject({ status: 'failed', error: { code: 'rejected' } });
    const told = await db.admin.query<{ type: string; payload: unknown }>(
      `select type, payload from run_events where run_id = $1 and step_path = 'said' order by seq`,
      [runId],
    );
    expect(told).toMatchObject([
      { type: 'step.started', payload: { step: 'said', action: 'act', try_no: 1, attempt: 1 } },
      {
        type: 'step.attempt_failed',
        payload: { step: 'said', try_no: 1, error: { code: 'rejected', message: 'No.' } },
      },
    ]);
  });

  it('unforeseen fails for good and says nothing of itself but in the log', async () => {
    const logged: unknown[] = [];
    const thrown = new TypeError('secret of the product');
    const deps = (own: RunnerDeps): RunnerDeps => {
      const log = Object.create(own.log) as RunnerDeps['log'];
      log.error = (...said: unknown[]) => void logged.push(said);
      return { ...own, log };
    };
    const found = await outcomes('unforeseen', failing(thrown, 'idempotent'), { deps });
    expect(found).toMatchObject([
      { status: 'failed', error: { code: 'internal_error', category: 'internal', retryable: false } },
    ]);
    expect(JSON.stringify(found)).toContain('The action act failed');
    expect(JSON.stringify(found)).not.toContain('secret');
    expect(logged).toEqual([[{ runId, stepPath: 'unforeseen', err: thrown }, expect.any(String)]]);
  });

  it.each(['blob_not_found', 'blob_damaged'])('of content that is lost (%s) is for a person to mend', async (code) => {
    expect(await outcomes(code, failing(error(code)))).toMatchObject([{ status: 'attention', error: { code } }]);
    expect(await starts(code)).toEqual([{ starts: 1, released: 1 }]);
  });

  it('unforeseen after a request that cannot be repeated is for a person, who is told which', async () => {
    expect(await outcomes('left', failing(new Error('odd'), 'unsafe'))).toMatchObject([
      {
        status: 'attention',
        error: {
          code: 'effect_outcome_unknown',
          category: 'conflict',
          message: expect.stringContaining('A request to POST somewhere left'),
        },
      },
    ]);
    // Keeps the failure, as the outcome of the request is known.
    const known = await outcomes('left-known', failing(error('blob_not_found'), 'unsafe'));
    expect(known).toMatchObject([{ status: 'failed', error: { code: 'blob_not_found' } }]);
  });

  it('about the platform is no failure of the step: the call is repeated', async () => {
    const trouble = new PlatformTrouble('interrupted', 'Later.', 'own');
    await expect(outcomes('own', failing(trouble))).rejects.toBe(trouble);
    const full = error('storage_full', 'unavailable');
    const thrown = { name: 'PlatformTrouble', code: 'storage_full', path: 'full', cause: full };
    await expect(outcomes('full', failing(full))).rejects.toMatchObject(thrown);
    const away = error('database_unavailable', 'unavailable');
    await expect(outcomes('away', failing(away))).rejects.toMatchObject({
      name: 'PlatformTrouble',
      code: 'database_unavailable',
      path: 'away',
      cause: away,
    });
    // Attempts of a live worker: none counts as a loss.
    for (const path of ['own', 'full', 'away']) expect(await starts(path)).toEqual([{ starts: 1, released: 1 }]);
  });

  it('where the call is interrupted counts no more, nor does a wait', async () => {
    for (const [path, thrown] of [
      ['stopped', error('rejected')],
      ['stopped-wait', new SourceWait(Date.UTC(2030, 0, 1), 'rate_limited', 'https://api.example')],
    ] as const) {
      const worker = new AbortController();
      const act: Action = async () => {
        worker.abort();
        throw thrown;
      };
      await expect(outcomes(path, act, { signal: worker.signal })).rejects.toMatchObject({
        name: 'PlatformTrouble',
        code: 'interrupted',
        path,
        cause: expect.anything(),
      });
      expect(await starts(path)).toEqual([{ starts: 1, released: 1 }]);
    }
  });

  it('does not end an action that listens to nobody: the call ends with its worker', async () => {
    const worker = new AbortController();
    const act: Action = () => {
      worker.abort();
      return never();
    };
    await expect(outcomes('deaf', act, { signal: worker.signal })).rejects.toMatchObject({ code: 'interrupted' });
  });

  it('is that there is no such action: another build of the worker may have it', async () => {
    const deps = (own: RunnerDeps): RunnerDeps => ({ ...own, actions: {} });
    expect(await outcomes('none', never, { deps })).toMatchObject([
      {
        status: 'attention',
        error: {
          code: 'not_available',
          category: 'unavailable',
          retryable: true,
          message: expect.stringContaining('act'),
        },
      },
    ]);
  });
});

describe('a step whose time is over', () => {
  const timeoutMs = 50;

  it.each<[string, string, Action]>([
    ['its action never ends', 'never', never],
    ['its action says something else then', 'else', atTheEnd(() => Promise.reject(error('rejected')))],
    ['its action says something else late', 'late', atTheEnd(() => later(error('rejected')))],
  ])('fails and may be tried again where %s', async (_what, path, act) => {
    expect(await outcomes(path, act, { timeoutMs })).toEqual([
      {
        path,
        status: 'failed',
        error: {
          code: 'step_timeout',
          message: 'The step took longer than its 0.05 seconds.',
          category: 'timeout',
          retryable: true,
        },
      },
    ]);
  });

  it('says who took so long, where the action knows, also a moment late', async () => {
    const slow = error('source_timeout', 'timeout');
    for (const [path, act] of [
      ['knows', atTheEnd(() => Promise.reject(slow))],
      ['knows-late', atTheEnd(() => later(slow))],
    ] as const)
      expect(await outcomes(path, act, { timeoutMs })).toMatchObject([
        { status: 'failed', error: { code: 'source_timeout' } },
      ]);
  });

  it('asks a person where a request that cannot be repeated has left, whatever is said late', async () => {
    for (const [path, act] of [
      ['sent-late', atTheEnd(() => later(error('source_timeout', 'timeout')), 'unsafe')],
      ['sent-never', atTheEnd(never, 'unsafe')],
    ] as const)
      expect(await outcomes(path, act, { timeoutMs: 2000 })).toMatchObject([
        { status: 'attention', error: { code: 'effect_outcome_unknown' } },
      ]);
  });
});

describe('an action', () => {
  it('is told whose it is, and what its step may take', async () => {
    let seen: unknown[] = [];
    const act: Action = (call, { signal: _signal, note: _note, beforeEffect: _before, ...context }) => {
      seen = [call, context];
      return Promise.resolve({ output: {} });
    };
    const input = bench.input([]);
    const place = (path: string) => ({ stepPath: path, stepName: path, effectKey: `${runId}/${path}` });
    const context = {
      runId,
      ownerId: input.ownerId,
      playbookId: 'p',
      ...place('told'),
      tryNo: 1,
      clock: input.clock,
      connectors: {},
      timeoutMs: 60_000,
    };
    await outcomes('told', act, { inputs: { a: 1 }, params: { b: 2 } });
    expect(seen).toStrictEqual([{ action: 'act', inputs: { a: 1 }, params: { b: 2 } }, context]);
    const output_schema = { type: 'scalar' as const, fields: [] };
    await outcomes('told-more', act, { tryNo: 2, waitedMs: 7, resume: { value: [1] }, output_schema });
    expect(seen).toEqual([
      { action: 'act', inputs: {}, params: {}, output_schema },
      { ...context, ...place('told-more'), tryNo: 2, waitedMs: 7, resume: [1] },
    ]);
    const facts = { status: 'running', decisions: [], missing: ['x'], lacks: [], rests: [] };
    await outcomes('told-facts', act, { facts });
    expect(seen[0]).toStrictEqual({ action: 'act', inputs: {}, params: {}, facts });
    const units = [unit('strict', { action: 'act' })];
    const env = { worker: 'w1', attempt: 1, signal: new AbortController().signal, beat: () => undefined };
    await runUnits(depsWith({ act }), { ...bench.input(units), deterministic: true }, env);
    expect(seen[1]).toMatchObject({ deterministic: true, stepPath: 'strict' });
  });

  it('tells before a request leaves where it goes; in a run that is cancelled it leaves no more', async () => {
    const act: Action = async (_call, { beforeEffect }) => {
      await beforeEffect(post('unsafe'));
      return { output: 'sent' };
    };
    await outcomes('sends', act);
    const [sent] = await db.admin.query<{ payload: unknown }>(
      `select payload from run_events where run_id = $1 and step_path = 'sends' and type = 'effect.sent'`,
      [runId],
    );
    expect(sent?.payload).toMatchObject({
      step: 'sends',
      effect_key: `${runId}/sends`,
      target: 'POST somewhere',
      effect: 'unsafe',
    });
    const cancelled: Action = async (call, context) => {
      await db.admin.query(`update runs set control = 'cancel' where id = $1`, [runId]);
      return act(call, context);
    };
    await expect(outcomes('too-late', cancelled)).rejects.toMatchObject({
      code: 'interrupted',
      path: 'too-late',
      message: expect.stringContaining('cancelled'),
    });
    await db.admin.query(`update runs set control = 'run' where id = $1`, [runId]);
    const taken: Action = async (call, context) => {
      const begin = { effect_key: context.effectKey, try_no: 1, step_path: context.stepPath, worker: 'w2' };
      await new StepHotPath(db.database).step(runId, { begin });
      return act(call, context);
    };
    await expect(outcomes('taken', taken)).rejects.toMatchObject({
      code: 'interrupted',
      message: expect.stringContaining('Another worker carries the step out now'),
    });
  });

  it('that waits for a source has used the time that it did not sleep', async () => {
    const wait = new SourceWait(Date.UTC(2030, 0, 1), 'rate_limited', 'https://api.example');
    wait.sleptMs = 3_600_000;
    expect(await outcomes('slept', failing(wait))).toMatchObject([{ status: 'waiting', wait: { spentMs: 0 } }]);
  });
});
