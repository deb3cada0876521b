import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { RunEvent } from '../../core/engine/commands';
import { ModelCallsStore } from '../../infra/db/stores/model-calls.store';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { pagesOf, stranger } from './pages';
import { rowCounts, startApi, startRun, type TestApi } from './api-fixture';

/** Rows as a worker writes them; nothing here needs Temporal. */
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

let eventNo = 0;
function event(type: string, step_path: string, payload: RunEvent['payload'] = {}): RunEvent {
  eventNo += 1;
  const step = step_path.split('/').at(-1) ?? '';
  return { id: `e${eventNo}`, type, step_path, payload: { step, ...payload } };
}
const log = (runId: string, events: RunEvent[]) => new TransitionsStore(api.database).apply(runId, { events });

async function record(runId: string, step_path: string, more: object = {}): Promise<void> {
  const key = { effect_key: `${runId}/${step_path}`, try_no: 1, step_path };
  const hot = new StepHotPath(api.database);
  await hot.step(runId, { begin: { ...key, worker: 'w1' } });
  await hot.step(runId, {
    record: {
      ...key,
      step_name: step_path,
      action: 'call_connector',
      status: 'ok',
      started_at: new Date().toISOString(),
      ...more,
    },
  });
}

describe('steps', () => {
  it('come by parent and by status, page by page', async () => {
    const runId = await startRun(api);
    const items = Array.from({ length: 5 }, (_, at) => `each[${at}]/parse`);
    await log(runId, [
      event('step.started', 'sort_rows'),
      event('step.finished', 'sort_rows', { status: 'ok' }),
      event('step.started', 'each'),
      ...items.map((path) => event('step.started', path)),
      event('step.finished', items[1] ?? '', { status: 'failed', error: { code: 'x', message: 'y' } }),
      event('step.finished', items[3] ?? '', { status: 'ok' }),
      event('step.started', 'each[0]/inner[0]/deep'),
    ]);
    const seen = (query: string) => pagesOf(api, `/runs/${runId}/steps?limit=2${query}`, (step) => step['step_path']);
    expect(await seen('')).toEqual(['sort_rows', 'each', ...items, 'each[0]/inner[0]/deep']);
    expect(await seen('&parent=')).toEqual(['sort_rows', 'each']);
    expect(await seen('&parent=each')).toEqual(items);
    expect(await seen(`&parent=${encodeURIComponent('each[3]')}`)).toEqual([items[3]]);
    expect(await seen('&status=ok')).toEqual(['sort_rows', items[3]]);
    expect(await seen('&status=failed&parent=each')).toEqual([items[1]]);
    expect((await api.call('GET', `/runs/${runId}/steps?cursor=nonsense`)).body.code).toBe('invalid_cursor');
  });

  it('carry their attempts, what they wait for, and the runs that they started', async () => {
    const runId = await startRun(api);
    const child = await startRun(api);
    await api.admin.query('update runs set parent_run_id = $2, parent_step_path = $3 where id = $1', [
      child,
      runId,
      'sub',
    ]);
    const wait = { kind: 'child', step_path: 'sub', runId: child, since: new Date().toISOString(), until: null };
    await new TransitionsStore(api.database).apply(runId, {
      events: [event('step.started', 'pull'), event('step.started', 'sub')],
      patch: { no: 1, status: 'running', waits: [wait], steps_done: 0, steps_total: 2 },
    });
    await record(runId, 'pull');
    const { body } = await api.call('GET', `/runs/${runId}/steps`);
    expect(body.items).toMatchObject([
      { step_path: 'pull', attempts: 1, losses: 0, effects_sent: 0, children: [] },
      {
        step_path: 'sub',
        attempts: 0,
        wait: { kind: 'child', runId: child },
        children: [{ runId: child, status: 'pending' }],
      },
    ]);
  });
});

