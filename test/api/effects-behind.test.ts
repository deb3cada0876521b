import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeApprovalText, type WholeApproval } from '../../cli/view/whole-approval-text';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { startInProcess, type InProcess } from '../support/in-process';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { startApiOf, type TestApi } from './api-fixture';

/**
 * Effects that an approval permits, wherever a request is shown: the API, a real Temporal server, a worker and a
 * source.
 */
let source: HttpSource;
let product: InProcess;
let api: TestApi;
let isGone = true;
beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    if (request.url === '/gone' && isGone) response.writeHead(404).end();
    else sendJson(response, { at: request.url });
  });
  const egress = { AF_EGRESS_ALLOW: `127.0.0.1:${source.port}` };
  product = await startInProcess({ env: egress });
  api = await startApiOf(product, egress);
  await created('/connectors', { source: CONNECTOR(source.url) });
  for (const made of [PLAYBOOK, CHILD, PARENT, EITHER, TWO, LIST, CALLS, BELOW, OVER, ONE, CHILDREN, HEEDLESS, WITHIN])
    await created('/playbooks', { source: made });
});
afterAll(async () => {
  await api?.close();
  await product?.close();
  await source?.close();
});

const CONNECTOR = (url: string): string => `
id: shop
name: Shop
type: rest_api
version: "1.0"
connection: {base_url: "${url}"}
endpoints:
  gone: {method: GET, path: /gone, response_mapping: {fields: {value: at}}}
  lost: {method: POST, effect: keyed, path: /gone, parameters: [{name: note, in: body, type: string}], response_mapping: {fields: {value: at}}}
  put:
    method: POST
    effect: keyed
    path: /put
    parameters: [{name: note, in: body, type: string}]
    response_mapping: {fields: {value: at}}
    output_schema: {type: object, fields: [{name: value, type: any}]}
`;
const PLAYBOOK = `
id: let-go
name: Let go
inputs: [{name: who, type: string}]
steps:
  - {name: first, step_type: approval, prompt: "Each, {who}?"}
  - name: each
    for_each:
      items: [1, 2]
      as: row
      steps:
        - {name: p, step_type: tool, action: call_connector, connector: shop, endpoint: put, inputs: {note: "{row}"}}
  - {name: second, step_type: approval, prompt: "One, {who}?"}
  - {name: one, step_type: tool, action: call_connector, connector: shop, endpoint: put, inputs: {note: "{who}"}}
`;

const PUT = (name: string, note: string, more = ''): string =>
  `{name: ${name}, step_type: tool, action: call_connector, connector: shop, endpoint: put, inputs: {note: "${note}"}${more}}`;
