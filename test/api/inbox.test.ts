import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/base/json';
import type { ApprovalRequest } from '../../core/engine/commands';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { StepHotPath } from '../../infra/db/stores/step-hot-path.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { rowCounts, startApi, startRun, TWO_STEPS, type TestApi } from './api-fixture';
import { pagesOf, stranger } from './pages';
import { register } from './people';

/** Requests as a run opens them; nobody is there to count decisions. */
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const DIGEST = 'd'.repeat(64);
const SCHEMA = { type: 'object', properties: { to: { type: 'string' } }, additionalProperties: false };

async function gate(
  more: Partial<ApprovalRequest> & { edit_schema?: JsonObject } = {},
  body: object = {},
): Promise<{ runId: string; approvalId: string }> {
  const runId = await startRun(api, { ...body });
  const approvalId = randomUUID();
  await new TransitionsStore(api.database).apply(runId, {
    approvals: [
      {
        id: approvalId,
        step_path: 'look',
        step_name: 'look',
        status: 'waiting',
        prompt: 'Go on?',
        preview: [{ a: 1 }],
        preview_total: 1,
        action: { step: 'send', inputs: { to: 'a', subject: 's' } },
        digest: DIGEST,
        edit_schema: SCHEMA,
        on_reject: 'stop',
        on_timeout: 'stop',
        due_at: null,
        ...more,
      },
    ],
  });
  return { runId, approvalId };
}

async function decided(approvalId: string): Promise<void> {
  const decisions = new DecisionsStore(api.database);
  const decisionId = randomUUID();
  const seen = { approvalId, decisionId, digest: DIGEST };
  await decisions.receive(LOCAL_USER_ID, { ...seen, actor: 'ann', via: 'api', decision: 'approve' });
  expect(await decisions.count(approvalId, decisionId)).toMatchObject({ state: 'counted' });
}

it('sums up what waits, since when, and what is due soon', async () => {
  const before = (await api.call('GET', '/approvals/summary')).body['counts'] as { waiting: number; approved: number };
  const failures = [{ step: 'read', kind: 'incomplete' as const, code: 'not_read', message: '2 of 8 files not read' }];
  const soon = await gate({ due_at: new Date(Date.now() + 3_600_000).toISOString(), failures });
  await gate({ due_at: new Date(Date.now() + 48 * 3_600_000).toISOString() });
  await decided((await gate()).approvalId);
  const foreign = await gate({ due_at: new Date(Date.now() + 60_000).toISOString() });
  await stranger(api, 'approvals', foreign.approvalId);
  const { body } = await api.call('GET', '/approvals/summary');
  expect(body).toMatchObject({
    counts: { waiting: before.waiting + 2, approved: before.approved + 1, rejected: 0 },
    oldest: { approvalId: expect.any(String) },
    due_soon: [{ approvalId: soon.approvalId, runId: soon.runId, step: 'look', prompt: 'Go on?', failures }],
  });
});

it('is the inbox of whoever is asked, too, and shows them what to decide and nothing else of the run', async () => {
  const ann = await register(api);
  const due_at = new Date(Date.now() + 3_600_000).toISOString();
  const { runId, approvalId } = await gate({ due_at, policy: { approvers: { users: [ann.handle] } } });
  expect((await ann.call('GET', '/approvals/summary')).body).toMatchObject({
    counts: { waiting: 1, approved: 0 },
    oldest: { approvalId, runId },
    due_soon: [{ approvalId }],
  });
  expect((await ann.call('GET', `/approvals/${approvalId}`)).body).toMatchObject({
    allowed_actions: ['approve', 'reject', 'edit', 'delegate', 'comment'],
  });
  expect((await ann.call('POST', `/approvals/${approvalId}/check`, { digest: DIGEST })).body).toMatchObject({
    valid: true,
  });
  expect((await ann.call('GET', `/approvals/${approvalId}/preview`)).body).toMatchObject({ items: [{ a: 1 }] });
  expect(await ann.call('GET', `/runs/${runId}`)).toMatchObject({ status: 404 });
  // The run's owner may not decide what others are asked for; they may change the inputs.
  expect((await api.call('GET', `/approvals/${approvalId}`)).body).toMatchObject({
    allowed_actions: ['edit', 'comment'],
  });
  expect((await api.call('POST', `/approvals/${approvalId}/check`, { digest: DIGEST })).body).toMatchObject({
    valid: false,
    problems: [{ code: 'not_allowed' }],
  });
});

