import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { hashToken } from '../../infra/identity/random-token';
import { RunWaitService } from '../../src/runs/run-wait.service';
import { preferredWait } from '../../src/runs/prefer';
import { startInProcess, type InProcess } from '../support/in-process';
import { keyOf, PREFIX, startApiOf, type TestApi } from './api-fixture';

/** A start that is answered with the run's end. */
let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
  await product.save(`
id: quick
name: Quick
inputs: [{name: n, type: number, required: true}, {name: more, type: any}, {name: given, type: string, default: none}]
steps:
  - {name: one, step_type: tool, action: transform_data, inputs: {data: [{n: "{n}"}]}, operations: [{type: limit, count: 1}]}
`);
  await product.save(`
id: asks
name: Asks
steps:
  - {name: ask, step_type: approval, prompt: go}
`);
});
afterAll(async () => {
  await api?.close();
  await product?.close();
});

const quick = { playbook: 'quick', inputs: { n: 7 } };
const ENDED = {
  status: 'complete',
  run: { status: 'complete', outputs: { one: { data: [{ n: 7 }] } }, steps: [{ step_path: 'one', status: 'ok' }] },
};
const waits = (one: TestApi): RunWaitService => one.api.app.get(RunWaitService);

async function until(test: () => boolean): Promise<void> {
  while (!test()) await sleep(20);
}

describe('a start that waits for the end', () => {
  it('is answered with the run as it ended', async () => {
    const { status, body } = await api.call('POST', '/runs?wait=60', quick);
    expect({ status, body }).toMatchObject({ status: 201, body: ENDED });
    const { body: read } = await api.call('GET', `/runs/${String(body['runId'])}`);
    expect(body['run']).toEqual(read);
  });

  it('shows the inputs that were given as a reading does, with defaults and to the letter', async () => {
    const more = { b: 1, a: ['ä\u0000', '\ud800', null, -0, 1e21], '': {}, 'constructor ': 0.1 };
    const { body } = await api.call('POST', '/runs?wait=60', { playbook: 'quick', inputs: { n: 7, more } });
    const { body: read } = await api.call('GET', `/runs/${String(body['runId'])}`);
    expect(JSON.stringify(body['run'])).toBe(JSON.stringify(read));
    expect(read['inputs']).toMatchObject({ n: 7, given: 'none' });
  });

  it('is asked for with `Prefer` as well, which has the last word', async () => {
    expect((await api.call('POST', '/runs', quick, { prefer: 'wait=60' })).body).toMatchObject(ENDED);
    const { body } = await api.call('POST', '/runs?wait=60', quick, { prefer: 'respond-async' });
    expect(body).not.toHaveProperty('run');
  });

  it('is answered without the end where the run goes on', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const { body: started } = await api.call('POST', '/runs', { playbook: 'asks' }, key);
    const runId = String(started['runId']);
    await product.approval(runId);
    await product.until(runId, (run) => run.status === 'waiting_approval', 'the gate');
    const { status, body } = await api.call('POST', '/runs?wait=1', { playbook: 'asks' }, key);
    expect({ status, body }).toEqual({ status: 201, body: { runId, status: 'waiting_approval' } });
  });

  it('hears of an end that a person brings', async () => {
    const key = randomUUID();
    const waiting = api.call('POST', '/runs?wait=60', { playbook: 'asks' }, { 'idempotency-key': key });
    const again = await api.call('POST', '/runs', { playbook: 'asks' }, { 'idempotency-key': key });
    const runId = String(again.body['runId']);
    await product.decide(runId, await product.approval(runId), 'approve');
    expect((await waiting).body).toMatchObject({ runId, status: 'complete', run: { status: 'complete' } });
  });

  it('hears of it in every process, and of a run that an earlier request began', async () => {
    const other = await startApiOf(product);
    try {
      const key = { 'idempotency-key': randomUUID() };
      const { body: started } = await api.call('POST', '/runs', { playbook: 'asks' }, key);
      const runId = String(started['runId']);
      const waiting = other.call('POST', '/runs?wait=60', { playbook: 'asks' }, key);
      await product.decide(runId, await product.approval(runId), 'approve');
      expect((await waiting).body).toMatchObject({ runId, run: { status: 'complete' } });
      // Ended run: the call does not wait.
      const late = await other.call('POST', '/runs?wait=60', { playbook: 'asks' }, key);
      expect(late.body).toMatchObject({ runId, run: { status: 'complete' } });
    } finally {
      await other.close();
    }
  });

  it('refuses what it refuses without waiting', async () => {
    for (const wait of ['61', '-1', '1.5', 'x', '']) {
      const { status, body } = await api.call('POST', `/runs?wait=${wait}`, quick);
      expect([wait, status, body.code]).toEqual([wait, 400, 'invalid_request']);
    }
    const wrong = await api.call('POST', '/runs?wait=60', { playbook: 'quick', inputs: {} });
    expect([wrong.status, wrong.body.code]).toEqual([422, 'invalid_inputs']);
  });

  it('says nothing of the run to a key that ended meanwhile', async () => {
    const key = await keyOf(product.database, LOCAL_USER_ID);
    const waiting = api.call('POST', '/runs?wait=60', { playbook: 'asks' }, { 'x-api-key': key });
    await until(() => waits(api).size === 1);
    await product.admin.query('update api_keys set revoked_at = now() where hash = $1', [hashToken(key)]);
    expect((await waiting).body).not.toHaveProperty('run');
  });

  it('ends when the client leaves, and when the process does', async () => {
    const other = await startApiOf(product);
    const headers = { ...other.headers, 'content-type': 'application/json' };
    const body = JSON.stringify({ playbook: 'asks' });
    const start = (signal?: AbortSignal): Promise<Response> =>
      fetch(`${other.url}${PREFIX}/runs?wait=60`, { method: 'POST', headers, body, ...(signal && { signal }) });
    try {
      const left = new AbortController();
      const leaving = start(left.signal).catch((error: Error) => error.name);
      await until(() => waits(other).size === 1);
      left.abort();
      expect(await leaving).toBe('AbortError');
      await until(() => waits(other).size === 0);
      const waiting = start();
      await until(() => waits(other).size === 1);
      await other.close();
      expect(await (await waiting).json()).toEqual({
        runId: expect.any(String),
        status: expect.stringMatching(/^(pending|running|waiting_approval)$/),
      });
    } finally {
      await other.close().catch(() => undefined);
    }
  });
});

describe('the header Prefer', () => {
  it.each([
    ['wait=30', 30],
    ['WAIT = 30', 30],
    ['wait="5"', 5],
    ['respond-async', 0],
    ['respond-async, wait=10', 0],
    ['return=minimal; wait=10', 10],
    ['handling=lenient', undefined],
    ['wait=', undefined],
    ['wait=-1', undefined],
    ['await=3', undefined],
  ])('%s', (header, seconds) => {
    expect(preferredWait(header)).toBe(seconds);
  });

  it('may come more than once, or not at all', () => {
    expect(preferredWait(['return=minimal', 'wait=3'])).toBe(3);
    expect(preferredWait(undefined)).toBeUndefined();
  });
});
