import { createHash, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createConnectorActions } from '../../../activities/actions/call-connector.actions';
import type { Action } from '../../../activities/actions/types';
import { runUnits } from '../../../activities/runner/run-units';
import type { Json } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import { callAudit } from '../../../connectors/hooks/audit-log';
import type { CallHooks } from '../../../connectors/hooks/hook-types';
import type { ConnectorRuntime } from '../../../connectors/runtime/runtime';
import { ConnectorCallsStore } from '../../../infra/db/stores/connector-calls.store';
import { AuditStore } from '../../../infra/db/stores/identity/audit.store';
import { OWNER, type TestDatabase } from '../../db/db-fixture';
import { connectorDeps, noAudit } from '../../support/connector-deps';
import { stepDeps } from '../step-deps';
import { RunnerBench } from './runner-bench';
import { testRuntime } from '../../support/connector-runtime';

let db: TestDatabase;
let runId: string;
let runtime: ConnectorRuntime;
const bench = new RunnerBench();
const { depsWith, unit, input, run } = bench;
beforeAll(async () => {
  db = await bench.open();
  runId = await bench.newRun();
  runtime = testRuntime(db.database, 'w1');
});
afterAll(async () => {
  await runtime?.close();
  await bench.close();
});

const taken = new AppError('name_taken', 'The name is taken.', { category: 'conflict' });
const told = (path: string, like = '%') =>
  db.admin.query<{ type: string; payload: Record<string, unknown> }>(
    `select type, payload from run_events where run_id = $1 and step_path = $2 and type <> 'step.started' and type like $3
      order by seq`,
    [runId, path, like],
  );

describe('what an action notes', () => {
  it('beside its result is recorded with it', async () => {
    const act: Action = (_call, context) => {
      context.note('source.called', { outcome: 'ok' });
      return Promise.resolve({ output: { done: true } });
    };
    await run(depsWith({ act }), [unit('beside', { action: 'act' })]);
    expect(await told('beside')).toMatchObject([{ type: 'source.called' }, { type: 'step.finished' }]);
  });

  it('in a commit that is done is recorded with what came of it, and with the request that left before', async () => {
    const act: Action = async (_call, context) => {
      await context.beforeEffect({ description: 'a file', effect: 'idempotent' });
      return {
        commit: () => {
          context.note('source.called', { outcome: 'ok' });
          return Promise.resolve({ done: true });
        },
      };
    };
    await run(depsWith({ act }), [unit('done', { action: 'act' })]);
    expect(await told('done')).toMatchObject([
      { type: 'effect.sent' },
      { type: 'source.called', payload: { outcome: 'ok' } },
      { type: 'effect.recorded' },
      { type: 'step.finished' },
    ]);
  });

  it('in a commit that fails is undone with it; what it noted before, and says of the undoing, is recorded', async () => {
    const act: Action = (_call, context) => {
      context.note('source.called', { outcome: 'ok', which: 'the source that was asked before' });
      return Promise.resolve({
        commit: () => {
          context.note('source.called', { outcome: 'ok', which: 'ours' });
          return Promise.reject(taken);
        },
        takenBack: (error) => {
          context.note('source.called', { outcome: (error as AppError).code, which: 'ours' });
          return Promise.resolve();
        },
      });
    };
    await run(depsWith({ act }), [unit('fails', { action: 'act' })]);
    expect(await told('fails')).toMatchObject([
      { type: 'source.called', payload: { outcome: 'ok', which: 'the source that was asked before' } },
      { type: 'source.called', payload: { outcome: 'name_taken', which: 'ours' } },
      { type: 'step.attempt_failed', payload: { error: { code: 'name_taken' } } },
    ]);
  });

  it('in a commit that is tried again after a deadlock is recorded once', async () => {
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
    const events = await told('deadlock', 'source.%');
    expect(events).toMatchObject([
      { type: 'source.drift', payload: { count: 1 } },
      { type: 'source.called', payload: { tries: 2 } },
    ]);
    expect(events).toHaveLength(2);
  });
});

