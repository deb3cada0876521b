import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID as OWNER } from '../../core/base/run-status';
import { DiscoveriesStore } from '../../infra/db/stores/discoveries.store';
import { PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { ProfileSkillsStore } from '../../infra/db/stores/profile-skills.store';
import type { ProfileRow, TeamRole } from '../../infra/db/stores/profile-types';
import { ProfilesStore } from '../../infra/db/stores/profiles.store';
import { SharesStore } from '../../infra/db/stores/shares.store';
import { TeamInvitationsStore } from '../../infra/db/stores/team-invitations.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { joinTeam } from '../db/db-fixture';
import { startApi, startRun, TWO_STEPS, type Answer, type TestApi } from './api-fixture';

const COLLEAGUE = '00000000-0000-4000-8000-000000000002';
const CONNECTOR = `
id: registry
name: Registry
type: rest_api
connection:
  base_url: https://registry.example
endpoints:
  find:
    method: GET
    path: /companies
`;

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  await api.admin.query(`insert into users (id, handle, display_name) values ($1, 'colleague', 'Colleague')`, [
    COLLEAGUE,
  ]);
  await api.call('POST', '/connectors', { source: CONNECTOR });
  await api.call('POST', '/playbooks', { source: TWO_STEPS });
});
afterAll(() => api.close());

const any = { 'if-match': '*' };
const post = (path: string, body: object): Promise<Answer> => api.call('POST', path, body);
const put = (path: string, body: object): Promise<Answer> => api.call('PUT', path, body, any);
const remove = (path: string): Promise<Answer> => api.call('DELETE', path, undefined, any);
const outcome = (answer: Answer): unknown[] =>
  answer.body.code === undefined ? [answer.status] : [answer.status, answer.body.code];
async function newProfile(more: object = {}): Promise<string> {
  const made = await post('/profiles', { handle: `agent-${randomUUID()}`, name: 'Agent', ...more });
  expect(made.status).toBe(201);
  return String(made.body['id']);
}
/** A profile of the colleague's that has the playbook, in a team of theirs where the caller has this role. */
async function shared(role: TeamRole): Promise<{ profile: ProfileRow; teamId: string }> {
  const profile = await new ProfilesStore(api.database).create(COLLEAGUE, {
    handle: `a-${randomUUID()}`,
    name: 'Theirs',
  });
  const teams = new TeamsStore(api.database);
  const { id: teamId } = await teams.create(COLLEAGUE, { name: 'Research Unit' });
  await joinTeam(api.database, { by: COLLEAGUE, teamId, user: OWNER, role });
  await new SharesStore(api.database).share(COLLEAGUE, { profileId: profile.id, teamId }, {});
  return { profile, teamId };
}
/** The colleague's own copy of the caller's playbook under another slug, as a skill of the profile. */
async function withPlaybook(profileId: string): Promise<string> {
  const slug = `theirs-${randomUUID()}`;
  const playbooks = new PlaybooksStore(api.database);
  const { content_hash, source_format, source, body } = await playbooks.resolve(OWNER, 'two-steps');
  const { definition } = await playbooks.save(COLLEAGUE, {
    slug,
    name: 'Theirs',
    content_hash,
    source_format,
    source,
    body,
  });
  await new ProfileSkillsStore(api.database).bind(COLLEAGUE, profileId, { playbook: definition.id });
  return slug;
}

