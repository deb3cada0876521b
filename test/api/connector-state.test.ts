import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { waitUntil } from '../support/wait-until';
import { startApi, type TestApi } from './api-fixture';
import { withKey } from './people';

let source: HttpSource;
let elsewhere: HttpSource;
let api: TestApi;
beforeAll(async () => {
  source = await startHttpSource(({ url }, response) => {
    if (url.startsWith('/gone')) response.writeHead(404).end('{}');
    else if (url.startsWith('/closed')) response.writeHead(403).end('{}');
    else sendJson(response, { items: [{ id: 1 }, { id: 2 }] });
  });
  elsewhere = await startHttpSource((_request, response) => sendJson(response, { items: [] }));
  api = await startApi({ env: { AF_EGRESS_ALLOW: `127.0.0.1:${source.port},127.0.0.1:${elsewhere.port}` } });
  await api.call('POST', '/secrets', { name: 'other_key', value: 'another-value', allowed_hosts: ['*'] });
  await api.call('POST', '/secrets', { name: 'state_key', value: 'a-value-to-look-for', allowed_hosts: ['*'] });
});
afterAll(async () => {
  await api.close();
  await Promise.all([source.close(), elsewhere.close()]);
});

const connector = (id: string, base_url: string, secret = 'state_key'): object => ({
  id,
  type: 'rest_api',
  connection: { base_url, auth: { type: 'bearer_token', secret: { secret } } },
  endpoints: {
    find: { path: '/find', response_mapping: { results_path: 'items', fields: { id: 'id' } } },
    gone: { path: '/gone' },
    closed: { path: '/closed' },
  },
});
const create = async (id: string, base_url = source.url): Promise<string> => {
  const { status, body } = await api.call('POST', '/connectors', { source: connector(id, base_url) });
  expect(status).toBe(201);
  return body.id as string;
};
const test = (id: string, endpoint: string) => api.call('POST', `/connectors/${id}/test`, { endpoint });

describe('calls and health', () => {
  it('list what was asked, newest first, page by page, without secrets or paths', async () => {
    const id = await create('asked');
    for (const endpoint of ['find', 'gone', 'find']) await test('asked', endpoint);
    let all: object[] = [];
    await waitUntil('the records of three calls', async () => {
      all = (await api.call('GET', `/connectors/${id}/calls`)).body.items as object[];
      return all.length === 3;
    });
    expect(all).toMatchObject([
      { endpoint: 'find', outcome: 'ok', status: 200, items: 2, origin: source.url, method: 'GET', attempt: 1 },
      { endpoint: 'gone', status: 404 },
      { endpoint: 'find', outcome: 'ok' },
    ]);
    expect(JSON.stringify(all)).not.toMatch(/a-value-to-look-for|owner_id|\/find/);
    const first = (await api.call('GET', '/connectors/asked/calls?limit=2')).body;
    expect(first.items).toEqual(all.slice(0, 2));
    const second = (await api.call('GET', `/connectors/asked/calls?limit=2&cursor=${String(first.next_cursor)}`)).body;
    expect(second.items).toEqual(all.slice(2));

    const { status, body } = await api.call('GET', '/connectors/asked/health');
    expect([status, body]).toMatchObject([
      200,
      {
        calls: 3,
        requests: 3,
        failed: 1,
        last_error: { endpoint: 'gone' },
        secret_places: { wanted: [source.url], known: [source.url], missing: [] },
      },
    ]);
    expect(body.error_rate).toBeCloseTo(1 / 3);
  });

  it('say that a source refuses the credential, until it takes it', async () => {
    await create('refused');
    expect((await test('refused', 'closed')).body).toMatchObject({ ok: false });
    const states = async () => (await api.call('GET', '/connectors/refused/health')).body.credentials as object[];
    expect(await states()).toMatchObject([{ credential: 'state_key', state: 'auth_failed', status: 403 }]);
  });

  it('of a connector that was never called are empty', async () => {
    await create('quiet');
    expect((await api.call('GET', '/connectors/quiet/calls')).body).toEqual({ items: [] });
    const { body } = await api.call('GET', '/connectors/quiet/health');
    expect(body).toMatchObject({ calls: 0, requests: 0, failed: 0, breakers: [], limits: [], credentials: [] });
    expect(body).not.toHaveProperty('error_rate');
  });
});

