import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { approvalBench, type ApprovalBench } from './approval-fixture';
import { OWNER } from './db-fixture';

/** Ways in which one person could stand for several. */
let bench: ApprovalBench;
let ann: string;
let bob: string;
/** Service accounts of the run's owner and of ann. */
let ownersBot: string;
let annsBot: string;
beforeAll(async () => {
  bench = await approvalBench();
  [ann, bob] = [await bench.person('ann'), await bench.person('bob')];
  [ownersBot, annsBot] = [await bot(OWNER, 'owners-bot'), await bot(ann, 'anns-bot')];
}, 60_000);
afterAll(() => bench.db.close());

async function bot(maker: string, handle: string): Promise<string> {
  const id = randomUUID();
  await bench.db.admin.query(
    `insert into users (id, handle, display_name, kind, managed_by) values ($1, $2, $2, 'service', $3)`,
    [id, handle, maker],
  );
  return id;
}

describe('a service account', () => {
  const all = { approvers: { users: ['ann', 'anns-bot', 'owners-bot', 'bob'] } };

  it('is no second pair of eyes: neither of the run’s owner nor of the last editor (V02)', async () => {
    const { approvalId } = await bench.open({ ...all, four_eyes: true });
    expect(await bench.answer(ownersBot, approvalId)).toBe('four_eyes');
    expect(await bench.acts.delegate(bob, approvalId, ownersBot)).toBe('delegate_excluded');
    expect(await bench.acts.edit(annsBot, approvalId, { edits: { to: 'b' }, digest: 'd1' })).toBe('ok');
    expect(await bench.answer(ann, approvalId)).toBe('four_eyes');
    expect(await bench.answer(bob, approvalId)).toBe('counted');
  });

  it('and its maker are one voice of a quorum, whoever speaks first', async () => {
    for (const [first, second] of [
      [ann, annsBot],
      [annsBot, ann],
    ] as const) {
      const { approvalId } = await bench.open({ ...all, quorum: 2 });
      expect(await bench.answer(first, approvalId)).toBe('counted');
      expect(await bench.answer(second, approvalId)).toBe('already_approved');
      expect(await bench.acts.delegate(second, approvalId, bob)).toBe('already_approved');
      expect(await bench.status(approvalId)).toBe('waiting');
      // Each of them stops what the other has approved.
      expect(await bench.answer(second, approvalId, { decision: 'reject' })).toBe('counted');
      expect(await bench.status(approvalId)).toBe('rejected');
      const rows = await bench.decisions.list(OWNER, approvalId);
      expect(rows.filter(({ superseded_at: at }) => at !== null).map(({ actor_id: id }) => id)).toEqual([first]);
    }
  });

  it('and its maker hand on one right', async () => {
    const eve = await bench.person('eve');
    const { approvalId } = await bench.open({ ...all, quorum: 2 });
    expect(await bench.acts.delegate(ann, approvalId, 'bob')).toBe('ok');
    expect(await bench.answer(annsBot, approvalId)).toBe('delegated_away');
    expect(await bench.acts.delegate(annsBot, approvalId, 'eve')).toBe('ok');
    expect(
      (await bench.views.require(OWNER, approvalId)).approvers.filter((row) => row.source === 'delegation'),
    ).toHaveLength(1);
    expect(await bench.answer(eve, approvalId)).toBe('counted');
    expect(await bench.answer(ann, approvalId)).toBe('delegated_away');
    expect(await bench.status(approvalId)).toBe('waiting');
  });
});

describe('whoever makes a link knows its token', () => {
  it('so without a session it decides only for its own person (V02)', async () => {
    const policy = { approvers: { users: ['ann', 'bob'] }, four_eyes: true, quorum: 2, link_only: true };
    const { approvalId } = await bench.open(policy);
    const make = (by: string, user: string, tokenHash: string) =>
      bench.links.create(by, { id: randomUUID(), approvalId, user, tokenHash });
    for (const [by, user] of [
      [OWNER, 'ann'],
      [OWNER, 'bob'],
      [ann, 'bob'],
    ] as const) {
      const hash = `${by}/${user}`;
      expect(await make(by, user, hash)).toBe('ok');
      expect(await bench.links.find(hash)).toMatchObject({ link_only: false });
      expect(await bench.links.use(hash, null, { decision: 'approve' })).toMatchObject({ code: 'sign_in_first' });
    }
    expect(await make(ann, 'ann', 'own')).toBe('ok');
    expect(await bench.links.find('own')).toMatchObject({ link_only: true });
    expect(await bench.links.use('own', null, { decision: 'approve' })).toMatchObject({ code: null, user_id: ann });
    expect(await bench.decisions.list(OWNER, approvalId)).toHaveLength(1);
  });
});

describe('a team', () => {
  it('that somebody puts the run’s owner into does not take the place of the owner’s own of that name', async () => {
    const older = randomUUID();
    const admin = bench.db.admin;
    await admin.query(`insert into teams (id, owner_id, name) values ($1, $2, 'Risk')`, [older, bob]);
    await bench.team('Risk', { [OWNER]: 'owner', [ann]: 'member' });
    for (const [user, role] of [
      [bob, 'owner'],
      [OWNER, 'viewer'],
    ] as const) {
      await admin.query('insert into team_members (team_id, user_id, role) values ($1, $2, $3)', [older, user, role]);
    }
    const { approvalId } = await bench.open({ approvers: { teams: ['Risk'] } });
    expect(await bench.approvals.get(bob, approvalId)).toBeNull();
    expect(await bench.answer(ann, approvalId)).toBe('counted');
  });
});
