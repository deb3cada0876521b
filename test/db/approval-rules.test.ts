import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { owner } from '../../infra/db/database';
import { EventsStore } from '../../infra/db/stores/events.store';
import { approvalBench, type ApprovalBench } from './approval-fixture';
import { OWNER, STRANGER } from './db-fixture';
import { chainFault } from '../support/decision-log';

let bench: ApprovalBench;
let ann: string;
let bob: string;
let eve: string;
beforeAll(async () => {
  bench = await approvalBench();
  [ann, bob, eve] = [await bench.person('ann'), await bench.person('bob'), await bench.person('eve')];
}, 60_000);
afterAll(() => bench.db.close());

const both = { approvers: { users: ['ann', 'bob'] } };

describe('named approvers', () => {
  it('decide, and not the run’s owner; others see nothing (V02)', async () => {
    const { approvalId } = await bench.open(both);
    expect(await bench.answer(OWNER, approvalId)).toBe('not_allowed');
    await expect(bench.decide(STRANGER, approvalId)).rejects.toMatchObject({ code: 'approval_not_found' });
    expect(await bench.status(approvalId)).toBe('waiting');
    expect(await bench.answer(ann, approvalId)).toBe('counted');
    expect(await bench.status(approvalId)).toBe('approved');
    expect(await bench.answer(bob, approvalId)).toBe('approval_already_decided');
  });

  it('see the request and its preview, and nothing else of the run', async () => {
    const { runId, approvalId } = await bench.open(both);
    expect(await bench.approvals.get(ann, approvalId)).toMatchObject({ prompt: 'Send it?', preview: [{ name: 'x' }] });
    expect(await bench.approvals.get(STRANGER, approvalId)).toBeNull();
    const look = (who: string, table: string) =>
      bench.db.database.query(
        owner(who),
        `select 1 from ${table} where ${table === 'runs' ? 'id' : 'run_id'} = '${runId}'`,
      );
    expect(await look(ann, 'approvals')).toHaveLength(1);
    expect(await look(STRANGER, 'approvals')).toHaveLength(0);
    for (const table of ['runs', 'run_events', 'step_results', 'step_attempts', 'journal_entries']) {
      expect({ table, seen: await look(ann, table) }).toEqual({ table, seen: [] });
    }
  });

  it('find in one list what is theirs and what they are asked, page by page in both orders', async () => {
    const asked = [
      await bench.open({ approvers: { users: ['eve'] } }),
      await bench.open({ approvers: { users: [eve] } }),
    ];
    await bench.open({ approvers: { users: ['ann'] } });
    const ids = asked.map(({ approvalId }) => approvalId);
    const all = await bench.approvals.list(eve, {});
    expect(all.items.map((row) => row.id)).toEqual(ids.toReversed());
    const first = await bench.approvals.list(eve, { limit: 1, sort: 'requested_at' });
    expect(first.items.map((row) => row.id)).toEqual([ids[0]]);
    const more = { limit: 1, sort: 'requested_at' as const, cursor: first.next_cursor ?? '' };
    const second = await bench.approvals.list(eve, more);
    expect([second.items.map((row) => row.id), second.next_cursor]).toEqual([[ids[1]], null]);
    expect((await bench.approvals.list(eve, { status: ['approved'] })).items).toEqual([]);
    expect((await bench.approvals.list(STRANGER, {})).items).toEqual([]);
  });

  it('that nobody is are told, and nobody stands in for them', async () => {
    const { approvalId } = await bench.open({ approvers: { users: ['nobody'], teams: ['no team'] } });
    expect(await bench.approvals.require(OWNER, approvalId)).toMatchObject({
      named: true,
      unknown_approvers: ['nobody', 'no team'],
    });
    expect(await bench.answer(OWNER, approvalId)).toBe('not_allowed');
  });

  it('by team and by scope are read afresh: a role that is gone decides nothing (V06)', async () => {
    const dan = await bench.person('dan', ['money:approver']);
    const desk = await bench.team('Desk', { [OWNER]: 'owner', [ann]: 'member', [bob]: 'viewer' });
    const byTeam = await bench.open({ approvers: { teams: ['Desk'] }, quorum: 2 });
    expect(await bench.answer(bob, byTeam.approvalId)).toBe('not_allowed');
    const admin = bench.db.admin;
    const late = {
      approvalId: byTeam.approvalId,
      decisionId: randomUUID(),
      actor: 'ann',
      via: 'api',
      decision: 'approve',
      digest: 'd1',
    } as const;
    await bench.decisions.receive(ann, late);
    await admin.query(`update team_members set role = 'viewer' where team_id = $1 and user_id = $2`, [desk, ann]);
    expect(await bench.decisions.count(byTeam.approvalId, late.decisionId)).toMatchObject({ code: 'not_allowed' });
    const byScope = await bench.open({ approvers: { scopes: ['money:approver'] } });
    expect(await bench.approvals.get(dan, byScope.approvalId)).not.toBeNull();
    expect(await bench.approvals.get(ann, byScope.approvalId)).toBeNull();
    await admin.query(`update users set status = 'deactivated' where id = $1`, [dan]);
    expect(await bench.answer(dan, byScope.approvalId)).toBe('user_deactivated');
    await admin.query(`update users set status = 'active', scopes = '{}' where id = $1`, [dan]);
    expect(await bench.approvals.get(dan, byScope.approvalId)).toBeNull();
    const asked = { ...late, approvalId: byScope.approvalId };
    expect(await bench.decisions.take(dan, asked)).toEqual({ refused: 'not_allowed', shown: null });
    await expect(bench.decisions.take(ann, asked)).rejects.toMatchObject({ code: 'approval_not_found' });
  });
});

