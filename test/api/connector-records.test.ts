import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalStore } from '../../infra/db/stores/journal.store';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { TcpProxy } from '../support/tcp-proxy';
import { waitUntil } from '../support/wait-until';
import { otherDatabase, type OtherDatabase } from '../db/connector-database-fixture';
import { keyOf, startApi, type TestApi } from './api-fixture';
import { newFolder } from '../support/run-folder';

/** Records that calls of every type leave, and tests of actions and profiles: over HTTP. */
const STRANGER = '00000000-0000-4000-8000-000000000002';

let api: TestApi;
let other: OtherDatabase;
let proxy: TcpProxy;
let source: HttpSource;
let elsewhere: HttpSource;
let root: string;
beforeAll(async () => {
  root = newFolder('calls');
  await writeFile(join(root, 'one.csv'), 'name\nAnn\nBo\n');
  other = await otherDatabase();
  // All test databases are of one cluster, which no connector reads: this one does not say which it is, and has another address.
  await other.admin.query('revoke execute on function pg_catalog.pg_control_system() from public');
  proxy = await TcpProxy.start(new URL(other.superuser).host);
  const echo = () =>
    startHttpSource(({ url, headers }, response) => sendJson(response, [{ path: url, heard: headers.authorization }]));
  [source, elsewhere] = [await echo(), await echo()];
  const allow = [proxy.address, ...[source, elsewhere].map(({ port }) => `127.0.0.1:${port}`)];
  api = await startApi({ env: { AF_EGRESS_ALLOW: allow.join(','), AF_IMPORT_DIRS: root } });
}, 120_000);
afterAll(async () => {
  await api?.close();
  await Promise.all([source?.close(), elsewhere?.close(), proxy?.close()]);
  await other?.close();
  await rm(root, { recursive: true });
});

let id = '';
beforeEach(() => {
  id = `c-${randomUUID().slice(0, 8)}`;
});

async function create(definition: object): Promise<void> {
  const { status, body } = await api.call('POST', '/connectors', { source: { id, ...definition } });
  expect([status, body.problems ?? []]).toEqual([201, []]);
}
const secret = async (name: string, value: string): Promise<void> => {
  expect((await api.call('POST', '/secrets', { name, value, allowed_hosts: ['*'] })).status).toBe(201);
};
const test = (body: object) => api.call('POST', `/connectors/${id}/test`, body);

async function callsOf(count: number): Promise<Record<string, unknown>[]> {
  let all: Record<string, unknown>[] = [];
  await waitUntil(`${count} records`, async () => {
    all = (await api.call('GET', `/connectors/${id}/calls`)).body.items ?? [];
    return all.length === count;
  });
  return all;
}

describe('records and health of each type', () => {
  it('a database: where, how many rows and bytes, and the code of a failure', async () => {
    const name = `db_${id.replace('-', '_')}`;
    await secret(name, proxy.through(other.addressOf('reader')).replace('postgres:', 'postgresql:'));
    await create({
      type: 'database',
      connection: { auth: { type: 'connection_string', secret: { secret: name } } },
      endpoints: { ids: { sql: 'select id from t order by id' }, broken: { sql: 'select id from nowhere' } },
    });
    expect(await test({ endpoint: 'ids' })).toMatchObject({ status: 200, body: { ok: true, count: 2 } });
    expect(await test({ endpoint: 'broken' })).toMatchObject({ status: 400, body: { code: 'invalid_sql' } });
    const origin = `postgresql://${proxy.address}${new URL(other.superuser).pathname}`;
    expect(await callsOf(2)).toMatchObject([
      { endpoint: 'broken', outcome: 'invalid_sql', origin, method: 'QUERY' },
      { endpoint: 'ids', outcome: 'ok', origin, method: 'QUERY', items: 2, bytes: expect.any(Number) },
    ]);
    expect((await api.call('GET', `/connectors/${id}/health`)).body).toMatchObject({
      calls: 2,
      requests: 2,
      failed: 1,
      error_rate: 0.5,
      latency_p50_ms: expect.any(Number),
      last_error: { code: 'invalid_sql', endpoint: 'broken' },
      limits: [{ origin, shared: false }],
    });
  });

  it('files of a directory: bytes and items', async () => {
    await create({
      type: 'file_parser',
      connection: { source: 'directory', accepted_formats: ['csv'] },
      endpoints: { rows: { parser: 'csv', fields: [{ field: 'name', column: 'name' }] } },
    });
    expect(await test({ endpoint: 'rows', inputs: { directory: '.' } })).toMatchObject({
      body: { ok: true, count: 2 },
    });
    expect(await callsOf(1)).toMatchObject([
      { origin: 'directory', method: 'READ', outcome: 'ok', items: 2, bytes: 12 },
    ]);
    expect((await api.call('GET', `/connectors/${id}/health`)).body).toMatchObject({
      calls: 1,
      failed: 0,
      breakers: [],
    });
  });

  it('an action', async () => {
    await create({ type: 'existing_tool', connection: { tool: 'query_journal' }, endpoints: { recent: {} } });
    expect(await test({ endpoint: 'recent' })).toMatchObject({ status: 200, body: { ok: true } });
    expect(await callsOf(1)).toMatchObject([{ origin: 'action:query_journal', method: 'CALL', outcome: 'ok' }]);
    expect((await api.call('GET', `/connectors/${id}/health`)).body).toMatchObject({ calls: 1, failed: 0 });
  });
});