it('shows inputs, what may be done, and how the same gate was decided before', async () => {
  const earlier = await gate({ step_path: 'again', action: { inputs: { to: 'old' } } });
  await decided(earlier.approvalId);
  const { approvalId } = await gate({ step_path: 'again' });
  expect((await api.call('GET', `/approvals/${approvalId}`)).body).toMatchObject({
    inputs: { to: 'a', subject: 's' },
    edit_schema: SCHEMA,
    digest: DIGEST,
    on_timeout: 'stop',
    allowed_actions: ['approve', 'reject', 'edit', 'delegate', 'comment'],
    previous: {
      approvalId: earlier.approvalId,
      runId: earlier.runId,
      status: 'approved',
      decided_by: 'ann',
      inputs: { to: 'old' },
    },
  });
  expect((await api.call('GET', `/approvals/${earlier.approvalId}`)).body).toMatchObject({ allowed_actions: [] });
  const { body: first } = await api.call('GET', `/approvals/${earlier.approvalId}`);
  expect(first).not.toHaveProperty('previous');
});

describe('check', () => {
  it('says what a decision would meet, and changes nothing', async () => {
    const { runId, approvalId } = await gate();
    const before = await rowCounts(api);
    const check = async (body: object) => (await api.call('POST', `/approvals/${approvalId}/check`, body)).body;
    expect(await check({ digest: DIGEST })).toEqual({ valid: true, problems: [], inputs: { to: 'a', subject: 's' } });
    expect(await check({})).toMatchObject({ valid: false, problems: [{ code: 'digest_required' }] });
    expect(await check({ edits: { to: 'b' }, digest: DIGEST })).toEqual({
      valid: true,
      problems: [],
      inputs: { to: 'b', subject: 's' },
    });
    expect(await check({ edits: { to: 1, other: 2 }, digest: 'e'.repeat(64) })).toMatchObject({
      valid: false,
      problems: [{ code: 'approval_changed' }, { code: 'invalid_edits', message: expect.stringContaining('other') }],
    });
    expect(await rowCounts(api)).toEqual(before);
    await new TransitionsStore(api.database).finish(runId, { status: 'failed' });
    expect(await check({ digest: DIGEST })).toMatchObject({ valid: false, problems: [{ code: 'run_closed' }] });
  });

  it('finds what a decision by several people refuses: edits with it, and a second yes of the same person', async () => {
    const { approvalId } = await gate({ policy: { quorum: 2 } });
    const check = async (body: object) => (await api.call('POST', `/approvals/${approvalId}/check`, body)).body;
    const edits = { to: 'b' };
    expect(await check({ digest: DIGEST })).toMatchObject({ valid: true });
    expect(await check({ digest: DIGEST, edits })).toMatchObject({ valid: false, problems: [{ code: 'edit_first' }] });
    await decided(approvalId);
    expect(await check({ digest: DIGEST })).toMatchObject({ valid: false, problems: [{ code: 'already_approved' }] });
  });
});

it('keeps a number of an edit that no double holds, or refuses it with the way out', async () => {
  const properties = { to: { type: 'string' }, amount: { type: 'number' } };
  const { approvalId } = await gate({ edit_schema: { ...SCHEMA, properties } });
  const path = `${api.url}/api/agent-factory/approvals/${approvalId}/edit`;
  const { body: shown } = await api.call('GET', `/approvals/${approvalId}`);
  const edit = async (edits: string): Promise<{ status: number; text: string }> => {
    const headers = { 'content-type': 'application/json', ...api.headers };
    const body = `{"edits": ${edits}, "digest": "${String(shown['digest'])}"}`;
    const answer = await fetch(path, { method: 'POST', headers, body });
    return { status: answer.status, text: await answer.text() };
  };
  const refused = await edit('{"amount": 12345678901234567890}');
  expect(refused).toMatchObject({ status: 422, text: expect.stringContaining('declare the parameter as `string`') });
  expect(await edit('{"to": 12345678901234567890, "amount": 1.10}')).toMatchObject({ status: 200 });
  const { body } = await api.call('GET', `/approvals/${approvalId}`);
  expect(body).toMatchObject({ inputs: { to: '12345678901234567890', amount: 1.1 } });
});