describe('a quorum', () => {
  it('is reached by different people, and the last of them decides', async () => {
    const { runId, approvalId } = await bench.open({ ...both, quorum: 2 });
    const first = await bench.decide(ann, approvalId);
    expect(first).toMatchObject({ state: 'counted', approval: { status: 'waiting', decisionId: null } });
    expect(await bench.answer(ann, approvalId)).toBe('already_approved');
    expect(await bench.answer(bob, approvalId, { edits: { to: 'b' } })).toBe('edit_first');
    const last = await bench.decide(bob, approvalId);
    expect(last).toMatchObject({ state: 'counted', approval: { status: 'approved' } });
    const events = await new EventsStore(bench.db.database).listAfter(runId, OWNER, 0, 100);
    expect(events.map((event) => event.type)).toEqual(['approval.counted', 'approval.decided']);
    expect(events[0]?.payload).toMatchObject({ approvals: 1, quorum: 2 });
  });

  it('is stopped by who approved, as long as it waits: the no counts, and their yes no more', async () => {
    const { runId, approvalId } = await bench.open({ ...both, quorum: 2 });
    await bench.decide(ann, approvalId);
    expect(await bench.decide(ann, approvalId, { decision: 'reject', instructions: 'Wrong account.' })).toMatchObject({
      state: 'counted',
      approval: { status: 'rejected', instructions: 'Wrong account.' },
    });
    expect(await bench.answer(bob, approvalId)).toBe('approval_already_decided');
    const rows = await bench.decisions.list(OWNER, approvalId);
    expect(rows.map(({ decision, state, superseded_at: at }) => [decision, state, at !== null])).toEqual([
      ['approve', 'counted', true],
      ['reject', 'counted', false],
      ['approve', 'refused', false],
    ]);
    const events = await new EventsStore(bench.db.database).listAfter(runId, OWNER, 0, 100);
    expect(events.map((event) => event.type)).toEqual(['approval.counted', 'approval.decided']);
  });

  it('and the no of one who approved, at the same moment as the last yes: what was received first counts', async () => {
    for (let round = 0; round < 12; round += 1) {
      const { approvalId } = await bench.open({ ...both, quorum: 2 });
      await bench.decide(ann, approvalId);
      const pair = [() => bench.decide(ann, approvalId, { decision: 'reject' }), () => bench.decide(bob, approvalId)];
      const outcomes = await Promise.all((round % 2 === 0 ? pair : pair.toReversed()).map((act) => act()));
      expect(outcomes.map((outcome) => String(outcome?.state)).toSorted()).toEqual(['counted', 'refused']);
      const [, first, second] = await bench.db.admin.query<{ decision: string; state: string; code: string | null }>(
        'select decision, state, code from approval_decisions where approval_id = $1 order by created_at, decision_id',
        [approvalId],
      );
      expect(first?.state).toBe('counted');
      expect(second).toMatchObject({ state: 'refused', code: 'approval_already_decided' });
      expect(await bench.status(approvalId)).toBe(first?.decision === 'approve' ? 'approved' : 'rejected');
    }
  });

  it('of everybody at once counts exactly as many as it needs (F07a)', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, (_, index) => bench.person(`person-${index}`)));
    const { approvalId } = await bench.open({ approvers: { users: people }, quorum: 3 });
    const answers = await Promise.all(people.map((who) => bench.answer(who, approvalId)));
    expect(answers.filter((answer) => answer === 'counted')).toHaveLength(3);
    expect(answers.filter((answer) => answer === 'approval_already_decided')).toHaveLength(5);
  });

  it('falls by a single rejection', async () => {
    const { approvalId } = await bench.open({ ...both, quorum: 2 });
    await bench.decide(ann, approvalId);
    expect(await bench.answer(bob, approvalId, { decision: 'reject' })).toBe('counted');
    expect(await bench.status(approvalId)).toBe('rejected');
  });

  it('does not count who lost the right since', async () => {
    const gone = await bench.person('gone');
    const { approvalId } = await bench.open({ approvers: { users: ['gone', 'ann', 'bob'] }, quorum: 2 });
    expect(await bench.answer(gone, approvalId)).toBe('counted');
    await bench.db.admin.query(`update users set status = 'deactivated' where id = $1`, [gone]);
    expect(await bench.answer(ann, approvalId)).toBe('counted');
    expect(await bench.status(approvalId)).toBe('waiting');
    expect(await bench.answer(bob, approvalId)).toBe('counted');
    expect(await bench.status(approvalId)).toBe('approved');
  });

  it('takes no signal, which is nobody; one person who is asked takes it for what is shown', async () => {
    const signal = { via: 'signal', actor: 'temporal-operator', digest: undefined } as const;
    for (const policy of [{ ...both, quorum: 2 }, both, { ...both, four_eyes: true }]) {
      const { approvalId } = await bench.open(policy);
      expect(await bench.answer(OWNER, approvalId, signal)).toBe('signal_not_allowed');
    }
    const plain = await bench.open({});
    expect(await bench.answer(OWNER, plain.approvalId, signal)).toBe('counted');
  });
});

