import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { editedLines } from '../../cli/view/approval-text';
import { wholeApprovalText, type WholeApproval } from '../../cli/view/whole-approval-text';
import type { ApprovalSummary } from '../../cli/http/types';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { startInProcess, type InProcess } from '../support/in-process';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { startApiOf, type TestApi } from './api-fixture';

/** Inputs that a retry edited: what its gates show of them, and what leaves. The API, a real Temporal server, a worker and a source. */
let source: HttpSource;
let product: InProcess;
let api: TestApi;
/** Notes that the source answers with 404, and those that it never answers. */
const refused = new Set<string>();
const dropped = new Set<string>();
/** Undefined: 404. */
let value: string | undefined;
beforeAll(async () => {
  source = await startHttpSource(({ url, body }, response) => {
    if (url === '/value') {
      if (value === undefined) response.writeHead(404).end();
      else sendJson(response, { at: value });
      return;
    }
    const { note } = body === '' ? {} : (JSON.parse(body) as { note?: string });
    if (note !== undefined && refused.has(note)) response.writeHead(404).end();
    else if (note !== undefined && dropped.has(note)) response.destroy();
    else sendJson(response, { at: url });
  });
  const egress = { AF_EGRESS_ALLOW: `127.0.0.1:${source.port}` };
  product = await startInProcess({ env: egress });
  api = await startApiOf(product, egress);
  await created('/connectors', { source: CONNECTOR(source.url) });
  for (const made of [FAR, CHILD, CALLER, ASKS_AND_READS, PAYER, EDIT_LOW, EDIT_TOP, OTHERS, READS])
    await created('/playbooks', { source: made });
});
afterAll(async () => {
  await api?.close();
  await product?.close();
  await source?.close();
});

const CONNECTOR = (url: string): string => `
id: tgt
name: Target
type: rest_api
version: "1.0"
connection: {base_url: "${url}"}
endpoints:
  read: {method: GET, path: /read, response_mapping: {fields: {value: at}}}
  value: {method: GET, path: /value, response_mapping: {fields: {value: at}}}
  k:
    method: POST
    effect: keyed
    path: /k
    parameters: [{name: note, in: body, type: string}]
    response_mapping: {fields: {value: at}}
`;
const STEP = 'step_type: tool, action: call_connector, connector: tgt, endpoint:';
const FAR = `
id: far
name: Far
steps:
  - {name: g, step_type: approval, prompt: "Pay what the list says?"}
  - {name: r, ${STEP} read}
  - {name: f, ${STEP} k, inputs: {note: "pay Bolt 20"}}
`;
const CHILD = `
id: asks-first
name: Asks first
steps:
  - {name: h, step_type: approval, prompt: "Go on?"}
`;
const CALLER = `
id: caller
name: Caller
steps:
  - {name: sub, action: run_playbook, playbook: asks-first}
  - {name: e, ${STEP} k, inputs: {note: "caller 20"}}
`;

const ASKS_AND_READS = `
id: asks-and-reads
name: Asks and reads
steps:
  - {name: h, step_type: approval, prompt: "Go on?"}
  - {name: x, ${STEP} read}
`;
const PAYER = `
id: payer
name: Payer
steps:
  - {name: r, ${STEP} value, on_error: skip}
  - {name: sub, action: run_playbook, playbook: asks-and-reads}
  - {name: e, ${STEP} k, inputs: {note: "pays {r.results[0].value}"}}
`;
const EDIT_LOW = `
id: edit-low
name: Edit low
inputs: [{name: N, type: string}]
steps:
  - {name: e1, ${STEP} k, inputs: {note: "one {N}"}}
  - {name: gk, step_type: approval, prompt: "The second one?"}
  - {name: e2, ${STEP} k, inputs: {note: "two {N}"}}
`;
const EDIT_TOP = `
id: edit-top
name: Edit top
steps:
  - {name: g, step_type: approval, prompt: "Both?", approvers: {users: ["${LOCAL_USER_ID}"]}}
  - {name: sub, action: run_playbook, playbook: edit-low, inputs: {N: one}}
`;
const READS = `
id: reads
name: Reads
steps:
  - {name: r, ${STEP} read}
`;
const OTHERS = `
id: others
name: Others
steps:
  - {name: g, step_type: approval, prompt: "Send it?", approvers: {users: ["${LOCAL_USER_ID}"]}}
  - {name: e, ${STEP} k, inputs: {note: "V0"}, on_error: stop}
`;

