import { randomUUID } from 'node:crypto';
import type { ApprovalRequest } from '../../core/engine/commands';
import { TransitionsStore } from '../../infra/db/stores/transitions.store';
import { TWO_STEPS, type TestApi } from './api-fixture';
import { PASSWORD, type Call } from './people';
import { ROUTE_BODIES, ROUTE_BODY_IDS, ROUTE_FACTORIES, ROUTE_QUERIES, ROUTE_TEXT } from './route-objects';

/** Who makes the object, and with what. */
export interface Maker {
  api: TestApi;
  ownerId: string;
  call: Call;
}

type Factory = (maker: Maker, params: Record<string, string>) => Promise<string>;

export const CONNECTOR = (id: string): string => `
id: ${id}
name: Walk
type: rest_api
version: "1.0"
connection: {base_url: https://example.org}
endpoints:
  all: {path: /all, output_schema: {type: object, fields: [{name: x, type: any}]}}
`;
const playbook = (id: string): string => TWO_STEPS.replace('id: two-steps', `id: ${id}`);
const slug = (): string => `w-${randomUUID()}`;
const INPUTS = { rows: [{ size: 1 }] };

async function made(call: Call, path: string, body: unknown, field = 'id'): Promise<string> {
  const answer = await call('POST', path, body);
  if (answer.status >= 300) throw new Error(`POST ${path} gave ${answer.status}: ${JSON.stringify(answer.body)}`);
  return String(answer.body[field]);
}

const newPlaybook = ({ call }: Maker): Promise<string> => made(call, '/playbooks', { source: playbook(slug()) });

async function newRun(maker: Maker): Promise<string> {
  return made(maker.call, '/runs', { playbook: await newPlaybook(maker), inputs: INPUTS }, 'runId');
}

async function endedRun(maker: Maker): Promise<string> {
  const runId = await newRun(maker);
  const store = new TransitionsStore(maker.api.database);
  await store.finish(runId, { status: 'failed', events: [], result: { small: { value: 1 } } });
  return runId;
}

async function waitingApproval(maker: Maker): Promise<string> {
  const id = randomUUID();
  const approval: ApprovalRequest = {
    id,
    step_path: 'ask',
    step_name: 'ask',
    prompt: 'Go on?',
    status: 'waiting',
    preview: [],
    preview_total: 0,
    action: { step: 'ask', inputs: {} },
    digest: 'd'.repeat(64),
    on_reject: 'stop',
    on_timeout: 'stop',
    due_at: null,
  };
  await new TransitionsStore(maker.api.database).apply(await newRun(maker), { events: [], approvals: [approval] });
  return id;
}

async function session({ api, ownerId }: Maker): Promise<string> {
  const id = randomUUID();
  await api.admin.query(
    `insert into sessions (id, owner_id, kind, peer, expires_at) values ($1, $2, 'token', '::1', '2999-01-01Z')`,
    [id, ownerId],
  );
  return id;
}

async function account({ api }: Maker): Promise<string> {
  const id = randomUUID();
  await api.admin.query(`insert into users (id, handle, display_name) values ($1, $2, 'Walked')`, [id, slug()]);
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
  ...ROUTE_FACTORIES,
  'playbooks/{id}': newPlaybook,
  'connectors/{id}': ({ call }) => made(call, '/connectors', { source: CONNECTOR(slug()) }),
  'runs/{runId}': newRun,
  'outputs/{key}': async () => 'small',
  'approvals/{approvalId}': waitingApproval,
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

/** Where the object has to be in another state for the call to succeed. */
export const FACTORIES_OF: Record<string, Factory> = {
  'GET /runs/{runId}/outputs/{key} runId': endedRun,
  'POST /runs/{runId}/retry runId': endedRun,
};

/** Parameters that name nobody's object: what ships with the product. */
export const OF_NOBODY = ['actions/{name}'];

/** What a call sends, where it has to send something. A new route with a body needs one line here. */
export const BODIES: Record<string, (maker: Maker) => unknown> = {
  ...ROUTE_BODIES,
  'POST /playbooks': () => ({ source: playbook(slug()) }),
  'POST /playbooks/validate': () => ({ source: playbook(slug()) }),
  'POST /connectors': () => ({ source: CONNECTOR(slug()) }),
  'POST /runs': async (maker) => ({ playbook: await newPlaybook(maker), inputs: INPUTS }),
  'POST /runs/{runId}/retry': () => ({ from_step: 'sort_rows' }),
  'POST /runs/{runId}/resolve': () => ({ step_path: 'sort_rows', outcome: 'done' }),
  'POST /approvals/{approvalId}/approve': () => ({ decisionId: randomUUID(), digest: 'd'.repeat(64) }),
  'POST /approvals/{approvalId}/reject': () => ({ decisionId: randomUUID(), digest: 'd'.repeat(64) }),
  'POST /secrets': () => ({ name: `n_${randomUUID()}`, value: 'walked value', allowed_hosts: ['a.test'] }),
  'POST /secrets/{name}/rotate': () => ({ value: 'another value' }),
  'POST /codec/decode': () => ({ payloads: [] }),
  'POST /api-keys': () => ({ name: 'walk' }),
  'POST /service-accounts': () => ({ handle: slug() }),
  'POST /service-accounts/{accountId}/api-keys': () => ({ name: 'walk' }),
  'POST /invites': () => ({}),
  'POST /users/{userId}/scopes': () => ({ scopes: ['macro:reader'] }),
  'POST /auth/password': () => ({ current_password: PASSWORD, password: PASSWORD }),
};

/** What a call has to ask in its query. */
export const QUERIES: Record<string, string> = {
  ...ROUTE_QUERIES,
  'GET /runs/{runId}/tries': '?step_path=sort_rows',
};

/** Routes that answer in another form than JSON. */
export const TEXT = [...ROUTE_TEXT, 'GET /documents/{documentId}/download', 'GET /decisions/export'];

/** Routes whose call by the owner ends in another way here, and why. */
export const EXPECTED: Record<string, { status: number; why: string }> = {
  'POST /runs/{runId}/resolve': { status: 409, why: 'no worker runs, so no step waits for a person' },
  'POST /users/{userId}/anonymise': { status: 409, why: 'an account is deactivated first' },
};

/** Fields of bodies that name an object: what a foreign one gives. A new field needs one line here. */
export const BODY_IDS: Record<string, { foreign: Factory; route: string; status: number } | 'own'> = {
  ...ROUTE_BODY_IDS,
  'StartRunDto.playbook': { foreign: newPlaybook, route: 'POST /runs', status: 404 },
  // Of the playbook that the call names: there is none of another's.
  'StartRunDto.version': 'own',
  // A key reaches its owner's objects alone, whatever its list says.
  'CreateApiKeyDto.objects': 'own',
};