describe('preview', () => {
  const rows = Array.from({ length: 7 }, (_, n) => ({ n }));

  it('is paged as it was kept, where it is all there is', async () => {
    const { approvalId } = await gate({ preview: rows, preview_total: 7 });
    expect(await pagesOf(api, `/approvals/${approvalId}/preview?limit=3`, (row) => row['n'])).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
    expect((await api.call('GET', `/approvals/${approvalId}/preview`)).body).toMatchObject({
      total: 7,
      complete: true,
    });
  });

  it('is paged whole where the request keeps all rows beside the first ones', async () => {
    const { approvalId } = await gate({ preview: rows.slice(0, 2), preview_total: 7, preview_rows: rows });
    expect((await api.call('GET', `/approvals/${approvalId}/preview`)).body).toEqual({
      items: rows,
      total: 7,
      complete: true,
    });
    // The request itself shows the first ones, alone and in lists.
    const shown = (await api.call('GET', `/approvals/${approvalId}`)).body;
    expect(shown).toMatchObject({ preview: rows.slice(0, 2), preview_total: 7 });
    expect(shown).not.toHaveProperty('preview_rows');
  });

  it.each(['sort_rows.data', 'sort_rows'])('goes on with what the step before recorded: %s', async (from) => {
    const source = TWO_STEPS.replace('id: two-steps', 'id: shown').replace(
      '  - name: first_rows',
      `  - {name: look, step_type: approval, prompt: "?", preview_from: ${from}}\n  - name: first_rows`,
    );
    await api.call('POST', '/playbooks', { source });
    const kept = { preview: rows.slice(0, 2), preview_total: 7 };
    const { runId, approvalId } = await gate(kept, { playbook: 'shown' });
    expect((await api.call('GET', `/approvals/${approvalId}/preview`)).body).toEqual({
      items: rows.slice(0, 2),
      total: 7,
      complete: false,
    });
    await new StepHotPath(api.database).step(runId, {
      record: {
        effect_key: `${runId}/sort_rows`,
        try_no: 1,
        step_path: 'sort_rows',
        step_name: 'sort_rows',
        action: 'transform_data',
        status: 'ok',
        output: { value: { data: rows, count: 7, warnings: [{ code: 'limited' }] } },
        started_at: new Date().toISOString(),
      },
    });
    expect(await pagesOf(api, `/approvals/${approvalId}/preview?limit=3`, (row) => row['n'])).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ]);
  });
});

describe('several decisions', () => {
  it('each go their own way', async () => {
    const [open, closed, foreign] = [await gate(), await gate(), await gate()];
    await new TransitionsStore(api.database).finish(closed.runId, { status: 'failed' });
    await stranger(api, 'approvals', foreign.approvalId);
    const item = ({ approvalId }: { approvalId: string }, more: object = {}) => ({
      approvalId,
      decisionId: randomUUID(),
      decision: 'approve',
      digest: DIGEST,
      ...more,
    });
    const [wrong, unseen] = [await gate(), await gate()];
    const others = [item(wrong, { edits: { to: 5 } }), item(unseen, { digest: undefined })];
    const items = [item(open), item(closed), item(foreign), ...others];
    const answer = await api.call('POST', '/approvals/bulk', { items });
    expect(answer).toMatchObject({
      status: 200,
      body: {
        items: [
          { approvalId: open.approvalId, status: 202, state: 'received' },
          { approvalId: closed.approvalId, status: 409, code: 'run_closed' },
          { approvalId: foreign.approvalId, status: 404, code: 'approval_not_found' },
          { approvalId: wrong.approvalId, status: 422, code: 'invalid_edits' },
          { approvalId: unseen.approvalId, status: 422, code: 'digest_required' },
        ],
      },
    });
    expect((await api.call('POST', '/approvals/bulk', { items })).body.items?.[0]).toEqual(answer.body.items?.[0]);
  });

  it('are refused as a whole where the request itself is wrong', async () => {
    const { approvalId } = await gate();
    const item = { approvalId, decisionId: randomUUID(), decision: 'approve', digest: DIGEST };
    const before = await rowCounts(api);
    for (const items of [[], [item, item], [{ ...item, decision: 'maybe' }], [{ ...item, actor: 'boss' }]]) {
      expect(await api.call('POST', '/approvals/bulk', { items })).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    }
    expect(await rowCounts(api)).toEqual(before);
  });
});

it('shows nothing of a stranger', async () => {
  const { approvalId } = await gate();
  await stranger(api, 'approvals', approvalId);
  const missing = { status: 404, body: { code: 'approval_not_found' } };
  expect(await api.call('GET', `/approvals/${approvalId}/preview`)).toMatchObject(missing);
  expect(await api.call('POST', `/approvals/${approvalId}/check`, {})).toMatchObject(missing);
});
