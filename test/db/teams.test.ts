import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { owner, SYSTEM } from '../../infra/db/database';
import { PluginsStore } from '../../infra/db/stores/plugins.store';
import type { JournalVisibility, ProfileRow, TeamRole } from '../../infra/db/stores/profile-types';
import { ProfileJournalStore } from '../../infra/db/stores/profile-journal.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TeamInvitationsStore } from '../../infra/db/stores/team-invitations.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { joinTeam, newRun, OWNER, seedPlaybook, STRANGER, testDatabase, type TestDatabase } from './db-fixture';

/** OWNER has a profile and shares it with a team; STRANGER and THIRD come in with some role. */
const THIRD = '00000000-0000-4000-8000-000000000003';

let db: TestDatabase;
let profiles: ProfilesStore;
let shares: SharesStore;
let teams: TeamsStore;
let invitations: TeamInvitationsStore;
let runs: RunsStore;
let skills: ProfileSkillsStore;
let profile: ProfileRow;
let teamId: string;
let playbook: { playbookId: string; versionId: string };

beforeAll(async () => {
  db = await testDatabase();
  await db.admin.query(`insert into users (id, handle, display_name) values ($1, 'third', 'Third')`, [THIRD]);
  profiles = new ProfilesStore(db.database);
  shares = new SharesStore(db.database);
  teams = new TeamsStore(db.database);
  invitations = new TeamInvitationsStore(db.database);
  runs = new RunsStore(db.database);
  skills = new ProfileSkillsStore(db.database);
}, 60_000);
afterAll(() => db.close());

beforeEach(async () => {
  profile = await profiles.create(OWNER, { handle: `agent-${randomUUID()}`, name: 'Agent' });
  playbook = await seedPlaybook(db.database);
  await skills.bind(OWNER, profile.id, { playbook: playbook.playbookId });
  teamId = (await teams.create(OWNER, { name: 'Unit' })).id;
});

async function share(visibility: JournalVisibility = 'own_and_scheduled'): Promise<void> {
  await shares.share(OWNER, { profileId: profile.id, teamId }, { journal_visibility: visibility });
}
async function join(user: string, role: TeamRole = 'member'): Promise<void> {
  await joinTeam(db.database, { by: OWNER, teamId, user, role });
}
const codeOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code,
  );
async function started(by: string, runContext = 'interactive'): Promise<string> {
  const at = { profile: { id: profile.id, team_id: by === OWNER ? null : teamId } };
  const { run } = await runs.create(by, newRun(playbook, { run_context: runContext, ...at }));
  const journal = JSON.stringify({ id: randomUUID(), summary: `${by} ${runContext}` });
  await db.database.hot('select af_finish($1, $2, null, null)', [
    run.id,
    JSON.stringify({ status: 'complete', journal }),
  ]);
  return run.id;
}
const seenRuns = async (by: string): Promise<string[]> =>
  (await db.database.query<{ id: string }>(owner(by), 'select id from runs where profile_id = $1', [profile.id]))
    .map((row) => row.id)
    .toSorted();