async function created(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: made } = await api.call('POST', path, body);
  expect({ status, made }).toMatchObject({ status: 201 });
  return made;
}
async function started(path: string, body: object): Promise<string> {
  return String((await created(path, body))['runId']);
}
async function childOf(runId: string): Promise<string> {
  for (;;) {
    const [child] = await product.admin.query<{ id: string }>('select id from runs where parent_run_id = $1', [runId]);
    if (child !== undefined) return child.id;
    await sleep(50);
  }
}

interface Question {
  body: WholeApproval;
  /** Steps as the API, the command line, its list and the page of a link show them. */
  shown: string[];
}
async function asked(runId: string): Promise<Question> {
  const id = await product.approval(runId);
  const { body } = await api.call('GET', `/approvals/${id}`);
  const { url } = await created(`/approvals/${id}/links`, { user: LOCAL_USER_ID });
  const page = await (await fetch(api.url + String(url), { headers: { accept: 'text/html' } })).text();
  const list = (await api.call('GET', `/approvals?run=${runId}`)).body as unknown as { items: ApprovalSummary[] };
  const whole = { ...body, rows: { items: [] } } as unknown as WholeApproval;
  const listed = list.items.flatMap((item) => editedLines(item)).join('\n');
  return { body: whole, shown: [JSON.stringify(body['edited'] ?? null), wholeApprovalText(whole), listed, page] };
}
async function approve(runId: string, edits?: object): Promise<void> {
  const { approvalId, digest } = (await asked(runId)).body;
  const decision = { decisionId: randomUUID(), digest, ...(edits === undefined ? {} : { edits }) };
  const { status } = await api.call('POST', `/approvals/${approvalId}/approve`, decision);
  expect(status).toBeLessThan(300);
}
/** Notes that left, with their keys. */
function left(note: string): unknown[] {
  return source.seen
    .filter(({ body }) => body !== '' && (JSON.parse(body) as { note?: string }).note === note)
    .map(({ headers }) => headers['idempotency-key']);
}

it('shows what a retry edited wherever its gates ask, under a digest of its own', async () => {
  refused.add('pay Bolt 20');
  const runId = await started('/runs', { playbook: 'far' });
  const first = await asked(runId);
  expect(first.body.edited).toBeUndefined();
  await approve(runId);
  expect(await product.done(runId)).toMatchObject({ status: 'partial' });

  const retried = async (note: string): Promise<{ id: string } & Question> => {
    const id = await started(`/runs/${runId}/retry`, { from_step: 'f', inputs: { note } });
    return { id, ...(await asked(id)) };
  };
  const [one, same, other] = [await retried('pay M 9'), await retried('pay M 9'), await retried('pay M 10')];
  for (const shown of one.shown) expect(shown).toContain('pay M 9');
  expect(one.body).toMatchObject({ action: { step: 'r' }, edited: [{ step: 'f', inputs: { note: 'pay M 9' } }] });
  expect(one.body.effects_behind).toEqual({ steps: [{ step: 'f' }] });
  expect(one.body.digest).toBe(same.body.digest);
  expect(new Set([first, one, other].map(({ body }) => body.digest)).size).toBe(3);
  expect(left('pay M 9')).toEqual([]);
  await approve(one.id);
  expect(await product.done(one.id)).toMatchObject({ status: 'complete' });
  expect(left('pay M 9')).toEqual([`${one.id}/f`]);
});

it('shows it in the sub-playbook whose gate lets its caller go on', async () => {
  refused.add('caller 20');
  const runId = await started('/runs', { playbook: 'caller' });
  await approve(await childOf(runId));
  await product.done(runId);
  const retry = await started(`/runs/${runId}/retry`, { from_step: 'e', inputs: { note: 'caller 99' } });
  const child = await childOf(retry);
  const { body, shown } = await asked(child);
  expect(body.edited).toMatchObject([{ step: '(caller) e', inputs: { note: 'caller 99' } }]);
  for (const text of shown) expect(text).toContain('caller 99');
  expect(left('caller 99')).toEqual([]);
  await approve(child);
  expect(await product.done(retry)).toMatchObject({ status: 'complete' });
  expect(left('caller 99')).toHaveLength(1);
});

