import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { ApprovalRequest } from '../../core/engine/commands';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { approvalBench, countInTurn, type ApprovalBench } from './approval-fixture';
import { OWNER } from './db-fixture';

/** One rule for all time limits: what counts is when the database received an act (docs/decisions/0019). */
let bench: ApprovalBench;
let ann: string;
let bob: string;
let eve: string;
beforeAll(async () => {
  bench = await approvalBench();
  [ann, bob, eve] = [await bench.person('ann'), await bench.person('bob'), await bench.person('eve')];
}, 60_000);
afterAll(() => bench.db.close());

const HOUR = 3_600_000;
const when = (hours: number): string => new Date(Date.now() + hours * HOUR).toISOString();
const rules = { approvers: { users: ['ann', 'bob'] }, escalate_to: { users: ['eve'] } };

async function open(more: Partial<ApprovalRequest>, policy: ApprovalRequest['policy'] = rules): Promise<string> {
  return (await bench.open(policy, more)).approvalId;
}
async function receive(who: string, approvalId: string, decision: 'approve' | 'reject' = 'approve'): Promise<string> {
  const decisionId = randomUUID();
  const digest = 'd1';
  await bench.decisions.receive(who, { approvalId, decisionId, actor: who, via: 'api', decision, digest });
  return decisionId;
}
/** As if the request had opened long ago: its moments lie so much earlier. */
async function age(approvalId: string, hours: number): Promise<void> {
  await bench.db.admin.query(
    `update approvals set due_at = due_at - make_interval(secs => $2), escalate_at = escalate_at - make_interval(secs => $2)
      where id = $1`,
    [approvalId, hours * 3600],
  );
}
const codeOf = async (approvalId: string, decisionId: string): Promise<string | undefined> => {
  const outcome = await bench.decisions.count(approvalId, decisionId);
  return outcome?.code ?? outcome?.state;
};
const decided = (approvalId: string): Promise<{ outcome: string }> => bench.approvals.expire(approvalId);

describe('a decision', () => {
  it('that was received after due_at is refused, however long nobody was there to hear of it (late-decision.yaml)', async () => {
    const approvalId = await open({ due_at: when(-1) });
    const late = await receive(ann, approvalId);
    expect(await codeOf(approvalId, late)).toBe('approval_due_passed');
    expect(await decided(approvalId)).toEqual({ outcome: 'timed_out' });
    expect(await codeOf(approvalId, await receive(bob, approvalId, 'reject'))).toBe('approval_due_passed');
    const row = await bench.approvals.require(OWNER, approvalId);
    expect([row.status, row.decided_at]).toEqual(['timed_out', row.due_at]);
  });

  it('that was received before it counts, also when the timer is heard first', async () => {
    const approvalId = await open({ due_at: when(1) });
    const early = await receive(ann, approvalId);
    await age(approvalId, 2);
    await bench.db.admin.query(
      `update approval_decisions set created_at = created_at - interval '3 hours' where decision_id = $1`,
      [early],
    );
    expect(await decided(approvalId)).toEqual({ outcome: 'received', decisions: [early] });
    expect(await codeOf(approvalId, early)).toBe('counted');
    expect(await decided(approvalId)).toEqual({ outcome: 'decided', decisionId: early });
    expect(await bench.status(approvalId)).toBe('approved');
  });

  it('one after the other: a quorum that was complete in time counts', async () => {
    const approvalId = await open({ due_at: when(1) }, { ...rules, quorum: 2 });
    const both = [await receive(ann, approvalId), await receive(bob, approvalId)];
    await bench.db.admin.query(
      `update approval_decisions set created_at = created_at - interval '3 hours' where approval_id = $1`,
      [approvalId],
    );
    await age(approvalId, 2);
    expect(await decided(approvalId)).toEqual({ outcome: 'received', decisions: both });
    expect(await codeOf(approvalId, both[0] ?? '')).toBe('counted');
    expect(await decided(approvalId)).toEqual({ outcome: 'received', decisions: [both[1]] });
    expect(await codeOf(approvalId, both[1] ?? '')).toBe('counted');
    expect(await bench.status(approvalId)).toBe('approved');
  });

  it('is held against a timer that another clock fired too early', async () => {
    const approvalId = await open({ due_at: when(1) });
    const answer = await bench.approvals.expire(approvalId);
    expect(answer.outcome).toBe('early');
    expect('ms' in answer && answer.ms).toBeGreaterThan(HOUR - 60_000);
    expect(await bench.status(approvalId)).toBe('waiting');
  });

  it('nor anything else is taken after due_at, and the request says so', async () => {
    const approvalId = await open({ due_at: when(1) });
    await bench.links.create(OWNER, { id: randomUUID(), approvalId, user: 'ann', tokenHash: 'late-link' });
    await age(approvalId, 2);
    const view = await bench.views.require(ann, approvalId);
    expect(view).toMatchObject({
      approval: { status: 'waiting', due_passed: true },
      refused: 'approval_due_passed',
      acts: [],
    });
    expect((await bench.approvals.list(ann, {})).items.find(({ id }) => id === approvalId)).toMatchObject({
      due_passed: true,
    });
    expect(await bench.acts.refusal(ann, approvalId)).toBe('approval_due_passed');
    expect(await bench.acts.delegate(ann, approvalId, 'eve')).toBe('approval_due_passed');
    expect(await bench.acts.edit(OWNER, approvalId, { edits: { to: 'c' }, digest: 'd1' })).toBe('approval_due_passed');
    expect(await bench.acts.comment(ann, approvalId, 'late')).toBe('approval_due_passed');
    const more = { id: randomUUID(), approvalId, user: 'bob', tokenHash: 'later' };
    expect(await bench.links.create(OWNER, more)).toBe('approval_due_passed');
    expect(await bench.links.use('late-link', ann, { decision: 'approve' })).toMatchObject({
      code: 'approval_due_passed',
    });
    expect(await bench.links.find('late-link')).toMatchObject({ used_at: null });
    expect(await bench.approvals.nudge(approvalId, 'reminded')).toBe(false);
    expect(await bench.approvals.nudge(approvalId, 'escalated')).toBe(false);
  });

  it('and a cancel: one that was there before the timer is heard makes the run cancelled', async () => {
    const { runId, approvalId } = await bench.open(rules, { due_at: when(-1) });
    await new RunsStore(bench.db.database).setControl(OWNER, runId, 'cancel');
    expect(await decided(approvalId)).toEqual({ outcome: 'cancelled' });
  });
});