describe('agent profiles', () => {
  it('are made, read, changed, copied and deleted', async () => {
    const fields = { model_preference: 'openai/gpt-4o', knowledge_config: { auto_enrich: true }, icon: '🔍' };
    const made = await post('/profiles', { handle: 'investigator', name: 'Investigator', ...fields });
    expect(made).toMatchObject({
      status: 201,
      body: { handle: 'investigator', owner: 'user', is_active: true, ...fields },
    });
    const path = `/profiles/${String(made.body['id'])}`;
    const seen = made.headers.get('etag') ?? '';
    const changed = await api.call('PUT', path, { name: 'Other', icon: null }, { 'if-match': seen });
    expect(changed).toMatchObject({ status: 200, body: { name: 'Other', model_preference: 'openai/gpt-4o' } });
    expect(changed.body['icon']).toBeUndefined();
    expect(outcome(await api.call('PUT', path, { name: 'X' }, { 'if-match': seen }))).toEqual([
      412,
      'precondition_failed',
    ]);
    expect(outcome(await post('/profiles', { handle: 'investigator', name: 'Twice' }))).toEqual([409, 'handle_taken']);
    const copy = await post(`${path}/duplicate`, { handle: 'investigator-2' });
    expect(copy).toMatchObject({
      status: 201,
      body: { handle: 'investigator-2', name: 'Other', knowledge_config: fields.knowledge_config },
    });
    expect(outcome(await post(`${path}/duplicate`, { handle: 'investigator-2' }))).toEqual([409, 'handle_taken']);
    expect(outcome(await put(path, { handle: 'investigator-2' }))).toEqual([409, 'handle_taken']);
    expect((await remove(path)).status).toBe(204);
    expect(outcome(await api.call('GET', path))).toEqual([404, 'profile_not_found']);
    expect(outcome(await remove(path))).toEqual([404, 'profile_not_found']);
    expect((await post('/profiles', { handle: 'investigator', name: 'Again' })).status).toBe(201);
  });

  it('refuse what is not theirs to set, and what has no form', async () => {
    const bad: object[] = [
      { handle: 'Not A Handle' },
      { owner_id: COLLEAGUE },
      { team_config: {} },
      { row_version: 7 },
      { created_at: '2020-01-01T00:00:00Z' },
      { model_preference: 'gpt' },
      { default_approval_policy: 'never' },
      { knowledge_config: { owner_id: COLLEAGUE } },
      { output_config: { text: 'x'.repeat(70_000) } },
      { max_research_rounds: 0 },
    ];
    for (const more of bad) {
      const answer = await post('/profiles', { handle: 'h', name: 'N', ...more });
      expect({ more: Object.keys(more), outcome: outcome(answer) }).toEqual({
        more: Object.keys(more),
        outcome: [400, 'invalid_request'],
      });
    }
    const id = await newProfile();
    const nulled = await put(`/profiles/${id}`, { handle: null, is_active: null, knowledge_config: null });
    expect(outcome(nulled)).toEqual([400, 'invalid_request']);
  });

  it('use connectors and skills, with names of secrets and never their values', async () => {
    const id = await newProfile();
    const path = `/profiles/${id}/connectors`;
    const binding = { credentials: { api_key: { secret: 'fec' } }, permissions: { allowed_endpoints: ['find'] } };
    expect(outcome(await post(path, { connector: 'registry', credentials: { api_key: 'value' } }))).toEqual([
      400,
      'invalid_request',
    ]);
    const made = await post(path, { connector: 'registry', ...binding });
    expect(made).toMatchObject({ status: 201, body: { connector_slug: 'registry', is_enabled: true, ...binding } });
    expect(outcome(await post(path, { connector: 'registry' }))).toEqual([409, 'connector_bound']);
    expect(outcome(await post(path, { connector: 'nothing' }))).toEqual([404, 'connector_not_found']);
    const one = `${path}/${String(made.body['connector_id'])}`;
    expect(await put(one, { is_enabled: false })).toMatchObject({
      status: 200,
      body: { is_enabled: false, ...binding },
    });
    expect(outcome(await put(one, { connection_id: randomUUID() }))).toEqual([404, 'connection_not_found']);
    const skill = await post(`/profiles/${id}/skills`, {
      skill_type: 'playbook',
      skill_reference: 'two-steps',
      priority: 5,
    });
    expect(skill).toMatchObject({ status: 201, body: { playbook_slug: 'two-steps', priority: 5 } });
    expect((await post(`/profiles/${id}/skills`, { skill_type: 'built_in', skill_reference: 'research' })).status).toBe(
      201,
    );
    expect(outcome(await post(`/profiles/${id}/skills`, { skill_type: 'playbook', skill_reference: 'none' }))).toEqual([
      404,
      'playbook_not_found',
    ]);
    const { body: copy } = await post(`/profiles/${id}/duplicate`, { handle: `copy-${id}` });
    const skills = await api.call('GET', `/profiles/${String(copy['id'])}/skills`);
    expect(skills.body.items?.map((item) => item['priority'])).toEqual([5, 0]);
    const first = `/profiles/${id}/skills/${String(skill.body['id'])}`;
    expect(await put(first, { parameters: { depth: 2 } })).toMatchObject({
      status: 200,
      body: { parameters: { depth: 2 } },
    });
    expect([(await remove(first)).status, (await remove(one)).status]).toEqual([204, 204]);
    expect([outcome(await remove(first)), outcome(await remove(one))]).toEqual([
      [404, 'skill_not_found'],
      [404, 'binding_not_found'],
    ]);
    expect((await api.call('GET', path)).body.items).toEqual([]);
  });
});