describe('four eyes', () => {
  it('are neither the run’s owner nor the last editor', async () => {
    const { approvalId } = await bench.open({ approvers: { users: ['ann', 'bob', OWNER] }, four_eyes: true });
    expect(await bench.answer(OWNER, approvalId)).toBe('four_eyes');
    expect(await bench.acts.edit(ann, approvalId, { edits: { to: 'b' }, digest: 'd1' })).toBe('ok');
    expect(await bench.answer(ann, approvalId)).toBe('four_eyes');
    expect(await bench.acts.delegate(ann, approvalId, eve)).toBe('four_eyes');
    expect(await bench.acts.delegate(bob, approvalId, ann)).toBe('delegate_excluded');
    expect(await bench.answer(bob, approvalId)).toBe('counted');
    expect(await bench.approvals.require(OWNER, approvalId)).toMatchObject({ status: 'approved', edits: { to: 'b' } });
  });
});

describe('an edit', () => {
  it('makes a new digest and clears what was collected', async () => {
    const { runId, approvalId } = await bench.open({ ...both, quorum: 2 });
    await bench.decide(ann, approvalId);
    expect(await bench.acts.edit(bob, approvalId, { edits: { to: 'b' }, digest: 'old' })).toBe('approval_changed');
    expect(await bench.acts.edit(bob, approvalId, { edits: { to: 'b' }, digest: 'd1' })).toBe('ok');
    expect(await bench.answer(bob, approvalId, { digest: 'd1' })).toBe('approval_changed');
    const rows = await bench.decisions.list(OWNER, approvalId);
    expect(rows[0]).toMatchObject({ state: 'counted', superseded_at: expect.any(String) });
    expect(await bench.answer(bob, approvalId)).toBe('counted');
    expect(await bench.status(approvalId)).toBe('waiting');
    expect(await bench.answer(ann, approvalId)).toBe('counted');
    const row = await bench.approvals.require(OWNER, approvalId);
    expect(row).toMatchObject({ status: 'approved', digest: 'd1', edits: { to: 'b' } });
    expect(row.approved_digest).toBe(row.edited_digest);
    const events = await new EventsStore(bench.db.database).listAfter(runId, OWNER, 0, 100);
    expect(events.map((event) => event.type)).toContain('approval.edited');
  });

  it('is for those who see it and may', async () => {
    const { approvalId } = await bench.open(both);
    const change = { edits: { to: 'b' }, digest: 'd1' };
    expect(await bench.acts.edit(eve, approvalId, change)).toBe('approval_not_found');
    expect(await bench.acts.edit(OWNER, approvalId, change)).toBe('ok');
    await bench.decide(ann, approvalId);
    expect(await bench.acts.edit(OWNER, approvalId, change)).toBe('approval_already_decided');
  });
});

