import { getEventListeners } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Action } from '../../../activities/actions/types';
import { runUnits } from '../../../activities/runner/run-units';
import type { Json } from '../../../core/base/json';
import type { RefValue } from '../../../core/engine/values';
import { AppError } from '../../../core/errors/app-error';
import { SourceWait } from '../../../connectors/runtime/limits/source-wait';
import type { RunUnitsResult } from '../../../workflows/types';
import type { TestDatabase } from '../../db/db-fixture';
import { RunnerBench } from './runner-bench';

let db: TestDatabase;
let runId: string;
const bench = new RunnerBench();
const { depsWith, unit, run, starts } = bench;
beforeAll(async () => {
  db = await bench.open();
});
afterAll(() => bench.close());

describe('a segment', () => {
  beforeAll(async () => {
    runId = await bench.newRun();
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

  it('keeps nothing of an action that listens to its end and is over', async () => {
    const signals: AbortSignal[] = [];
    const listening: Action = (_call, { signal }) => {
      signals.push(signal);
      return Promise.resolve({ output: {} });
    };
    const worker = new AbortController();
    const input = bench.input([unit('listening', { action: 'listening' })]);
    const env = { worker: 'w1', attempt: 1, signal: worker.signal, beat: () => undefined };
    await runUnits(depsWith({ listening }), input, env);
    expect(signals).toHaveLength(1);
    expect(getEventListeners(worker.signal, 'abort')).toEqual([]);
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

  const failing: Action = () => Promise.reject(new AppError('down', 'It is down.', { category: 'upstream' }));

  /** Two attempts at two steps: the second one has ended while the first carries out its first step. */
  async function overtaken(name: string, late: Action, first: Action, then = 'run'): Promise<RunUnitsResult> {
    const units = [unit(name, { action: 'act' }), unit(`behind-${name}`)];
    const slow: Action = async (...given) => {
      await run(depsWith({ act: first }), units.slice(0, 1), 'w2');
      await db.admin.query('update runs set control = $2 where id = $1', [runId, then]);
      return late(...given);
    };
    const done = await run(depsWith({ act: slow }), units);
    await db.admin.query(`update runs set control = 'run' where id = $1`, [runId]);
    return done;
  }

  it.each(['run', 'pause'])('ends where another attempt recorded a failure first, in a run on %s', async (control) => {
    const late: Action = () => Promise.resolve({ output: { late: true } });
    const { outcomes } = await overtaken(`late-${control}`, late, failing, control);
    expect(outcomes).toMatchObject([{ path: `late-${control}`, status: 'failed', error: { code: 'down' } }]);
    const behind = `behind-late-${control}`;
    for (const attempt of await starts(behind)) expect(attempt.starts).toBe(attempt.released);
    const done = await db.admin.query('select 1 from step_results where run_id = $1 and step_path = $2', [
      runId,
      behind,
    ]);
    expect(done).toHaveLength(0);
  });

  it('goes on where another attempt recorded a result before it failed', async () => {
    const { outcomes } = await overtaken('well', failing, () => Promise.resolve({ output: { first: true } }));
    expect(outcomes).toEqual([
      { path: 'well', status: 'ok', output: { value: { first: true } } },
      { path: 'behind-well', status: 'ok', output: { value: {} } },
    ]);
  });
});

describe('data that cannot be brought in or kept', () => {
  beforeAll(async () => {
    runId = await bench.newRun();
  });

  it('a result nested deeper than can be written is the failure of its step', async () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as Json;
    const { outcomes } = await run(depsWith({ act: () => Promise.resolve({ output: deep }) }), [
      unit('deep', { action: 'act' }),
    ]);
    expect(outcomes).toMatchObject([
      { path: 'deep', status: 'failed', error: { code: 'result_too_deep', category: 'validation' } },
    ]);
  });

  const gone: RefValue = {
    kind: 'stored',
    stored: {
      value: null,
      handles: { '': { parts: [{ sha256: 'a'.repeat(64), size: 900_000, kind: 'whole' }], size: 900_000 } },
    },
    path: [],
  };

  it('waits for a person, for a tool and for a pure step in a thread', async () => {
    for (const action of ['echo', 'transform_data']) {
      const { outcomes } = await run(depsWith({}), [
        unit(`lost-${action}`, { action, inputs: { data: '{x}' }, refs: { x: gone } }),
      ]);
      expect(outcomes).toMatchObject([
        {
          status: 'attention',
          error: {
            code: 'blob_not_found',
            retryable: false,
            message: expect.stringContaining(`Step lost-${action}: `),
          },
        },
      ]);
    }
    const { outcomes } = await run(depsWith({}), [unit('lost-resume', { resume: gone.stored })]);
    expect(outcomes).toMatchObject([{ path: 'lost-resume', status: 'attention', error: { code: 'blob_not_found' } }]);
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
    const wait = new SourceWait(Date.UTC(2030, 0, 1), 'rate_limited', 'https://api.example');
    const waits: Action = () => Promise.reject(wait.at({ text: 'x'.repeat(70 * 1_048_576) }));
    const answer = await run(depsWith({ waits }), [unit('waits', { action: 'waits' })]);
    expect(answer.outcomes).toMatchObject([{ path: 'waits', status: 'failed', error: { code: 'payload_too_large' } }]);
  });
});
