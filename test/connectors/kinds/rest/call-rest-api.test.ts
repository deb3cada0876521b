import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import type { ConnectorDefinition } from '../../../../core/connector/types';
import { readConnector } from '../../../../connectors/definition/read-connector';
import { sendJson, startHttpSource } from '../../../support/http-source';
import type { HttpSource } from '../../../support/http-source';
import { connectorDeps, testContext, callEndpoint, type CallContext } from '../../../support/connector-deps';
import type { EndpointResult } from '../../../../connectors/call/connector-call';

const SECRET = 'canary-s3cret/+value';
let source: HttpSource;
let definition: ConnectorDefinition;

beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://x');
    if (pathname.startsWith('/status/')) {
      const status = Number(pathname.split('/').pop());
      response
        .writeHead(status, { 'retry-after': '7' })
        .end(`failed with ${request.headers.authorization ?? ''} ${'x'.repeat(5000)}`);
    } else if (pathname === '/rows') {
      sendJson(response, {
        data: { items: [{ id: 1, who: { name: 'A' }, tags: [{ t: 'x' }, { t: 'y' }] }, { id: 2 }] },
        echo: searchParams.get('q'),
      });
    } else if (pathname === '/echo' || pathname.startsWith('/orgs/')) {
      const { authorization } = request.headers;
      sendJson(response, {
        method: request.method,
        url: request.url,
        authorization,
        key: request.headers['x-my-key'] ?? null,
        body: request.body,
        base64: Buffer.from(SECRET).toString('base64'),
      });
    } else if (pathname === '/notjson') {
      response.end('<html>oops</html>');
    } else if (pathname === '/deep') {
      response.end(`[${'['.repeat(20_000)}${']'.repeat(20_000)}]`);
    } else if (pathname === '/strange') {
      response.end(searchParams.get('q') ?? '');
    } else if (pathname === '/xml') {
      response.end('<r xmlns="urn:x"><row><n>1</n></row><row><n>2</n></row></r>');
    } else if (pathname === '/csv') {
      response.end('a,b\n1,"x, y"\n2,z\n');
    } else if (pathname === '/text') {
      response.end('plain');
    } else if (pathname === '/cut') {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{');
      setTimeout(() => response.destroy(), 20);
    } else {
      response.writeHead(200).end();
    }
  });
  const text = `
id: wire
type: rest_api
connection:
  base_url: ${source.url}/
  headers: {x-plain: fixed}
  auth: {type: bearer_token, secret: {secret: WIRE_KEY}}
  timeout_seconds: 5
endpoints:
  rows:
    path: /rows
    parameters:
      - {name: q, type: string, default: any}
      - {name: kind, type: string, enum: [a, b]}
      - {name: tag, type: array}
      - {name: since, type: date}
    response_mapping:
      results_path: data.items
      fields: {id: id, name: who.name, first_tag: "tags[0].t", tags: "tags[*].t"}
  org: {path: "/orgs/{ein}/filings.json", parameters: [{name: ein, in: path, type: string}]}
  post: {method: POST, path: /echo, parameters: [{name: a, type: integer}, {name: o, type: object}]}
  form: {method: POST, effect: keyed, path: /echo, body_format: form, parameters: [{name: a, type: string}, {name: l, type: array}]}
  put: {method: PUT, path: /echo, parameters: [{name: h, in: header, type: string}]}
  search: {method: POST, effect: none, path: /echo}
  notjson: {path: /notjson}
  deep: {path: /deep}
  strange: {path: /strange, parameters: [{name: q, type: string}]}
  empty: {path: /empty}
  cut: {path: /cut}
  wrong_path: {path: /rows, response_mapping: {results_path: nowhere.at.all}}
  post_cut: {method: POST, path: /cut}
  xml: {path: /xml, response_format: xml, response_mapping: {results_path: r/row, fields: {n: n}}}
  csv: {path: /csv, response_format: csv}
  text: {path: /text, response_format: text}
  one: {path: /rows, response_mapping: {results_path: "data.items[0]", fields: {id: id}}, output_schema: {type: object, fields: [{name: id, type: integer}]}}
  status: {path: "/status/{code}", parameters: [{name: code, in: path, type: string}]}
  post_status: {method: POST, path: "/status/{code}", parameters: [{name: code, in: path, type: string}]}
`;
  const parsed = readConnector(text);
  expect(parsed.problems).toEqual([]);
  definition = parsed.definition as ConnectorDefinition;
});
afterAll(() => source.close());