const EITHER = `
id: either
name: Either
steps:
  - {name: g, step_type: approval, prompt: "Yes or no?", on_reject: skip}
  - ${PUT('no', 'said no', `, condition: "{g.decision} == 'rejected'"`)}
  - ${PUT('yes', 'said yes', `, condition: "{g.decision} == 'approved'"`)}
`;
const WITHIN = `
id: within
name: Within
steps:
  - name: each
    on_error: stop
    for_each:
      items: [1]
      as: row
      steps:
        - name: way
          route:
            on: a
            routes:
              a:
                - {name: g, step_type: approval, prompt: "Pay {row}?"}
                - {name: m, step_type: tool, action: call_connector, connector: shop, endpoint: gone, on_error: stop}
                - ${PUT('p', 'within {row}')}
`;
const TWO = `
id: two
name: Two
steps:
  - {name: g, step_type: approval, prompt: "Both?"}
  - ${PUT('first', 'one')}
  - ${PUT('second', 'pay Bolt 20').replace('endpoint: put', 'endpoint: lost')}
`;
const LIST = `
id: in-list
name: In list
inputs: [{name: rows, type: list}]
steps:
  - name: each
    for_each:
      items: "{rows}"
      as: row
      max_parallel: 2
      steps:
        - ${PUT('pre', '{row}')}
        - {name: g, step_type: approval, prompt: "Row {row}?", timeout_minutes: 0.05}
`;
const ONE = `
id: one-row
name: One row
inputs: [{name: n, type: any}]
steps:
  - ${PUT('pre', 'child {n}')}
  - {name: g, step_type: approval, prompt: "Row {n}?", timeout_minutes: 0.02}
`;
const CHILDREN = `
id: children
name: Children
inputs: [{name: rows, type: list}]
steps:
  - name: each
    for_each: {items: "{rows}", as: row, max_parallel: 1, steps: [{name: sub, action: run_playbook, playbook: one-row, inputs: {n: "{row}"}}]}
`;
const CHILD = `
id: child-gate
name: Child
inputs: [{name: n, type: any}]
steps:
  - {name: ask, step_type: approval, prompt: "child {n}"}
`;
const SUB = '{name: sub, action: run_playbook, playbook: child-gate, inputs: {n: 1}}';
const CALLS = `
id: calls
name: Calls
steps:
  - ${SUB}
  - ${PUT('after', 'after the child')}
  - ${PUT('late', 'late').replace('endpoint: put', 'endpoint: lost')}
`;
const HEEDLESS = CALLS.replace('calls', 'heedless').replace('{n: 1}', '{n: 1}, on_error: skip');
const BELOW = `
id: below
name: Below
steps:
  - {name: bad, step_type: tool, action: call_connector, connector: shop, endpoint: gone, on_error: skip}
  - ${PUT('rests', 'rests on {bad.results}')}
`;
const OVER = `
id: over
name: Over
steps:
  - {name: g, step_type: approval, prompt: "Below?"}
  - {name: sub, action: run_playbook, playbook: below}
`;
const PARENT = `
id: parent-gate
name: Parent
steps:
  - {name: f, step_type: tool, action: call_connector, connector: shop, endpoint: gone, on_error: skip}
  - {name: sub, action: run_playbook, playbook: child-gate, inputs: {n: "{f.results}"}}
  - {name: p, step_type: tool, action: call_connector, connector: shop, endpoint: put, inputs: {note: "x"}}
`;

async function created(path: string, body: object): Promise<Record<string, unknown>> {
  const { status, body: made } = await api.call('POST', path, body);
  expect({ status, made }).toMatchObject({ status: 201 });
  return made;
}

async function childOf(runId: string): Promise<string> {
  for (;;) {
    const [child] = await product.admin.query<{ id: string }>('select id from runs where parent_run_id = $1', [runId]);
    if (child !== undefined) return child.id;
    await sleep(50);
  }
}

/** The waiting request as GET gives it, the command line prints it and the page of a link shows it. */
async function asked(runId: string): Promise<{ body: WholeApproval; text: string; page: string }> {
  const id = await product.approval(runId);
  const { body } = await api.call('GET', `/approvals/${id}`);
  const { url } = await created(`/approvals/${id}/links`, { user: LOCAL_USER_ID });
  const page = await fetch(api.url + String(url), { headers: { accept: 'text/html' } });
  const whole = { ...body, rows: { items: [] } } as unknown as WholeApproval;
  return { body: whole, text: wholeApprovalText(whole), page: await page.text() };
}

async function approve(runId: string, { approvalId, digest }: WholeApproval): Promise<void> {
  const decision = { decisionId: randomUUID(), digest };
  const answer = await api.call('POST', `/approvals/${approvalId}/approve`, decision);
  expect(answer.status).toBeLessThan(300);
  await product.until(runId, ({ status }) => status !== 'waiting_approval', 'the decision');
}

it('is named, and bound by the digest beside the question', async () => {
  // Characters that the database cannot keep stand in the question too, and do not change the digest.
  const { runId } = await created('/runs', { playbook: 'let-go', inputs: { who: 'Ann\u0000' } });
  const first = await asked(String(runId));
  expect(first.body.effects_behind).toEqual({ steps: [{ step: 'p', in_each: true }, { step: 'one' }] });
  for (const shown of [first.text, first.page]) {
    expect(shown).toContain('An approval permits these effects: p (in each), one.');
    expect(shown).not.toContain('Nothing with an effect');
  }
  const other = await created('/runs', { playbook: 'let-go', inputs: { who: 'Bob' } });
  expect((await asked(String(other['runId']))).body.digest).not.toBe(first.body.digest);

  await approve(String(runId), first.body);
  await product.until(String(runId), ({ steps_done: done }) => done >= 2, 'the map');
  const second = await asked(String(runId));
  expect(second.body).toMatchObject({ action: { step: 'one' }, effects_behind: { steps: [{ step: 'one' }] } });
  for (const shown of [second.text, second.page]) {
    expect(shown).toContain('The call as it will be made');
    expect(shown).not.toContain('Behind it also');
  }
  await approve(String(runId), second.body);
  expect(await product.done(String(runId))).toMatchObject({ status: 'complete' });
  expect(source.seen).toHaveLength(3);
});

