import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { startInProcess, type InProcess } from '../support/in-process';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { rowCounts, startApiOf, type TestApi } from './api-fixture';

/** Requests of a run, seen by their target: the API, a real Temporal server, a worker and a source. */
let source: HttpSource;
let product: InProcess;
let api: TestApi;
let refusals = 0;
const paths: (string | undefined)[] = [];
beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    paths.push(request.url);
    if (refusals > 0) {
      refusals -= 1;
      response.writeHead(503).end('not now');
    } else {
      sendJson(response, { at: request.url, old: 1, new: 2 });
    }
  });
  const egress = { AF_EGRESS_ALLOW: `127.0.0.1:${source.port}` };
  product = await startInProcess({ env: egress });
  api = await startApiOf(product, egress);
});
afterAll(async () => {
  await api?.close();
  await product?.close();
  await source?.close();
});

const connector = (path: string, field: string): string => `
id: kept
name: Kept
type: rest_api
version: "1.0"
connection: {base_url: "${source.url}"}
endpoints:
  send:
    method: POST
    effect: keyed
    path: ${path}
    response_mapping: {fields: {value: ${field}}}
    output_schema: {type: object, fields: [{name: value, type: any}]}
`;
const playbook = (id: string, summary: string): string => `
id: ${id}
name: Kept
steps:
  - {name: gate, step_type: approval, prompt: "Go on?", on_reject: stop}
  - {name: call, step_type: tool, action: call_connector, connector: kept, endpoint: send, inputs: {}}
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: "${summary} {call.results[0].value}"}}
`;

/** A run that waits at its gate, and a way to let it go to its end. */
async function waiting(id: string): Promise<{ runId: string; finish(): Promise<Record<string, unknown>> }> {
  const { status, body } = await api.call('POST', '/runs', { playbook: id });
  expect({ status, body }).toMatchObject({ status: 201 });
  const runId = String(body['runId']);
  await until(runId, 'waiting_approval');
  const finish = async () => {
    const list = await api.call('GET', `/approvals?status=waiting&run=${runId}`);
    const approvalId = String(list.body.items?.[0]?.['approvalId']);
    const { body: shown } = await api.call('GET', `/approvals/${approvalId}`);
    const decision = { decisionId: randomUUID(), digest: shown['digest'] };
    expect((await api.call('POST', `/approvals/${approvalId}/approve`, decision)).status).toBeLessThan(300);
    return until(runId, 'complete');
  };
  return { runId, finish };
}

async function until(runId: string, status: string): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 1_200; tries += 1) {
    const { body } = await api.call('GET', `/runs/${runId}`);
    if (body['status'] === status) return body;
    if (['failed', 'partial'].includes(String(body['status']))) throw new Error(JSON.stringify(body));
    await sleep(100);
  }
  throw new Error(`${runId} never was ${status}`);
}

async function noteOf(runId: string): Promise<unknown> {
  const tries = await api.call('GET', `/runs/${runId}/tries?step_path=note`);
  return tries.body.items?.[0]?.['input'];
}

const ANY = { 'if-match': '*' };

beforeEach(async () => {
  expect((await api.call('POST', '/connectors', { source: connector('/first', 'old') })).status).toBeLessThan(300);
});

describe('while a run waits', () => {
  it('F09a: an edited playbook leaves it as it was, and both versions are shown', async () => {
    await api.call('POST', '/playbooks', { source: playbook('edited', 'before') });
    const { runId, finish } = await waiting('edited');
    const edited = await api.call('PUT', '/playbooks/edited', { source: playbook('edited', 'after') }, ANY);
    expect(edited).toMatchObject({ status: 200, body: { version: { version_no: 2 } } });
    expect(await finish()).toMatchObject({ playbook: { slug: 'edited', version_no: 1 } });
    expect(await noteOf(runId)).toMatchObject({ inputs: { summary: 'before 1' } });
    const next = await waiting('edited');
    expect(await next.finish()).toMatchObject({ playbook: { version_no: 2 } });
    expect(await noteOf(next.runId)).toMatchObject({ inputs: { summary: 'after 1' } });
  });

  it('F09b: a deleted playbook is gone for new runs, and it ends as it would have', async () => {
    await api.call('POST', '/playbooks', { source: playbook('deleted', 'kept') });
    const { runId, finish } = await waiting('deleted');
    expect((await api.call('DELETE', '/playbooks/deleted', undefined, ANY)).status).toBe(204);
    expect(await api.call('POST', '/runs', { playbook: 'deleted' })).toMatchObject({
      status: 404,
      body: { code: 'playbook_not_found' },
    });
    expect(await finish()).toMatchObject({ playbook: { slug: 'deleted', version_no: 1 } });
    expect(await noteOf(runId)).toMatchObject({ inputs: { summary: 'kept 1' } });
  });

  it('F09c: an edited connector is called as it was: path and mapping', async () => {
    await api.call('POST', '/playbooks', { source: playbook('connected', 'read') });
    const { runId, finish } = await waiting('connected');
    const put = await api.call('PUT', '/connectors/kept', { source: connector('/second', 'new') }, ANY);
    expect(put.status).toBe(200);
    source.seen.length = 0;
    await finish();
    expect(source.seen.map(({ url }) => url)).toEqual(['/first']);
    expect(await noteOf(runId)).toMatchObject({ inputs: { summary: 'read 1' } });
    const next = await waiting('connected');
    await next.finish();
    expect(source.seen.map(({ url }) => url)).toEqual(['/first', '/second']);
    expect(await noteOf(next.runId)).toMatchObject({ inputs: { summary: 'read 2' } });
  });
});