async function call(
  endpoint: string,
  inputs: JsonObject = {},
  context: Partial<CallContext> = {},
): Promise<EndpointResult> {
  const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }], secretValues: { WIRE_KEY: SECRET } });
  try {
    return await callEndpoint(deps, { definition, endpoint, inputs, context: testContext(context) });
  } finally {
    await deps.egress.close();
  }
}
const last = (): (typeof source.seen)[number] => source.seen.at(-1)!;

describe('requests', () => {
  it('maps records by dot paths, missing fields are null', async () => {
    const result = await call('rows', { q: 'x y&z', tag: ['1', '2'], kind: 'a' });
    expect(result).toEqual({
      results: [
        { id: 1, name: 'A', first_tag: 'x', tags: ['x', 'y'] },
        { id: 2, name: null, first_tag: null, tags: null },
      ],
      count: 2,
      status: 200,
      missing: { first_tag: 1, name: 1, tags: 1 },
    });
    expect(last().url).toBe('/rows?q=x+y%26z&kind=a&tag=1&tag=2');
    expect(last().headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'x-plain': 'fixed' });
    expect(last().headers['idempotency-key']).toBeUndefined();
  });
  it('uses defaults and refuses what does not fit, all at once, before anything is sent', async () => {
    await call('rows');
    expect(last().url).toBe('/rows?q=any');
    const before = source.seen.length;
    await expect(call('rows', { kind: 'c', since: 'yesterday', other: 1 })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/`kind` must be one of.*`since` must be of type date.*`other` is no parameter/),
    });
    await expect(call('rows', { q: { $gt: '' } })).rejects.toMatchObject({ code: 'invalid_input' });
    await expect(call('org')).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('`ein` is missing'),
    });
    expect(source.seen.length).toBe(before);
  });
  it.each(['a/b', '../admin', '%2e%2e%2f', '?x=1', '#f', 'http://evil/', 'a b'])(
    'H08: the path parameter %j stays one segment',
    async (ein) => {
      await call('org', { ein });
      expect(last().url).toBe(`/orgs/${encodeURIComponent(ein)}/filings.json`);
    },
  );
  it.each(['..', '.', '', 'a\0b'])('H08: the path parameter %j is refused', async (ein) => {
    await expect(call('org', { ein })).rejects.toMatchObject({ code: 'invalid_input' });
  });
  it('H07: a header parameter cannot start a second header', async () => {
    await expect(call('put', { h: 'a\r\nx-evil: 1' })).rejects.toMatchObject({ code: 'invalid_input' });
  });
});

describe('effects', () => {
  it('announce themselves and carry the effect key; a search by POST does not', async () => {
    const announced: string[] = [];
    const context = {
      beforeEffect: (target: { description: string; effect: string }): Promise<void> =>
        Promise.resolve(void announced.push(`${target.effect} ${target.description}`)),
    };
    await call('post', { a: 1, o: { x: [1] } }, context);
    expect(last()).toMatchObject({ method: 'POST', body: '{"a":1,"o":{"x":[1]}}' });
    expect(last().headers['idempotency-key']).toBe('run/step');
    await call('form', { a: 'b c', l: ['1', '2'] }, context);
    expect(last().body).toBe('a=b+c&l=1&l=2');
    await call('put', { h: 'v' }, context);
    await call('search', {}, context);
    expect(last().headers['idempotency-key']).toBeUndefined();
    const host = `127.0.0.1:${source.port}`;
    expect(announced).toEqual([
      `unsafe wire.post: POST ${host}`,
      `keyed wire.form: POST ${host}`,
      `idempotent wire.put: PUT ${host}`,
    ]);
  });
  it('nothing is sent when the attempt is refused', async () => {
    const before = source.seen.length;
    const refused = new Error('effect_outcome_unknown');
    await expect(call('post', {}, { beforeEffect: () => Promise.reject(refused) })).rejects.toBe(refused);
    expect(source.seen.length).toBe(before);
  });
  it('an unsafe request without an answer has an unknown outcome; others are simply unavailable', async () => {
    await expect(call('post_cut')).rejects.toMatchObject({ code: 'effect_outcome_unknown' });
    await expect(call('cut')).rejects.toMatchObject({ code: 'bad_response', retryable: true });
  });
});

