import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ServerResponse } from 'node:http';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { readConnector } from '../../../connectors/definition/read-connector';
import { EndpointTrials } from '../../../connectors/trial/endpoint-trials';
import type { Egress } from '../../../infra/egress/egress';
import { testEgress } from '../../support/egress';
import { sendJson, startHttpSource, type HttpSource, type SeenRequest } from '../../support/http-source';
import { connectorDeps, noAudit, servicesOf } from '../../support/connector-deps';
import type { SecretGuard } from '../../../connectors/call/secret-guard';

const OWNER = '00000000-0000-4000-8000-000000000001';
const SECRET = 'a-secret+of/ours=';
let source: HttpSource;
let egress: Egress;
let trials: EndpointTrials;
let answer: (request: SeenRequest, response: ServerResponse) => void;
beforeAll(async () => {
  source = await startHttpSource((request, response) => answer(request, response));
  egress = testEgress({ allow: [{ host: '127.0.0.1', port: source.port }] });
  const deps = connectorDeps({ egress, secretValues: { key: SECRET } });
  trials = new EndpointTrials(servicesOf(deps), deps.secrets);
});
beforeEach(() => {
  source.seen.length = 0;
  answer = (_request, response) => sendJson(response, { items: [{ id: 1, name: 'a' }, { id: 2 }] });
});
afterAll(async () => {
  await egress.close();
  await source.close();
});

const defined = (auth = '{type: none}', base = source.url): ConnectorDefinition => {
  const text = `
id: people
type: rest_api
connection: {base_url: '${base}', auth: ${auth}}
endpoints:
  find:
    path: /people
    parameters: [{name: q, type: string}]
    response_mapping: {results_path: items, fields: {id: id, name: name, gone: nowhere.at.all}}
  tell: {method: POST, path: /tell, parameters: [{name: text, type: string}], response_mapping: {results_path: items}}
  whole: {path: /whole}
`;
  const { definition, problems } = readConnector(text);
  if (definition === undefined) throw new Error(JSON.stringify(problems));
  return definition;
};
/** Guard that allows everything: places of secrets are the caller's rule, tested with them. */
const guard: SecretGuard = (secrets) => secrets;
const run = (endpoint: string, more: Partial<Parameters<EndpointTrials['run']>[0]> = {}) =>
  trials.run({
    ownerId: OWNER,
    definition: defined(),
    endpoint,
    inputs: {},
    allowEffects: false,
    guard,
    hooks: noAudit,
    ...more,
  });

describe('a test of an endpoint', () => {
  it('shows request, answer, records, schema and what is missing', async () => {
    const report = await run('find', { inputs: { q: 'x y' } });
    expect(report).toMatchObject({
      ok: true,
      effect: 'none',
      requests: 1,
      status: 200,
      count: 2,
      request: { method: 'GET', url: `${source.url}/people?q=x+y` },
      records: [
        { id: 1, name: 'a', gone: null },
        { id: 2, name: null, gone: null },
      ],
      missing: [
        { field: 'name', path: 'name', records: 1, everywhere: false },
        { field: 'gone', path: 'nowhere.at.all', records: 2, everywhere: true },
      ],
      schema: { type: 'record_set', fields: [{ name: 'id', type: 'integer' }, { name: 'name' }, { name: 'gone' }] },
    });
    expect(JSON.parse(report.excerpt ?? '')).toEqual({ items: [{ id: 1, name: 'a' }, { id: 2 }] });
    expect(report.timing.total_ms).toBeGreaterThanOrEqual(report.timing.source_ms);
  });

  it('shows 20 records and 4 KB of however much came', async () => {
    const items = Array.from({ length: 500 }, (_, id) => ({ id, text: 'x'.repeat(100) }));
    answer = (_request, response) => sendJson(response, { items });
    const report = await run('find');
    expect(report.count).toBe(500);
    expect(report.records).toHaveLength(20);
    expect(report.excerpt).toHaveLength(4096);
  });

  it.each([
    ['503', 503, 'upstream_unavailable'],
    ['401', 401, 'auth_failed'],
    ['404', 404, 'upstream_not_found'],
    ['broken JSON', 200, 'bad_response'],
  ])('says what the source reports: %s', async (_what, status, code) => {
    answer = (_request, response) => response.writeHead(status, { 'content-type': 'application/json' }).end('{"a":');
    const report = await run('find');
    expect(report).toMatchObject({ ok: false, status, excerpt: '{"a":', records: [], error: { code } });
  });

  it('never waits: a limit is an error with the time to come again', async () => {
    answer = (_request, response) => response.writeHead(429, { 'retry-after': '17' }).end();
    await expect(run('find')).rejects.toMatchObject({
      code: 'rate_limited',
      category: 'rate_limited',
      details: { retry_after: 17 },
    });
    expect(source.seen).toHaveLength(1);
  });

  it('is of an endpoint that there is, with inputs that fit', async () => {
    await expect(run('fnd')).rejects.toMatchObject({ code: 'endpoint_not_found' });
    await expect(run('__proto__')).rejects.toMatchObject({ code: 'endpoint_not_found' });
    await expect(run('find', { inputs: { z: 1 } })).rejects.toMatchObject({ code: 'invalid_input' });
    expect(source.seen).toEqual([]);
  });

  it('goes where the guard lets it', async () => {
    const definition = defined(undefined, 'http://169.254.169.254');
    await expect(run('find', { definition })).rejects.toMatchObject({ code: 'egress_denied' });
  });
});