describe('a share', () => {
  it('opens the profile, its playbooks and nothing else to the people of the team', async () => {
    expect(await codeOf(profiles.require(STRANGER, profile.id))).toBe('profile_not_found');
    await share();
    expect(await codeOf(profiles.require(STRANGER, profile.id))).toBe('profile_not_found');
    await join(STRANGER, 'viewer');
    expect((await profiles.require(STRANGER, profile.id)).handle).toBe(profile.handle);
    expect(await codeOf(profiles.update(STRANGER, profile.id, { name: 'Mine' }, 'any'))).toBe('not_profile_owner');
    expect(await codeOf(profiles.remove(STRANGER, profile.id, 'any'))).toBe('not_profile_owner');
    const seen = (table: string): Promise<unknown[]> =>
      db.database.query(owner(STRANGER), `select 1 from ${table} where owner_id = $1`, [OWNER]);
    expect((await seen('playbooks')).length).toBe(1);
    expect((await seen('playbook_versions')).length).toBe(1);
    for (const table of ['profile_skills', 'profile_connectors', 'connectors', 'runs', 'journal_entries', 'secrets']) {
      expect({ table, seen: await seen(table) }).toEqual({ table, seen: [] });
    }
    expect(await codeOf(profiles.require(THIRD, profile.id))).toBe('profile_not_found');
  });

  it('ends with the share, the membership, the team and the profile', async () => {
    const visible = (): Promise<unknown> => codeOf(profiles.require(STRANGER, profile.id));
    await share();
    await join(STRANGER);
    expect(await visible()).toBe('done');
    await shares.update(OWNER, { profileId: profile.id, teamId }, { is_active: false }, 'any');
    expect(await visible()).toBe('profile_not_found');
    await shares.update(OWNER, { profileId: profile.id, teamId }, { is_active: true }, 'any');
    await teams.removeMember(OWNER, teamId, STRANGER, 'any');
    expect(await visible()).toBe('profile_not_found');
    await join(STRANGER);
    await shares.unshare(OWNER, { profileId: profile.id, teamId }, 'any');
    expect(await visible()).toBe('profile_not_found');
    await share();
    await teams.remove(OWNER, teamId, 'any');
    expect(await visible()).toBe('profile_not_found');
    expect((await shares.ofProfile(OWNER, profile.id, {})).items).toEqual([]);
  });

  it('is refused for a profile or a team of others, and by viewers', async () => {
    const theirs = await teams.create(STRANGER, { name: 'Others' });
    expect(await codeOf(shares.share(OWNER, { profileId: profile.id, teamId: theirs.id }, {}))).toBe('42501');
    expect(await codeOf(shares.share(STRANGER, { profileId: profile.id, teamId: theirs.id }, {}))).toBe('42501');
    await joinTeam(db.database, { by: STRANGER, teamId: theirs.id, user: OWNER, role: 'viewer' });
    expect(await codeOf(shares.share(OWNER, { profileId: profile.id, teamId: theirs.id }, {}))).toBe('42501');
    await teams.changeMember(STRANGER, theirs.id, { user: OWNER, role: 'member' }, 'any');
    expect(await codeOf(shares.share(OWNER, { profileId: profile.id, teamId: theirs.id }, {}))).toBe('done');
    expect(await codeOf(shares.share(OWNER, { profileId: profile.id, teamId: theirs.id }, {}))).toBe('already_shared');
    // The team's owner may put it out, and who leaves takes their shares along.
    await shares.unshare(STRANGER, { profileId: profile.id, teamId: theirs.id }, 'any');
    await shares.share(OWNER, { profileId: profile.id, teamId: theirs.id }, {});
    await teams.removeMember(OWNER, theirs.id, OWNER, 'any');
    expect((await shares.ofProfile(OWNER, profile.id, {})).items).toEqual([]);
  });
});

