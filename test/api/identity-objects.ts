import { randomUUID } from 'node:crypto';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { APPROVAL_BODIES, APPROVAL_BODY_IDS, APPROVAL_FACTORIES } from './approval-objects';
import { PASSWORD } from './people';
import { connection, newProfile, newTeam, PROFILE_BODIES, PROFILE_FACTORIES, PROFILE_QUERIES } from './profile-objects';
import {
  account,
  CONNECTOR,
  INPUTS,
  made,
  newConnector,
  newPlaybook,
  newRun,
  noPerson,
  playbook,
  slug,
  slugOf,
  type Body,
  type BodyId,
  type Factory,
  type Maker,
} from './walk-objects';
import {
  keyedConnector,
  ROUTE_BODIES,
  ROUTE_BODY_IDS,
  ROUTE_FACTORIES,
  ROUTE_QUERIES,
  ROUTE_TEXT,
  unreachedConnector,
} from './route-objects';

async function endedRun(maker: Maker): Promise<string> {
  const runId = await newRun(maker, {});
  const store = new TransitionsStore(maker.api.database);
  await store.finish(runId, { status: 'failed', events: [], result: { small: { value: 1 } } });
  return runId;
}

async function session({ api, ownerId }: Maker): Promise<string> {
  const id = randomUUID();
  await api.admin.query(
    `insert into sessions (id, owner_id, kind, peer, expires_at) values ($1, $2, 'token', '::1', '2999-01-01Z')`,
    [id, ownerId],
  );
  return id;
}

async function document({ api, ownerId }: Maker): Promise<string> {
  const stored = await api.deps.blobs.put(ownerId, Buffer.from('text'));
  const id = randomUUID();
  await api.admin.query(
    `insert into documents (id, owner_id, name, media_type, size, sha256) values ($1, $2, $3, 'text/plain', $4, $5)`,
    [id, ownerId, `${id}.txt`, stored.size, stored.sha256],
  );
  return id;
}

/**
 * A real object for each route parameter, named by the part of the path before it. A new route needs one line here for each
 * parameter that is new.
 */
export const FACTORIES: Record<string, Factory> = {
  ...APPROVAL_FACTORIES,
  ...PROFILE_FACTORIES,
  ...ROUTE_FACTORIES,
  'playbooks/{id}': newPlaybook,
  'connectors/{id}': newConnector,
  'runs/{runId}': newRun,
  'outputs/{key}': async () => 'small',
  'documents/{documentId}': document,
  'secrets/{name}': ({ call }) =>
    made(call, '/secrets', { name: `n_${randomUUID()}`, value: 'walked value', allowed_hosts: ['a.test'] }, 'name'),
  'sessions/{sessionId}': session,
  'users/{userId}': account,
  'invites/{inviteId}': ({ call }) => made(call, '/invites', {}),
  'api-keys/{keyId}': async ({ call }, { accountId }) =>
    made(call, accountId === undefined ? '/api-keys' : `/service-accounts/${accountId}/api-keys`, { name: 'walk' }),
  'service-accounts/{accountId}': ({ call }) => made(call, '/service-accounts', { handle: slug() }),
  'actions/{name}': async () => 'transform_data',
  'keys/{keyId}': async ({ api }) => {
    const id = `old-${randomUUID().slice(0, 8)}`;
    await api.admin.query(`insert into master_keys (id, check_value) values ($1, 'x')`, [id]);
    return id;
  },
};

/** Objects that must be in another state for the call to succeed. */
export const FACTORIES_OF: Record<string, Factory> = {
  'GET /runs/{runId}/outputs/{key} runId': endedRun,
  'POST /runs/{runId}/retry runId': endedRun,
  'POST /connectors/{id}/test id': unreachedConnector,
  'POST /connectors/{id}/confirm id': keyedConnector,
};

/** Parameters that name nobody's object: what ships with the product. */
export const OF_NOBODY = ['actions/{name}', 'plugins/{name}', 'from-template/{templateId}'];

