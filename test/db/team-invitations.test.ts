import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { owner } from '../../infra/db/database';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TeamInvitationsStore } from '../../infra/db/stores/team-invitations.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { joinTeam, OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

const THIRD = '00000000-0000-4000-8000-000000000003';

let db: TestDatabase;
let invitations: TeamInvitationsStore;
let teams: TeamsStore;
let shares: SharesStore;
let teamId: string;
beforeAll(async () => {
  db = await testDatabase();
  await db.admin.query(`insert into users (id, handle, display_name) values ($1, 'third', 'Third')`, [THIRD]);
  invitations = new TeamInvitationsStore(db.database);
  teams = new TeamsStore(db.database);
  shares = new SharesStore(db.database);
}, 60_000);
afterAll(() => db.close());
beforeEach(async () => {
  teamId = (await teams.create(OWNER, { name: 'Unit' })).id;
});

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  );
const status = (user: string, value: string): Promise<unknown> =>
  db.admin.query('update users set status = $2 where id = $1', [user, value]);

describe('an invitation', () => {
  it('gives a stranger no name in another’s world before that one has accepted', async () => {
    const handle = `trusted-${randomUUID()}`;
    const profile = await new ProfilesStore(db.database).create(OWNER, { handle, name: 'Trusted' });
    await shares.share(OWNER, { profileId: profile.id, teamId }, {});
    const { id } = await invitations.invite(OWNER, teamId, { user: 'stranger', role: 'member' });
    expect(await shares.resolve(STRANGER, handle)).toBeNull();
    expect(await shares.available(STRANGER, handle, 10)).toEqual([]);
    expect((await teams.list(STRANGER, {})).items).toEqual([]);
    expect((await invitations.mine(STRANGER, {})).items).toMatchObject([
      { id, team_name: 'Unit', invited_by: 'local' },
    ]);
    expect(await codeOf(invitations.answer(THIRD, id, true))).toBe('invitation_not_found');
    expect(await codeOf(invitations.answer(OWNER, id, true))).toBe('invitation_not_found');
    expect(await invitations.answer(STRANGER, id, true)).toBe(teamId);
    expect((await shares.resolve(STRANGER, handle))?.agent_profile_id).toBe(profile.id);
    expect(await codeOf(invitations.answer(STRANGER, id, true))).toBe('invitation_not_found');
    await teams.removeMember(STRANGER, teamId, STRANGER, 'any');
  });

  it('is told once, and changes its role when it comes again', async () => {
    const { id } = await invitations.invite(OWNER, teamId, { user: STRANGER, role: 'viewer' });
    expect((await invitations.invite(OWNER, teamId, { user: STRANGER, role: 'admin' })).id).toBe(id);
    const told = await db.database.query(
      owner(STRANGER),
      `select title from notifications where kind = 'team.invited' and body = $1`,
      [teamId],
    );
    expect(told).toEqual([{ title: 'Unit' }]);
    await invitations.answer(STRANGER, id, true);
    expect((await teams.require(STRANGER, teamId)).role).toBe('admin');
  });

  it('ends when it is declined, withdrawn, or its maker may not invite any more', async () => {
    const invite = async (by: string): Promise<string> =>
      (await invitations.invite(by, teamId, { user: THIRD, role: 'viewer' })).id;
    const declined = await invite(OWNER);
    await invitations.answer(THIRD, declined, false);
    expect(await codeOf(invitations.answer(THIRD, declined, true))).toBe('invitation_not_found');
    const withdrawn = await invite(OWNER);
    await invitations.withdraw(OWNER, { teamId, id: withdrawn }, 'any');
    expect(await codeOf(invitations.answer(THIRD, withdrawn, true))).toBe('invitation_not_found');
    await joinTeam(db.database, { by: OWNER, teamId, user: STRANGER, role: 'admin' });
    for (const [lose, back] of [
      [() => teams.changeMember(OWNER, teamId, { user: STRANGER, role: 'member' }, 'any'), undefined],
      [() => status(STRANGER, 'deactivated'), () => status(STRANGER, 'active')],
    ] as const) {
      await teams.changeMember(OWNER, teamId, { user: STRANGER, role: 'admin' }, 'any');
      const id = await invite(STRANGER);
      await lose();
      expect((await invitations.mine(THIRD, {})).items).toEqual([]);
      expect(await codeOf(invitations.answer(THIRD, id, true))).toBe('invitation_not_found');
      await back?.();
    }
    expect(await codeOf(teams.require(THIRD, teamId))).toBe('team_not_found');
  });

  it('is for active accounts, and not above the role of whoever invites', async () => {
    await joinTeam(db.database, { by: OWNER, teamId, user: STRANGER, role: 'admin' });
    const invite = (role: 'owner' | 'admin' | 'member'): Promise<unknown> =>
      codeOf(invitations.invite(STRANGER, teamId, { user: THIRD, role }));
    expect([await invite('owner'), await invite('admin')]).toEqual(['team_role_required', 'team_role_required']);
    const { id } = await invitations.invite(OWNER, teamId, { user: THIRD, role: 'owner' });
    expect(await invite('member')).toBe('team_role_required');
    expect(await codeOf(invitations.withdraw(STRANGER, { teamId, id }, 'any'))).toBe('team_role_required');
    await status(THIRD, 'deactivated');
    expect(await codeOf(invitations.invite(OWNER, teamId, { user: THIRD, role: 'viewer' }))).toBe('user_not_found');
    await status(THIRD, 'active');
  });
});