describe('POST /connectors/:id/confirm', () => {
  it('lets a changed connector send its secret to the places that its owner has seen, and to no others', async () => {
    await create('moved');
    const { headers } = await api.call('GET', '/connectors/moved');
    const moved = await api.call(
      'PUT',
      '/connectors/moved',
      { source: connector('moved', elsewhere.url) },
      { 'if-match': headers.get('etag') ?? '' },
    );
    expect(moved.status).toBe(200);
    expect(await test('moved', 'find')).toMatchObject({ status: 409, body: { code: 'needs_confirmation' } });
    expect(elsewhere.connections()).toBe(0);
    const places = (await api.call('GET', '/connectors/moved/health')).body.secret_places;
    expect(places).toEqual({
      secret: 'state_key',
      wanted: [elsewhere.url],
      known: [source.url],
      missing: [elsewhere.url],
    });

    const wrong = await api.call('POST', '/connectors/moved/confirm', { origins: [source.url] });
    expect([wrong.status, wrong.body.code]).toEqual([409, 'places_changed']);
    expect((await test('moved', 'find')).status).toBe(409);

    const right = await api.call('POST', '/connectors/moved/confirm', { origins: [elsewhere.url] });
    expect([right.status, right.body.missing]).toEqual([200, []]);
    expect(await test('moved', 'find')).toMatchObject({ status: 200, body: { ok: true } });
    expect(elsewhere.seen.at(-1)?.headers.authorization).toBe('Bearer a-value-to-look-for');
  });

  it('counts for one secret: another one asks anew at the same place', async () => {
    await create('two-keys');
    const second = { source: connector('two-keys', source.url, 'other_key') };
    expect((await api.call('POST', '/connectors', second)).status).toBe(201);
    source.seen.length = 0;
    expect(await test('two-keys', 'find')).toMatchObject({ status: 409, body: { code: 'needs_confirmation' } });
    expect(source.seen).toEqual([]);
    const { body } = await api.call('POST', '/connectors/two-keys/confirm', { origins: [source.url] });
    expect(body).toEqual({ secret: 'other_key', wanted: [source.url], known: [source.url], missing: [] });
    expect(await test('two-keys', 'find')).toMatchObject({ status: 200, body: { ok: true } });
    expect(source.seen.at(-1)?.headers.authorization).toBe('Bearer another-value');
  });

  it('is asked for a connector that was made from a document of somebody else', async () => {
    const document = {
      openapi: '3.0.0',
      info: { title: 'Drafted' },
      servers: [{ url: source.url }],
      security: [{ key: [] }],
      components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
      paths: { '/find': { get: { operationId: 'find', responses: {} } } },
    };
    const draft = await api.call('POST', '/connectors/from-openapi', { source: document, id: 'drafted' });
    const text = String(draft.body.source);
    expect(text).toContain('imported: true');
    const name = /secret: (\w+)/.exec(text)?.[1] ?? '';
    await api.call('POST', '/secrets', { name, value: 'a-value-for-the-draft', allowed_hosts: ['*'] });
    expect((await api.call('POST', '/connectors', { source: text })).status).toBe(201);
    source.seen.length = 0;
    expect(await test('drafted', 'find')).toMatchObject({ status: 409, body: { code: 'needs_confirmation' } });
    expect(source.seen).toEqual([]);
    await api.call('POST', '/connectors/drafted/confirm', { origins: [source.url] });
    expect(await test('drafted', 'find')).toMatchObject({ status: 200, body: { ok: true } });
  });

  it('has nothing to say where no secret is sent', async () => {
    const keyless = { ...connector('keyless', source.url), connection: { base_url: source.url } };
    await api.call('POST', '/connectors', { source: keyless });
    const { status, body } = await api.call('POST', '/connectors/keyless/confirm', { origins: [source.url] });
    expect([status, body.code]).toEqual([409, 'no_secret']);
  });
});

describe('a key with limits', () => {
  it('lets no secret go anywhere: it cannot confirm, and what it writes into a binding is saved and not agreed to', async () => {
    const id = await create('narrow');
    const made = await api.call('POST', '/profiles', { handle: 'narrow', name: 'Narrow' });
    const place = `/profiles/${String(made.body.id)}/connectors`;
    const key = await withKey(api, LOCAL_USER_ID, { may_decide: false });
    const refused = await key('POST', '/connectors/narrow/confirm', { origins: [source.url] });
    expect([refused.status, refused.body.code]).toEqual([403, 'key_is_limited']);
    const config_overrides = { base_url: elsewhere.url };
    expect((await key('POST', place, { connector: 'narrow', config_overrides })).status).toBe(201);
    const changed = await key('PUT', `${place}/${id}`, { config_overrides }, { 'if-match': '*' });
    expect([changed.status, changed.body.config_overrides]).toEqual([200, config_overrides]);
    const agreed = `select 1 from connector_confirmations where connector = 'narrow'`;
    expect(await api.admin.query(agreed)).toEqual([]);
    await api.call('PUT', `${place}/${id}`, { config_overrides }, { 'if-match': '*' });
    expect(await api.admin.query(agreed)).toHaveLength(1);
  });

  it('begins no connector whose secret would go to its first places unasked', async () => {
    const key = await withKey(api, LOCAL_USER_ID, { scopes: [] });
    const save = async (text: object): Promise<unknown> => {
      const { status, body } = await key('POST', '/connectors', { source: text });
      return [status, body.code];
    };
    const text = connector('begun', elsewhere.url);
    expect(await save(text)).toEqual([403, 'key_is_limited']);
    expect((await api.call('GET', '/connectors/begun')).status).toBe(404);

    expect(await save({ ...text, imported: true })).toEqual([201, undefined]);
    const keyless = { ...connector('begun-without', elsewhere.url), connection: { base_url: elsewhere.url } };
    expect(await save(keyless)).toEqual([201, undefined]);
    // No longer the first text: its places are as unknown as those of any other change.
    expect(await save(connector('begun-without', elsewhere.url))).toEqual([201, undefined]);
    elsewhere.seen.length = 0;
    for (const id of ['begun', 'begun-without']) {
      expect(await test(id, 'find')).toMatchObject({ status: 409, body: { code: 'needs_confirmation' } });
    }
    expect(elsewhere.seen).toEqual([]);
    await api.call('POST', '/connectors/begun/confirm', { origins: [elsewhere.url] });
    expect(await test('begun', 'find')).toMatchObject({ status: 200, body: { ok: true } });
  });
});