describe('a delegation', () => {
  it('hands over one’s own right: once, no further, and it can be taken back', async () => {
    const { approvalId } = await bench.open({ ...both, quorum: 2 });
    expect(await bench.acts.delegate(eve, approvalId, 'bob')).toBe('approval_not_found');
    expect(await bench.acts.delegate(OWNER, approvalId, 'eve')).toBe('not_allowed');
    expect(await bench.acts.delegate(ann, approvalId, 'nobody')).toBe('user_not_found');
    expect(await bench.acts.delegate(ann, approvalId, 'eve')).toBe('ok');
    expect(await bench.answer(ann, approvalId)).toBe('delegated_away');
    expect(await bench.acts.delegate(eve, approvalId, STRANGER)).toBe('delegated_to_you');
    expect(await bench.answer(eve, approvalId)).toBe('counted');
    expect(await bench.acts.delegate(ann, approvalId, ann)).toBe('already_approved');
    expect((await bench.decisions.list(OWNER, approvalId)).at(-1)).toMatchObject({ actor_id: eve, acting_for: ann });
    expect(await bench.answer(bob, approvalId)).toBe('counted');
    expect(await bench.status(approvalId)).toBe('approved');
    const back = await bench.open(both);
    await bench.acts.delegate(ann, back.approvalId, 'eve');
    expect(await bench.acts.delegate(ann, back.approvalId, 'ann')).toBe('ok');
    await expect(bench.decide(eve, back.approvalId)).rejects.toMatchObject({ code: 'approval_not_found' });
    expect(await bench.answer(ann, back.approvalId)).toBe('counted');
  });

  it('never widens: two of one person are one approval, and it ends with the delegator’s right', async () => {
    const { approvalId } = await bench.open({ ...both, quorum: 2 });
    await bench.acts.delegate(ann, approvalId, 'eve');
    await bench.acts.delegate(bob, approvalId, 'eve');
    expect(await bench.answer(eve, approvalId)).toBe('counted');
    expect(await bench.answer(eve, approvalId)).toBe('already_approved');
    expect(await bench.status(approvalId)).toBe('waiting');
    const leaver = await bench.person('leaver');
    const other = await bench.open({ approvers: { users: ['leaver'] } });
    await bench.acts.delegate(leaver, other.approvalId, 'eve');
    await bench.db.admin.query(`update users set status = 'deactivated' where id = $1`, [leaver]);
    expect(await bench.answer(eve, other.approvalId)).toBe('not_allowed');
  });
});

describe('a timer', () => {
  it('reminds and escalates once each; only then others may decide', async () => {
    const { runId, approvalId } = await bench.open({ ...both, escalate_to: { users: ['eve'] } });
    expect(await bench.approvals.get(eve, approvalId)).toBeNull();
    expect(await bench.approvals.nudge(approvalId, 'reminded')).toBe(true);
    expect(await bench.approvals.nudge(approvalId, 'reminded')).toBe(false);
    expect(await bench.approvals.nudge(approvalId, 'escalated')).toBe(true);
    expect((await bench.approvals.list(eve, { status: ['waiting'] })).items.map((row) => row.id)).toContain(approvalId);
    expect(await bench.answer(eve, approvalId)).toBe('counted');
    expect(await bench.approvals.nudge(approvalId, 'escalated')).toBe(false);
    const events = await new EventsStore(bench.db.database).listAfter(runId, OWNER, 0, 100);
    expect(events.map((event) => event.type)).toEqual(['approval.reminded', 'approval.escalated', 'approval.decided']);
    expect((await bench.views.require(OWNER, approvalId)).history.map(({ kind, actor }) => [kind, actor])).toEqual([
      ['reminded', 'timer'],
      ['escalated', 'timer'],
    ]);
  });
});

