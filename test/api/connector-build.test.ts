import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { af } from '../support/af';
import { sendJson, startHttpSource, type HttpSource } from '../support/http-source';
import { newFolder } from '../support/run-folder';
import { rowCounts, startApi, type TestApi } from './api-fixture';

const SECRET = 'the-secret-of-the-test';
let source: HttpSource;
let decoy: HttpSource;
let api: TestApi;
beforeAll(async () => {
  source = await startHttpSource(({ url }, response) => {
    if (url.startsWith('/limited')) response.writeHead(429, { 'retry-after': '9' }).end();
    else if (url.startsWith('/ill')) response.writeHead(500).end('ill today');
    else sendJson(response, { items: [{ id: 1, name: 'Ann' }] });
  });
  decoy = await startHttpSource((_request, response) => sendJson(response, { items: [] }));
  api = await startApi({ env: { AF_EGRESS_ALLOW: `127.0.0.1:${source.port},127.0.0.1:${decoy.port}` } });
  const kept = await api.call('POST', '/secrets', { name: 'people_key', value: SECRET, allowed_hosts: ['*'] });
  expect(kept.status).toBe(201);
  const made = await api.call('POST', '/connectors', { source: connector(source.url) });
  expect({ status: made.status, body: made.body }).toMatchObject({ status: 201 });
});
beforeEach(() => {
  source.seen.length = 0;
});
afterAll(async () => {
  await api.close();
  await Promise.all([source.close(), decoy.close()]);
});

const connector = (base_url: string, id = 'people') => ({
  id,
  type: 'rest_api',
  connection: { base_url, auth: { type: 'bearer_token', secret: { secret: 'people_key' } } },
  endpoints: {
    find: { path: '/people', response_mapping: { results_path: 'items', fields: { id: 'id', who: 'name' } } },
    tell: { method: 'POST', path: '/tell' },
    limited: { path: '/limited' },
  },
});

