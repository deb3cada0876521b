import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startInProcess, type InProcess } from '../support/in-process';
import { PREFIX, startApiOf, TWO_STEPS, type TestApi } from './api-fixture';
import { eventMismatches, readEvents } from './sse';

/** The API in front of a real Temporal server and a real worker. */
let product: InProcess;
let api: TestApi;
beforeAll(async () => {
  product = await startInProcess();
  api = await startApiOf(product);
});
afterAll(async () => {
  await api.close();
  await product.close();
});

const GATED = TWO_STEPS.replace('id: two-steps', 'id: gated').replace(
  '  - name: first_rows',
  `  - name: look
    step_type: approval
    prompt: "Keep {sort_rows.count} rows?"
    preview_from: sort_rows.data
    on_reject: stop
  - name: note
    step_type: tool
    action: write_journal_entry
    inputs:
      summary: "kept {sort_rows.count}"
  - name: first_rows`,
);

async function begin(playbook: string): Promise<string> {
  const { status, body } = await api.call('POST', '/runs', { playbook, inputs: { rows: [{ size: 2 }, { size: 1 }] } });
  expect({ status, body }).toMatchObject({ status: 201 });
  return String(body['runId']);
}

async function until(runId: string, status: string): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { body } = await api.call('GET', `/runs/${runId}`);
    if (body['status'] === status) {
      return body;
    }
    await sleep(100);
  }
  throw new Error(`${runId} never was ${status}`);
}

async function gate(runId: string): Promise<string> {
  await until(runId, 'waiting_approval');
  const { body } = await api.call('GET', `/approvals?status=waiting&run=${runId}`);
  return String(body.items?.[0]?.['approvalId']);
}

async function approve(runId: string): Promise<void> {
  const approvalId = await gate(runId);
  const decision = { decisionId: randomUUID(), digest: await digestOf(approvalId) };
  expect((await api.call('POST', `/approvals/${approvalId}/approve`, decision)).status).toBe(200);
}

async function digestOf(approvalId: string): Promise<unknown> {
  return (await api.call('GET', `/approvals/${approvalId}`)).body['digest'];
}

describe('a run that nobody stops', () => {
  it('is followed event by event to its end, as the document says', async () => {
    await api.call('POST', '/playbooks', { source: TWO_STEPS });
    const runId = await begin('two-steps');
    const { events, ended } = await readEvents(`${api.url}${PREFIX}/runs/${runId}/events`, {
      headers: api.headers,
    });
    expect(ended).toBe(true);
    expect(events.map((event) => event.id)).toEqual(events.map((_, index) => index + 1));
    expect(events.at(-1)).toMatchObject({ type: 'complete', data: { status: 'complete' } });
    expect(eventMismatches(events)).toEqual([]);
    const { body } = await api.call('GET', `/runs/${runId}`);
    expect(body).toMatchObject({
      status: 'complete',
      waits: [],
      outputs: { first_rows: { count: 2, data: [{ size: 1 }, { size: 2 }] } },
      steps: [
        { step: 'sort_rows', status: 'ok' },
        { step: 'first_rows', status: 'ok' },
      ],
    });
    expect((await api.call('GET', `/runs/${runId}/steps?limit=1`)).body).toMatchObject({
      items: [{ step: 'sort_rows' }],
      next_cursor: expect.any(String),
    });
    expect((await api.call('GET', `/journal?run=${runId}`)).body.items).toMatchObject([{ kind: 'run', runId }]);
  });
});