describe('the people of a team', () => {
  it('are managed by those above them', async () => {
    await join(STRANGER, 'admin');
    const invite = (user: string, role: TeamRole): Promise<unknown> =>
      codeOf(invitations.invite(STRANGER, teamId, { user, role }));
    expect(await invite('third', 'admin')).toBe('team_role_required');
    await joinTeam(db.database, { by: STRANGER, teamId, user: 'third', role: 'viewer' });
    expect(await invite('third', 'viewer')).toBe('already_member');
    expect(await invite('nobody', 'viewer')).toBe('user_not_found');
    const change = (by: string, user: string, role: TeamRole): Promise<unknown> =>
      codeOf(teams.changeMember(by, teamId, { user, role }, 'any'));
    expect(await change(THIRD, THIRD, 'owner')).toBe('team_role_required');
    expect(await change(STRANGER, STRANGER, 'owner')).toBe('team_role_required');
    expect(await change(STRANGER, OWNER, 'member')).toBe('team_role_required');
    expect(await change(STRANGER, THIRD, 'member')).toBe('done');
    expect(await change(OWNER, OWNER, 'member')).toBe('last_owner');
    expect(await codeOf(teams.removeMember(OWNER, teamId, OWNER, 'any'))).toBe('last_owner');
    expect(await codeOf(teams.removeMember(STRANGER, teamId, OWNER, 'any'))).toBe('team_role_required');
    expect(await codeOf(teams.removeMember(THIRD, teamId, STRANGER, 'any'))).toBe('team_role_required');
    expect(await codeOf(teams.update(THIRD, teamId, { name: 'Mine' }, 'any'))).toBe('team_role_required');
    expect(await codeOf(teams.remove(STRANGER, teamId, 'any'))).toBe('team_role_required');
    expect(await change(OWNER, STRANGER, 'owner')).toBe('done');
    expect(await codeOf(teams.removeMember(OWNER, teamId, OWNER, 'any'))).toBe('done');
    expect(await codeOf(teams.require(OWNER, teamId))).toBe('team_not_found');
    expect(await codeOf(teams.members(OWNER, teamId, {}))).toBe('team_not_found');
  });

  it('two owners who leave at the same moment leave one behind', async () => {
    await join(STRANGER, 'owner');
    const left = await Promise.all([
      codeOf(teams.removeMember(OWNER, teamId, OWNER, 'any')),
      codeOf(teams.removeMember(STRANGER, teamId, STRANGER, 'any')),
    ]);
    expect(left.map(String).toSorted()).toEqual(['done', 'last_owner']);
  });

  it('a change that was made against another version is refused', async () => {
    await join(STRANGER);
    const seen = (await teams.members(OWNER, teamId, {})).items.find((each) => each.id === STRANGER);
    const tag = [`${seen?.row_version}-${STRANGER}`];
    await teams.changeMember(OWNER, teamId, { user: STRANGER, role: 'viewer' }, tag);
    expect(await codeOf(teams.removeMember(OWNER, teamId, STRANGER, tag))).toBe('precondition_failed');
    expect(await codeOf(teams.removeMember(OWNER, teamId, STRANGER, 'unsaid'))).toBe('precondition_required');
  });
});