describe('input and output of a step', () => {
  const path = encodeURIComponent('each[0]/pull');

  it('are whole where they are small, also under a path with slashes', async () => {
    const runId = await startRun(api);
    await record(runId, 'each[0]/pull', { input: { inputs: { a: 1 } }, output: { value: { results: [1] } } });
    expect((await api.call('GET', `/runs/${runId}/steps/${path}/input`)).body).toEqual({
      step_path: 'each[0]/pull',
      try_no: 1,
      value: { inputs: { a: 1 } },
    });
    expect((await api.call('GET', `/runs/${runId}/steps/${path}/output`)).body['value']).toEqual({ results: [1] });
    const other = await api.call('GET', `/runs/${runId}/steps/${path}/output?try_no=2`);
    expect(other).toMatchObject({ status: 404, body: { code: 'step_value_not_found' } });
  });

  it('come in slices of text where they are large', async () => {
    const runId = await startRun(api);
    const rows = Array.from({ length: 40_000 }, (_, n) => ({ n, text: `ä😀"\\ ${n}` }));
    const blob = await api.deps.blobs.put(LOCAL_USER_ID, Buffer.from(JSON.stringify(rows)));
    const handle = { parts: [{ ...blob, kind: 'whole' as const }], size: blob.size };
    await record(runId, 'pull', { output: { value: { count: 1, results: null }, handles: { results: handle } } });
    let text = '';
    let pages = 0;
    for (let cursor: string | undefined = ''; cursor !== undefined; pages += 1) {
      const { body } = await api.call('GET', `/runs/${runId}/steps/pull/output${cursor}`);
      text += String(body['text']);
      cursor = typeof body['next_cursor'] === 'string' ? `?cursor=${body['next_cursor']}` : undefined;
    }
    expect(pages).toBeGreaterThan(2);
    expect(JSON.parse(text)).toEqual({ count: 1, results: rows });
  });

  it('of a step inside the workflow are what the run kept at its end', async () => {
    const runId = await startRun(api);
    const missing = await api.call('GET', `/runs/${runId}/steps/sort_rows/output`);
    expect(missing).toMatchObject({ status: 404, body: { code: 'step_value_not_found' } });
    await new TransitionsStore(api.database).finish(runId, {
      status: 'complete',
      result: { sort_rows: { value: [1] } },
    });
    expect((await api.call('GET', `/runs/${runId}/steps/sort_rows/output`)).body).toEqual({
      step_path: 'sort_rows',
      value: [1],
    });
  });
});

it('lists calls of models and effects, page by page', async () => {
  const runId = await startRun(api);
  const models = new ModelCallsStore(api.database);
  const sent = { run_id: runId, step_path: 'ask', effect_key: `${runId}/ask`, try_no: 1, provider: 'p', model: 'm' };
  const answer = { input_tokens: 3, output_tokens: null, cost_usd: null, outcome: 'ok', latency_ms: 5 };
  for (let call = 0; call < 3; call++) {
    const id = (await models.open(LOCAL_USER_ID, sent)) ?? '';
    await models.settle(LOCAL_USER_ID, runId, id, answer);
  }
  expect(await pagesOf(api, `/runs/${runId}/model-calls?limit=2`, (call) => call['call_no'])).toEqual([1, 2, 3]);
  const { body: run } = await api.call('GET', `/runs/${runId}`);
  expect(run['usage']).toEqual({ input_tokens: 9, output_tokens: 0, cost_usd: null, unpriced_calls: 3 });
  const hot = new StepHotPath(api.database);
  for (const step_path of ['a', 'b', 'c']) {
    const key = { effect_key: `${runId}/${step_path}`, try_no: 1 };
    await hot.step(runId, { begin: { ...key, step_path, worker: 'w' } });
    await hot.effectSent(runId, { ...key, worker: 'w', effect: 'unsafe', target: `POST https://x/${step_path}` });
  }
  await hot.step(runId, { begin: { effect_key: `${runId}/d`, try_no: 1, step_path: 'd', worker: 'w' } });
  expect(await pagesOf(api, `/runs/${runId}/effects?limit=2`, (effect) => effect['target'])).toEqual([
    'POST https://x/a',
    'POST https://x/b',
    'POST https://x/c',
  ]);
});