describe('a test of an action', () => {
  const tool = (name: string, more: object = {}) =>
    create({ type: 'existing_tool', connection: { tool: name }, endpoints: { e: more } });

  it('carries out one that computes', async () => {
    await tool('transform_data', { passthrough: false, response_mapping: { results_path: 'data' } });
    const inputs = {
      data: [{ n: 1 }, { n: 5 }],
      operations: [{ type: 'filter', field: 'n', operator: 'gt', value: 2 }],
    };
    const { status, body } = await test({ endpoint: 'e', inputs });
    expect([status, body]).toMatchObject([200, { ok: true, effect: 'none', records: [{ n: 5 }], count: 1 }]);
  });

  it('shows what one that reads gives, of the caller’s own', async () => {
    const summary = `entry ${id}`;
    const journal = new JournalStore(api.database);
    const { body: me } = await api.call('GET', '/users/me');
    await api.admin.query(
      `insert into users (id, handle, display_name) values ($1, 'stranger', 'S') on conflict do nothing`,
      [STRANGER],
    );
    for (const who of [String(me['id']), STRANGER]) {
      await journal.note(who, { summary });
    }
    await tool('query_journal');
    const { body } = await test({ endpoint: 'e', inputs: { query: summary } });
    expect(body).toMatchObject({ ok: true, count: 1, metadata: { entries: [{ summary }] } });
  });

  it.each([
    [
      'one that changes something, whatever is allowed',
      'write_journal_entry',
      { summary: 'x' },
      403,
      'action_needs_run',
    ],
    ['one that this version does not have', 'search_web', { query: 'x' }, 400, 'not_available'],
    ['inputs that do not fit', 'transform_data', { data: 1 }, 422, undefined],
  ])('refuses %s', async (_what, name, inputs, status, code) => {
    await tool(name);
    const answer = await test({ endpoint: 'e', inputs, allow_effects: true });
    expect(answer.status).toBe(status);
    if (code !== undefined) expect(answer.body.code).toBe(code);
  });

  it('says how to try what changes something', async () => {
    await tool('write_journal_entry');
    const { status, body } = await test({ endpoint: 'e', inputs: { summary: 'x' } });
    expect([status, body.code, body.detail]).toEqual([
      403,
      'action_needs_run',
      expect.stringContaining('POST /playbooks/{id}/test'),
    ]);
    expect(await api.admin.query('select 1 from journal_entries where summary = $1', ['x'])).toEqual([]);
  });
});

it('a test of an endpoint is in the audit trail, under the name of who asked for it', async () => {
  await create({
    type: 'rest_api',
    connection: { base_url: source.url },
    endpoints: { read: { path: '/read' }, late: { path: '/late', response_mapping: { results_path: 'no.such' } } },
  });
  await test({ endpoint: 'read' });
  expect(await test({ endpoint: 'late' })).toMatchObject({ body: { ok: false } });
  const trail = async (name: string) => (await api.call('GET', `/audit?object=${id}.${name}`)).body.items;
  const mine = { object_type: 'connector', means: expect.not.stringMatching('run'), actor: expect.any(String) };
  expect(await trail('read')).toMatchObject([{ ...mine, action: 'connector.called' }]);
  expect(await trail('late')).toMatchObject([{ ...mine, action: 'connector.call_failed' }]);
  const [deed] = (await api.call('GET', `/audit?object=${id}`)).body.items ?? [];
  const [call] = (await trail('read')) ?? [];
  expect(call).toMatchObject({ actor: deed?.['actor'], credential_id: deed?.['credential_id'] });
});