describe('a profile that others share', () => {
  it('is shown without its set-up, and is not there without the share', async () => {
    const { profile, teamId } = await shared('viewer');
    const shown = await api.call('GET', `/profiles/${profile.id}`);
    expect(shown).toMatchObject({ status: 200, body: { owner: 'team', owner_id: COLLEAGUE } });
    expect(Object.keys(shown.body).filter((field) => field.endsWith('_config'))).toEqual([]);
    const path = `/profiles/${profile.id}`;
    const forbidden = [
      put(path, { name: 'Mine' }),
      remove(path),
      post(`${path}/duplicate`, { handle: 'mine' }),
      api.call('GET', `${path}/connectors`),
      api.call('GET', `${path}/skills`),
      api.call('GET', `${path}/shares`),
      post(`${path}/skills`, { skill_type: 'built_in', skill_reference: 'research' }),
      post(`${path}/share`, { team_id: teamId }),
      put(`${path}/share/${teamId}`, { journal_visibility: 'full' }),
    ];
    for (const answer of await Promise.all(forbidden)) {
      expect(outcome(answer)).toEqual([403, 'not_profile_owner']);
    }
    expect(outcome(await remove(`${path}/share/${teamId}`))).toEqual([403, 'team_role_required']);
    expect(outcome(await put(`/teams/${teamId}`, { name: 'Mine' }))).toEqual([403, 'team_role_required']);
    expect((await api.call('GET', `/teams/${teamId}/agents`)).body.items).toMatchObject([
      { agent_profile_id: profile.id, owner_name: 'Colleague' },
    ]);
    expect(await api.call('GET', `/resolve-handle?handle=%40${profile.handle}`)).toMatchObject({
      status: 200,
      body: { agent_profile_id: profile.id, owner: 'team', team_id: teamId },
    });
    await new TeamsStore(api.database).removeMember(COLLEAGUE, teamId, OWNER, 'any');
    const gone = ['', '/connectors', '/shares', '/journal', '/journal/summary'].map((end) =>
      api.call('GET', path + end),
    );
    for (const answer of await Promise.all(gone)) {
      expect(outcome(answer)).toEqual([404, 'profile_not_found']);
    }
    expect(outcome(await put(path, { name: 'Mine' }))).toEqual([404, 'profile_not_found']);
    expect(outcome(await api.call('GET', `/teams/${teamId}`))).toEqual([404, 'team_not_found']);
  });

  it('runs its own playbooks for members, as runs of theirs', async () => {
    const { profile, teamId } = await shared('viewer');
    const playbook = await withPlaybook(profile.id);
    const start = (body: object): Promise<Answer> =>
      post('/runs', { inputs: { rows: [] }, playbook, profile_id: profile.id, ...body });
    expect(outcome(await start({}))).toEqual([403, 'team_role_required']);
    await new TeamsStore(api.database).changeMember(COLLEAGUE, teamId, { user: OWNER, role: 'member' }, 'any');
    expect(outcome(await start({ playbook: 'two-steps' }))).toEqual([404, 'playbook_not_found']);
    expect(outcome(await start({ team_id: randomUUID() }))).toEqual([404, 'share_not_found']);
    expect(outcome(await start({ profile_id: randomUUID() }))).toEqual([404, 'profile_not_found']);
    expect(outcome(await start({ profile_id: undefined, team_id: teamId }))).toEqual([422, 'team_without_profile']);
    const run = await start({});
    expect(run.status).toBe(201);
    const detail = await api.call('GET', `/runs/${String(run.body['runId'])}`);
    expect(detail).toMatchObject({ status: 200, body: { owner_id: OWNER, profile_id: profile.id, team_id: teamId } });
    const listed = await api.call('GET', `/runs?profile=${profile.id}`);
    expect(listed.body.items?.map((item) => item['runId'])).toEqual([run.body['runId']]);
    await new ProfilesStore(api.database).update(COLLEAGUE, profile.id, { is_active: false }, 'any');
    expect(outcome(await start({}))).toEqual([409, 'profile_inactive']);
  });
});