describe('what is not shown', () => {
  it('is named; the first row is shown whole however large it is', async () => {
    const items = [{ id: 'x'.repeat(600_000) }, { id: 2 }, { id: 3 }];
    answer = (_request, response) => sendJson(response, { items });
    const report = await run('find');
    expect(report.records).toHaveLength(1);
    expect((report.records[0] as { id: string }).id).toHaveLength(600_000);
    expect(report.left_out).toEqual([{ part: 'records', shown: 1, of: 3 }]);
  });

  it('of many rows is their number', async () => {
    answer = (_request, response) => sendJson(response, { items: Array.from({ length: 30 }, (_, id) => ({ id })) });
    expect(await run('find')).toMatchObject({ count: 30, left_out: [{ part: 'records', shown: 20, of: 30 }] });
    answer = (_request, response) => sendJson(response, { items: [{ id: 1 }] });
    expect((await run('find')).left_out).toEqual([]);
  });

  it('groups of files have their fields, counts and rows, also without a row', async () => {
    const text = `
id: orders
type: file_parser
connection: {source: [url], accepted_formats: [xml]}
endpoints:
  read:
    parser: xml
    root_element: orders
    fields: [{field: customer, type: string, xpath: customer}]
    groups:
      lines: {list_element: line, carry: [customer], fields: [{field: article, type: string, xpath: "@id"}]}
      notes: {list_element: note, fields: [{field: text, type: string, xpath: "."}]}
`;
    const lines = Array.from({ length: 25 }, (_, index) => `<line id="${index}"/>`).join('');
    answer = (_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(`<orders><customer>A</customer>${lines}</orders>`);
    const { definition } = readConnector(text);
    const report = await run('read', { definition: definition!, inputs: { urls: `${source.url}/orders.xml` } });
    expect(report).toMatchObject({
      count: 1,
      groups: [
        { name: 'lines', count: 25, fields: ['file', 'file_id', 'customer', 'article'] },
        { name: 'notes', count: 0, fields: ['text'], records: [] },
      ],
      left_out: [{ part: 'groups.lines', shown: 20, of: 25 }],
    });
    expect(report.groups?.[0]?.records[0]).toMatchObject({ customer: 'A', article: '0' });
    expect(report.metadata).not.toHaveProperty('lines');
  });
});

describe('settings of CSV', () => {
  it.each<[string, string, string, object[]]>([
    ['a delimiter', 'delimiter: ";"', 'a;b\n1;2,5\n', [{ a: '1', b: '2,5' }]],
    [
      'no header',
      'header: false',
      '1,2\n3,4\n',
      [
        { 1: '1', 2: '2' },
        { 1: '3', 2: '4' },
      ],
    ],
    ['skipped lines', 'skip_lines: 2', 'Report\nof today\na,b\n1,2\n', [{ a: '1', b: '2' }]],
    ['an encoding', 'encoding: windows-1252', 'a\ncaf\u00e9\n', [{ a: 'café' }]],
    ['a line that names the delimiter', 'delimiter: ","', 'sep=;\na;b\n1;2\n', [{ a: '1', b: '2' }]],
  ])('%s', async (_name, setting, body, records) => {
    const { definition } = readConnector(
      `{id: rows, type: rest_api, connection: {base_url: "${source.url}"}, endpoints: {read: {path: /rows, response_format: csv, ${setting}}}}`,
    );
    answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/csv' }).end(Buffer.from(body, 'latin1'));
    expect(await run('read', { definition: definition! })).toMatchObject({ ok: true, records, left_out: [] });
  });
});

describe('an endpoint that may change something', () => {
  it('is called only when that is said', async () => {
    await expect(run('tell', { inputs: { text: 'hello' } })).rejects.toMatchObject({ code: 'effects_not_allowed' });
    expect(source.seen).toEqual([]);
    const report = await run('tell', { inputs: { text: 'hello' }, allowEffects: true });
    expect(report).toMatchObject({ ok: true, effect: 'unsafe', request: { method: 'POST', body: '{"text":"hello"}' } });
    expect(source.seen).toHaveLength(1);
  });
});

describe('secrets', () => {
  const auths = [
    ['in the query', `{type: api_key, in: query, key_param: key, secret: {secret: key}}`],
    ['in a header', `{type: api_key, in: header, key_param: X-Own, secret: {secret: key}}`],
    ['as a token', `{type: bearer_token, secret: {secret: key}}`],
  ] as const;
  it.each(auths)('%s are in nothing that is shown, also where the source repeats them', async (_what, auth) => {
    let sent = '';
    answer = (request, response) => {
      sent = JSON.stringify(request);
      const echo = {
        url: request.url,
        headers: request.headers,
        plain: SECRET,
        base64: Buffer.from(SECRET).toString('base64'),
      };
      sendJson(response, { items: [{ id: SECRET, name: echo }], [SECRET]: 'x'.repeat(3_990), tail: SECRET });
    };
    const report = JSON.stringify(await run('find', { definition: defined(auth) }));
    expect(sent).toMatch(/a-secret/);
    for (const form of [
      SECRET,
      encodeURIComponent(SECRET),
      Buffer.from(SECRET).toString('base64'),
      'a-secret',
      'of/ours',
      'of%2Fours',
    ]) {
      expect(report).not.toContain(form);
    }
    expect(report).toContain('[masked]');
  });

  it('that were fetched with a secret are masked too, and the request for them is not shown', async () => {
    const token = 'token-that-was-issued';
    const form = { client: '' };
    answer = (request, response) => {
      if (request.url === '/token') {
        form.client = request.headers.authorization ?? '';
        sendJson(response, { access_token: token, token_type: 'bearer', expires_in: 60 });
      } else sendJson(response, { items: [{ id: request.headers.authorization, name: token }] });
    };
    const auth = `{type: oauth2_client_credentials, token_url: '${source.url}/token', client_id: me, secret: {secret: key}}`;
    const report = await run('find', { definition: defined(auth) });
    expect(form.client).toMatch(/^Basic /);
    expect(report).toMatchObject({
      ok: true,
      requests: 1,
      request: { url: `${source.url}/people`, headers: { authorization: '[masked]' } },
      records: [{ id: 'Bearer [masked]', name: '[masked]' }],
    });
    expect(JSON.stringify(report)).not.toContain(token);
    expect(source.seen.map(({ url }) => url)).toEqual(['/token', '/people']);
  });
});

it('of one owner so many are under way at a time', async () => {
  const waiting: ServerResponse[] = [];
  answer = (_request, response) => {
    waiting.push(response);
    if (waiting.length === 4) full();
  };
  let full = (): void => undefined;
  const allArrived = new Promise<void>((done) => (full = done));
  const first = [1, 2, 3, 4].map(() => run('find'));
  await allArrived;
  await expect(run('find')).rejects.toMatchObject({ code: 'too_many_tests', category: 'rate_limited' });
  waiting.forEach((response) => sendJson(response, { items: [] }));
  expect((await Promise.all(first)).every(({ ok }) => ok)).toBe(true);
  answer = (_request, response) => sendJson(response, { items: [] });
  expect((await run('find')).ok).toBe(true);
});