it('asks under another digest in a sub-playbook whose caller goes on with other values', async () => {
  const runId = await started('/runs', { playbook: 'payer' });
  await approve(await childOf(runId));
  expect(await product.done(runId)).toMatchObject({ status: 'partial' });
  const digests: (string | undefined)[] = [];
  for (value of ['V0', 'V7', 'V7'])
    digests.push((await asked(await childOf(await started(`/runs/${runId}/retry`, {})))).body.digest);
  expect(new Set(digests).size).toBe(2);
  expect(digests[1]).toBe(digests[2]);
});

it('shows an edited call of a sub-playbook in the retry of the retry that edited it, and in the sub-playbook', async () => {
  const edit = { edited: [{ step: 'sub', inputs: { N: 'EDIT' } }] };
  const below = { edited: [{ step: '(caller) sub', inputs: { N: 'EDIT' } }] };
  const runId = await started('/runs', { playbook: 'edit-top' });
  await approve(runId);
  await approve(await childOf(runId));
  expect(await product.done(runId)).toMatchObject({ status: 'complete' });

  const edited = async (): Promise<string> => {
    const id = await started(`/runs/${runId}/retry`, { from_step: 'sub', inputs: { N: 'EDIT' } });
    expect((await asked(id)).body).toMatchObject(edit);
    await approve(id);
    expect((await asked(await childOf(id))).body).toMatchObject(below);
    return id;
  };
  const failed = await edited();
  refused.add('two EDIT');
  await approve(await childOf(failed));
  expect(await product.done(failed)).toMatchObject({ status: 'partial' });
  refused.delete('two EDIT');
  const cancelled = await edited();
  await api.call('POST', `/runs/${cancelled}/cancel`, {});
  await product.done(cancelled);

  // Each has to ask at one of the gates: the answers of the others hold.
  const again = async (before: string): Promise<string> => {
    const id = await started(`/runs/${before}/retry`, {});
    expect((await asked(id)).body).toMatchObject(edit);
    await approve(id);
    return id;
  };
  const sent = left('two EDIT').length;
  expect(await product.done(await again(failed))).toMatchObject({ status: 'complete' });
  expect(left('two EDIT')).toHaveLength(sent + 1);
  const waits = await again(cancelled);
  const { body } = await asked(await childOf(waits));
  expect(body).toMatchObject({ ...below, action: { inputs: { note: 'two EDIT' } } });
  await approve(await childOf(waits));
  expect(await product.done(waits)).toMatchObject({ status: 'complete' });
  expect(left('two EDIT')).toHaveLength(sent + 2);
});

it('sends no other body under the key of one of which nobody knows whether it was done', async () => {
  for (const note of ['V0', 'ED', 'other']) dropped.add(note);
  const again = async (path: string, edits?: object): Promise<string> => {
    const id = await started(path, path === '/runs' ? { playbook: 'others' } : {});
    await approve(id, edits);
    await product.done(id);
    // A source that answers in between is not taken for one that is down.
    await product.done(await started('/runs', { playbook: 'reads' }));
    return id;
  };
  const keys = (note: string): unknown[] => [...new Set(left(note))];
  const edited = await again('/runs', { note: 'ED' });
  await again(`/runs/${edited}/retry`);
  expect(keys('ED')).toEqual([`${edited}/e`]);
  expect(keys('V0')).toEqual([expect.stringMatching(new RegExp(`^${edited}/e~[0-9a-f]{16}$`))]);

  // The same edit has the same key again, and what left first its own.
  const first = await again('/runs');
  const second = await again(`/runs/${first}/retry`, { note: 'other' });
  dropped.delete('other');
  await again(`/runs/${second}/retry`, { note: 'other' });
  const before = left('V0').length;
  await again(`/runs/${second}/retry`);
  expect(keys('other')).toEqual([expect.stringMatching(new RegExp(`^${first}/e~[0-9a-f]{16}$`))]);
  expect(left('V0').length).toBeGreaterThan(before);
  expect(keys('V0')).toEqual([expect.anything(), `${first}/e`]);
});