describe('a run that another started for one’s profile', () => {
  it('is shown to the profile’s owner, without its steps, and is not theirs to stop', async () => {
    const profile = await newProfile();
    await post(`/profiles/${profile}/skills`, { skill_type: 'playbook', skill_reference: 'two-steps' });
    const { body: team } = await post('/teams', { name: 'Desk' });
    const team_id = String(team['id']);
    await joinTeam(api.database, { by: OWNER, teamId: team_id, user: 'colleague', role: 'member' });
    await post(`/profiles/${profile}/share`, { team_id });
    const mine = await startRun(api, { profile_id: profile });
    const [row] = await api.admin.query<{ id: string }>(
      `insert into runs (id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name, root_run_id, inputs,
          run_context, approval_policy, clock, profile_id, profile_owner_id, team_id)
        select gen_random_uuid(), $1, playbook_id, playbook_version_id, playbook_slug, playbook_name, id, inputs,
          run_context, approval_policy, clock, profile_id, profile_owner_id, $2 from runs where id = $3 returning id`,
      [COLLEAGUE, team_id, mine],
    );
    const theirs = String(row?.id);
    expect(await api.call('GET', `/runs/${theirs}`)).toMatchObject({
      status: 200,
      body: { owner_id: COLLEAGUE, steps: [] },
    });
    expect((await api.call('GET', `/runs?team=${team_id}`)).body.items?.map((item) => item['runId'])).toEqual([theirs]);
    for (const path of ['/steps', '/events']) {
      expect(outcome(await api.call('GET', `/runs/${theirs}${path}`))).toEqual([404, 'run_not_found']);
    }
    expect(outcome(await post(`/runs/${theirs}/cancel`, {}))).toEqual([404, 'run_not_found']);
  });
});

describe('teams', () => {
  it('are founded, filled, given agents and deleted', async () => {
    const made = await post('/teams', { name: 'Desk' });
    expect(made).toMatchObject({ status: 201, body: { name: 'Desk', role: 'owner' } });
    const team = `/teams/${String(made.body['id'])}`;
    const invited = await post(`${team}/members`, { user: 'colleague', role: 'viewer' });
    expect(invited).toMatchObject({ status: 201, body: { user_id: COLLEAGUE, role: 'viewer', team_name: 'Desk' } });
    await new TeamInvitationsStore(api.database).answer(COLLEAGUE, String(invited.body['id']), true);
    expect(outcome(await post(`${team}/members`, { user: COLLEAGUE, role: 'viewer' }))).toEqual([
      409,
      'already_member',
    ]);
    expect(outcome(await post(`${team}/members`, { user: 'nobody', role: 'viewer' }))).toEqual([404, 'user_not_found']);
    expect(outcome(await post(`${team}/members`, { user: 'colleague', role: 'god' }))).toEqual([
      400,
      'invalid_request',
    ]);
    const member = `${team}/members/${COLLEAGUE}`;
    const changed = await put(member, { role: 'viewer' });
    const seen = changed.headers.get('etag') ?? '';
    expect(await api.call('PUT', member, { role: 'member' }, { 'if-match': seen })).toMatchObject({
      status: 200,
      body: { role: 'member' },
    });
    expect(outcome(await api.call('DELETE', member, undefined, { 'if-match': seen }))).toEqual([
      412,
      'precondition_failed',
    ]);
    expect(outcome(await put(`${team}/members/${OWNER}`, { role: 'viewer' }))).toEqual([409, 'last_owner']);
    expect((await api.call('GET', `${team}/members`)).body.items?.map((item) => item['handle'])).toEqual([
      'local',
      'colleague',
    ]);
    const profile = await newProfile();
    const share = await post(`/profiles/${profile}/share`, { team_id: made.body['id'], journal_visibility: 'full' });
    expect(share).toMatchObject({
      status: 201,
      body: { journal_visibility: 'full', shared_by: OWNER, team_name: 'Desk' },
    });
    const place = `/profiles/${profile}/share/${String(made.body['id'])}`;
    expect(await put(place, { team_file_access: true })).toMatchObject({
      status: 200,
      body: { team_file_access: true, journal_visibility: 'full' },
    });
    expect((await api.call('GET', `/profiles/${profile}/shares`)).body.items?.length).toBe(1);
    expect((await remove(place)).status).toBe(204);
    expect(outcome(await remove(place))).toEqual([404, 'share_not_found']);
    expect((await remove(member)).status).toBe(204);
    expect((await put(team, { description: 'All of us' })).body['description']).toBe('All of us');
    expect((await api.call('GET', '/teams')).body.items?.map((item) => item['name'])).toContain('Desk');
    expect((await remove(team)).status).toBe(204);
    expect(outcome(await api.call('GET', team))).toEqual([404, 'team_not_found']);
  });
});