describe('POST /connectors/test', () => {
  it('calls an endpoint of a stored connector and of a text, and keeps nothing', async () => {
    const before = await rowCounts(api);
    const saved = await api.call('POST', '/connectors/people/test', { endpoint: 'find' });
    expect(saved).toMatchObject({ status: 200, body: { ok: true, status: 200, records: [{ id: 1, who: 'Ann' }] } });
    const given = await api.call('POST', '/connectors/test', { source: connector(source.url), endpoint: 'find' });
    expect(given).toMatchObject({ status: 200, body: { ok: true, records: [{ id: 1, who: 'Ann' }] } });
    expect(source.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${SECRET}`, `Bearer ${SECRET}`]);
    expect(JSON.stringify([saved.body, given.body])).not.toContain(SECRET);
    expect(await rowCounts(api)).toEqual(before);
  });

  it('refuses what the caller has to change, before anything leaves', async () => {
    const refused = async (path: string, body: object): Promise<unknown[]> => {
      const { status, body: problem } = await api.call('POST', path, body);
      return [status, problem.code];
    };
    expect(await refused('/connectors/people/test', { endpoint: 'tell' })).toEqual([403, 'effects_not_allowed']);
    expect(await refused('/connectors/people/test', { endpoint: 'none' })).toEqual([400, 'endpoint_not_found']);
    expect(await refused('/connectors/absent/test', { endpoint: 'find' })).toEqual([404, 'connector_not_found']);
    expect(await refused('/connectors/test', { source: 'id: x', endpoint: 'find' })).toEqual([
      422,
      'invalid_connector',
    ]);
    expect(source.seen).toEqual([]);
  });

  it('names a secret that was deleted, and sends nothing', async () => {
    await api.call('POST', '/secrets', { name: 'gone_key', value: `${SECRET}-gone`, allowed_hosts: ['*'] });
    const text = JSON.stringify(connector(source.url, 'forgetful')).replace('people_key', 'gone_key');
    await api.call('POST', '/connectors', { source: JSON.parse(text) as object });
    expect((await api.call('POST', '/connectors/forgetful/test', { endpoint: 'find' })).body['ok']).toBe(true);
    source.seen.length = 0;
    expect((await api.call('DELETE', '/secrets/gone_key', undefined, { 'if-match': '*' })).status).toBe(204);
    const { status, body } = await api.call('POST', '/connectors/forgetful/test', { endpoint: 'find' });
    expect([status, body.code, source.seen]).toEqual([404, 'secret_not_found', []]);
    expect(body.detail).toContain('"gone_key"');
  });

  it('never waits for a limit', async () => {
    // The silence that a source asks for is one for its credential: the others of this file have another.
    await api.call('POST', '/secrets', { name: 'busy_key', value: `${SECRET}-busy`, allowed_hosts: ['*'] });
    const busy = JSON.parse(JSON.stringify(connector(source.url, 'busy')).replace('people_key', 'busy_key')) as object;
    await api.call('POST', '/connectors', { source: busy });
    const limited = () => api.call('POST', '/connectors/busy/test', { endpoint: 'limited' });
    const { status, body, headers } = await limited();
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'rate_limited', '9']);
    expect(await limited()).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(source.seen).toHaveLength(1);
  });

  it('sends no secret to a changed address', async () => {
    const body = { source: connector(decoy.url), endpoint: 'find' };
    const { status, body: problem } = await api.call('POST', '/connectors/test', body);
    expect([status, problem.code]).toEqual([409, 'needs_confirmation']);
    expect(decoy.connections()).toBe(0);
  });
});

describe('a text that is not saved', () => {
  const keyed = (base_url: string, name: string): object => {
    const text = JSON.stringify(connector(base_url, 'unsaved')).replace('people_key', name);
    return { source: JSON.parse(text) as object, endpoint: 'find' };
  };
  const test = (body: object) => api.call('POST', '/connectors/test', body);

  it.each<[string, () => string[]]>([
    ['for any host', () => ['*']],
    ['for another host', () => [`127.0.0.1:${source.port}`]],
    ['for another host, or any', () => [`127.0.0.1:${source.port}`, '*']],
  ])('gets no secret that is %s', async (_what, hosts) => {
    const name = `key_${randomUUID().replaceAll('-', '')}`;
    await api.call('POST', '/secrets', { name, value: `${SECRET}-${name}`, allowed_hosts: hosts() });
    const { status, body } = await test(keyed(decoy.url, name));
    expect([status, body.code]).toEqual([409, 'needs_confirmation']);
    const said = JSON.stringify(body);
    expect(said).toMatch(/[Ss]ave the connector/);
    expect(said).toContain('allowed_hosts');
    expect(said).not.toContain(SECRET);
    expect(decoy.connections()).toBe(0);
  });

  it('gets none for an endpoint with an address of its own either', async () => {
    await api.call('POST', '/secrets', { name: 'split', value: SECRET, allowed_hosts: [`127.0.0.1:${source.port}`] });
    const auth = { type: 'bearer_token', secret: { secret: 'split' } };
    const endpoints = { find: { path: '/people' }, away: { base_url: decoy.url, path: '/people' } };
    const text = { id: 'unsaved', type: 'rest_api', connection: { base_url: source.url, auth }, endpoints };
    expect(await test({ source: text, endpoint: 'away' })).toMatchObject({ status: 409 });
    expect(decoy.connections()).toBe(0);
  });

  it('gets a secret that is for its host', async () => {
    await api.call('POST', '/secrets', { name: 'own_key', value: SECRET, allowed_hosts: [`127.0.0.1:${source.port}`] });
    expect(await test(keyed(source.url, 'own_key'))).toMatchObject({ status: 200, body: { ok: true } });
    expect(source.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${SECRET}`]);
  });

  it('needs nobody where it names no secret', async () => {
    const open = { ...connector(source.url, 'unsaved'), connection: { base_url: source.url } };
    expect(await test({ source: open, endpoint: 'find' })).toMatchObject({ status: 200, body: { ok: true } });
  });
});

it('GET /connectors/schema is the published one', async () => {
  const { status, body } = await api.call('GET', '/connectors/schema');
  const published = JSON.parse(readFileSync(join(__dirname, '../../docs/connector.schema.json'), 'utf8')) as object;
  expect([status, body]).toEqual([200, published]);
});