describe('a binding of a profile', () => {
  it('agrees to places only where they or a secret are said, and can be changed when its connector is deleted', async () => {
    const id = await create('leaving');
    const made = await api.call('POST', '/profiles', { handle: 'leaver', name: 'Leaver' });
    const place = `/profiles/${String(made.body.id)}/connectors`;
    const config_overrides = { base_url: elsewhere.url };
    await api.call('POST', place, { connector: 'leaving', config_overrides });
    const change = (fields: object) => api.call('PUT', `${place}/${id}`, fields, { 'if-match': '*' });
    const agreed = () =>
      api.admin.query(`select confirmed_at::text from connector_confirmations where connector = 'leaving'`);
    const before = await agreed();
    expect(before).toHaveLength(1);
    expect((await change({ is_enabled: false })).status).toBe(200);
    expect(await agreed()).toEqual(before);
    expect((await change({ config_overrides })).status).toBe(200);
    expect(await agreed()).not.toEqual(before);

    expect((await api.call('DELETE', '/connectors/leaving', undefined, { 'if-match': '*' })).status).toBe(204);
    const last = await agreed();
    const { status, body } = await change({ is_enabled: true, config_overrides });
    expect([status, body.is_enabled]).toEqual([200, true]);
    expect(await agreed()).toEqual(last);
  });

  it('that its owner sends elsewhere, or gives another secret, is agreed to by that, and nothing else is', async () => {
    const id = await create('bound');
    const made = await api.call('POST', '/profiles', { handle: 'binder', name: 'Binder' });
    const place = `/profiles/${String(made.body.id)}/connectors`;
    const known = async (secret: string): Promise<unknown> => {
      const rows = await api.admin.query<{ origins: string[] }>(
        `select origins from connector_confirmations where connector = 'bound' and secret = $1 order by confirmed_at`,
        [secret],
      );
      return rows.flatMap(({ origins }) => origins);
    };
    await api.call('POST', place, { connector: 'bound' });
    expect(await known('state_key')).toEqual([]);
    const change = (fields: object) => api.call('PUT', `${place}/${id}`, fields, { 'if-match': '*' });
    expect((await change({ config_overrides: { base_url: elsewhere.url } })).status).toBe(200);
    expect(await known('state_key')).toEqual([elsewhere.url]);
    await change({ credentials: { token: { secret: 'other_key' } } });
    expect(await known('other_key')).toEqual([source.url]);
    // A later text leads away: no binding has agreed to that.
    await api.call('POST', '/connectors', { source: connector('bound', 'https://later.example') });
    const credentials = { token: { secret: 'third_key' } };
    await change({ credentials });
    expect(await known('third_key')).toEqual([]);
    await change({ credentials, config_overrides: { base_url: elsewhere.url } });
    expect(await known('third_key')).toEqual([elsewhere.url]);
  });

  it('is agreed to as far as the request says it, and not by what a key with limits wrote there before', async () => {
    const id = await create('crept');
    const made = await api.call('POST', '/profiles', { handle: 'crept', name: 'Crept' });
    const place = `/profiles/${String(made.body.id)}/connectors`;
    await api.call('POST', place, { connector: 'crept' });
    const key = await withKey(api, LOCAL_USER_ID, { may_decide: false });
    const evil = { base_url: 'https://evil.example' };
    expect((await key('PUT', `${place}/${id}`, { config_overrides: evil }, { 'if-match': '*' })).status).toBe(200);
    const agreed = async (fields: object): Promise<unknown> => {
      expect((await api.call('PUT', `${place}/${id}`, fields, { 'if-match': '*' })).status).toBe(200);
      return api.admin.query(
        `select secret, origins from connector_confirmations where connector = 'crept' order by confirmed_at`,
      );
    };
    const credentials = { token: { secret: 'other_key' } };
    const own = { secret: 'other_key', origins: [source.url] };
    expect(await agreed({ credentials })).toEqual([own]);
    // Names of secrets sent there are not shown either.
    const config_overrides = { base_url: elsewhere.url };
    expect(await agreed({ config_overrides })).toEqual([own]);
    const both = { secret: 'other_key', origins: [elsewhere.url, source.url].toSorted() };
    expect(await agreed({ config_overrides, credentials })).toEqual([own, both]);
  });
});