it('F15a: a source that fails three times is asked a fourth time under the same key, and all requests are shown', async () => {
  const text = playbook('patient', 'got');
  await api.call('POST', '/playbooks', { source: text });
  const { runId, finish } = await waiting('patient');
  source.seen.length = 0;
  refusals = 3;
  const call = { step: 'call', status: 'ok', tries: 1, requests: 4, requests_failed: 3 };
  expect(await finish()).toMatchObject({
    status: 'complete',
    steps: expect.arrayContaining([expect.objectContaining(call)]),
    connectors_called: [{ connector: 'kept', endpoint: 'send', calls: 1, failed: 0, requests: 4 }],
  });
  expect(source.seen).toHaveLength(4);
  expect(new Set(source.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  const { body } = await api.call('GET', `/runs/${runId}/tries?step_path=call`);
  expect(body.items?.map(({ status }) => status)).toEqual(['ok']);
});

it('X05: a playbook with an effect is checked without a call or a row', async () => {
  source.seen.length = 0;
  const before = await rowCounts(api);
  const request = { source: playbook('checked', 'x') };
  expect(await api.call('POST', '/playbooks/validate', request)).toMatchObject({ status: 200, body: { valid: true } });
  const path = `${api.url}/api/agent-factory/playbooks/validate`;
  const json = { 'content-type': 'application/json' };
  const anonymous = await fetch(path, { method: 'POST', headers: json, body: JSON.stringify(request) });
  expect(anonymous.status).toBe(401);
  expect(source.seen).toEqual([]);
  expect(await rowCounts(api)).toEqual(before);
});

describe('inputs that the call itself would refuse', () => {
  const dated = `
id: dated
name: Dated
type: rest_api
version: "1.0"
connection: {base_url: "SOURCE"}
endpoints:
  send:
    method: POST
    effect: keyed
    path: /dated/{id}
    parameters:
      - {name: id, in: path, required: true}
      - {name: day, in: query, type: date}
      - {name: at, in: body, type: datetime}
      - {name: X-Note, in: header}
      - {name: tags, in: query, type: array}
`;
  const asking = `
id: dated
name: Dated
steps:
  - {name: gate, step_type: approval, prompt: "Go on?", on_reject: stop}
  - {name: call, step_type: tool, action: call_connector, connector: dated, endpoint: send, inputs: {id: a}}
`;
  const wrong: [object, string][] = [
    [{ day: '2024-02-30' }, '`edits/day` must be of type date. Write a day'],
    [{ at: 'hello' }, '`edits/at` must be of type datetime. Write an instant'],
    [{ id: '' }, '`edits/id` cannot be a part of a path. Give a text'],
    [{ id: '..' }, '`edits/id` cannot be a part of a path. Give a text'],
    [{ id: '\ud800' }, '`edits/id` contains half of a character'],
    [{ 'X-Note': 'a\nb' }, '`edits/X-Note` contains line breaks or characters that a header cannot carry'],
    [{ tags: [null] }, '`edits/tags` holds null'],
  ];

  it('are no decision, no edit and no retry: the request waits, and what is corrected reaches the source', async () => {
    const text = dated.replace('SOURCE', source.url);
    expect((await api.call('POST', '/connectors', { source: text })).status).toBeLessThan(300);
    await api.call('POST', '/playbooks', { source: asking });
    const { runId } = await waiting('dated');
    const { body: list } = await api.call('GET', `/approvals?status=waiting&run=${runId}`);
    const path = `/approvals/${String(list.items?.[0]?.['approvalId'])}`;
    const { body: shown } = await api.call('GET', path);
    const digest = shown['digest'];
    const approvalId = shown['approvalId'];
    for (const [edits, detail] of wrong) {
      const refused = { status: 422, body: { code: 'invalid_edits', detail: expect.stringContaining(detail) } };
      const decision = { decisionId: randomUUID(), digest, edits };
      expect(await api.call('POST', `${path}/approve`, decision)).toMatchObject(refused);
      expect(await api.call('POST', `${path}/edit`, { edits, digest })).toMatchObject(refused);
      expect((await api.call('POST', `${path}/check`, { edits, digest })).body).toMatchObject({
        problems: [{ code: 'invalid_edits', message: expect.stringContaining(detail) }],
      });
      const items = [{ ...decision, approvalId, decision: 'approve' }];
      expect(await api.call('POST', '/approvals/bulk', { items })).toMatchObject({
        body: { items: [{ status: 422, code: 'invalid_edits' }] },
      });
    }
    const { body: still } = await api.call('GET', path);
    expect(still).toMatchObject({ status: 'waiting', digest });
    expect([still['decisions'] ?? [], still['history'] ?? []]).toEqual([[], []]);

    const edits = { id: 'b', day: '2024-02-29', at: '2024-02-29', 'X-Note': 'caf\u00e9', tags: ['x'] };
    const approved = await api.call('POST', `${path}/approve`, { decisionId: randomUUID(), digest, edits });
    expect(approved.status).toBeLessThan(300);
    await until(runId, 'complete');
    expect(paths).toContain('/dated/b?day=2024-02-29&tags=x');

    for (const [inputs, detail] of wrong)
      expect(await api.call('POST', `/runs/${runId}/retry`, { from_step: 'call', inputs })).toMatchObject({
        status: 422,
        body: { code: 'invalid_inputs', detail: expect.stringContaining(detail) },
      });
    const retries = await api.admin.query('select id from runs where retry_of = $1', [runId]);
    expect(retries).toEqual([]);
  });
});