it('is what the caller goes on with, too; a sub-playbook says what its inputs rest on that failed before its call', async () => {
  const { runId } = await created('/runs', { playbook: 'parent-gate' });
  const { body, text, page } = await asked(await childOf(String(runId)));
  expect(body.effects_behind).toEqual({ steps: [], caller: true });
  for (const shown of [text, page]) {
    expect(shown).toContain('An approval permits these effects: what the playbook that started this one does next.');
    expect(shown).toContain('(caller) f failed: upstream_not_found');
  }
  await approve(body.runId, body);
  expect(await product.done(String(runId))).toMatchObject({ status: 'partial' });
});

const notes = (): unknown[] => source.seen.flatMap(({ body }) => (body === '' ? [] : [JSON.parse(body).note]));

it('shows the call that a yes makes, where another step waits for a no, and sends that one', async () => {
  const { runId } = await created('/runs', { playbook: 'either' });
  const { body, text, page } = await asked(String(runId));
  expect(body).toMatchObject({ action: { step: 'yes' }, inputs: { note: 'said yes' } });
  expect(text).toContain('  rejected: the run goes on; also after a rejection: no');
  expect(page).toContain('<li>Rejected: the run goes on; also after a rejection: no.</li>');
  expect(body.effects_behind).toEqual({ steps: [{ step: 'yes' }], on_reject: { steps: [{ step: 'no' }] } });
  await approve(String(runId), body);
  expect(await product.done(String(runId))).toMatchObject({ status: 'complete' });
  expect(notes().filter((note) => String(note).startsWith('said'))).toEqual(['said yes']);
});

it('names what elements that begin later send, which no silence lets go', async () => {
  const { runId } = await created('/runs', { playbook: 'in-list', inputs: { rows: ['r0', 'r1', 'r2'] } });
  const { body } = await asked(String(runId));
  expect(body).toMatchObject({ on_timeout: 'stop', effects_behind: { steps: [{ step: 'pre', in_each: true }] } });
  expect(await product.done(String(runId))).toMatchObject({ status: 'timed_out' });
  expect(notes()).not.toContain('r2');
});

it('lets no later element go by silence where each is a sub-playbook', async () => {
  const { runId } = await created('/runs', { playbook: 'children', inputs: { rows: ['r0', 'r1'] } });
  expect(await product.done(String(runId))).toMatchObject({ status: 'timed_out' });
  expect(notes().filter((note) => String(note).startsWith('child r'))).toEqual(['child r0']);
});

