import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { rowCounts, startApi, startRun, TWO_STEPS, type TestApi } from './api-fixture';

/** Routes that need no Temporal: its address has no listener. */
let api: TestApi;
beforeAll(async () => {
  api = await startApi({ env: { AF_TIME_ZONE: 'Pacific/Kiritimati' } });
  await api.call('POST', '/playbooks', { source: TWO_STEPS });
});
afterAll(() => api.close());

const body = { playbook: 'two-steps', inputs: { rows: [{ size: 2 }] } };

function finish(runId: string, status: 'complete' | 'failed' = 'complete'): Promise<unknown> {
  return new TransitionsStore(api.database).finish(runId, {
    status,
    events: [{ id: 'c', type: 'complete', payload: { status } }],
  });
}

describe('starting', () => {
  it('keeps the run even though Temporal is away (F04c)', async () => {
    const { status, body: answer } = await api.call('POST', '/runs', {
      ...body,
      query: 'why?',
      time_zone: 'Europe/Berlin',
    });
    expect({ status, answer }).toEqual({ status: 201, answer: { runId: expect.any(String), status: 'pending' } });
    const { body: run } = await api.call('GET', `/runs/${String(answer['runId'])}`);
    expect(run).toMatchObject({
      status: 'pending',
      query: 'why?',
      inputs: { rows: [{ size: 2 }], least: 3 },
      clock: { time_zone: 'Europe/Berlin', today: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      playbook: { slug: 'two-steps', version_no: 1 },
      approval_policy: 'require',
      run_context: 'interactive',
    });
  });

  it('takes the zone of the request, else of the configuration', async () => {
    const { body: run } = await api.call('GET', `/runs/${await startRun(api)}`);
    expect(run['clock']).toMatchObject({ time_zone: 'Pacific/Kiritimati' });
    expect(run['clock']).not.toHaveProperty('last_execution_date');
  });

  it('knows the last execution: the latest that ended well', async () => {
    const good = await startRun(api);
    await finish(good);
    await finish(await startRun(api), 'failed');
    const { body: earlier } = await api.call('GET', `/runs/${good}`);
    const { body: run } = await api.call('GET', `/runs/${await startRun(api, { time_zone: 'UTC' })}`);
    expect(run['clock']).toMatchObject({ last_execution_date: String(earlier['started_at']).slice(0, 10) });
  });

  it.each([
    ['no playbook of that name', { ...body, playbook: 'nothing' }, 404, 'playbook_not_found'],
    ['no such version', { ...body, version: '9' }, 404, 'version_not_found'],
    ['a missing input', { ...body, inputs: {} }, 422, 'invalid_inputs'],
    ['an unknown input', { ...body, inputs: { rows: [], row: 1 } }, 422, 'invalid_inputs'],
    ['an input of the wrong type', { ...body, inputs: { rows: 'x' } }, 422, 'invalid_inputs'],
    ['an unknown zone', { ...body, time_zone: 'Mars/Olympus' }, 422, 'invalid_time_zone'],
    ['an offset as a zone', { ...body, time_zone: '+02:00' }, 422, 'invalid_time_zone'],
  ])('refuses %s and keeps nothing', async (_what, request, status, code) => {
    const before = await rowCounts(api);
    const answer = await api.call('POST', '/runs', request);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
    expect(await rowCounts(api)).toEqual(before);
  });

  it('takes inputs of 5 MB, and refuses more than 6 (F12b)', async () => {
    const rows = [{ text: 'x'.repeat(5 * 1024 * 1024) }];
    expect((await api.call('POST', '/runs', { ...body, inputs: { rows } })).status).toBe(201);
    const more = [{ text: 'x'.repeat(7 * 1024 * 1024) }];
    const answer = await api.call('POST', '/runs', { ...body, inputs: { rows: more } });
    expect(answer).toMatchObject({ status: 413, body: { code: 'payload_too_large' } });
  });

  it('keeps strange text in inputs as it is', async () => {
    const rows = [{ text: 'a\u0000b \ud800 \u2028 {not_a_reference}' }];
    const { body: run } = await api.call('GET', `/runs/${await startRun(api, { inputs: { rows } })}`);
    expect(run['inputs']).toMatchObject({ rows });
  });
});

describe('Idempotency-Key', () => {
  const start = (key: string, request: object = body) => api.call('POST', '/runs', request, { 'idempotency-key': key });

  it('gives the same run to the same request, whatever happened since (F03c)', async () => {
    const key = randomUUID();
    const first = await start(key);
    const again = await start(key, { inputs: body.inputs, playbook: body.playbook });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    await finish(String(first.body['runId']));
    await api.admin.query(`update runs set created_at = created_at - interval '25 hours' where id = $1`, [
      first.body['runId'],
    ]);
    await api.call('POST', '/playbooks', { source: TWO_STEPS.replace('count: 2', 'count: 7') });
    const late = await start(key);
    expect(late).toMatchObject({ status: 201, body: { runId: first.body['runId'], status: 'complete' } });
  });

  it('makes one run of twenty requests at once (F28a)', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => start(key)));
    expect(new Set(answers.map((answer) => answer.body['runId'])).size).toBe(1);
    const rows = await api.admin.query('select id from runs where idempotency_key = $1', [key]);
    expect(rows).toHaveLength(1);
  });

  it('refuses another body (F28b) and what is no key', async () => {
    const key = randomUUID();
    await start(key);
    const before = await rowCounts(api);
    expect(await start(key, { ...body, query: 'other' })).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    });
    expect(await start('with space')).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
    expect(await start('x'.repeat(256))).toMatchObject({ status: 400 });
    expect(await rowCounts(api)).toEqual(before);
  });
});

