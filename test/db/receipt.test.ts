import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { ApprovalRequest } from '../../core/engine/commands';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { openEnds } from '../support/open-ends';
import { approvalBench, countInTurn, type ApprovalBench } from './approval-fixture';
import { OWNER } from './db-fixture';
import { isDecision, story, told, type Heard, type Request } from './receipt-story';

/** One rule for all time limits: what counts is when the database received an act (docs/decisions/0019). */
/** A request of a story, in rows. */
interface Written {
  runId: string;
  approvalId: string;
  /** Ids of the request's acts, in their order. */
  ids: string[];
  /** Token of a link that nobody has used. */
  unused: string;
  retry: string | undefined;
}

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
/** Makes the request older: all its times move into the past. */
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
/** Two hours ago, in rows: what people did, at their moments. */
async function write(request: Request): Promise<Written> {
  const opened = Date.now() - 2 * HOUR;
  const iso = (minutes: number): string => new Date(opened + minutes * 60_000).toISOString();
  const { runId, approvalId } = await bench.open(
    { ...rules, quorum: request.quorum },
    { due_at: iso(request.due), escalate_at: iso(request.escalate) },
  );
  const people = { ann, bob, eve };
  const link = (user: string, id: string, at: string | null) =>
    bench.db.admin.query(
      `insert into approval_links (id, approval_id, owner_id, user_id, token_hash, digest, created_by, used_at, decision_id)
        values ($1, $2, $3, $4, $5, 'd1', $3, $6, $1)`,
      [id, approvalId, OWNER, user, `token ${id}`, at],
    );
  const ids = request.acts.map(() => randomUUID());
  for (const [index, { kind, who, at, via }] of request.acts.entries()) {
    const id = ids[index] ?? '';
    if (isDecision(kind)) {
      if (via === 'link') await link(people[who], id, iso(at));
      await bench.db.admin.query(
        `insert into approval_decisions (approval_id, decision_id, run_id, owner_id, actor, actor_id, via, decision, digest,
          created_at) values ($1, $2, $3, $4, $5, $6, $7, $8, 'd1', $9)`,
        [approvalId, id, runId, OWNER, who, people[who], via, kind, iso(at)],
      );
    } else
      await bench.db.admin.query(
        `insert into approval_acts (id, approval_id, owner_id, kind, actor_id, actor, body, at)
          values ($1, $2, $3, 'delegated', $4, $5, json_build_object('user_id', $6::uuid), $7)`,
        [id, approvalId, OWNER, people[who], who, kind === 'delegate' ? eve : people[who], iso(at)],
      );
  }
  const unused = randomUUID();
  await link(bob, unused, null);
  return { runId, approvalId, ids, unused: `token ${unused}`, retry: undefined };
}

async function hearTimer(approvalId: string): Promise<void> {
  for (;;) {
    const answer = await bench.approvals.expire(approvalId);
    if (answer.outcome !== 'received') return;
    for (const id of answer.decisions) await countInTurn(bench.decisions, approvalId, id);
  }
}

/** Act of a person on the run itself; a cancelled or ended run takes only a cancel. */
async function control(runId: string, what: 'pause' | 'run', cancelled: boolean): Promise<void> {
  const told = await new RunsStore(bench.db.database).setControl(OWNER, runId, what).catch((error: unknown) => error);
  expect(told).toMatchObject(cancelled ? { code: 'run_closed' } : { control: what });
}

/** The run ends by the cancel, and somebody begins it again. */
async function retryOf(runId: string): Promise<string> {
  await bench.transitions.finish(runId, {
    status: 'cancelled',
    events: [{ id: 'end', type: 'complete', payload: {} }],
    journal: { summary: 'cancelled' },
  });
  const id = randomUUID();
  const plan = { from: null, presets: {}, keep: [], takenOver: [], overrides: {}, renewed: [], sharesKeys: false };
  const retries = new RunRetryStore(bench.db.database, new StepsStore(bench.db.database));
  expect(await retries.create(OWNER, runId, { id }, plan)).toBe(true);
  return id;
}

async function hear(written: Written, heard: Heard, cancelled: boolean): Promise<void> {
  const { approvalId, runId, ids } = written;
  switch (heard.what) {
    case 'decision':
      await countInTurn(bench.decisions, approvalId, ids[heard.at] ?? '');
      return;
    case 'timer':
      return hearTimer(approvalId);
    case 'pause':
    case 'resume':
      return control(runId, heard.what === 'pause' ? 'pause' : 'run', cancelled);
    case 'cancel':
      await new RunsStore(bench.db.database).setControl(OWNER, runId, 'cancel');
      if (heard.retried) written.retry = await retryOf(runId);
      return;
    case 'late link':
      // Two hours later: the link is not used up by coming too late.
      expect((await bench.links.use(written.unused, bob, { decision: 'reject' })).code).toMatch(
        /^approval_(due_passed|already_decided)$/,
      );
      expect(await bench.links.find(written.unused)).toMatchObject({ used_at: null });
  }
}

async function settled(written: Written, request: Request, before: readonly Heard[] | undefined): Promise<void> {
  const { approvalId, ids, retry, runId } = written;
  const { status, codes } = told(request);
  const rows = await bench.decisions.list(OWNER, approvalId);
  const seen = rows.map((row) => ({ at: ids.indexOf(row.decision_id), code: row.code ?? row.state }));
  const cut = before === undefined ? [] : ['run_closed'];
  expect(seen.filter(({ at, code }) => ![...(codes.get(at) ?? []), ...cut].includes(code))).toEqual([]);
  // Decisions processed before a cancel stand; requests that the cancel found open stay open until the run ends.
  const stood = (before ?? []).flatMap((heard) =>
    heard.what === 'decision' && String(codes.get(heard.at)) === 'counted' ? [heard.at] : [],
  );
  expect(seen.filter(({ at, code }) => stood.includes(at) && code !== 'counted')).toEqual([]);
  const open = retry === undefined ? 'waiting' : 'cancelled';
  const decided = before === undefined || before.some(({ what }) => what === 'timer');
  expect(decided ? [status] : [status, open]).toContain(await bench.status(approvalId));
  if (before !== undefined && !before.some(({ what }) => what === 'decision' || what === 'timer'))
    expect(await bench.status(approvalId)).toBe(open);
  if (retry === undefined) return;
  expect(await openEnds(bench.db.admin, [runId])).toEqual([]);
  expect(await new RunsStore(bench.db.database).require(OWNER, retry)).toMatchObject({
    status: 'pending',
    control: 'run',
  });
  expect((await bench.approvals.list(OWNER, { runId: retry })).items).toEqual([]);
}

describe('receipt times, deadlines and the order in which they are heard', () => {
  it('give one result, whatever the order, and whatever else people do to the run', async () => {
    await fc.assert(
      fc.asyncProperty(story, async ({ requests, order }) => {
        const written: Written[] = [];
        for (const request of requests) written.push(await write(request));
        for (const [index, heard] of order.entries()) {
          const cancelled = order.slice(0, index).some((each) => each.what === 'cancel' && each.of === heard.of);
          await hear(written[heard.of] as Written, heard, cancelled);
        }
        for (const [of, request] of requests.entries()) {
          const own = order.filter((heard) => heard.of === of);
          const cancel = own.findIndex(({ what }) => what === 'cancel');
          await settled(written[of] as Written, request, cancel < 0 ? undefined : own.slice(0, cancel));
        }
      }),
      { numRuns: 60 },
    );
  }, 240_000);
});
