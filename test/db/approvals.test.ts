import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApprovalRequest } from '../../core/engine/commands';
import { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import { DecisionsStore, type NewDecision } from '../../infra/db/stores/decisions.store';
import { EventsStore } from '../../infra/db/stores/events.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { OWNER, seedRun, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { chainFault } from '../support/decision-log';

let db: TestDatabase;
let approvals: ApprovalsStore;
let decisions: DecisionsStore;
let transitions: TransitionsStore;

beforeAll(async () => {
  db = await testDatabase();
  approvals = new ApprovalsStore(db.database);
  decisions = new DecisionsStore(db.database);
  transitions = new TransitionsStore(db.database);
});
afterAll(() => db.close());

function request(more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return {
    id: randomUUID(),
    step_path: 'gate',
    step_name: 'gate',
    status: 'waiting',
    prompt: 'Send \u0000 it?',
    preview: [{ name: 'x\u0000\ud800' }],
    preview_total: 1,
    action: { step: 'send', action: 'call_connector', inputs: {}, params: {} },
    digest: 'd1',
    on_reject: 'stop',
    on_timeout: 'skip',
    due_at: '2126-12-01T00:00:00Z',
    ...more,
  };
}
async function opened(more: Partial<ApprovalRequest> = {}): Promise<{ runId: string; approvalId: string }> {
  const runId = await seedRun(db.database);
  const approval = request(more);
  await transitions.apply(runId, {
    approvals: [approval],
    patch: { no: 1, status: 'waiting_approval', waits: [], steps_done: 0, steps_total: 1 },
  });
  return { runId, approvalId: approval.id };
}
const decision = (approvalId: string, more: Partial<NewDecision> = {}): NewDecision => ({
  approvalId,
  decisionId: randomUUID(),
  actor: 'local',
  via: 'api',
  decision: 'approve',
  digest: 'd1',
  ...more,
});
async function decide(approvalId: string, more: Partial<NewDecision> = {}) {
  const { decision: row } = await decisions.receive(OWNER, decision(approvalId, more));
  return decisions.count(approvalId, row.decision_id);
}

describe('opening', () => {
  it('keeps the documents to the letter and is repeatable', async () => {
    const runId = await seedRun(db.database);
    const approval = request();
    for (let i = 0; i < 2; i += 1) {
      await transitions.apply(runId, { approvals: [approval] });
    }
    expect(await approvals.get(OWNER, approval.id)).toMatchObject({
      run_id: runId,
      status: 'waiting',
      prompt: 'Send \ufffd it?',
      preview: approval.preview,
      action: approval.action,
      due_at: '2126-12-01T00:00:00Z',
    });
    expect((await approvals.list(OWNER, { runId, status: ['waiting'] })).items).toHaveLength(1);
    expect(await approvals.get(STRANGER, approval.id)).toBeNull();
    await expect(approvals.require(STRANGER, approval.id)).rejects.toMatchObject({ code: 'approval_not_found' });
  });

  it('an auto-approved one has a counted decision of the policy, once', async () => {
    const { approvalId, runId } = await opened({ status: 'auto_approved' });
    await transitions.apply(runId, { approvals: [request({ id: approvalId, status: 'auto_approved' })] });
    expect(await approvals.get(OWNER, approvalId)).toMatchObject({
      status: 'auto_approved',
      decided_by: 'policy',
      approved_digest: 'd1',
    });
    expect(await decisions.list(OWNER, approvalId)).toMatchObject([
      { actor: 'policy', via: 'policy', state: 'counted' },
    ]);
  });
});

describe('deciding', () => {
  it('F07a: of 20 at once exactly one is counted, the others are refused', async () => {
    const { approvalId, runId } = await opened();
    const received = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        decisions.receive(OWNER, decision(approvalId, { actor: `actor-${i}`, decision: i % 2 ? 'approve' : 'reject' })),
      ),
    );
    // The earliest that came in is the one that counts, whoever is heard first.
    const outcomes = await Promise.all(
      received.map(async ({ decision: row }) => {
        const outcome = await decisions.count(approvalId, row.decision_id);
        for (const earlier of outcome?.earlier ?? []) await decisions.count(approvalId, earlier);
        return outcome?.earlier ? decisions.count(approvalId, row.decision_id) : outcome;
      }),
    );
    const counted = outcomes.filter((outcome) => outcome?.state === 'counted');
    expect(counted).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome?.code === 'approval_already_decided')).toHaveLength(19);
    const rows = await decisions.list(OWNER, approvalId);
    const winner = rows.find((row) => row.state === 'counted');
    expect(winner?.decision_id).toBe(rows[0]?.decision_id);
    expect(await approvals.get(OWNER, approvalId)).toMatchObject({
      status: winner?.decision === 'approve' ? 'approved' : 'rejected',
      decided_by: winner?.actor,
      decision_id: winner?.decision_id,
    });
    const events = await new EventsStore(db.database).listAfter(runId, OWNER, 0, 100);
    expect(events.map((event) => [event.type, event.payload.decisionId])).toEqual([
      ['approval.decided', winner?.decision_id],
    ]);
  });

  it('F07f: the same decision id gets its first answer, also at once', async () => {
    const { approvalId } = await opened();
    const first = decision(approvalId, { instructions: 'go \u0000 on', edits: { to: 'x\u0000' } });
    const received = await Promise.all([1, 2, 3].map(() => decisions.receive(OWNER, first)));
    expect(received.filter(({ created }) => created)).toHaveLength(1);
    const outcomes = await Promise.all([1, 2, 3].map(() => decisions.count(approvalId, first.decisionId)));
    expect(outcomes.map((outcome) => outcome?.state)).toEqual(['counted', 'counted', 'counted']);
    expect(outcomes.filter((outcome) => outcome?.first === true)).toHaveLength(1);
    expect(outcomes[0]?.approval).toMatchObject({
      status: 'approved',
      instructions: 'go \ufffd on',
      edits: { to: 'x\u0000' },
    });
    await expect(decisions.receive(OWNER, { ...first, decision: 'reject' })).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
  });

  it('refuses what does not match the action that was shown', async () => {
    const { approvalId } = await opened();
    expect(await decide(approvalId, { digest: 'other' })).toMatchObject({ state: 'refused', code: 'approval_changed' });
    expect(await decide(approvalId, { digest: 'd1' })).toMatchObject({ state: 'counted' });
  });

  it('keeps the digest of an edited action, and the code of a rule that the caller checked', async () => {
    const { approvalId } = await opened();
    const bad = (await decisions.receive(OWNER, decision(approvalId, { edits: { a: 1 } }))).decision.decision_id;
    expect(await decisions.count(approvalId, bad, { refuse: 'invalid_edits' })).toMatchObject({
      state: 'refused',
      code: 'invalid_edits',
    });
    const good = (await decisions.receive(OWNER, decision(approvalId, { edits: { a: 2 } }))).decision.decision_id;
    expect(await decisions.count(approvalId, good, { approvedDigest: 'd2' })).toMatchObject({
      approval: { edits: { a: 2 }, digest: 'd1', approved_digest: 'd2' },
    });
  });

  it('F07e: after cancel or the end of the run it is too late', async () => {
    const cancelled = await opened();
    await new RunsStore(db.database).setControl(OWNER, cancelled.runId, 'cancel');
    expect(await decide(cancelled.approvalId)).toMatchObject({ state: 'refused', code: 'run_closed' });
    const ended = await opened();
    await transitions.finish(ended.runId, { status: 'failed' });
    expect(await decide(ended.approvalId)).toMatchObject({
      state: 'refused',
      code: 'run_closed',
      approval: { status: 'cancelled' },
    });
  });

  it('what a person decided stays the reason when the run has ended since', async () => {
    const { runId, approvalId } = await opened();
    await decide(approvalId);
    await transitions.finish(runId, { status: 'complete' });
    expect(await decide(approvalId)).toMatchObject({ state: 'refused', code: 'approval_already_decided' });
  });

  it('a forged id names no row', async () => {
    const { approvalId } = await opened();
    expect(await decisions.count(approvalId, randomUUID())).toBeNull();
    expect(await decisions.count(randomUUID(), randomUUID())).toBeNull();
    await expect(decisions.receive(STRANGER, decision(approvalId))).rejects.toMatchObject({
      code: 'approval_not_found',
    });
    await expect(decisions.receive(OWNER, decision(approvalId, { decisionId: 'x' }))).rejects.toMatchObject({
      code: 'invalid_decision_id',
    });
  });

  it('a decision that is refused as it comes in leaves nothing, and says what the request shows', async () => {
    const { approvalId } = await opened();
    const refused = async (more: Partial<NewDecision>) => decisions.take(OWNER, decision(approvalId, more));
    expect(await refused({ digest: 'other' })).toEqual({ refused: 'approval_changed', shown: 'd1' });
    const { digest: _digest, ...blind } = decision(approvalId);
    expect(await decisions.take(OWNER, blind)).toEqual({ refused: 'digest_required', shown: 'd1' });
    await expect(decisions.take(STRANGER, decision(approvalId))).rejects.toMatchObject({ code: 'approval_not_found' });
    expect(await decisions.list(OWNER, approvalId)).toEqual([]);
    const due = await opened({ due_at: '2020-01-01T00:00:00Z' });
    expect(await decisions.take(OWNER, decision(due.approvalId))).toMatchObject({ refused: 'approval_due_passed' });
  });

  it('a decision that is taken says whether its request waits; the same one again has its first answer', async () => {
    const { runId, approvalId } = await opened();
    const first = decision(approvalId);
    const row = expect.objectContaining({ decision_id: first.decisionId, run_id: runId, state: 'received' }) as unknown;
    expect(await decisions.take(OWNER, first)).toEqual({ row, open: true });
    // The request may show something else by now.
    expect(await decisions.take(OWNER, first)).toEqual({ row, open: false });
    await expect(decisions.take(OWNER, { ...first, decision: 'reject' })).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
    expect(await decisions.settle(runId, approvalId, first.decisionId)).toMatchObject({
      row: { decision: 'approve', actor: 'local' },
      outcome: { state: 'counted', approval: { status: 'approved', approved_digest: 'd1' } },
    });
    expect(await decisions.settle(randomUUID(), approvalId, first.decisionId)).toBeNull();
    // Kept, for whoever asks why it did not count.
    expect(await decisions.take(OWNER, decision(approvalId))).toMatchObject({
      open: false,
      row: { state: 'received' },
    });
  });

  it('edits are not counted before they were compared with the action', async () => {
    const { runId, approvalId } = await opened();
    const edited = decision(approvalId, { edits: { to: 'x' } });
    await decisions.take(OWNER, edited);
    const settled = { row: { edits: { to: 'x' }, state: 'received' }, outcome: null };
    expect(await decisions.settle(runId, approvalId, edited.decisionId)).toMatchObject(settled);
  });

  it('a decision ends the run with it where it is as the run was told, and only then', async () => {
    const { runId, approvalId } = await opened();
    const first = decision(approvalId, { instructions: 'go \u0000 on' });
    const taken = await decisions.take(OWNER, first);
    if (!('row' in taken)) throw new Error('refused');
    const { created_at: received, instructions } = taken.row;
    const said = {
      decision: 'approve',
      decided_by: 'local',
      via: 'api',
      at: new Date(received).toISOString(),
    } as const;
    const asked = { approvalId, decisionId: first.decisionId, said: { ...said, instructions: instructions ?? '' } };
    const end = { status: 'complete', events: [{ id: 'c', type: 'complete', payload: {} }] } as const;
    const others = [
      said,
      { ...asked.said, decision: 'reject' as const },
      { ...asked.said, decided_by: 'eve' },
      { ...asked.said, at: '2026-01-01T00:00:00.000Z' },
    ];
    for (const other of others)
      expect(
        await transitions.settleAndFinish(runId, { ...asked, said: other }, { ...end, events: [...end.events] }),
      ).toMatchObject({
        finished: null,
        outcome: { state: 'counted' },
      });
    expect((await new RunsStore(db.database).get(OWNER, runId))?.status).toBe('waiting_approval');
    const finish = async () => transitions.settleAndFinish(runId, asked, { ...end, events: [...end.events] });
    expect(await finish()).toMatchObject({
      finished: { status: 'complete', closed: true },
      outcome: { state: 'counted' },
    });
    // Repeats the call whose answer was lost.
    expect(await finish()).toMatchObject({
      finished: { status: 'complete', closed: false },
      outcome: { state: 'counted' },
    });
    const events = await new EventsStore(db.database).listAfter(runId, OWNER, 0, 100);
    expect(events.map(({ type }) => type)).toEqual(['approval.decided', 'complete']);
    expect(await transitions.settleAndFinish(randomUUID(), asked, { status: 'complete' })).toBeNull();
  });

  it('one of two that are needed, or one with edits, ends no run', async () => {
    const end = { status: 'complete' } as const;
    const said = { decision: 'approve', decided_by: 'local', via: 'api', at: '' } as const;
    for (const [request, more] of [
      [{ policy: { quorum: 2 } }, {}],
      [{}, { edits: { to: 'x' } }],
    ] as const) {
      const { runId, approvalId } = await opened(request);
      const given = decision(approvalId, more);
      const taken = await decisions.take(OWNER, given);
      const at = 'row' in taken ? new Date(taken.row.created_at).toISOString() : '';
      const asked = { approvalId, decisionId: given.decisionId, said: { ...said, at } };
      expect(await transitions.settleAndFinish(runId, asked, end)).toMatchObject({ finished: null });
    }
  });

  it('undelivered decisions are found until they are settled', async () => {
    const { approvalId } = await opened();
    const { decision: row } = await decisions.receive(OWNER, decision(approvalId));
    const waiting = async () => (await decisions.undelivered(0, 1000)).map((each) => each.decision_id);
    expect(await waiting()).toContain(row.decision_id);
    await decisions.count(approvalId, row.decision_id);
    expect(await waiting()).not.toContain(row.decision_id);
  });

  it('counted decisions are found until their runs have heard of them, also where the run has ended', async () => {
    const { runId, approvalId } = await opened();
    const { decision: row } = await decisions.receive(OWNER, decision(approvalId));
    const waiting = async () => (await decisions.unheard(0, 1000)).map((each) => each.decision_id);
    expect(await waiting()).not.toContain(row.decision_id);
    await decisions.count(approvalId, row.decision_id);
    await transitions.finish(runId, { status: 'complete' });
    expect(await waiting()).toContain(row.decision_id);
    await decisions.heard([row]);
    expect(await waiting()).not.toContain(row.decision_id);
  });
});