it('is asked again in a retry that sends something else, and not where what failed leaves as it was approved', async () => {
  const { runId } = await created('/runs', { playbook: 'two' });
  await approve(String(runId), (await asked(String(runId))).body);
  expect(await product.done(String(runId))).toMatchObject({ status: 'partial' });
  const tried = (): number => notes().filter((note) => note === 'pay Bolt 20').length;
  expect([tried(), notes().filter((note) => note === 'one').length]).toEqual([1, 1]);

  const changed = { from_step: 'second', inputs: { note: 'pay rosalind 1000000' } };
  const edited = await created(`/runs/${String(runId)}/retry`, changed);
  const { body: again, text, page } = await asked(String(edited['runId']));
  // The first call is taken over: what is shown is what leaves.
  expect(again).toMatchObject({
    action: { step: 'second' },
    inputs: changed.inputs,
    effects_behind: { steps: [{ step: 'second' }] },
  });
  for (const shown of [text, page]) expect(shown).toContain(changed.inputs.note);
  expect(notes()).not.toContain(changed.inputs.note);
  await approve(String(edited['runId']), again);
  await product.done(String(edited['runId']));
  expect(notes()).toContain(changed.inputs.note);

  const plain = await created(`/runs/${String(runId)}/retry`, {});
  expect(await product.done(String(plain['runId']))).toMatchObject({ status: 'partial' });
  expect([tried(), notes().filter((note) => note === 'one').length]).toEqual([2, 1]);
  const plainer = await created(`/runs/${String(plain['runId'])}/retry`, {});
  expect(await product.done(String(plainer['runId']))).toMatchObject({ status: 'partial' });
  expect([tried(), notes().filter((note) => note === 'one').length]).toEqual([3, 1]);
  // The edited inputs of the retry are not those of a retry of it.
  const next = await created(`/runs/${String(edited['runId'])}/retry`, {});
  await asked(String(next['runId']));
  expect(tried()).toBe(3);
});

it('keeps its yes in the list and the route that a retry goes on in, until what it let go is sent once more', async () => {
  const { runId } = await created('/runs', { playbook: 'within' });
  await approve(String(runId), (await asked(String(runId))).body);
  expect(await product.done(String(runId))).toMatchObject({ status: 'failed' });
  const sent = (): number => notes().filter((note) => note === 'within 1').length;
  expect(sent()).toBe(0);
  isGone = false;
  const plain = await created(`/runs/${String(runId)}/retry`, {});
  const mended = await product.done(String(plain['runId']));
  isGone = true;
  expect(mended).toMatchObject({ status: 'complete' });
  expect(sent()).toBe(1);
  const again = await created(`/runs/${String(plain['runId'])}/retry`, { from_step: 'each' });
  expect((await asked(String(again['runId']))).body.effects_behind).toEqual({ steps: [{ step: 'p' }] });
  expect(sent()).toBe(1);
});

it('is asked again by a sub-playbook when what its caller goes on with is sent once more, and not when that failed', async () => {
  const { runId } = await created('/runs', { playbook: 'calls' });
  const child = await childOf(String(runId));
  await approve(child, (await asked(child)).body);
  expect(await product.done(String(runId))).toMatchObject({ status: 'partial' });
  const sent = (note: string): number => notes().filter((each) => each === note).length;
  expect([sent('after the child'), sent('late')]).toEqual([1, 1]);

  const plain = await created(`/runs/${String(runId)}/retry`, {});
  expect(await product.done(String(plain['runId']))).toMatchObject({ status: 'partial' });
  expect([sent('after the child'), sent('late')]).toEqual([1, 2]);

  const again = await created(`/runs/${String(runId)}/retry`, { from_step: 'after' });
  const asking = await childOf(String(again['runId']));
  const { body } = await asked(asking);
  expect(body.effects_behind).toEqual({ steps: [], caller: true });
  expect(sent('after the child')).toBe(1);
  await approve(asking, body);
  expect(await product.done(String(again['runId']))).toMatchObject({ status: 'partial' });
  expect([sent('after the child'), sent('late')]).toEqual([2, 3]);
});

it('says what a caller goes on with after a no', async () => {
  const { runId } = await created('/runs', { playbook: 'heedless' });
  const { body } = await asked(await childOf(String(runId)));
  const caller = { steps: [], caller: true };
  expect(body).toMatchObject({ on_reject: 'stop', effects_behind: { ...caller, on_reject: caller } });
});

it('is asked again before a sub-playbook in which something is sent once more', async () => {
  const { runId } = await created('/runs', { playbook: 'over' });
  await approve(String(runId), (await asked(String(runId))).body);
  expect(await product.done(String(runId))).toMatchObject({ status: 'partial' });
  const sent = (): number => notes().filter((note) => String(note).startsWith('rests on')).length;
  expect(sent()).toBe(1);
  const again = await created(`/runs/${String(runId)}/retry`, {});
  const { body } = await asked(String(again['runId']));
  expect(body.effects_behind).toEqual({ steps: [{ step: 'sub' }] });
  expect(sent()).toBe(1);
});