describe('a commit', () => {
  it.each(['blob_not_found', 'blob_damaged'])(
    'that finds content lost (%s) is tried again as a whole',
    async (code) => {
      const lost = new AppError(code, 'It is lost.', { category: 'internal' });
      const act: Action = () => Promise.resolve({ commit: () => Promise.reject(lost) });
      await expect(run(depsWith({ act }), [unit(code, { action: 'act' })])).rejects.toBe(lost);
      expect(await told(code)).toEqual([]);
    },
  );

  it('takes the result of another attempt that came first, and goes on or ends by it', async () => {
    for (const [path, act, behind] of [
      ['first-ok', () => Promise.resolve({ output: { first: true } }), 2],
      ['first-failed', () => Promise.reject(taken), 1],
    ] as const) {
      const units = [unit(path, { action: 'act' }), unit(`behind-${path}`)];
      const late: Action = async () => {
        await run(depsWith({ act }), units.slice(0, 1), 'w2');
        return { commit: () => Promise.resolve({ late: true }) };
      };
      const { outcomes } = await run(depsWith({ act: late }), units);
      expect(outcomes).toHaveLength(behind);
      expect(outcomes[0]).toMatchObject(
        behind === 2
          ? { status: 'ok', output: { value: { first: true } } }
          : { status: 'failed', error: { code: 'name_taken' } },
      );
    }
    expect(await bench.starts('behind-first-failed')).toEqual([]);
  });
});

describe('a connector that stands for an action of ours', () => {
  const endpoints = { e: { passthrough: true } };
  const body = { schema: 1, id: 'desk', name: 'Desk', type: 'existing_tool', endpoints } as const;

  /** One step that calls it. `commit`: what the action does in the transaction of the result. */
  async function step(path: string, hooks: CallHooks, commit: () => Promise<Json>): Promise<void> {
    const deps = connectorDeps({ hooks });
    const version = () => Promise.resolve({ body: { ...body, connection: { tool: 'query_journal' } } });
    const { call_connector: act } = createConnectorActions({
      ...stepDeps(deps, { version }, runtime),
      tools: () => ({ query_journal: () => Promise.resolve({ commit }) }),
    });
    const units = [unit(path, { action: 'act', params: { connector: 'desk', endpoint: 'e' } })];
    const env = { worker: 'w1', attempt: 1, signal: new AbortController().signal, beat: () => undefined };
    await runUnits(depsWith({ act: act! }), { ...input(units), connectors: { desk: randomUUID() } }, env);
    await deps.egress.close();
  }
  const done = (): Promise<Json> => Promise.resolve({ done: true });

  it('is audited by what came of its commit', async () => {
    const store = new AuditStore(db.database);
    const trail = async (path: string, commit: () => Promise<Json>): Promise<string[]> => {
      await step(path, { audit: callAudit(store) }, commit);
      const digest = createHash('sha256').update(`${runId}/${path}`).digest('hex');
      const { items } = await store.list(OWNER, { limit: 100, objectId: 'desk.e' });
      return items.filter(({ after_digest: after }) => after === digest).map(({ action }) => action);
    };
    expect(await trail('audited', done)).toEqual(['connector.called']);
    expect(await trail('taken-back', () => Promise.reject(taken))).toEqual(['connector.call_failed']);
    // Another attempt that finds the result does nothing, so that there is nothing to tell.
    expect(await trail('audited', () => Promise.reject(taken))).toEqual(['connector.called']);
  });

  it.each<[string, string, () => Promise<Json>, CallHooks]>([
    ['the action refuses', 'refused', () => Promise.reject(taken), noAudit],
    [
      'something behind the action takes all of it back',
      'behind',
      done,
      { audit: (_call, sql) => (sql === undefined ? Promise.resolve() : Promise.reject(taken)) },
    ],
  ])('was called without success where %s: event and record say the same', async (_what, path, commit, hooks) => {
    await step(path, hooks, commit);
    expect(await told(path)).toMatchObject([
      { type: 'source.called', payload: { connector: 'desk', outcome: 'name_taken', requests: 1, requests_failed: 1 } },
      { type: 'step.attempt_failed', payload: { error: { code: 'name_taken' } } },
    ]);
    await runtime.recorder.flush();
    const { items } = await new ConnectorCallsStore(db.database).calls(OWNER, 'desk');
    expect(items.filter((call) => call.step_path === path)).toMatchObject([{ outcome: 'name_taken' }]);
  });
});