describe('a test as a profile uses the connector', () => {
  const names = () => ({ own: `own_${id.replace('-', '_')}`, bound: `bound_${id.replace('-', '_')}` });
  let profile = '';

  async function bound(binding: object, head: object = {}): Promise<void> {
    const { own, bound: second } = names();
    await secret(own, `value-of-${own}`);
    await secret(second, `value-of-${second}`);
    await create({
      ...head,
      type: 'rest_api',
      connection: { base_url: source.url, auth: { type: 'bearer_token', secret: { secret: own } } },
      endpoints: { read: { path: '/read' }, write: { path: '/write' } },
    });
    const made = await api.call('POST', '/profiles', { handle: `agent-${id}`, name: 'Agent' });
    expect(made.status).toBe(201);
    profile = String(made.body['id']);
    const answer = await api.call('POST', `/profiles/${profile}/connectors`, { connector: id, ...binding });
    expect(answer.status).toBe(201);
  }
  const as = (endpoint = 'read') => test({ endpoint, profile_id: profile });

  it('goes where its binding sends it, with the secret that the binding names', async () => {
    await bound({
      config_overrides: { base_url: `${elsewhere.url}/v2` },
      credentials: { token: { secret: names().bound } },
      permissions: { allowed_endpoints: ['read'] },
    });
    source.seen.length = 0;
    elsewhere.seen.length = 0;
    const { status, body } = await as();
    expect([status, body]).toMatchObject([200, { ok: true, records: [{ path: '/v2/read' }] }]);
    expect(elsewhere.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer value-of-${names().bound}`]);
    expect(JSON.stringify(body)).not.toContain('value-of-');
    expect(source.seen).toEqual([]);
    expect(await as('write')).toMatchObject({ status: 403, body: { code: 'endpoint_not_allowed' } });
    expect(await test({ endpoint: 'write' })).toMatchObject({ status: 200, body: { records: [{ path: '/write' }] } });
  });

  it('sends no secret to a place of the binding that its owner has not agreed to for that secret', async () => {
    await bound({ credentials: { token: { secret: names().bound } } });
    expect((await as()).status).toBe(200);
    // A binding that came past the API: nobody has confirmed what it says.
    await api.admin.query('update profile_connectors set config_overrides = $2 where profile_id = $1', [
      profile,
      { base_url: elsewhere.url },
    ]);
    const before = elsewhere.connections();
    expect(await as()).toMatchObject({ status: 409, body: { code: 'needs_confirmation' } });
    await api.admin.query(`update profile_connectors set config_overrides = '{}' where profile_id = $1`, [profile]);
    await api.admin.query('delete from connector_confirmations where connector = $1 and secret = $2', [
      id,
      names().bound,
    ]);
    source.seen.length = 0;
    expect(await as()).toMatchObject({ status: 409, body: { code: 'needs_confirmation' } });
    expect([elsewhere.connections(), source.seen]).toEqual([before, []]);
    expect((await test({ endpoint: 'read' })).status).toBe(200);
  });

  it('works for an imported connector whose binding its owner has confirmed, and for that alone', async () => {
    const place = { config_overrides: { base_url: elsewhere.url } };
    await bound({ ...place, credentials: { token: { secret: names().bound } } }, { imported: true });
    expect(await as()).toMatchObject({ status: 200, body: { ok: true, records: [{ path: '/read' }] } });
    expect(await test({ endpoint: 'read' })).toMatchObject({ status: 409, body: { code: 'needs_confirmation' } });
  });

  it('keeps a secret from hosts that it is not for', async () => {
    await bound({ config_overrides: { base_url: elsewhere.url } });
    await api.admin.query('update secrets set allowed_hosts = $2 where name = $1', [
      names().own,
      [`127.0.0.1:${source.port}`],
    ]);
    elsewhere.seen.length = 0;
    expect(await as()).toMatchObject({ status: 403, body: { code: 'secret_host_denied' } });
    expect(elsewhere.seen).toEqual([]);
  });

  it('is of a profile of the caller’s that uses the connector', async () => {
    await bound({});
    const at = `/profiles/${profile}/connectors`;
    const { body } = await api.call('GET', at);
    const connectorId = String(body.items?.[0]?.['connector_id']);
    await api.admin.query('update profile_connectors set is_enabled = false where profile_id = $1', [profile]);
    expect(await as()).toMatchObject({ status: 403, body: { code: 'binding_removed' } });
    await api.admin.query('delete from profile_connectors where connector_id = $1', [connectorId]);
    expect(await as()).toMatchObject({ status: 404, body: { code: 'binding_not_found' } });
    expect(await test({ endpoint: 'read', profile_id: randomUUID() })).toMatchObject({
      status: 404,
      body: { code: 'profile_not_found' },
    });
    expect((await test({ endpoint: 'read', profile_id: 'mine' })).status).toBe(400);
  });

  it('is nothing for a key that may not see the profile', async () => {
    await bound({});
    const { body } = await api.call('GET', '/users/me');
    const { body: connector } = await api.call('GET', `/connectors/${id}`);
    const key = await keyOf(api.database, String(body['id']), { objects: [String(connector['id'])] });
    const by = (more: object) =>
      api.call(
        'POST',
        `/connectors/${String(connector['id'])}/test`,
        { endpoint: 'read', ...more },
        { 'x-api-key': key },
      );
    expect((await by({})).status).toBe(200);
    expect((await by({ profile_id: profile })).status).toBe(404);
  });
});
