import { randomUUID } from 'node:crypto';
import { TeamInvitationsStore } from '../../infra/db/stores/team-invitations.store';
import { TeamsStore } from '../../infra/db/stores/teams.store';
import { joinTeam } from '../db/db-fixture';
import { account, made, newConnector, newPlaybook, slug, type Body, type Factory } from './walk-objects';

export const newProfile: Factory = ({ call }) => made(call, '/profiles', { handle: slug(), name: 'Walk' });
export const newTeam: Factory = ({ call }) => made(call, '/teams', { name: 'Walk' });

/** A connection at a provider: nothing makes them over HTTP. */
export const connection: Factory = async ({ api, ownerId }) => {
  const id = randomUUID();
  await api.admin.query(
    `insert into connections (id, owner_id, provider, name, kind) values ($1, $2, 'walk', $3, 'api_key')`,
    [id, ownerId, id],
  );
  return id;
};

export const PROFILE_FACTORIES: Record<string, Factory> = {
  'profiles/{id}': newProfile,
  'connectors/{connectorId}': async (maker, params) =>
    made(
      maker.call,
      `/profiles/${params['id']}/connectors`,
      { connector: await newConnector(maker, params) },
      'connector_id',
    ),
  'skills/{skillId}': ({ call }, { id }) =>
    made(call, `/profiles/${id}/skills`, { skill_type: 'built_in', skill_reference: 'research' }),
  'share/{teamId}': async (maker, params) =>
    made(maker.call, `/profiles/${params['id']}/share`, { team_id: await newTeam(maker, params) }, 'team_id'),
  'teams/{teamId}': newTeam,
  'members/{userId}': async (maker, params) => {
    const user = await account(maker, params);
    await joinTeam(maker.api.database, { by: maker.ownerId, teamId: params['teamId'] ?? '', user, role: 'viewer' });
    return user;
  },
  'invitations/{invitationId}': async (maker, params) =>
    made(maker.call, `/teams/${params['teamId']}/members`, { user: await account(maker, params), role: 'viewer' }),
  'team-invitations/{invitationId}': async ({ api, ownerId, ...maker }) => {
    const by = await account({ api, ownerId, ...maker }, {});
    const { id: teamId } = await new TeamsStore(api.database).create(by, { name: 'Walk' });
    return (await new TeamInvitationsStore(api.database).invite(by, teamId, { user: ownerId, role: 'viewer' })).id;
  },
  'plugins/{name}': async ({ api }) => {
    const name = slug();
    await api.admin.query(
      `insert into plugins (id, name, version, connection_type, tool_pack_name, is_builtin, tool_contracts)
        values (gen_random_uuid(), $1, '1.0', 'api_key', $1, true, '[]')`,
      [name],
    );
    return name;
  },
};

export const PROFILE_BODIES: Record<string, Body> = {
  'POST /profiles': () => ({ handle: slug(), name: 'Walk' }),
  'POST /profiles/from-template': () => ({ template: 'nonprofit-investigator', handle: slug() }),
  'PUT /profiles/{id}': () => ({ name: 'Walked' }),
  'POST /profiles/{id}/duplicate': () => ({ handle: slug() }),
  'POST /profiles/{id}/connectors': async (maker, params) => ({ connector: await newConnector(maker, params) }),
  'PUT /profiles/{id}/connectors/{connectorId}': () => ({ is_enabled: false }),
  'POST /profiles/{id}/skills': async (maker, params) => ({
    skill_type: 'playbook',
    skill_reference: await newPlaybook(maker, params),
  }),
  'PUT /profiles/{id}/skills/{skillId}': () => ({ priority: 1 }),
  'POST /profiles/{id}/share': async (maker, params) => ({ team_id: await newTeam(maker, params) }),
  'PUT /profiles/{id}/share/{teamId}': () => ({ is_active: false }),
  'POST /teams': () => ({ name: 'Walk' }),
  'PUT /teams/{teamId}': () => ({ name: 'Walked' }),
  'POST /teams/{teamId}/members': async (maker, params) => ({ user: await account(maker, params), role: 'viewer' }),
  'PUT /teams/{teamId}/members/{userId}': () => ({ role: 'member' }),
};

/** Queries of calls that need one. */
export const PROFILE_QUERIES: Record<string, Factory> = {
  'GET /resolve-handle': async ({ call }) => {
    const handle = slug();
    await made(call, '/profiles', { handle, name: 'Walk' });
    return `?handle=${handle}`;
  },
};
