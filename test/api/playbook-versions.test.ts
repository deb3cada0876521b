import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';

import { rowCounts, startApi, TWO_STEPS, type TestApi } from './api-fixture';
import { pagesOf, stranger } from './pages';

let api: TestApi;
let id: string;
beforeAll(async () => {
  api = await startApi();
  const made = await api.call('POST', '/playbooks', { source: TWO_STEPS });
  id = String(made.body['id']);
  await api.call('POST', '/playbooks', { source: TWO_STEPS.replace('count: 2', 'count: 7').replace('"1.0"', '"2.0"') });
  await api.call('POST', '/playbooks', { source: TWO_STEPS.replace('name: first_rows', 'name: last_rows') });
});
afterAll(() => api.close());

describe('versions', () => {
  it('come newest first, and one by one', async () => {
    expect(await pagesOf(api, '/playbooks/two-steps/versions?limit=1', (row) => row['version_no'])).toEqual([3, 2, 1]);
    expect((await api.call('GET', `/playbooks/${id}/versions/1`)).body).toMatchObject({
      version_no: 1,
      source: TWO_STEPS,
      plan: { playbook: { id: 'two-steps' } },
    });
    expect((await api.call('GET', '/playbooks/two-steps/versions/2.0')).body).toMatchObject({ version_no: 2 });
    expect(await api.call('GET', '/playbooks/two-steps/versions/9')).toMatchObject({
      status: 404,
      body: { code: 'version_not_found' },
    });
  });

  it('are compared by steps and by lines', async () => {
    const { body } = await api.call('GET', '/playbooks/two-steps/diff?from=1&to=2');
    expect(body).toMatchObject({
      from: { version_no: 1 },
      to: { version_no: 2 },
      added: [],
      removed: [],
      changed: [{ step: 'first_rows', kind: 'tool', fields: [{ field: 'params' }] }],
      settings: [{ field: 'version', from: '1.0', to: '2.0' }],
    });
    const lines = (body['hunks'] as { lines: { op: string; text: string }[] }[]).flatMap((hunk) => hunk.lines);
    expect(lines.filter(({ op }) => op === '+').map(({ text }) => text.trim())).toEqual(['version: "2.0"', 'count: 7']);
    expect((await api.call('GET', '/playbooks/two-steps/diff')).body).toMatchObject({
      from: { version_no: 2 },
      to: { version_no: 3 },
      added: [{ step: 'last_rows' }],
      removed: [{ step: 'first_rows' }],
    });
    expect(await api.call('GET', '/playbooks/two-steps/diff?to=1')).toMatchObject({
      status: 404,
      body: { code: 'version_not_found' },
    });
  });
});

const SENDS = `
id: sends
inputs:
  - {name: to, type: string, required: true}
steps:
  - name: ask
    step_type: approval
    prompt: "Write to {to}?"
  - name: write
    step_type: tool
    action: write_journal_entry
    inputs: {summary: "wrote to {to}"}
`;

describe('a dry run', () => {
  beforeAll(() => api.call('POST', '/playbooks', { source: SENDS }));

  it('shows everything and writes nothing (X05)', async () => {
    const before = { ...(await rowCounts(api)), journal: (await api.call('GET', '/journal')).body.items?.length };
    const { status, body } = await api.call('POST', '/playbooks/sends/test', { inputs: { to: 'ann' } });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        status: 'complete',
        finished: true,
        steps: [
          { step: 'ask', kind: 'approval' },
          { step: 'write', inputs: { summary: 'wrote to ann' }, effect: 'transactional', source: 'shape' },
        ],
        approvals: [
          { step: 'ask', prompt: 'Write to ann?', action: { action: 'write_journal_entry' }, decided_as: 'approved' },
        ],
      },
    });
    const after = { ...(await rowCounts(api)), journal: (await api.call('GET', '/journal')).body.items?.length };
    expect(after).toEqual(before);
  });

  it('goes the way that the caller wants, with their results', async () => {
    const { body } = await api.call('POST', '/playbooks/sends/test', {
      inputs: { to: 'ann' },
      decisions: { ask: 'rejected' },
      samples: { write: { id: 'x' } },
    });
    expect(body).toMatchObject({ status: 'rejected', code: 'approval_rejected', steps: [{ step: 'ask' }] });
  });

  it.each([
    ['inputs that do not fit', { inputs: {} }, 422, 'invalid_inputs'],
    ['a decision that is none', { inputs: { to: 'a' }, decisions: { ask: 'maybe' } }, 422, 'invalid_decisions'],
    ['an unknown version', { inputs: { to: 'a' }, version: '9' }, 404, 'version_not_found'],
    ['an unknown zone', { inputs: { to: 'a' }, time_zone: 'Mars/Olympus' }, 422, 'invalid_time_zone'],
    ['an unknown field', { inputs: { to: 'a' }, live: true }, 400, 'invalid_request'],
  ])('refuses %s', async (_what, request, status, code) => {
    const answer = await api.call('POST', '/playbooks/sends/test', request);
    expect({ status: answer.status, code: answer.body.code }).toEqual({ status, code });
  });
});

it('shows nothing of a stranger', async () => {
  const made = await api.call('POST', '/playbooks', { source: TWO_STEPS.replace('id: two-steps', 'id: theirs') });
  await stranger(api, 'playbooks', String(made.body['id']));
  const missing = { status: 404, body: { code: 'playbook_not_found' } };
  for (const path of ['versions', 'versions/1', 'diff']) {
    expect(await api.call('GET', `/playbooks/theirs/${path}`)).toMatchObject(missing);
  }
  expect(await api.call('POST', '/playbooks/theirs/test', {})).toMatchObject(missing);
});

describe('a playbook that runs another one', () => {
  it('warns of its model steps where no model is configured: when it is saved, started and tried', async () => {
    const inner = `
id: asks
name: Asks
steps:
  - name: ask
    step_type: llm_task
    action: llm_analyze
    inputs: {data: {a: 1}}
    params: {instructions: Count.}
    output_schema: {type: scalar, fields: [{name: count, type: integer}]}`;
    const outer = 'id: runs-asks\nname: Runs\nsteps: [{name: below, action: run_playbook, playbook: asks}]';
    expect((await api.call('POST', '/playbooks', { source: inner })).status).toBe(201);
    const saved = await api.call('POST', '/playbooks', { source: outer });
    const message = expect.stringMatching(/^`ask` of `asks` will fail: No model/);
    const warning = { code: 'model_not_configured', message };
    expect(saved.body['warnings']).toEqual([
      expect.objectContaining({ ...warning, step: 'below', field: expect.stringMatching(/playbook/) }),
    ]);
    expect((await api.call('POST', '/runs', { playbook: 'runs-asks' })).body['warnings']).toEqual([warning]);
    expect((await api.call('POST', '/playbooks/runs-asks/test', {})).body['warnings']).toEqual([warning]);
    const { runId } = (await api.call('POST', '/runs', { playbook: 'runs-asks' })).body as { runId: string };
    await new TransitionsStore(api.database).finish(runId, { status: 'failed' });
    expect(await api.call('POST', `/runs/${runId}/retry`, { with: {} })).toMatchObject({
      status: 201,
      body: { warnings: [warning] },
    });
    const own = (await api.call('POST', '/runs', { playbook: 'asks' })).body['warnings'];
    expect(own).toEqual([{ ...warning, message: expect.stringMatching(/^`ask` will fail: No model/) }]);
  });
});
