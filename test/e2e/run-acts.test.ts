import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApiOf, type TestApi } from '../api/api-fixture';
import { waitUntil } from '../../infra/embedded/process';
import { af, type AfResult } from '../support/af';
import { GATE, playbook } from '../support/fault-texts';
import { startInProcess, type InProcess } from '../support/in-process';

/** Sorts its input after the gate, which fails for a value that is no list. */
const SORTS = playbook(
  'sorts',
  [
    GATE,
    '{name: sorted, step_type: tool, action: transform_data, on_error: stop, inputs: {data: "{rows}"}, params: {operations: [{type: sort, field: size}]}}',
  ],
  'inputs: [{name: rows, type: any, required: true}]\n',
);

const CALLS = playbook('calls', [
  GATE,
  '{name: inner, action: run_playbook, playbook: inner, inputs: {rows: no list}, on_error: stop}',
]);
const INNER = playbook(
  'inner',
  [
    '{name: sorted, step_type: tool, action: transform_data, on_error: stop, inputs: {data: "{rows}"}, params: {operations: [{type: sort, field: size}]}}',
  ],
  'inputs: [{name: rows, type: any, required: true}]\n',
);

let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
  for (const source of [SORTS, INNER, CALLS])
    expect(await api.call('POST', '/playbooks', { source })).toMatchObject({ status: 201 });
});
afterAll(async () => {
  await api?.close();
  await product?.close();
});

const said = (...args: string[]): Promise<AfResult> => af(args, { env: { AF_URL: api.url, AF_API_KEY: api.key } });

async function isIn(runId: string, status: string): Promise<void> {
  const seen = async () => (await api.call('GET', `/runs/${runId}`)).body['status'];
  await waitUntil(async () => (await seen()) === status, { what: `run ${runId}: ${status}`, timeoutMs: 120_000 });
}

async function started(rows: string): Promise<string> {
  const { code, stdout } = await said('run', 'sorts', '--input', `rows=${rows}`, '--json');
  expect(code).toBe(0);
  const { runId } = JSON.parse(stdout) as { runId: string };
  await isIn(runId, 'waiting_approval');
  return runId;
}

describe('af pause, resume and cancel', () => {
  it('do to a run what they say, and a closed one refuses them', async () => {
    const runId = await started('[]');
    expect(await said('pause', runId)).toMatchObject({ code: 0, stdout: expect.stringContaining('is to pause.') });
    await isIn(runId, 'paused');
    expect(await said('resume', runId)).toMatchObject({ code: 0, stdout: expect.stringContaining('is to go on.') });
    await isIn(runId, 'waiting_approval');
    const { code, stdout } = await said('cancel', runId, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ runId, control: 'cancel' });
    await isIn(runId, 'cancelled');
    const late = await said('cancel', runId);
    expect(late).toMatchObject({ code: 1, stdout: '' });
    expect(late.stderr).toBe('The run has ended (cancelled), so it takes no cancel any more.\n');
  });

  it('know no run of another name', async () => {
    const unknown = '019a0000-0000-7000-8000-000000000000';
    expect(await said('pause', unknown)).toMatchObject({
      code: 1,
      stderr: `There is no run "${unknown}". GET /runs lists them.\n`,
    });
  });
});

describe('af retry', () => {
  it('begins a new run with the step that failed, with edited inputs, and follows it', async () => {
    const runId = await started('"no list"');
    const { body } = await api.call('GET', `/approvals?run=${runId}`);
    const approvalId = String(body.items?.[0]?.['approvalId']);
    expect((await said('approve', approvalId)).code).toBe(0);
    await isIn(runId, 'failed');
    const { code, stdout, stderr } = await said(
      'retry',
      runId,
      '--input',
      'data=[{"size": 2}, {"size": 1}]',
      '--approve',
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const retried = /^run: (\S+)$/m.exec(`${stdout}${stderr}`)?.[1] ?? '';
    expect(retried).not.toBe(runId);
    const run = (await api.call('GET', `/runs/${retried}`)).body;
    expect(run).toMatchObject({ status: 'complete', retry_of: runId });
    expect(run['outputs']).toMatchObject({ sorted: { data: [{ size: 1 }, { size: 2 }] } });
  });

  it('of a sub-playbook is refused at every door, and names the run that goes on in it', async () => {
    const { runId } = JSON.parse((await said('run', 'calls', '--json')).stdout) as { runId: string };
    await isIn(runId, 'waiting_approval');
    const { body: requests } = await api.call('GET', `/approvals?run=${runId}`);
    expect((await said('approve', String(requests.items?.[0]?.['approvalId']))).code).toBe(0);
    await isIn(runId, 'failed');
    const { body: outer } = await api.call('GET', `/runs/${runId}`);
    const [child] = outer['children'] as { runId: string }[];
    const id = child?.runId ?? '';
    expect((await api.call('GET', `/runs/${id}`)).body).toMatchObject({
      status: 'failed',
      allowed_actions: [],
      parent_run_id: runId,
      root_run_id: runId,
    });
    const way = `Retry run ${runId} once it has ended: that goes on in this one, too.`;
    for (const more of [[], ['--from-step', 'sorted'], ['--with', 'x=1'], ['--input', 'data=[]']])
      expect(await said('retry', id, ...more)).toMatchObject({ code: 1, stderr: expect.stringContaining(way) });
    const bulk = await api.call('POST', '/runs/bulk', { action: 'retry', ids: [id] });
    expect(bulk.body).toMatchObject({ items: [{ status: 409, code: 'run_is_sub_playbook' }] });
    expect(await api.admin.query('select id from runs where retry_of = $1', [id])).toEqual([]);
    expect((await said('retry', runId, '--follow')).code).not.toBe(0);
    const retries = await api.admin.query('select retry_of from runs where retry_of = $1', [id]);
    // The retry of the outer run goes on in it, where nothing of the inner one had been well.
    expect(retries).toEqual([{ retry_of: id }]);
  });
});