it('lists page by page, newest first, without gap or repeat', async () => {
  for (let count = 0; count < 5; count += 1) {
    await startRun(api);
  }
  const seen: unknown[] = [];
  let cursor = '';
  do {
    const { body: page } = await api.call('GET', `/runs?limit=2&status=pending&playbook=two-steps${cursor}`);
    seen.push(...(page.items ?? []).map((run) => run['runId']));
    cursor = typeof page['next_cursor'] === 'string' ? `&cursor=${page['next_cursor']}` : '';
  } while (cursor !== '');
  expect(new Set(seen).size).toBe(seen.length);
  const [count] = await api.admin.query<{ n: number }>(`select count(*) as n from runs where status = 'pending'`);
  expect(seen).toHaveLength(count?.n ?? 0);
});

describe('control without Temporal', () => {
  it('is kept and told later: 202', async () => {
    const runId = await startRun(api);
    expect(await api.call('POST', `/runs/${runId}/pause`)).toMatchObject({
      status: 202,
      body: { control: 'pause', runId },
    });
    expect(await api.call('POST', `/runs/${runId}/resume`)).toMatchObject({ status: 202, body: { control: 'run' } });
    expect(await api.call('POST', `/runs/${runId}/cancel`)).toMatchObject({ status: 202, body: { control: 'cancel' } });
    expect(await api.call('POST', `/runs/${runId}/cancel`)).toMatchObject({ status: 202 });
    expect(await api.call('POST', `/runs/${runId}/resume`)).toMatchObject({
      status: 409,
      body: { code: 'run_closed' },
    });
  });

  it('has nothing to do with a closed run, and nothing to resolve where nobody asks', async () => {
    const runId = await startRun(api);
    const resolve = { step_path: 'sort_rows', outcome: 'done' };
    expect(await api.call('POST', `/runs/${runId}/resolve`, resolve)).toMatchObject({
      status: 409,
      body: { code: 'nothing_to_resolve' },
    });
    await finish(runId);
    for (const command of ['cancel', 'pause', 'resume']) {
      expect(await api.call('POST', `/runs/${runId}/${command}`)).toMatchObject({
        status: 409,
        body: { code: 'run_closed' },
      });
    }
    expect(await api.call('POST', `/runs/${runId}/resolve`, { ...resolve, outcome: 'maybe' })).toMatchObject({
      status: 400,
    });
  });
});

