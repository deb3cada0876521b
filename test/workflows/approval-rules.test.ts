import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { ActionTable } from '../../activities/actions/types';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';

/** Real runs whose gates want certain people; the run's owner is the local user. */
const actions: ActionTable = { echo: async (call) => ({ output: { ...call.inputs } }) };

let stack: InProcess;
let acts: ApprovalActsStore;
const people: Record<string, string> = { ann: randomUUID(), bob: randomUUID(), eve: randomUUID() };
const [ann = '', bob = '', eve = ''] = Object.values(people);
beforeAll(async () => {
  stack = await startInProcess({ actions });
  acts = new ApprovalActsStore(stack.database);
  for (const [handle, id] of Object.entries(people)) {
    await stack.admin.query('insert into users (id, handle, display_name) values ($1, $2, $2)', [id, handle]);
  }
}, 120_000);
afterAll(() => stack?.close());

let number = 0;
async function waiting(rules: string): Promise<{ runId: string; approvalId: string }> {
  const id = `rules-${(number += 1)}`;
  const slug = await stack.save(`
id: ${id}
name: ${id}
steps:
  - {name: ask, step_type: approval, prompt: go, on_reject: stop${rules}}
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: first}}
`);
  const runId = await stack.start(slug);
  return { runId, approvalId: await stack.approval(runId) };
}
const NAMED = ', approvers: {users: [ann, bob]}';
const by = (who: string, more: { digest?: string } = {}) => ({ by: who, ...more });

async function noted(runId: string): Promise<string[]> {
  const rows = await stack.admin.query<{ summary: string }>(
    `select summary from journal_entries where run_id = $1 and kind = 'note'`,
    [runId],
  );
  return rows.map(({ summary }) => summary);
}

describe('a run whose gate wants several people', () => {
  it('goes on with the second approval, and not before', async () => {
    const { runId, approvalId } = await waiting(`${NAMED}, quorum: 2`);
    expect(await stack.decide(runId, approvalId, 'approve', by(ann))).toEqual({ state: 'counted' });
    expect((await stack.runs.require(LOCAL_USER_ID, runId)).status).toBe('waiting_approval');
    expect(await stack.decide(runId, approvalId, 'approve', by(bob))).toEqual({ state: 'counted' });
    expect((await stack.done(runId)).status).toBe('complete');
    expect(await noted(runId)).toEqual(['first']);
    // The run answered both: nobody has to tell it again.
    const answered = stack.gateway.takeAnswered().filter((each) => each.approval_id === approvalId);
    expect(new Set(answered.map((each) => each.decision_id)).size).toBe(2);
    expect(stack.gateway.takeAnswered()).toEqual([]);
  });

  it('ends by one rejection', async () => {
    const { runId, approvalId } = await waiting(`${NAMED}, quorum: 2`);
    await stack.decide(runId, approvalId, 'approve', by(ann));
    await stack.decide(runId, approvalId, 'reject', by(bob));
    expect((await stack.done(runId)).status).toBe('rejected');
    expect(await noted(runId)).toEqual([]);
  });

  it('does what was edited and then approved by another', async () => {
    const { runId, approvalId } = await waiting(`${NAMED}, four_eyes: true`);
    const { digest } = await stack.approvals.require(LOCAL_USER_ID, approvalId);
    const change = { edits: { summary: 'edited {x}' }, digest: digest ?? '' };
    expect(await acts.edit(ann, approvalId, change)).toBe('ok');
    expect(await stack.decide(runId, approvalId, 'approve', by(ann))).toEqual({ state: 'refused', code: 'four_eyes' });
    expect(await stack.decide(runId, approvalId, 'approve', by(bob, { digest: digest ?? '' }))).toEqual({
      state: 'refused',
      code: 'approval_changed',
    });
    expect(await stack.decide(runId, approvalId, 'approve', by(bob))).toEqual({ state: 'counted' });
    const run = await stack.done(runId);
    expect(outputOf(run, 'ask')).toMatchObject({ decision: 'approved', edits: { summary: 'edited {x}' } });
    expect(await noted(runId)).toEqual(['edited {x}']);
  });

  it('does not do what nobody approved: edits that changed behind the approval', async () => {
    const { runId, approvalId } = await waiting('');
    await stack.gateway.pauseRun(runId);
    await stack.decide(runId, approvalId, 'approve');
    await stack.admin.query(`update approvals set edits = '{"summary": "forged"}' where id = $1`, [approvalId]);
    await stack.gateway.resumeRun(runId);
    const run = await stack.done(runId);
    expect(run.status).toBe('partial');
    expect(await noted(runId)).toEqual([]);
    const failed = (await stack.events(runId)).find((event) => event.type === 'step.attempt_failed');
    expect(failed?.payload).toMatchObject({ error: { code: 'approval_mismatch' } });
  });

  it('takes the decision of whom it was delegated to', async () => {
    const { runId, approvalId } = await waiting(NAMED);
    expect(await acts.delegate(ann, approvalId, 'eve')).toBe('ok');
    expect(await stack.decide(runId, approvalId, 'approve', by(ann))).toEqual({
      state: 'refused',
      code: 'delegated_away',
    });
    expect(await stack.decide(runId, approvalId, 'approve', by(eve))).toEqual({ state: 'counted' });
    expect((await stack.done(runId)).status).toBe('complete');
  });

  it('keeps its rules when its playbook is changed meanwhile (F09a)', async () => {
    const { runId, approvalId } = await waiting(NAMED);
    const { playbook_slug: slug } = await stack.runs.require(LOCAL_USER_ID, runId);
    await stack.save(`
id: ${slug}
name: ${slug}
steps:
  - {name: ask, step_type: approval, prompt: go, approvers: {users: [eve]}}
  - {name: note, step_type: tool, action: write_journal_entry, inputs: {summary: other}}
`);
    await expect(stack.decide(runId, approvalId, 'approve', by(eve))).rejects.toMatchObject({
      code: 'approval_not_found',
    });
    expect(await stack.decide(runId, approvalId, 'approve', by(ann))).toEqual({ state: 'counted' });
    await stack.done(runId);
    expect(await noted(runId)).toEqual(['first']);
  });

  it('asks them again in a new run, whatever its policy says', async () => {
    const { runId, approvalId } = await waiting(NAMED);
    await stack.decide(runId, approvalId, 'reject', by(bob));
    const first = await stack.done(runId);
    const slug = first.playbook_slug;
    const auto = await stack.start(slug, { approval_policy: 'auto_approve' });
    const again = await stack.approval(auto);
    expect(await stack.decide(auto, again, 'approve')).toEqual({ state: 'refused', code: 'not_allowed' });
    await stack.decide(auto, again, 'approve', by(ann));
    expect((await stack.done(auto)).status).toBe('complete');
  });
});