describe('answers', () => {
  it('as XML, CSV, text and a single object', async () => {
    expect(await call('xml')).toEqual({ results: [{ n: '1' }, { n: '2' }], count: 2, status: 200 });
    expect(await call('csv')).toEqual({
      results: [
        { a: '1', b: 'x, y' },
        { a: '2', b: 'z' },
      ],
      count: 2,
      status: 200,
    });
    expect(await call('text')).toEqual({ results: [{ text: 'plain' }], count: 1, status: 200 });
    expect(await call('one')).toEqual({ id: 1, results: [{ id: 1 }], count: 1, status: 200 });
  });
  it('that cannot be read are bad_response with an excerpt, never an empty result', async () => {
    await expect(call('notjson')).rejects.toMatchObject({
      code: 'bad_response',
      details: { excerpt: '<html>oops</html>', status: 200 },
    });
    await expect(call('deep')).rejects.toMatchObject({ code: 'bad_response' });
    await expect(call('empty')).rejects.toMatchObject({ code: 'bad_response' });
    await expect(call('wrong_path')).rejects.toMatchObject({
      code: 'bad_response',
      message: expect.stringContaining('nowhere.at.all'),
    });
  });
  it('F18d: of duplicate keys the last one counts; 1e400 stays its text; NaN, what is no JSON, and depth are bad_response', async () => {
    expect(await call('strange', { q: '[{"a": 1, "a": 2}]' })).toMatchObject({ results: [{ a: 2 }] });
    for (const q of ['[{"a": NaN}]', '[{"a": 1', '[1,]']) {
      await expect(call('strange', { q })).rejects.toMatchObject({ code: 'bad_response' });
    }
    await expect(call('deep')).rejects.toMatchObject({ code: 'bad_response' });
    expect(await call('strange', { q: '[{"a": 1e400}]' })).toMatchObject({ results: [{ a: '1e400' }] });
  });
  it.each([
    ['401', 'auth_failed', false],
    ['403', 'auth_failed', false],
    ['404', 'upstream_not_found', false],
    ['422', 'upstream_rejected', false],
    ['429', 'rate_limited', true],
    ['500', 'upstream_unavailable', true],
    ['503', 'upstream_unavailable', true],
  ])('status %s is %s', async (status, code, retryable) => {
    const error = (await call('status', { code: status }).catch((caught: unknown) => caught)) as {
      details: JsonObject;
    };
    expect(error).toMatchObject({
      code,
      retryable,
      details: { status: Number(status), retry_after: 7, retry_after_ms: 7000 },
    });
    expect((error.details['excerpt'] as string).length).toBeLessThanOrEqual(2048);
    expect(JSON.stringify(error)).not.toContain(SECRET);
    expect(error.details['excerpt'] as string).toContain('Bearer [masked]');
  });
  it('never contain the secret of the call', async () => {
    const text = JSON.stringify(await call('org', { ein: '1' }));
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 20));
    expect(text).toContain('Bearer [masked]');
  });
});

describe('api keys', () => {
  it.each([
    ['header', 'x-my-key', '/echo'],
    ['query', 'api_key', `/echo?api_key=${encodeURIComponent(SECRET)}`],
  ])('in the %s', async (place, key, url) => {
    const parsed = readConnector(
      `{id: k, type: rest_api, connection: {base_url: "${source.url}", auth: {type: api_key, in: ${place}, key_param: ${key}, env_var: WIRE_KEY}}, endpoints: {e: {path: /echo}}}`,
    );
    definition = parsed.definition as ConnectorDefinition;
    const result = await call('e');
    expect(last().url).toBe(url);
    expect(last().headers['x-my-key']).toBe(place === 'header' ? SECRET : undefined);
    expect(JSON.stringify(result)).not.toContain('canary');
  });
});