describe('retry', () => {
  it('is for closed runs, and takes over what is untouched', async () => {
    const runId = await startRun(api);
    expect(await api.call('POST', `/runs/${runId}/retry`, {})).toMatchObject({
      status: 409,
      body: { code: 'run_not_closed' },
    });
    const step = {
      effect_key: `${runId}/sort_rows`,
      try_no: 1,
      step_path: 'sort_rows',
      step_name: 'sort_rows',
      action: 'transform_data',
    };
    await new StepHotPath(api.database).step(runId, {
      record: { ...step, status: 'ok', output: { value: { data: [] } }, started_at: new Date().toISOString() },
    });
    const error = { code: 'x', message: 'x', category: 'upstream' as const, retryable: false };
    const failed = { ...step, effect_key: `${runId}/first_rows`, step_path: 'first_rows', step_name: 'first_rows' };
    await new StepHotPath(api.database).step(runId, {
      record: { ...failed, status: 'failed', error, started_at: new Date().toISOString() },
    });
    await finish(runId, 'failed');
    const unknown = await api.call('POST', `/runs/${runId}/retry`, { from_step: 'nothing' });
    expect(unknown).toMatchObject({
      status: 422,
      body: { code: 'unknown_step', detail: expect.stringContaining('sort_rows, first_rows') },
    });
    // The step is the same where nobody names it.
    for (const from of [{ from_step: 'first_rows' }, {}])
      expect(await api.call('POST', `/runs/${runId}/retry`, { ...from, inputs: { data: 5 } })).toMatchObject({
        status: 422,
        body: { code: 'invalid_inputs', detail: expect.stringMatching(/first_rows.*data/) },
      });
    const { status, body: answer } = await api.call('POST', `/runs/${runId}/retry`, {
      from_step: 'first_rows',
      inputs: { data: [{ size: 9 }] },
    });
    expect({ status, answer }).toMatchObject({ status: 201, answer: { status: 'pending' } });
    const retried = String(answer['runId']);
    expect((await api.call('GET', `/runs/${retried}`)).body).toMatchObject({
      retry_of: runId,
      retry_from: 'first_rows',
    });
    const { body: tries } = await api.call('GET', `/runs/${retried}/tries?step_path=sort_rows`);
    expect(tries.items).toMatchObject([{ status: 'ok', copied_from: runId, output: { data: [] } }]);
    const [carried] = await api.admin.query('select retry_overrides from runs where id = $1', [retried]);
    expect(carried).toEqual({ retry_overrides: { first_rows: { data: [{ size: 9 }] } } });
  });
});

describe('Idempotency-Key of a retry', () => {
  const retry = (runId: string, key: string, request: object = {}) =>
    api.call('POST', `/runs/${runId}/retry`, request, { 'idempotency-key': key });
  const retriesOf = async (runId: string): Promise<number> =>
    (await api.admin.query('select id from runs where retry_of = $1', [runId])).length;

  it('gives the same retry to the same request, whatever happened since', async () => {
    const runId = await startRun(api);
    await finish(runId, 'failed');
    const key = randomUUID();
    const first = await retry(runId, key, { from_step: 'sort_rows' });
    expect(first.status).toBe(201);
    expect(first.headers.get('idempotency-replayed')).toBeNull();
    const again = await retry(runId, key, { from_step: 'sort_rows' });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    await finish(String(first.body['runId']), 'failed');
    expect(await retry(runId, key, { from_step: 'sort_rows' })).toMatchObject({
      status: 201,
      body: { runId: first.body['runId'], status: 'failed' },
    });
    expect(await retriesOf(runId)).toBe(1);
  });

  it('makes one retry of ten requests at once, and one each without a key', async () => {
    const runId = await startRun(api);
    await finish(runId, 'failed');
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 10 }, () => retry(runId, key)));
    expect(answers.map((answer) => answer.status)).toEqual(answers.map(() => 201));
    expect(new Set(answers.map((answer) => answer.body['runId'])).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get('idempotency-replayed') === null)).toHaveLength(1);
    await api.call('POST', `/runs/${runId}/retry`, {});
    await api.call('POST', `/runs/${runId}/retry`, {});
    expect(await retriesOf(runId)).toBe(3);
  });

  it('refuses another body, another run, the key of a start, and what is no key', async () => {
    const [runId, other] = [await startRun(api), await startRun(api)];
    await finish(runId, 'failed');
    await finish(other, 'failed');
    const [key, started] = [randomUUID(), randomUUID()];
    await retry(runId, key);
    await api.call('POST', '/runs', body, { 'idempotency-key': started });
    const before = await rowCounts(api);
    const mismatch = { status: 422, body: { code: 'idempotency_mismatch' } };
    expect(await retry(runId, key, { from_step: 'first_rows' })).toMatchObject(mismatch);
    expect(await retry(other, key)).toMatchObject(mismatch);
    expect(await retry(runId, started)).toMatchObject(mismatch);
    expect(await api.call('POST', '/runs', body, { 'idempotency-key': key })).toMatchObject(mismatch);
    expect(await retry(runId, 'with space')).toMatchObject({ status: 400, body: { code: 'invalid_idempotency_key' } });
    expect(await retry(randomUUID(), randomUUID())).toMatchObject({ status: 404, body: { code: 'run_not_found' } });
    expect(await rowCounts(api)).toEqual(before);
  });
});

