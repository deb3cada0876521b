import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { waitUntil } from '../support/wait-until';
import { startApi, type TestApi } from './api-fixture';

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
  await api.call('POST', '/secrets', { name: 'state_key', value: 'a-value-to-look-for', allowed_hosts: ['*'] });
});
afterAll(async () => {
  await api.close();
  await Promise.all([source.close(), elsewhere.close()]);
});

const connector = (id: string, base_url: string): object => ({
  id,
  type: 'rest_api',
  connection: { base_url, auth: { type: 'bearer_token', secret: { secret: 'state_key' } } },
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
    expect(places).toEqual({ wanted: [elsewhere.url], known: [source.url], missing: [elsewhere.url] });

    const wrong = await api.call('POST', '/connectors/moved/confirm', { origins: [source.url] });
    expect([wrong.status, wrong.body.code]).toEqual([409, 'places_changed']);
    expect((await test('moved', 'find')).status).toBe(409);

    const right = await api.call('POST', '/connectors/moved/confirm', { origins: [elsewhere.url] });
    expect([right.status, right.body.missing]).toEqual([200, []]);
    expect(await test('moved', 'find')).toMatchObject({ status: 200, body: { ok: true } });
    expect(elsewhere.seen.at(-1)?.headers.authorization).toBe('Bearer a-value-to-look-for');
  });
});
