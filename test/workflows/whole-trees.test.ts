import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ActionTable } from '../../activities/actions/types';
import { AppError } from '../../core/errors/app-error';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import type { RunRow } from '../../infra/db/stores/run-types';
import { startInProcess, type InProcess } from '../support/in-process';
import { openEnds } from '../support/open-ends';

/** Effects by the key under which they were made. */
const done: string[] = [];
/** Resolved when the step that waits for it is to fail. */
let failNow: () => void = () => undefined;
const toFail = new Promise<void>((resolve) => {
  failNow = resolve;
});
const actions: ActionTable = {
  effect: async (_call, { effectKey }) => {
    done.push(effectKey);
    return { output: {} };
  },
  forever: async (_call, { signal }) => {
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
    return { output: {} };
  },
  fails: async ({ inputs }) => {
    if (inputs['later'] === true) await toFail;
    throw new AppError('broken', 'it is broken', { category: 'upstream' });
  },
};

let stack: InProcess;
beforeAll(async () => {
  stack = await startInProcess({ actions });
}, 120_000);
// Whatever ended a run: its end asks that nothing is open.
afterAll(() => stack?.close());

const tool = (name: string, action: string): string => `{name: ${name}, step_type: tool, action: ${action}}`;
const gate = (more = ''): string => `{name: gate, step_type: approval, prompt: go${more}}`;
function playbook(id: string, steps: string[]): string {
  return `id: ${id}\nname: ${id}\nsteps:\n${steps.map((step) => `  - ${step}\n`).join('')}`;
}
async function children(runId: string): Promise<RunRow[]> {
  const found = await stack.runs.children(LOCAL_USER_ID, runId);
  return Promise.all(found.map(({ id }) => stack.runs.require(LOCAL_USER_ID, id)));
}
async function child(runId: string, test: (run: RunRow) => boolean): Promise<RunRow> {
  await stack.until(runId, (run) => run.waits.some((wait) => JSON.stringify(wait).includes('"child"')), 'a child');
  const [found] = await children(runId);
  return stack.until(found?.id ?? '', test, 'the child');
}
async function pause(runId: string): Promise<void> {
  await stack.runs.setControl(LOCAL_USER_ID, runId, 'pause');
  for (const id of [runId, ...(await stack.runs.openBelow(LOCAL_USER_ID, runId))]) await stack.gateway.pauseRun(id);
}
async function resume(runId: string): Promise<void> {
  await stack.runs.setControl(LOCAL_USER_ID, runId, 'run');
  for (const id of [runId, ...(await stack.runs.openBelow(LOCAL_USER_ID, runId))]) await stack.gateway.resumeRun(id);
}
const effectsOf = (runId: string): number => done.filter((key) => key.startsWith(`${runId}/`)).length;

describe('a pause of a tree', () => {
  it('holds what sub-playbooks would do next; a decision counts meanwhile, and the clock of a gate runs', async () => {
    await stack.save(playbook('pt-leaf', [gate(), tool('after', 'effect')]));
    await stack.save(playbook('pt-timed', [gate(', timeout_minutes: 0.1, on_timeout: skip'), tool('after', 'effect')]));
    await stack.save(playbook('pt-mid', ['{name: sub, action: run_playbook, playbook: pt-leaf}']));
    const both = `{name: both, parallel_steps: [{name: sub, action: run_playbook, playbook: pt-mid}, {name: timed, action: run_playbook, playbook: pt-timed}]}`;
    const runId = await stack.start(await stack.save(playbook('pt-root', [both])));
    await stack.until(runId, (run) => run.waits.length >= 2, 'both children');
    const waitsForPerson = (run: RunRow): boolean => JSON.stringify(run.waits).includes('"approval"');
    const [mid, timed] = (await children(runId)).toSorted((a, b) => (a.playbook_slug < b.playbook_slug ? -1 : 1));
    const leaf = await child(mid?.id ?? '', waitsForPerson);
    await stack.until(timed?.id ?? '', waitsForPerson, 'the timed gate');
    const approvalId = await stack.approval(leaf.id);
    await pause(runId);
    const tree = [runId, mid?.id ?? '', leaf.id, timed?.id ?? ''];
    for (const id of tree) await stack.until(id, (run) => run.status === 'paused', 'paused');
    expect(await stack.decide(leaf.id, approvalId, 'approve')).toMatchObject({ state: 'counted' });
    await stack.until(timed?.id ?? '', (run) => !waitsForPerson(run), 'the end of the time');
    const gates = await stack.admin.query<{ status: string }>(
      'select status from approvals where run_id = any($1) order by status',
      [tree],
    );
    expect(gates.map(({ status }) => status)).toEqual(['approved', 'timed_out']);
    for (const id of tree) expect((await stack.runs.require(LOCAL_USER_ID, id)).status).toBe('paused');
    expect([effectsOf(leaf.id), effectsOf(timed?.id ?? '')]).toEqual([0, 0]);
    await resume(runId);
    expect((await stack.done(runId)).status).toBe('complete');
    expect([effectsOf(leaf.id), effectsOf(timed?.id ?? '')]).toEqual([1, 1]);
  });

  it('a sub-playbook that comes into being below a paused run begins with nothing, gates included', async () => {
    await stack.save(playbook('pt-below', [gate(), tool('after', 'effect')]));
    const sub = '{name: sub, action: run_playbook, playbook: pt-below}';
    const runId = await stack.start(await stack.save(playbook('pt-late', [gate(), sub])));
    const approvalId = await stack.approval(runId);
    // The order is in the rows, and whoever gave it died before any workflow heard of it.
    await stack.runs.setControl(LOCAL_USER_ID, runId, 'pause');
    await stack.decide(runId, approvalId, 'approve');
    const below = await child(runId, (run) => run.status === 'paused');
    expect(below).toMatchObject({ control: 'pause', paused_by: runId });
    expect(await stack.admin.query('select 1 from approvals where run_id = $1', [below.id])).toEqual([]);
    await resume(runId);
    await stack.decide(below.id, await stack.approval(below.id), 'approve');
    expect((await stack.done(runId)).status).toBe('complete');
    expect(effectsOf(below.id)).toBe(1);
  });
});

