import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import type { ActionTable } from '../../activities/actions/types';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalLinksStore } from '../../infra/db/stores/approval-links.store';
import { outputOf, startInProcess, type InProcess } from '../support/in-process';

/** Real runs whose gates want certain people; the run's owner is the local user. */
const actions: ActionTable = { echo: async (call) => ({ output: { ...call.inputs } }) };

let stack: InProcess;
let acts: ApprovalActsStore;
let links: ApprovalLinksStore;
const people: Record<string, string> = { ann: randomUUID(), bob: randomUUID(), eve: randomUUID() };
const [ann = '', bob = '', eve = ''] = Object.values(people);
beforeAll(async () => {
  stack = await startInProcess({ actions });
  acts = new ApprovalActsStore(stack.database);
  links = new ApprovalLinksStore(stack.database);
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

/** A decision by one way, about one waiting request; gives `counted`, or the code of why not. */
type Way = (runId: string, approvalId: string) => Promise<string>;

const session =
  (who: string): Way =>
  async (runId, approvalId) => {
    try {
      const answer = await stack.decide(runId, approvalId, 'approve', by(who));
      return answer.state === 'refused' ? (answer.code ?? '') : answer.state;
    } catch (error) {
      return (error as { code?: string }).code ?? 'unknown';
    }
  };

const link =
  (who: string): Way =>
  async (runId, approvalId) => {
    const tokenHash = createHash('sha256').update(randomUUID()).digest('hex');
    const made = await links.create(LOCAL_USER_ID, { id: randomUUID(), approvalId, user: who, tokenHash });
    if (made !== 'ok') return made;
    const used = await links.use(tokenHash, who, { decision: 'approve' });
    const { decision_id: decisionId } = used;
    const answer = await stack.gateway.decideApproval({ runId, approvalId, decisionId, deadlineMs: 10_000 });
    return answer.state === 'refused' ? (answer.code ?? '') : answer.state;
  };

/** Somebody who can reach Temporal, but not the API, makes up a decision. */
const bareUpdate: Way = async (runId, approvalId) => {
  const update = stack.client.workflow
    .getHandle(`run-${runId}`)
    .executeUpdate('decideApproval', { args: [{ approvalId, decisionId: randomUUID() }] });
  return update.then(
    () => 'counted',
    (error: { cause?: { type?: string } }) => error.cause?.type ?? 'unknown',
  );
};

const signal: Way = async (runId, approvalId) => {
  await stack.client.workflow.getHandle(`run-${runId}`).signal('approval', { approvalId, decision: 'approve' });
  for (;;) {
    const rows = await stack.decisions.list(LOCAL_USER_ID, approvalId);
    const row = rows.find(({ via, state }) => via === 'signal' && state !== 'received');
    if (row) return row.code ?? row.state;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe('every way to decide, under every rule', () => {
  const ways: Record<string, Way> = {
    'an approver': session(ann),
    'the run’s owner': session(LOCAL_USER_ID),
    'somebody else': session(eve),
    'an approver’s link': link(ann),
    'a link of the owner’s': link(LOCAL_USER_ID),
    'a bare update with a forged id': bareUpdate,
    'a signal': signal,
  };
  const own = ', approvers: {users: [ann, bob, "00000000-0000-4000-8000-000000000001"]}';
  const FORGED = 'decision_not_found';
  const matrix: Record<string, [rules: string, expected: string[]]> = {
    'no rules': [
      '',
      ['approval_not_found', 'counted', 'approval_not_found', 'not_an_approver', 'counted', FORGED, 'counted'],
    ],
    named: [
      NAMED,
      ['counted', 'not_allowed', 'approval_not_found', 'counted', 'not_an_approver', FORGED, 'signal_not_allowed'],
    ],
    quorum: [
      `${own}, quorum: 2`,
      ['counted', 'counted', 'approval_not_found', 'counted', 'counted', FORGED, 'signal_not_allowed'],
    ],
    'four eyes': [
      `${own}, four_eyes: true`,
      ['counted', 'four_eyes', 'approval_not_found', 'counted', 'not_an_approver', FORGED, 'signal_not_allowed'],
    ],
  };
  const cases = Object.entries(matrix).flatMap(([rule, [rules, expected]]) =>
    Object.keys(ways).map((way, index) => ({ rule, rules, way, expected: expected[index] })),
  );

  it.each(cases)('$way, $rule: $expected', async ({ rules, way, expected }) => {
    const { runId, approvalId } = await waiting(rules);
    expect(await ways[way]?.(runId, approvalId)).toBe(expected);
    const moved = expected === 'counted' && !rules.includes('quorum');
    expect((await stack.approvals.require(LOCAL_USER_ID, approvalId)).status).toBe(moved ? 'approved' : 'waiting');
    if (moved) expect((await stack.done(runId)).status).toBe('complete');
  });
});