describe('an escalation', () => {
  it('holds from its moment on, with nobody there to tell of it; a minute earlier it does not', async () => {
    const approvalId = await open({ escalate_at: when(1) });
    await expect(receive(eve, approvalId)).rejects.toMatchObject({ code: 'approval_not_found' });
    expect((await bench.approvals.list(eve, {})).items.map(({ id }) => id)).not.toContain(approvalId);
    await age(approvalId, 2);
    expect((await bench.approvals.list(eve, {})).items.map(({ id }) => id)).toContain(approvalId);
    const decisionId = await receive(eve, approvalId);
    expect((await bench.approvals.require(OWNER, approvalId)).escalated_at).toBeNull();
    expect(await codeOf(approvalId, decisionId)).toBe('counted');
  });

  it('of a request that was opened before moments were kept holds once it was told', async () => {
    const approvalId = await open({});
    await bench.approvals.nudge(approvalId, 'escalated');
    expect(await codeOf(approvalId, await receive(eve, approvalId))).toBe('counted');
  });
});

describe('a delegation', () => {
  it('takes nothing from a decision that was received before it', async () => {
    const approvalId = await open({});
    const own = await receive(ann, approvalId);
    expect(await bench.acts.delegate(ann, approvalId, 'eve')).toBe('ok');
    expect(await codeOf(approvalId, own)).toBe('counted');
  });

  it('that was taken back later carries a decision that was received before', async () => {
    const approvalId = await open({});
    await bench.acts.delegate(ann, approvalId, 'eve');
    const hers = await receive(eve, approvalId);
    await bench.acts.delegate(ann, approvalId, ann);
    expect(await codeOf(approvalId, hers)).toBe('counted');
    expect((await bench.decisions.list(OWNER, approvalId))[0]).toMatchObject({ acting_for: ann });
  });
});

// ── whatever order ──────────────────────────────────────────────────────────────────────────────
type Who = 'ann' | 'bob' | 'eve';
/** Minutes after the opening. */
interface Act {
  kind: 'approve' | 'reject' | 'delegate' | 'takeBack';
  who: Who;
  at: number;
}
interface Story {
  due: number;
  escalate: number;
  /** Two: nobody hands their right on. */
  quorum: 1 | 2;
  acts: Act[];
  /** Order in which acts and the timer are heard. */
  order: number[];
}
const story: fc.Arbitrary<Story> = fc
  .record({
    due: fc.integer({ min: 1, max: 60 }),
    escalate: fc.integer({ min: 1, max: 60 }),
    quorum: fc.constantFrom<Story['quorum']>(1, 2),
    acts: fc.uniqueArray(
      fc.record({
        kind: fc.constantFrom<Act['kind']>('approve', 'reject', 'approve', 'delegate', 'takeBack'),
        who: fc.constantFrom<Who>('ann', 'bob', 'eve'),
        at: fc.integer({ min: 0, max: 61 }),
      }),
      { minLength: 1, maxLength: 7, selector: ({ at }) => at },
    ),
  })
  .chain((drawn) =>
    fc
      .shuffledSubarray([...drawn.acts.keys(), -1, -1], { minLength: drawn.acts.length + 2 })
      .map((order) => ({ ...drawn, order })),
  );