describe('the last owner', () => {
  it('is the last whose account is in use', async () => {
    await joinTeam(db.database, { by: OWNER, teamId, user: STRANGER, role: 'owner' });
    await status(STRANGER, 'deactivated');
    expect(await codeOf(teams.removeMember(OWNER, teamId, OWNER, 'any'))).toBe('last_owner');
    expect(await codeOf(teams.changeMember(OWNER, teamId, { user: OWNER, role: 'member' }, 'any'))).toBe('last_owner');
    await status(STRANGER, 'active');
    expect(await codeOf(teams.changeMember(OWNER, teamId, { user: OWNER, role: 'member' }, 'any'))).toBe('done');
  });
});

describe('what others shared with a team', () => {
  it('its admins narrow and take away, and its owner alone widens', async () => {
    const profile = await new ProfilesStore(db.database).create(STRANGER, { handle: `a-${randomUUID()}`, name: 'A' });
    await joinTeam(db.database, { by: OWNER, teamId, user: STRANGER, role: 'member' });
    const at = { profileId: profile.id, teamId };
    await shares.share(STRANGER, at, { team_file_access: true });
    const narrow = (fields: object): Promise<unknown> => codeOf(shares.narrow(OWNER, at, fields, 'any'));
    expect(await narrow({ journal_visibility: 'full' })).toBe('only_narrower');
    expect(await narrow({ team_post_access: true })).toBe('only_narrower');
    expect(await narrow({ journal_visibility: 'own_only', team_file_access: false, is_active: false })).toBe('done');
    const [row] = (await shares.ofProfile(STRANGER, profile.id, {})).items;
    expect(row).toMatchObject({ journal_visibility: 'own_only', team_file_access: false, is_active: false });
    expect(await narrow({ is_active: true })).toBe('only_narrower');
    expect(await codeOf(shares.update(STRANGER, at, { is_active: true }, 'any'))).toBe('done');
    await teams.changeMember(OWNER, teamId, { user: STRANGER, role: 'viewer' }, 'any');
    expect(await codeOf(shares.narrow(STRANGER, at, { is_active: false }, 'any'))).toBe('team_role_required');
    expect(await codeOf(shares.update(STRANGER, at, { journal_visibility: 'full' }, 'any'))).toBe('team_role_required');
    expect(await codeOf(shares.unshare(STRANGER, at, 'any'))).toBe('done');
  });
});