describe('a run for a shared profile', () => {
  it('belongs to whoever started it, and says whose profile it is', async () => {
    await share();
    await join(STRANGER);
    const id = await started(STRANGER);
    const [run] = await db.admin.query(
      'select owner_id, profile_id, profile_owner_id, team_id from runs where id = $1',
      [id],
    );
    expect(run).toEqual({ owner_id: STRANGER, profile_id: profile.id, profile_owner_id: OWNER, team_id: teamId });
    const [entry] = await db.admin.query(
      'select owner_id, profile_id, profile_owner_id, team_id from journal_entries where run_id = $1',
      [id],
    );
    expect(entry).toEqual(run);
  });

  it('is started by members, not by viewers, strangers, or after the share', async () => {
    const start = (): Promise<unknown> => codeOf(started(STRANGER));
    expect(await start()).toBe('access_revoked');
    await share();
    expect(await start()).toBe('access_revoked');
    await join(STRANGER, 'viewer');
    expect(await start()).toBe('access_revoked');
    await teams.changeMember(OWNER, teamId, { user: STRANGER, role: 'member' }, 'any');
    expect(await start()).toBe('done');
    // Playbooks outside the profile's skills stay hidden.
    const other = await seedPlaybook(db.database);
    const at = { profile: { id: profile.id, team_id: teamId } };
    expect(await codeOf(runs.create(STRANGER, newRun(other, at)))).toBe('access_revoked');
    await profiles.update(OWNER, profile.id, { is_active: false }, 'any');
    expect(await start()).toBe('access_revoked');
  });

  it('is repeated as long as the profile has its playbook', async () => {
    await share();
    await join(STRANGER);
    const run = await started(STRANGER);
    const again = async (): Promise<unknown> => {
      const retry = JSON.stringify({ id: randomUUID(), run });
      const [row] = await db.database.query<{ made: boolean }>(owner(STRANGER), 'select app_retry_run($1) as made', [
        retry,
      ]);
      return row?.made;
    };
    expect(await again()).toBe(true);
    const [skill] = await skills.list(OWNER, profile.id);
    const at = { profileId: profile.id, skillId: skill?.id ?? '' };
    await skills.update(OWNER, at, { is_enabled: false }, 'any');
    expect(await again()).toBe(false);
    await skills.update(OWNER, at, { is_enabled: true }, 'any');
    expect(await again()).toBe(true);
  });

  it('starts what is a skill of the profile alone, with connectors that are bound to it, all the way down', async () => {
    await share();
    await join(STRANGER);
    const at = { profile: { id: profile.id, team_id: teamId } };
    const parent = (await runs.create(STRANGER, newRun(playbook, at))).run.id;
    const child = (of: typeof playbook, more: object = {}): Promise<unknown> =>
      codeOf(
        runs.create(
          STRANGER,
          newRun(of, { parent: { run_id: parent, step_path: 's', root_run_id: parent, depth: 1 }, ...more }),
        ),
      );
    expect(await child(playbook)).toBe('done');
    expect(await child(await seedPlaybook(db.database, STRANGER))).toBe('access_revoked');
    expect(await child(await seedPlaybook(db.database))).toBe('access_revoked');
    expect(await child(playbook, { connectors: { a: randomUUID() } })).toBe('access_revoked');
    await shares.unshare(OWNER, { profileId: profile.id, teamId }, 'any');
    expect(await child(playbook)).toBe('access_revoked');
  });

  it('its owner sees all, and members what the share shows', async () => {
    await share('own_and_scheduled');
    await join(STRANGER);
    await join(THIRD, 'viewer');
    const mine = await started(STRANGER);
    const scheduled = await started(STRANGER, 'scheduled');
    const own = await started(OWNER);
    const all = [mine, scheduled, own].toSorted();
    expect(await seenRuns(OWNER)).toEqual(all);
    expect(await seenRuns(STRANGER)).toEqual([mine, scheduled].toSorted());
    expect(await seenRuns(THIRD)).toEqual([scheduled]);
    const journal = new ProfileJournalStore(db.database);
    const entries = async (by: string): Promise<string[]> =>
      (await journal.list(by, profile.id, {})).items.map((row) => String(row.run_id)).toSorted();
    expect(await entries(OWNER)).toEqual(all);
    expect(await entries(THIRD)).toEqual([scheduled]);
    const show = (visibility: JournalVisibility): Promise<unknown> =>
      shares.update(OWNER, { profileId: profile.id, teamId }, { journal_visibility: visibility }, 'any');
    await show('full');
    expect(await seenRuns(THIRD)).toEqual([mine, scheduled].toSorted());
    expect(await entries(THIRD)).toEqual([mine, scheduled].toSorted());
    await show('own_only');
    expect(await seenRuns(THIRD)).toEqual([]);
    expect(await entries(THIRD)).toEqual([]);
    expect(await seenRuns(STRANGER)).toEqual([mine, scheduled].toSorted());
    await shares.unshare(OWNER, { profileId: profile.id, teamId }, 'any');
    expect(await seenRuns(OWNER)).toEqual(all);
  });

  it('stops before its next step when the share is lost, and goes on when it is back', async () => {
    const begin = '{"next": {"effect_key": "k", "try_no": 1, "step_path": "a"}}';
    const next = async (id: string): Promise<{ control: string; begun: unknown }> => {
      const text = 'select af_step($1, $2, null, null, null) as step';
      const [row] = await db.database.hot<{ step: { control: string; begun: unknown } }>(text, [id, begin]);
      return row?.step ?? { control: '', begun: undefined };
    };
    const open = async (): Promise<string> =>
      (await runs.create(STRANGER, newRun(playbook, { profile: { id: profile.id, team_id: teamId } }))).run.id;
    const losses: [lose: () => Promise<unknown>, back: () => Promise<unknown>][] = [
      [() => shares.unshare(OWNER, { profileId: profile.id, teamId }, 'any'), () => share()],
      [
        () => shares.update(OWNER, { profileId: profile.id, teamId }, { is_active: false }, 'any'),
        () => shares.update(OWNER, { profileId: profile.id, teamId }, { is_active: true }, 'any'),
      ],
      [
        () => teams.changeMember(OWNER, teamId, { user: STRANGER, role: 'viewer' }, 'any'),
        () => teams.changeMember(OWNER, teamId, { user: STRANGER, role: 'member' }, 'any'),
      ],
      [() => teams.removeMember(OWNER, teamId, STRANGER, 'any'), () => join(STRANGER)],
    ];
    await share();
    await join(STRANGER);
    const own = (await runs.create(OWNER, newRun(playbook, { profile: { id: profile.id, team_id: null } }))).run.id;
    for (const [lose, back] of losses) {
      const id = await open();
      await lose();
      expect(await next(id)).toMatchObject({ control: 'pause', begun: null });
      expect((await runs.require(STRANGER, id)).revoked_at).not.toBeNull();
      expect(await codeOf(runs.setControl(STRANGER, id, 'run'))).toBe('access_revoked');
      await back();
      expect(await codeOf(runs.setControl(STRANGER, id, 'run'))).toBe('done');
      expect(await next(id)).toMatchObject({ control: 'run' });
      expect((await runs.require(STRANGER, id)).revoked_at).toBeNull();
    }
    expect((await runs.require(OWNER, own)).control).toBe('run');
  });

  it('the journal stays when the profile goes, and the handle is free', async () => {
    const id = await started(OWNER);
    await profiles.remove(OWNER, profile.id, 'any');
    const [entry] = await db.database.query(owner(OWNER), 'select profile_id from journal_entries where run_id = $1', [
      id,
    ]);
    expect(entry).toEqual({ profile_id: profile.id });
    expect((await profiles.create(OWNER, { handle: profile.handle, name: 'Again' })).id).not.toBe(profile.id);
  });
});