describe('approvals without a worker', () => {
  async function gate(): Promise<{ runId: string; approvalId: string }> {
    const runId = await startRun(api);
    const approvalId = randomUUID();
    const approval = {
      id: approvalId,
      step_path: 'look',
      step_name: 'look',
      status: 'waiting' as const,
      prompt: 'Go on?',
    };
    const schema = { type: 'object', properties: { to: { type: 'string' } }, additionalProperties: false };
    await new TransitionsStore(api.database).apply(runId, {
      approvals: [
        {
          ...approval,
          preview: [{ a: 1 }],
          preview_total: 1,
          action: { step: 'send', inputs: { to: 'a' } },
          digest: 'd'.repeat(64),
          edit_schema: schema,
          on_reject: 'stop',
          on_timeout: 'stop',
          due_at: null,
        },
      ],
    });
    return { runId, approvalId };
  }

  it('are kept: 202 received, the same for the same id (F07c)', async () => {
    const { runId, approvalId } = await gate();
    const { body: shown } = await api.call('GET', `/approvals/${approvalId}`);
    expect(shown).toMatchObject({
      runId,
      prompt: 'Go on?',
      preview: [{ a: 1 }],
      digest: 'd'.repeat(64),
      status: 'waiting',
    });
    const digest = 'd'.repeat(64);
    const decision = { decisionId: randomUUID(), instructions: 'careful', edits: { to: 'b' }, digest };
    const first = await api.call('POST', `/approvals/${approvalId}/approve`, decision);
    expect(first).toMatchObject({ status: 202, body: { state: 'received', decision: 'approve' } });
    expect(await api.call('POST', `/approvals/${approvalId}/approve`, decision)).toMatchObject({
      status: 202,
      body: first.body,
    });
    const other = await api.call('POST', `/approvals/${approvalId}/reject`, decision);
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
    const { body: after } = await api.call('GET', `/approvals/${approvalId}`);
    expect(after).toMatchObject({
      status: 'waiting',
      decisions: [{ state: 'received', instructions: 'careful', actor: 'local', via: 'api' }],
    });
    expect((await api.call('GET', `/approvals?run=${runId}`)).body.items).toHaveLength(1);
  });

  it('refuse edits that do not fit, ids that are none, and fields that nobody may set (T03)', async () => {
    const { approvalId } = await gate();
    const before = await rowCounts(api);
    const path = `/approvals/${approvalId}/approve`;
    expect(await api.call('POST', path, { decisionId: randomUUID(), edits: { to: 1 } })).toMatchObject({
      status: 422,
      body: { code: 'invalid_edits' },
    });
    for (const request of [
      {},
      { decisionId: 'x' },
      { decisionId: randomUUID(), actor: 'boss' },
      { decisionId: randomUUID(), digest: 'short' },
    ]) {
      expect(await api.call('POST', path, request)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
    expect(await rowCounts(api)).toEqual(before);
  });

  it('of a closed run are refused at once, and the row says so (F07e)', async () => {
    const { runId, approvalId } = await gate();
    await finish(runId, 'failed');
    const decisionId = randomUUID();
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const late = await api.call('POST', `/approvals/${approvalId}/approve`, { decisionId });
      expect(late).toMatchObject({ status: 409, body: { code: 'run_closed' } });
    }
    const { body: shown } = await api.call('GET', `/approvals/${approvalId}`);
    expect(shown).toMatchObject({
      status: 'cancelled',
      decisions: [{ decisionId, state: 'refused', code: 'run_closed' }],
    });
  });
});

it('nothing of a stranger is visible (T01)', async () => {
  const stranger = randomUUID();
  const runId = await startRun(api);
  await api.admin.query(`insert into users (id, handle, display_name) values ($1, $2, 'Somebody')`, [
    stranger,
    stranger,
  ]);
  await api.admin.query('update runs set owner_id = $2 where id = $1', [runId, stranger]);
  for (const path of ['', '/steps', '/events', '/tries?step_path=x']) {
    expect((await api.call('GET', `/runs/${runId}${path}`)).status).toBe(404);
  }
  for (const command of ['cancel', 'pause', 'resume', 'retry']) {
    expect((await api.call('POST', `/runs/${runId}/${command}`, command === 'retry' ? {} : undefined)).status).toBe(
      404,
    );
  }
});