it('shows outputs, their report, and the graph of the pinned version', async () => {
  const runId = await startRun(api);
  await new TransitionsStore(api.database).finish(runId, {
    status: 'complete',
    result: { first_rows: { value: { data: [] } } },
    summary: 'All is well.',
    routing_report: [{ destination: 'document', status: 'ok' }],
  });
  expect((await api.call('GET', `/runs/${runId}/outputs`)).body).toEqual({
    runId,
    status: 'complete',
    summary: 'All is well.',
    items: [{ key: 'first_rows', omitted: [], link: `/api/agent-factory/runs/${runId}/outputs/first_rows` }],
    routing_report: [{ destination: 'document', status: 'ok' }],
  });
  const { body: graph } = await api.call('GET', `/runs/${runId}/graph`);
  expect(graph['nodes']).toMatchObject([{ step: 'sort_rows' }, { step: 'first_rows' }]);
});

it('says what may be asked of a run, and what it waits for', async () => {
  const runId = await startRun(api);
  const get = async () => (await api.call('GET', `/runs/${runId}`)).body;
  expect(await get()).toMatchObject({
    waits: [{ kind: 'start', since: expect.any(String), until: null }],
    allowed_actions: ['cancel', 'pause'],
  });
  await api.call('POST', `/runs/${runId}/pause`);
  expect(await get()).toMatchObject({ allowed_actions: ['cancel', 'resume'] });
  await new TransitionsStore(api.database).finish(runId, { status: 'failed' });
  expect(await get()).toMatchObject({ waits: [], allowed_actions: ['retry'] });
});

describe('many runs at once', () => {
  it('each get an answer of their own', async () => {
    const [open, closed, missing] = [await startRun(api), await startRun(api), randomUUID()];
    const foreign = await startRun(api);
    await stranger(api, 'runs', foreign);
    await new TransitionsStore(api.database).finish(closed, { status: 'failed' });
    const answer = await api.call('POST', '/runs/bulk', { action: 'pause', ids: [open, closed, missing, foreign] });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        items: [
          { runId: open, status: 202, run_status: 'pending' },
          { runId: closed, status: 409, code: 'run_closed' },
          { runId: missing, status: 404, code: 'run_not_found' },
          { runId: foreign, status: 404, code: 'run_not_found' },
        ],
      },
    });
  });

  it('are retried once for a key', async () => {
    const runIds = [await startRun(api), await startRun(api)];
    for (const runId of runIds) await new TransitionsStore(api.database).finish(runId, { status: 'failed' });
    const retry = () =>
      api.call('POST', '/runs/bulk', { action: 'retry', ids: runIds }, { 'idempotency-key': 'all-of-them' });
    const first = await retry();
    expect(first.body.items).toMatchObject(
      runIds.map((runId) => ({ runId, status: 201, retry_run_id: expect.any(String) })),
    );
    expect((await retry()).body).toEqual(first.body);
    const retries = await api.admin.query('select id from runs where retry_of = any($1)', [runIds]);
    expect(retries).toHaveLength(2);
  });

  it.each([
    ['none', { action: 'cancel', ids: [] }],
    ['too many', { action: 'cancel', ids: Array.from({ length: 101 }, () => randomUUID()) }],
    ['one twice', { action: 'cancel', ids: Array.from({ length: 2 }, () => '0f8fad5b-d9cb-469f-a165-70867728950e') }],
    ['what is no id', { action: 'cancel', ids: ['x'] }],
    ['an unknown action', { action: 'delete', ids: [randomUUID()] }],
  ])('are refused as a whole: %s', async (_what, request) => {
    const before = await rowCounts(api);
    expect(await api.call('POST', '/runs/bulk', request)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    expect(await rowCounts(api)).toEqual(before);
  });
});

it('serves runs under their other name too', async () => {
  const runId = await startRun(api);
  expect((await api.call('GET', `/executions/${runId}`)).body).toMatchObject({ runId });
  expect((await api.call('GET', `/executions/${runId}/steps`)).status).toBe(200);
  expect((await api.call('GET', `/executions/${runId}/discoveries`)).body).toEqual({ items: [] });
  expect((await api.call('POST', `/executions/${runId}/pause`)).status).toBe(202);
});

it('shows nothing of a stranger', async () => {
  const runId = await startRun(api);
  await stranger(api, 'runs', runId);
  for (const path of ['steps', 'steps/a/input', 'steps/a/output', 'model-calls', 'effects', 'outputs', 'graph']) {
    expect(await api.call('GET', `/runs/${runId}/${path}`)).toMatchObject({
      status: 404,
      body: { code: 'run_not_found' },
    });
  }
});