describe('a link', () => {
  it('is one decision of one person about what they were shown, once (V03)', async () => {
    const { approvalId } = await bench.open({ ...both, link_only: true });
    const make = (by: string, user: string, hash: string) =>
      bench.links.create(by, { id: randomUUID(), approvalId, user, tokenHash: hash });
    expect(await make(eve, 'ann', 'h0')).toBe('approval_not_found');
    expect(await make(OWNER, 'eve', 'h0')).toBe('not_an_approver');
    expect(await make(ann, 'ann', 'h1')).toBe('ok');
    expect(await make(bob, 'ann', 'h2')).toBe('ok');
    for (let look = 0; look < 2; look += 1) {
      expect(await bench.links.find('h1')).toMatchObject({ handle: 'ann', digest: 'd1', used_at: null });
    }
    expect(await bench.links.find('h3')).toBeNull();
    expect(await bench.links.use('h1', bob, { decision: 'approve' })).toMatchObject({ code: 'link_of_another' });
    const used = await bench.links.use('h1', null, { decision: 'approve' });
    expect(used).toMatchObject({ code: null, user_id: ann });
    expect(await bench.links.use('h1', ann, { decision: 'reject' })).toMatchObject({ code: 'link_used' });
    expect(await bench.decisions.count(approvalId, used.decision_id)).toMatchObject({ state: 'counted' });
    expect((await bench.decisions.list(OWNER, approvalId))[0]).toMatchObject({ via: 'link', actor: 'ann' });
    expect(await bench.links.use('h2', ann, { decision: 'reject' })).toMatchObject({
      code: 'approval_already_decided',
    });
  });

  it('wants its person’s session where the playbook does not say otherwise, and ends with an edit', async () => {
    const { approvalId } = await bench.open(both);
    await bench.links.create(OWNER, { id: randomUUID(), approvalId, user: 'ann', tokenHash: 's1' });
    expect(await bench.links.use('s1', null, { decision: 'approve' })).toMatchObject({ code: 'sign_in_first' });
    await bench.acts.edit(bob, approvalId, { edits: { to: 'c' }, digest: 'd1' });
    const used = await bench.links.use('s1', ann, { decision: 'approve' });
    expect(await bench.decisions.count(approvalId, used.decision_id)).toMatchObject({ code: 'approval_changed' });
    expect(await bench.status(approvalId)).toBe('waiting');
  });
});

describe('what happened', () => {
  it('is in one chain with the decisions, word for word', async () => {
    const { approvalId } = await bench.open(both);
    expect(await bench.acts.comment(ann, approvalId, 'look at the third row')).toBe('ok');
    expect(await bench.acts.comment(eve, approvalId, 'x')).toBe('approval_not_found');
    const log = await bench.decisions.log(OWNER, 0, 10_000);
    expect(chainFault(OWNER, log)).toBe('not_signed');
    expect(log.at(-1)?.entry).toContain('look at the third row');
    const acts = new Set(log.map(({ entry }) => (JSON.parse(entry) as { act?: string }).act));
    expect([...acts]).toEqual(
      expect.arrayContaining(['edited', 'delegated', 'commented', 'linked', 'reminded', 'escalated']),
    );
  });
});

describe('whoever can answer', () => {
  it('is told when they are asked, reminded, called in or stood in for', async () => {
    const [kim, lou, max] = [
      await bench.person('kim'),
      await bench.person('lou', ['news:approver']),
      await bench.person('max'),
    ];
    const team = await bench.team('Night', { [OWNER]: 'owner', [kim]: 'member', [max]: 'viewer' });
    const { approvalId } = await bench.open({
      approvers: { teams: [team] },
      escalate_to: { scopes: ['news:approver'] },
    });
    await bench.approvals.nudge(approvalId, 'reminded');
    await bench.approvals.nudge(approvalId, 'escalated');
    await bench.acts.delegate(kim, approvalId, max);
    const told = async (who: string) =>
      (
        await bench.db.database.query<{ kind: string }>(
          owner(who),
          'select kind from notifications where owner_id = $1 and approval_id = $2 order by created_at',
          [who, approvalId],
        )
      ).map(({ kind }) => kind);
    expect(await told(kim)).toEqual(['approval.requested', 'approval.reminded']);
    expect(await told(lou)).toEqual(['approval.escalated']);
    expect(await told(max)).toEqual(['approval.delegated']);
    expect(await told(OWNER)).toEqual(['approval.requested', 'approval.reminded']);
  });
});

describe('people', () => {
  it('are those of one’s teams, and whom one can name: never everybody', async () => {
    const fay = await bench.person('fay');
    await bench.team('Press', { [ann]: 'owner', [fay]: 'member' });
    const names = async (who: string, text: string) =>
      (await bench.acts.people(who, text, 10)).map(({ handle }) => handle);
    expect(await names(ann, 'FA')).toEqual(['fay']);
    expect(await names(eve, 'fa')).toEqual([]);
    expect(await names(eve, 'fay')).toEqual(['fay']);
    expect(await names(eve, '%')).toEqual([]);
    expect(await names(fay, 'fay')).toEqual([]);
  });
});