describe('POST /connectors/from-openapi', () => {
  const document = {
    openapi: '3.1.0',
    info: { title: 'People of the town' },
    servers: [{ url: 'https://api.example.org' }],
    paths: { '/people': { get: { operationId: 'find' }, post: {} } },
  };

  it('gives a text that can be saved', async () => {
    const before = await rowCounts(api);
    const { status, body } = await api.call('POST', '/connectors/from-openapi', { source: document });
    expect([status, body]).toEqual([
      200,
      {
        source: expect.stringContaining('id: people-of-the-town'),
        valid: true,
        operations: 2,
        endpoints: [
          { name: 'find', method: 'GET', path: '/people', operation_id: 'find' },
          { name: 'post_people', method: 'POST', path: '/people' },
        ],
        problems: [],
      },
    ]);
    expect(await rowCounts(api)).toEqual(before);
    expect((await api.call('POST', '/connectors', { source: body['source'] })).status).toBe(201);
  });

  it('names the lines of what is broken', async () => {
    const source = 'openapi: 3.0.0\npaths:\n  /a: {get: {}}\n info: x\n';
    const { status, body } = await api.call('POST', '/connectors/from-openapi', { source });
    expect([status, body.code]).toEqual([422, 'invalid_openapi']);
    expect(body.problems?.[0]).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
  });

  it.each([
    ['neither', {}, 400, 'invalid_request'],
    ['both', { source: 'a: 1', url: 'https://a.test' }, 400, 'invalid_request'],
    ['an address inside', { url: 'http://169.254.169.254/' }, 403, 'egress_denied'],
    ['a file', { url: 'file:///etc/passwd' }, 403, 'egress_denied'],
    ['a base address that is none', { source: document, base_url: 'ftp://a' }, 400, 'invalid_request'],
    ['an id that is none', { source: document, id: 'Not An Id' }, 400, 'invalid_request'],
  ])('refuses %s', async (_what, body, status, code) => {
    const answer = await api.call('POST', '/connectors/from-openapi', body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });
});

describe('POST /connectors/from-sample', () => {
  it('gives a text that reads the sample', async () => {
    const { status, body } = await api.call('POST', '/connectors/from-sample', {
      sample: JSON.stringify({ meta: {}, items: [{ Id: 1, fullName: 'Ann' }] }),
      url: `${source.url}/people?api_key=hidden-key`,
      id: 'sampled',
    });
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        valid: true,
        format: 'json',
        records: 1,
        results_path: 'items',
        fields: [
          { field: 'id', path: 'Id', type: 'integer' },
          { field: 'full_name', path: 'fullName', type: 'string' },
        ],
        problems: [{ code: 'credential_removed', severity: 'warning' }],
      },
    });
    expect(JSON.stringify(body)).not.toContain('hidden-key');
    expect(source.seen).toEqual([]);
  });

  it('says why a sample cannot be read', async () => {
    const { status, body } = await api.call('POST', '/connectors/from-sample', { sample: '{"a":\n' });
    expect([status, body.code, body.problems?.[0]?.line]).toEqual([422, 'invalid_sample', 2]);
  });
});

describe('af connectors', () => {
  const cli = (args: string[], input = '') =>
    af(['connectors', ...args], { env: { AF_URL: api.url, AF_API_KEY: api.key }, input });

  it('makes a text, checks it and tests it', async () => {
    const sample = JSON.stringify({ items: [{ id: 1, name: 'Ann' }] });
    const file = join(newFolder('af-connectors'), 'sampled.yaml');
    const made = await cli(
      ['from-sample', '-', '--id', 'by-cli', '--url', `${source.url}/people`, '--out', file],
      sample,
    );
    expect(made).toMatchObject({ code: 0, stdout: `Written to ${file}.\n` });
    expect(await cli(['validate', file])).toMatchObject({ code: 0, stdout: `${file}: valid\n` });
    const tested = await cli(['test', file, 'people']);
    expect(tested.stdout).toContain(`GET ${source.url}/people\nok: status 200, 1 record, 1 request`);
    const asJson = await cli(['test', 'people', 'find', '--json']);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: true, records: [{ id: 1, who: 'Ann' }] });
  });

  it('shows what a source says when it fails, and counts each request that left', async () => {
    const file = join(newFolder('af-ill'), 'ill.yaml');
    const endpoints = { ill: { path: '/ill' } };
    writeFileSync(
      file,
      JSON.stringify({ id: 'ill', type: 'rest_api', connection: { base_url: source.url }, endpoints }),
    );
    const { code, stdout } = await cli(['test', file, 'ill']);
    expect(source.seen.length).toBeGreaterThan(1);
    expect(stdout).toContain(`failed: status 500, 0 records, ${source.seen.length} requests`);
    expect(stdout).toContain('It said: ill today');
    expect(code).toBe(1);
  });

  it('shows the places of a secret, and confirms those that are written down', async () => {
    const imported = { ...connector(source.url, 'foreign'), imported: true };
    expect((await api.call('POST', '/connectors', { source: imported })).status).toBe(201);
    const asked = await cli(['test', 'foreign', 'find']);
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('af connectors confirm foreign')]);
    const shown = await cli(['confirm', 'foreign']);
    expect([shown.code, shown.stderr]).toEqual([2, expect.stringContaining(`--origins ${source.url}`)]);
    expect(await cli(['confirm', 'foreign', '--origins', decoy.url])).toMatchObject({ code: 1 });
    const said = `foreign may send its secret to ${source.url}.\n`;
    expect(await cli(['confirm', 'foreign', '--origins', source.url])).toMatchObject({ code: 0, stdout: said });
    expect(await cli(['test', 'foreign', 'find'])).toMatchObject({ code: 0 });
  });

  it('says on standard error what an import leaves out', async () => {
    const document = JSON.stringify({ openapi: '3.0.0', info: { title: 'T' }, paths: { '/a': { get: {} } } });
    const made = await cli(['from-openapi', '-'], document);
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('replace-me.invalid') });
    expect(made.stderr).toContain('server_missing');
    expect(await cli(['test', 'people', 'tell'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('allow_effects'),
    });
  });
});