describe('what agents leave', () => {
  it('is in the journal of the profile', async () => {
    const id = await newProfile();
    const runId = await startRun(api, { profile_id: id });
    const entry = JSON.stringify({ id: randomUUID(), summary: 'Sorted the rows.', entities_discovered: 2 });
    await api.database.hot('select af_finish($1, $2, null, null)', [
      runId,
      JSON.stringify({ status: 'complete', journal: entry }),
    ]);
    const journal = await api.call('GET', `/profiles/${id}/journal`);
    expect(journal.body.items).toMatchObject([{ runId, summary: 'Sorted the rows.', invoked_by: OWNER }]);
    expect((await api.call('GET', `/profiles/${id}/journal?status=failed`)).body.items).toEqual([]);
    expect((await api.call('GET', `/profiles/${id}/journal/summary`)).body).toMatchObject({
      entries: 1,
      capped: false,
      entities_discovered: 2,
      by_status: [{ status: 'complete', entries: 1 }],
      latest: [{ runId }],
    });
  });

  it('is among the discoveries, and in their numbers', async () => {
    const runId = await startRun(api);
    await api.admin.query(
      `insert into discoveries (id, owner_id, run_id, discovery_type, entity_name, entity_type)
        select gen_random_uuid(), $1, $2, t, 'Acme', 'organization' from unnest(array['new_entity', 'new_entity', 'pattern_detected']) t`,
      [OWNER, runId],
    );
    expect((await api.call('GET', `/runs/${runId}/discoveries`)).body.items?.length).toBe(3);
    const first = await api.call('GET', '/discoveries?type=new_entity&limit=1');
    const rest = await api.call(
      'GET',
      `/discoveries?type=new_entity&limit=1&cursor=${String(first.body['next_cursor'])}`,
    );
    expect([first.body.items?.length, rest.body.items?.length, rest.body['next_cursor']]).toEqual([1, 1, undefined]);
    expect((await api.call('GET', '/discoveries/stats')).body).toMatchObject({
      total: 3,
      by_type: [
        { key: 'new_entity', count: 2 },
        { key: 'pattern_detected', count: 1 },
      ],
      by_entity_type: [{ key: 'organization', count: 3 }],
    });
    expect(outcome(await api.call('GET', '/discoveries/stats?from=2020-01-01T00:00:00Z'))).toEqual([
      400,
      'invalid_range',
    ]);
    expect((await new DiscoveriesStore(api.database).list(COLLEAGUE, {})).items).toEqual([]);
  });
});

describe('plugins', () => {
  it('of the installation are listed with their contracts', async () => {
    await api.admin.query(
      `insert into plugins (id, name, version, connection_type, tool_pack_name, is_builtin, tool_contracts)
        values (gen_random_uuid(), 'trello', '1.0', 'api_key', 'trello', true, '[{"name": "create_card"}]')`,
    );
    expect((await api.call('GET', '/plugins')).body.items).toMatchObject([{ name: 'trello', configured: false }]);
    expect((await api.call('GET', '/plugins/trello')).body['tool_contracts']).toEqual([{ name: 'create_card' }]);
    expect((await api.call('GET', '/plugins/trello/tools')).body).toEqual({
      plugin: 'trello',
      tool_pack_name: 'trello',
      items: [{ name: 'create_card' }],
    });
    for (const path of ['/plugins/none', '/plugins/none/tools']) {
      expect(outcome(await api.call('GET', path))).toEqual([404, 'plugin_not_found']);
    }
  });
});