describe('timeout and cancel', () => {
  it('decision against timeout: what was received first counts, whoever is heard first', async () => {
    for (let i = 0; i < 10; i += 1) {
      const { approvalId } = await opened({ due_at: null });
      const { decision: row } = await decisions.receive(OWNER, decision(approvalId));
      const [counted, expired] = await Promise.all([
        decisions.count(approvalId, row.decision_id),
        approvals.expire(approvalId),
      ]);
      expect(counted?.state).toBe('counted');
      expect(['received', 'decided']).toContain(expired.outcome);
      expect((await approvals.get(OWNER, approvalId))?.status).toBe('approved');
    }
    await expect(approvals.expire(randomUUID())).rejects.toMatchObject({ code: 'approval_not_found' });
  });

  it('cancels what waits and nothing else', async () => {
    const { runId, approvalId } = await opened();
    await decide(approvalId);
    const second = request({ step_path: 'gate2' });
    await transitions.apply(runId, { approvals: [second] });
    expect((await approvals.cancelAll(runId)).map((outcome) => [outcome.approvalId, outcome.status])).toEqual([
      [second.id, 'cancelled'],
    ]);
    expect((await approvals.get(OWNER, approvalId))?.status).toBe('approved');
  });
});

describe('the decision log', () => {
  it('holds every settled decision and shows a change', async () => {
    const log = await decisions.log(OWNER, 0, 10_000);
    const [settled] = await db.admin.query<{ n: number }>(
      `select count(*) as n from approval_decisions where state <> 'received'`,
    );
    expect(log).toHaveLength(settled?.n ?? -1);
    // The chain holds; only a signed head is missing, which an export adds.
    expect(chainFault(OWNER, log)).toBe('not_signed');
    const changed = log.map((entry) =>
      entry.no === 5 ? { ...entry, entry: entry.entry.replace('"state"', '"State"') } : entry,
    );
    expect(chainFault(OWNER, changed)).toBe('entry_changed');
    expect(chainFault(OWNER, [...log.slice(0, 6), ...log.slice(7)])).toBe('entry_out_of_place');
    expect(await decisions.log(STRANGER, 0, 10)).toEqual([]);
  });
});