/** Bodies of calls that need one. A new route with a body needs one line here. */
export const BODIES: Record<string, Body> = {
  ...APPROVAL_BODIES,
  ...PROFILE_BODIES,
  ...ROUTE_BODIES,
  'POST /playbooks': () => ({ source: playbook(slug()) }),
  'PUT /playbooks/{id}': async ({ call }, { id }) => ({ source: playbook(await slugOf(call, `/playbooks/${id}`)) }),
  'POST /playbooks/validate': () => ({ source: playbook(slug()) }),
  'POST /connectors': () => ({ source: CONNECTOR(slug()) }),
  'PUT /connectors/{id}': async ({ call }, { id }) => ({ source: CONNECTOR(await slugOf(call, `/connectors/${id}`)) }),
  'POST /runs': async (maker, params) => ({ playbook: await newPlaybook(maker, params), inputs: INPUTS }),
  'POST /runs/{runId}/retry': () => ({ from_step: 'sort_rows' }),
  'POST /runs/{runId}/resolve': () => ({ step_path: 'sort_rows', outcome: 'done' }),
  'POST /secrets': () => ({ name: `n_${randomUUID()}`, value: 'walked value', allowed_hosts: ['a.test'] }),
  'POST /secrets/{name}/rotate': () => ({ value: 'another value' }),
  'POST /codec/decode': () => ({ payloads: [] }),
  'POST /codec/encode': () => ({ payloads: [] }),
  'POST /api-keys': () => ({ name: 'walk' }),
  'POST /service-accounts': () => ({ handle: slug() }),
  'POST /service-accounts/{accountId}/api-keys': () => ({ name: 'walk' }),
  'POST /invites': () => ({}),
  'POST /settings/import-dirs': () => ({ path: '/srv/filings' }),
  'POST /settings/import-dirs/revoke': async ({ call }) => {
    await call('POST', '/settings/import-dirs', { path: '/srv/granted' });
    return { path: '/srv/granted' };
  },
  'POST /users/{userId}/scopes': () => ({ scopes: ['macro:reader'] }),
  'POST /auth/password': () => ({ current_password: PASSWORD, password: PASSWORD }),
};

/** Queries of calls that need one. */
export const QUERIES: Record<string, Factory> = {
  ...PROFILE_QUERIES,
  'GET /runs/{runId}/tries': async () => '?step_path=sort_rows',
  'GET /people': async () => '?q=w',
  ...ROUTE_QUERIES,
};

/** Routes that answer in another form than JSON. */
export const TEXT = [...ROUTE_TEXT, 'GET /documents/{documentId}/download', 'GET /decisions/export'];

/** Routes whose call by the owner ends in another way here, and why. */
export const EXPECTED: Record<string, { status: number; why: string }> = {
  'POST /runs/{runId}/resolve': { status: 409, why: 'no worker runs, so no step waits for a person' },
  'GET /ws': { status: 426, why: 'fetch asks for no upgrade' },
  'POST /users/{userId}/anonymise': { status: 409, why: 'an account is deactivated first' },
};

/** Routes that answer somebody else by anything but 404, and why. */
export const TO_ANOTHER: Record<string, { status: number; code: string; why: string }> = {
  'POST /links/approvals/{token}/decide': {
    status: 403,
    code: 'link_of_another',
    why: 'whoever has the token sees the request, and only its person decides',
  },
};

/** Routes without a sign-in, and why each is one. */
export const OPEN: Record<string, string> = {
  'GET /auth/links/{token}': 'shows what an invite or a sign-in link is for',
  'POST /auth/links/{token}': 'signs in by the token',
  'POST /auth/login': 'signs in by the password',
  'POST /auth/refresh': 'signs in by the refresh token',
  'POST /auth/register': 'makes an account, where the settings let anybody',
  'GET /links/approvals/{token}': 'shows to whoever has the token; changes nothing',
  'POST /links/approvals/{token}':
    'decides by the token alone where the playbook says link_only; else 401 sign_in_first',
};

/** Fields of bodies that name an object: what a foreign one gives. A new field needs one line here. */
export const BODY_IDS: Record<string, BodyId | 'own' | 'form'> = {
  ...ROUTE_BODY_IDS,
  ...APPROVAL_BODY_IDS,
  'StartRunDto.playbook': { foreign: newPlaybook, route: 'POST /runs', status: 404 },
  'StartRunDto.profile_id': { foreign: newProfile, route: 'POST /runs', status: 404 },
  'StartRunDto.team_id': {
    foreign: newTeam,
    route: 'POST /runs',
    status: 404,
    beside: async (maker, params) => ({ profile_id: await newProfile(maker, params) }),
  },
  // Version of the playbook that the call names: there is none of another owner's.
  'StartRunDto.version': 'own',
  // A key reaches its owner's objects alone, whatever its list says.
  'CreateApiKeyDto.objects': 'own',
  'BindConnectorDto.connector': { foreign: newConnector, route: 'POST /profiles/{id}/connectors', status: 404 },
  'BindConnectorDto.connection_id': { foreign: connection, route: 'POST /profiles/{id}/connectors', status: 404 },
  'ConnectorBindingFieldsDto.connection_id': {
    foreign: connection,
    route: 'PUT /profiles/{id}/connectors/{connectorId}',
    status: 404,
  },
  'BindSkillDto.skill_reference': { foreign: newPlaybook, route: 'POST /profiles/{id}/skills', status: 404 },
  // People are nobody's: whom there is not is no one.
  'InviteMemberDto.user': { foreign: noPerson, route: 'POST /teams/{teamId}/members', status: 404 },
  'ShareProfileDto.team_id': { foreign: newTeam, route: 'POST /profiles/{id}/share', status: 404 },
};