describe('nothing is open in a run that ended', () => {
  const parallel = (...steps: string[]): string => `{name: all, parallel_steps: [${steps.join(', ')}]}`;
  const asks = '{name: asks, step_type: approval, prompt: also}';
  const sub = '{name: sub, action: run_playbook, playbook: oe-child}';
  const endOf = async (runId: string): Promise<{ [path: string]: unknown }> => {
    const ends: { [path: string]: unknown } = {};
    for (const { type, step_path: path, payload } of await stack.events(runId))
      if (type === 'step.finished') ends[path ?? ''] = payload['status'];
    return ends;
  };
  const settled = async (runId: string): Promise<void> => {
    while ((await openEnds(stack.admin, [runId])).length > 0) await sleep(50);
  };
  const begin = async (id: string, steps: string[]): Promise<string> => {
    await stack.save(playbook('oe-child', [asks]));
    return stack.start(await stack.save(playbook(id, steps)));
  };

  it('cancelled', async () => {
    const runId = await begin('oe-cancel', [parallel(gate(), asks, tool('slow', 'forever'), sub)]);
    await child(runId, (run) => run.status === 'waiting_approval');
    await stack.runs.setControl(LOCAL_USER_ID, runId, 'cancel');
    await stack.gateway.cancelRun(runId);
    expect((await stack.done(runId)).status).toBe('cancelled');
    await settled(runId);
    expect(await endOf(runId)).toMatchObject({
      'all/gate': 'cancelled',
      'all/asks': 'cancelled',
      'all/slow': 'cancelled',
    });
  });

  it('rejected, with a request, a try to come and a sub-playbook beside it', async () => {
    const retried = `{name: retried, step_type: tool, action: fails, retry_count: 3}`;
    const runId = await begin('oe-reject', [parallel(gate(), asks, retried, sub)]);
    await child(runId, (run) => run.status === 'waiting_approval');
    const approvals = await stack.admin.query<{ id: string }>(
      `select id from approvals where run_id = $1 and step_path = 'all/gate'`,
      [runId],
    );
    await stack.decide(runId, approvals[0]?.id ?? '', 'reject');
    expect((await stack.done(runId)).status).toBe('rejected');
    await settled(runId);
    expect(await endOf(runId)).toMatchObject({ 'all/gate': 'ok', 'all/asks': 'cancelled' });
  });

  it('failed by one step, with the others in flight', async () => {
    const runId = await begin('oe-fail', [
      parallel(asks, '{name: bad, step_type: tool, action: fails, on_error: stop, inputs: {later: true}}', sub),
    ]);
    await child(runId, (run) => run.status === 'waiting_approval');
    failNow();
    expect((await stack.done(runId)).status).toBe('failed');
    await settled(runId);
  });

  it('failed in the moment in which a gate opens', async () => {
    const sum = '[{type: aggregate, metrics: [{op: count, as: n}]}]';
    const bad = `{name: bad, step_type: tool, action: transform_data, inputs: {data: "{n}"}, operations: ${sum}, on_error: stop}`;
    const text = playbook('oe-together', [parallel(asks, bad)]);
    const slug = await stack.save(`${text}inputs:\n  - {name: n, type: any}\n`);
    const runId = await stack.start(slug, { inputs: { n: 5 } });
    const run = await stack.done(runId);
    expect(run).toMatchObject({ status: 'failed', status_code: 'invalid_data' });
    await settled(runId);
    expect(await endOf(runId)).toMatchObject({ 'all/asks': 'cancelled', 'all/bad': 'failed' });
  });

  it('complete with a gate that the policy answers', async () => {
    const slug = await stack.save(playbook('oe-policy', [gate()]));
    const runId = await stack.start(slug, { approval_policy: 'auto_approve' });
    expect(await stack.done(runId)).toMatchObject({ status: 'complete' });
    await settled(runId);
  });

  it('terminated in Temporal and closed by hand of the reconciler', async () => {
    const runId = await begin('oe-terminate', [parallel(gate(), tool('slow', 'forever'), sub)]);
    await child(runId, (run) => run.status === 'waiting_approval');
    await stack.client.workflow.getHandle(`run-${runId}`).terminate('by an operator');
    await new TransitionsStore(stack.database).closeFromOutside(
      { id: runId, playbook_name: 'p' },
      'failed',
      'workflow_terminated',
      'The run was terminated from outside.',
    );
    await settled(runId);
    expect(await endOf(runId)).toMatchObject({
      'all/gate': 'cancelled',
      'all/slow': 'cancelled',
      'all/sub': 'cancelled',
    });
  });
});