/**
 * The rule, said once more in a few lines: acts in the order of their receipt, nothing else. Of a decision that does not count, all
 * codes that say something true.
 */
function told({ due, escalate, acts, quorum }: Story): { status: string; codes: Map<number, string[]> } {
  const codes = new Map<number, string[]>();
  const gone = new Set<Who>();
  const approved = new Set<Who>();
  let status = 'timed_out';
  for (const [index, act] of [...acts.entries()].toSorted(([, a], [, b]) => a.at - b.at)) {
    // Ann and Bob hand their right to Eve and take it back.
    if (act.kind === 'delegate') gone.add(act.who);
    else if (act.kind === 'takeBack') gone.delete(act.who);
    else {
      const reasons: string[] = [];
      if (act.at >= due) reasons.push('approval_due_passed');
      if (status !== 'timed_out') reasons.push('approval_already_decided');
      if (act.who === 'eve' && gone.size === 0 && act.at < escalate) reasons.push('not_allowed');
      if (gone.has(act.who)) reasons.push('delegated_away');
      // The first word of a person stands: who approved does not reject afterwards.
      if (approved.has(act.who)) reasons.push('already_approved');
      codes.set(index, reasons.length === 0 ? ['counted'] : reasons);
      if (reasons.length > 0) continue;
      if (act.kind === 'reject') status = 'rejected';
      else if (approved.add(act.who).size >= quorum) status = 'approved';
    }
  }
  return { status, codes };
}

/** Two hours ago, in rows: what people did, at their moments. */
async function write({ due, escalate, acts, quorum }: Story): Promise<{ approvalId: string; ids: string[] }> {
  const opened = Date.now() - 2 * HOUR;
  const iso = (minutes: number): string => new Date(opened + minutes * 60_000).toISOString();
  const { runId, approvalId } = await bench.open(
    { ...rules, quorum },
    { due_at: iso(due), escalate_at: iso(escalate) },
  );
  const people = { ann, bob, eve };
  const ids = acts.map(() => randomUUID());
  for (const [index, { kind, who, at }] of acts.entries()) {
    if (kind === 'approve' || kind === 'reject')
      await bench.db.admin.query(
        `insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, digest,
          created_at) values ($1, $2, $3, $4, $5, $6, 'api', $7, 'd1', $8)`,
        [approvalId, ids[index], runId, OWNER, who, people[who], kind, iso(at)],
      );
    else
      await bench.db.admin.query(
        `insert into approval_acts (id, approval_id, owner_id, kind, actor_id, actor, body, at)
          values ($1, $2, $3, 'delegated', $4, $5, json_build_object('user_id', $6::uuid), $7)`,
        [ids[index], approvalId, OWNER, people[who], who, kind === 'delegate' ? eve : people[who], iso(at)],
      );
  }
  return { approvalId, ids };
}

async function hearTimer(approvalId: string): Promise<void> {
  for (;;) {
    const answer = await bench.approvals.expire(approvalId);
    if (answer.outcome !== 'received') return;
    for (const id of answer.decisions) await countInTurn(bench.decisions, approvalId, id);
  }
}

describe('receipt times, deadlines and the order in which they are heard', () => {
  it('give one result, whatever the order', async () => {
    await fc.assert(
      fc.asyncProperty(story, async (drawn) => {
        const decides = ({ kind }: Act): boolean => kind === 'approve' || kind === 'reject';
        const acts = drawn.acts.filter((act) => decides(act) || (act.who !== 'eve' && drawn.quorum === 1));
        const kept = { ...drawn, acts };
        const { approvalId, ids } = await write(kept);
        for (const at of drawn.order) {
          const act = drawn.acts[at];
          if (at < 0) await hearTimer(approvalId);
          else if (act && acts.includes(act) && decides(act))
            await countInTurn(bench.decisions, approvalId, ids[acts.indexOf(act)] ?? '');
        }
        const { status, codes } = told(kept);
        const rows = await bench.decisions.list(OWNER, approvalId);
        const seen = rows.map((row) => ({ at: ids.indexOf(row.decision_id), code: row.code ?? row.state }));
        expect(await bench.status(approvalId)).toBe(status);
        expect(seen.filter(({ at, code }) => codes.get(at)?.includes(code) !== true)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});