describe('a gate', () => {
  beforeAll(() => api.call('POST', '/playbooks', { source: GATED }));

  it('shows what is asked, takes one decision, and gives the same answer to the same id (F07f)', async () => {
    const runId = await begin('gated');
    const approvalId = await gate(runId);
    const { body: shown } = await api.call('GET', `/approvals/${approvalId}`);
    expect(shown).toMatchObject({ prompt: 'Keep 2 rows?', step: 'look', status: 'waiting', decisions: [] });
    const decision = { decisionId: randomUUID(), instructions: 'go', digest: shown['digest'] };
    const first = await api.call('POST', `/approvals/${approvalId}/approve`, decision);
    expect(first).toMatchObject({ status: 200, body: { state: 'counted', decision: 'approve', approvalId } });
    const again = await api.call('POST', `/approvals/${approvalId}/approve`, decision);
    expect({ status: again.status, body: again.body }).toEqual({ status: 200, body: first.body });
    const run = await until(runId, 'complete');
    expect(run).toMatchObject({ waits: [] });
    const { events } = await readEvents(`${api.url}${PREFIX}/runs/${runId}/events`, {
      headers: api.headers,
    });
    expect(eventMismatches(events)).toEqual([]);
    expect(events.filter((event) => event.type === 'approval.decided')).toHaveLength(1);
    const tries = await api.call('GET', `/runs/${runId}/tries?step_path=note`);
    expect(tries.body.items).toMatchObject([
      { action: 'write_journal_entry', status: 'ok', input: { inputs: { summary: 'kept 2' } } },
    ]);
    const late = await api.call('POST', `/approvals/${approvalId}/reject`, { decisionId: randomUUID() });
    expect(late).toMatchObject({ status: 409, body: { code: 'approval_already_decided' } });
  });

  it('counts exactly one of twenty decisions at once (F07a)', async () => {
    const runId = await begin('gated');
    const approvalId = await gate(runId);
    const digest = await digestOf(approvalId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        api.call('POST', `/approvals/${approvalId}/${index % 2 === 0 ? 'approve' : 'reject'}`, {
          decisionId: randomUUID(),
          digest,
        }),
      ),
    );
    const counted = answers.filter((answer) => answer.status === 200);
    expect(counted).toHaveLength(1);
    for (const answer of answers.filter((each) => each.status !== 200)) {
      expect([202, 409]).toContain(answer.status);
    }
    await until(runId, counted[0]?.body['decision'] === 'approve' ? 'complete' : 'rejected');
    const { body } = await api.call('GET', `/approvals/${approvalId}`);
    const states = (body['decisions'] as { state: string }[]).map((decision) => decision.state);
    expect(states.filter((state) => state === 'counted')).toHaveLength(1);
    expect(states).toHaveLength(20);
  });

  it('of a cancelled run takes no decision (F07e), and cancelling twice does no harm (F26c)', async () => {
    const runId = await begin('gated');
    const approvalId = await gate(runId);
    const both = await Promise.all([
      api.call('POST', `/runs/${runId}/cancel`),
      api.call('POST', `/runs/${runId}/cancel`),
    ]);
    expect(both.map((answer) => answer.status)).toEqual([200, 200]);
    await until(runId, 'cancelled');
    const late = await api.call('POST', `/approvals/${approvalId}/approve`, { decisionId: randomUUID() });
    expect(late).toMatchObject({ status: 409, body: { code: 'run_closed' } });
    expect(await api.call('POST', `/runs/${runId}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'run_closed' },
    });
  });

  it('is asked again by a retry that edits what lies behind it', async () => {
    const runId = await begin('gated');
    await approve(runId);
    await until(runId, 'complete');
    const kept = await api.call('POST', `/runs/${runId}/retry`, { from_step: 'first_rows' });
    expect(kept.status).toBe(201);
    const again = await until(String(kept.body['runId']), 'complete');
    expect(again).toMatchObject({ retry_of: runId, retry_from: 'first_rows' });
    const tries = await api.call('GET', `/runs/${String(kept.body['runId'])}/tries?step_path=note`);
    expect(tries.body.items).toMatchObject([{ status: 'ok', copied_from: runId }]);
    const edited = await api.call('POST', `/runs/${runId}/retry`, { from_step: 'note', inputs: { summary: 'edited' } });
    await gate(String(edited.body['runId']));
  });
});

it('pause holds a run at its gate and resume lets it go on', async () => {
  const runId = await begin('gated');
  await gate(runId);
  expect((await api.call('POST', `/runs/${runId}/pause`)).body).toMatchObject({ control: 'pause' });
  await until(runId, 'paused');
  expect((await api.call('POST', `/runs/${runId}/resume`)).body).toMatchObject({ control: 'run' });
  await until(runId, 'waiting_approval');
  await api.call('POST', `/runs/${runId}/cancel`);
});

it('names the workers at each queue', async () => {
  const { body } = await api.call('GET', '/system');
  const prefix = product.config.queuePrefix;
  expect(body['temporal']).toMatchObject({
    status: 'ok',
    version: expect.any(String),
    queues: [
      {
        name: `${prefix}af-default`,
        kind: 'workflow',
        pollers: expect.arrayContaining([{ identity: expect.any(String), last_access_at: expect.any(String) }]),
      },
      { name: `${prefix}af-default`, kind: 'activity' },
      { name: `${prefix}af-llm`, kind: 'activity' },
      { name: `${prefix}af-quarantine`, kind: 'activity' },
    ],
  });
});

it('shows what went into a step of a real run and what came out, and answers many runs at once', async () => {
  const runIds = [await begin('gated'), await begin('gated')];
  const items = await Promise.all(
    runIds.map(async (runId) => {
      const approvalId = await gate(runId);
      return { approvalId, decisionId: randomUUID(), decision: 'approve', digest: await digestOf(approvalId) };
    }),
  );
  const { body: decided } = await api.call('POST', '/approvals/bulk', { items });
  expect(decided.items).toMatchObject(items.map(({ approvalId }) => ({ approvalId, status: 200, state: 'counted' })));
  for (const runId of runIds) {
    await until(runId, 'complete');
    expect((await api.call('GET', `/runs/${runId}/steps/note/input`)).body['value']).toMatchObject({
      inputs: { summary: 'kept 2' },
    });
    expect((await api.call('GET', `/runs/${runId}/steps/sort_rows/output`)).body['value']).toMatchObject({ count: 2 });
    expect((await api.call('GET', `/runs/${runId}/steps?status=ok`)).body.items).toMatchObject([
      { step_path: 'sort_rows', attempts: 0 },
      { step_path: 'look' },
      { step_path: 'note', attempts: 1 },
      { step_path: 'first_rows' },
    ]);
  }
  const { body } = await api.call('POST', '/runs/bulk', { action: 'retry', ids: runIds });
  for (const item of body.items ?? []) expect(item).toMatchObject({ status: 201, retry_run_id: expect.any(String) });
});
