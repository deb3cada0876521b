import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Action } from '../../../activities/actions/types';
import type { RunnerDeps } from '../../../activities/runner/types';
import type { Json } from '../../../core/base/json';
import type { UnitCall } from '../../../core/engine/commands';
import { AppError } from '../../../core/errors/app-error';
import { SourceWait } from '../../../connectors/runtime/limits/source-wait';
import { StepHotPath } from '../../../infra/db/stores/step-hot-path.store';
import { type TestDatabase } from '../../db/db-fixture';
import { RunnerBench } from './runner-bench';

let db: TestDatabase;
let runId: string;
const bench = new RunnerBench();
const { depsWith, unit, run, starts } = bench;
beforeAll(async () => {
  db = await bench.open();
});
afterAll(() => bench.close());

describe('an unsafe request whose step has no time left', () => {
  beforeAll(async () => {
    runId = await bench.newRun();
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

describe('a request that left with a worker that died', () => {
  beforeAll(async () => {
    runId = await bench.newRun();
  });
  const target = { description: 'POST somewhere', effect: 'unsafe' as const };
  const wait = new SourceWait(Date.UTC(2030, 0, 1), 'rate_limited', 'https://login.example');

  /** State that a worker leaves if it dies after announcing the request. */
  async function sent(path: string, effect: 'idempotent' | 'unsafe' = 'unsafe'): Promise<UnitCall> {
    const one = unit(path, { action: 'act', timeoutMs: 200 });
    const key = { effect_key: one.effectKey, try_no: 1 };
    const steps = new StepHotPath(db.database);
    await steps.step(runId, { begin: { ...key, step_path: path, worker: 'dead' } });
    const left = await steps.effectSent(runId, { ...key, worker: 'dead', effect, target: 'somewhere' });
    expect(left).toMatchObject({ sent: true });
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

  it('that can be repeated leaves again, and nobody is asked', async () => {
    const one = await sent('idempotent', 'idempotent');
    const { outcomes } = await run(depsWith({ act: () => Promise.resolve({ output: 'sent' }) }), [one], 'w2');
    expect(outcomes).toMatchObject([{ status: 'ok' }]);
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

describe('a worker that another took over from', () => {
  beforeAll(async () => {
    runId = await bench.newRun();
  });

  it('sends nothing any more, and that is no failure of the step: the other one’s result counts', async () => {
    let goOn = (): void => undefined;
    const mayGoOn = new Promise<void>((done) => (goOn = done));
    let there = (): void => undefined;
    const isThere = new Promise<void>((done) => (there = done));
    const sends: string[] = [];
    const act =
      (worker: string, before: () => Promise<void>): Action =>
      async (_call, context) => {
        await before();
        await context.beforeEffect({ description: 'POST somewhere', effect: 'unsafe' });
        sends.push(worker);
        return { output: worker };
      };
    const units = [unit('taken-over', { action: 'act' })];
    const slow = act('slow', () => {
      there();
      return mayGoOn;
    });
    const late = run(depsWith({ act: slow }), units, 'slow').catch((error: unknown) => error);
    await isThere;
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((done) => (begun = done));
    const next = act('next', async () => {
      begun();
      expect(await late).toMatchObject({ name: 'PlatformTrouble', code: 'interrupted' });
    });
    const taken = run(depsWith({ act: next }), units, 'next');
    await hasBegun;
    goOn();
    expect((await taken).outcomes).toMatchObject([{ status: 'ok', output: { value: 'next' } }]);
    expect(sends).toEqual(['next']);
    const rows = await db.admin.query(
      `select a.effect_sent_count as sent, r.status from step_attempts a join step_results r using (run_id, effect_key, try_no)
        where run_id = $1 and a.step_path = 'taken-over'`,
      [runId],
    );
    expect(rows).toEqual([{ sent: 1, status: 'ok' }]);
  });
});

describe('a step whose source asks for a wait', () => {
  beforeAll(async () => {
    runId = await bench.newRun();
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
        wait: {
          until,
          reason: 'rate_limited',
          source: 'https://api.example',
          askedMs: expect.any(Number),
          spentMs: expect.any(Number),
        },
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
    // Keeps the text in the history small.
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