describe('rows without an owner', () => {
  it('are read by everybody and written by the platform alone', async () => {
    const insert = `insert into plugins (id, name, version, connection_type, tool_pack_name)
      values (gen_random_uuid(), 'calendar', '1.0', 'oauth2', 'calendar') returning id`;
    expect(await codeOf(db.database.query(owner(OWNER), insert))).toBe('42501');
    await db.database.query(SYSTEM, insert);
    for (const by of [OWNER, STRANGER]) {
      expect((await new PluginsStore(db.database).list(by)).map((row) => row.name)).toEqual(['calendar']);
      expect(await codeOf(db.database.query(owner(by), `update plugins set is_enabled = false`))).toBe('42501');
    }
    const theirs = `insert into plugins (id, owner_id, name, version, connection_type, tool_pack_name)
      values (gen_random_uuid(), '${OWNER}', 'mine', '1.0', 'oauth2', 'mine')`;
    expect(await codeOf(db.database.query(SYSTEM, theirs))).toBe('42501');
  });
});

describe('handles', () => {
  it('mean one’s own profile first, then those of one’s teams', async () => {
    await share();
    await join(STRANGER);
    expect((await shares.resolve(STRANGER, profile.handle))?.agent_profile_id).toBe(profile.id);
    expect(await shares.resolve(THIRD, profile.handle)).toBeNull();
    const own = await profiles.create(STRANGER, { handle: profile.handle, name: 'My own' });
    expect((await shares.resolve(STRANGER, profile.handle))?.agent_profile_id).toBe(own.id);
    const named = await shares.resolve(STRANGER, profile.handle, teamId);
    expect([named?.agent_profile_id, named?.team_name]).toEqual([profile.id, 'Unit']);
    expect(await codeOf(profiles.create(STRANGER, { handle: profile.handle, name: 'Twice' }))).toBe('handle_taken');
    const available = await shares.available(STRANGER, profile.handle, 10);
    expect(available.map((agent) => agent.team_name)).toEqual([null, 'Unit']);
  });
});
