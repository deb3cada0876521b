import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startHttpSource } from '../../../support/http-source';
import type { Answer, HttpSource } from '../../../support/http-source';
import { callRest, errorOf, restEndpoint, results, SECRET } from '../../http-definitions';

const auth = { type: 'bearer_token' as const, secret: { secret: 'KEY' } };
let source: HttpSource;
let answer: Answer;
beforeAll(async () => {
  source = await startHttpSource((request, response) => answer(request, response));
});
afterAll(() => source.close());

const PAGE = `<!doctype html><title>Sign in</title>${'<p>no data</p>'.repeat(500)}`;

describe('a refusal', () => {
  const said = async (type: string, body: string): Promise<string> => {
    answer = (_request, response) => response.writeHead(400, { 'content-type': type }).end(body);
    return (await errorOf(callRest(restEndpoint({}), { source, auth }))).message ?? '';
  };

  it('ends with the first words of the source, on one line and without its secrets', async () => {
    const refused = /^127\.0\.0\.1:\d+ answered with status 400: the source refuses the request as it is\./;
    const words = await said('application/json', '{"error":\n  "unknown form: 990X"}');
    expect(words).toMatch(refused);
    expect(words).toContain(' It said: {"error": "unknown form: 990X"}');
    expect((await said('text/plain', 'x'.repeat(5_000))).length).toBeLessThan(450);
    expect(await said('text/plain', `key ${SECRET} is not known`)).not.toContain(SECRET);
    expect(await said('text/html', PAGE)).not.toContain('It said');
    expect(await said('text/plain', ' ')).not.toContain('It said');
  });
});

describe('F18 an answer that cannot be read is bad_response with an excerpt, never an empty result', () => {
  it.each([
    ['F18a JSON that stops before its end', 'application/json', '{"items": [{"id": 1}, {"id"', 'json'],
    ['F18a a stray comma', 'application/json', '{"items": [1,]}', 'json'],
    ['F18c a web page under a JSON type', 'application/json', PAGE, 'json'],
    ['F18d NaN', 'application/json', '{"items": [NaN]}', 'json'],
    ['F18d 100,000 levels', 'application/json', '['.repeat(100_000) + ']'.repeat(100_000), 'json'],
    ['JSON of another shape', 'application/json', '{"error": "quota"}', 'json'],
    ['results that are null', 'application/json', '{"items": null}', 'json'],
    ['bytes that are no text', 'application/json; charset=utf-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'json'],
    ['an unknown charset', 'application/json; charset=klingon', '{"items": []}', 'json'],
    ['nothing', 'application/json', '', 'json'],
    ['XML that is none', 'text/xml', '<r><row></r>', 'xml'],
    ['a web page as CSV with a broken quote', 'text/csv', 'a,b\n"1,2\n', 'csv'],
  ] as const)('%s', async (_name, type, body, format) => {
    let asked = 0;
    answer = (_request, response) => {
      asked += 1;
      response.writeHead(200, { 'content-type': type }).end(body);
    };
    const path = format === 'json' ? 'items' : format === 'xml' ? 'r/row' : undefined;
    const endpoint = restEndpoint({ response_format: format, response_mapping: results(path) });
    const error = await errorOf(callRest(endpoint, { source }));
    expect(error).toMatchObject({ code: 'bad_response', retryable: false, details: { status: 200 } });
    expect(typeof error.details!['excerpt']).toBe('string');
    expect((error.details!['excerpt'] as string).length).toBeLessThanOrEqual(2048);
    expect(asked).toBe(1);
  });
  it('F18d of duplicate keys the last one counts', async () => {
    answer = (_request, response) =>
      response.end('{"items": [{"id": 1, "id": 2}], "items": [{"id": 3}, {"id": 4, "id": 5}]}');
    const endpoint = restEndpoint({ response_mapping: results('items') });
    expect(await callRest(endpoint, { source })).toMatchObject({ results: [{ id: 3 }, { id: 5 }] });
  });
  it.each([0, 2030, 2040, 2047])('an excerpt holds no part of a secret that begins at byte %i', async (at) => {
    answer = (_request, response) => response.end(`${'x'.repeat(at)}${SECRET} and so on`);
    const error = await errorOf(callRest(restEndpoint(), { source, auth }));
    expect(error).toMatchObject({ code: 'bad_response' });
    const behind = (error.details!['excerpt'] as string).slice(at);
    expect('[masked] and so on').toContain(behind);
  });
});

describe('what a source quotes of the secret is masked before anybody sees it', () => {
  const escaped = SECRET.split('')
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
  it.each([
    ['plain', `["${SECRET}"]`],
    ['in a key', `[{"${SECRET}": 1}]`],
    ['JSON-escaped letter by letter', `["${escaped}"]`],
    ['with an escaped slash', `["${SECRET.replace('/', '\\/')}"]`],
    ['URL-encoded', `["https://x/?k=${encodeURIComponent(SECRET)}"]`],
    ['in base64', `["${Buffer.from(`user:${SECRET}`).toString('base64')}"]`],
    ['in hexadecimal', `["${Buffer.from(SECRET).toString('hex')}"]`],
  ])('%s', async (_name, body) => {
    answer = (_request, response) => response.end(body);
    const text = JSON.stringify(await callRest(restEndpoint(), { source, auth }));
    expect(text).toContain('[masked]');
    expect(text).not.toMatch(/canary|s3cret|63616e617279/);
  });
  it('as a number, where the secret is one', async () => {
    answer = (_request, response) => response.end('{"pin": 483920, "other": 4839201, "text": "483920"}');
    const result = await callRest(restEndpoint(), { source, auth, deps: { secretValues: { KEY: '483920' } } });
    expect(result).toMatchObject({ results: [{ pin: '[masked]', other: 4839201, text: '[masked]' }] });
  });
  it('in XML, CSV and text', async () => {
    for (const [format, body] of [
      ['xml', `<r><a>${SECRET}</a></r>`],
      ['csv', `a\n${SECRET}\n`],
      ['text', SECRET],
    ] as const) {
      answer = (_request, response) => response.end(body);
      const text = JSON.stringify(await callRest(restEndpoint({ response_format: format }), { source, auth }));
      expect(text).toContain('[masked]');
      expect(text).not.toContain('canary');
    }
  });
});

describe('F17 at the wire', () => {
  it('F17c a redirect loop ends with too_many_redirects', async () => {
    let asked = 0;
    answer = (request, response) => {
      asked += 1;
      response.writeHead(302, { location: request.url }).end();
    };
    expect(await errorOf(callRest(restEndpoint(), { source }))).toMatchObject({ code: 'too_many_redirects' });
    expect(asked).toBeLessThanOrEqual(25);
  });
  it('a redirect to another origin goes on without the credential', async () => {
    const other = await startHttpSource((_request, response) => response.end('[1]'));
    try {
      answer = (_request, response) => response.writeHead(302, { location: `${other.url}/rows` }).end();
      const hosts = [
        { host: '127.0.0.1', port: source.port },
        { host: '127.0.0.1', port: other.port },
      ];
      expect(await callRest(restEndpoint(), { source, auth, deps: { allow: hosts } })).toMatchObject({ count: 1 });
      expect(other.seen[0]!.headers.authorization).toBeUndefined();
    } finally {
      await other.close();
    }
  });
  it.each([
    ['more', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\nConnection: close\r\n\r\n{"items": []}'],
    ['fewer', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\n\r\n{"items": []}'],
  ])('F17d %s bytes announced than sent are no result', async (_name, raw) => {
    const server = await rawServer(raw);
    const port = (server.address() as AddressInfo).port;
    try {
      const use = { source: { ...source, url: `http://127.0.0.1:${port}`, port } };
      const error = await errorOf(callRest(restEndpoint({ response_mapping: results('items') }), use));
      expect(error.code).toMatch(/^(bad_response|upstream_unavailable)$/);
    } finally {
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

function rawServer(raw: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(raw));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

describe('an unsafe request', () => {
  const unsafe = restEndpoint({ method: 'POST', effect: 'unsafe', response_mapping: results('items') });
  const later = { 'retry-after': '7' };
  const reset = { 'x-ratelimit-reset': '7', 'ratelimit-reset': '7' };
  it.each([
    [304, {}, 'effect_outcome_unknown'],
    [408, {}, 'effect_outcome_unknown'],
    [429, {}, 'rate_limited'],
    [500, later, 'effect_outcome_unknown'],
    [501, {}, 'upstream_unavailable'],
    [502, {}, 'effect_outcome_unknown'],
    [503, later, 'upstream_unavailable'],
    [503, {}, 'effect_outcome_unknown'],
    [503, reset, 'effect_outcome_unknown'],
    [504, {}, 'effect_outcome_unknown'],
    [505, {}, 'effect_outcome_unknown'],
    [422, {}, 'upstream_rejected'],
  ])('that gets status %i with %j ends as %s', async (status, headers, code) => {
    answer = (_request, response) => response.writeHead(status, headers).end('no');
    const error = await errorOf(callRest(unsafe, { source }));
    expect(error).toMatchObject({ code });
    expect(error.message?.match(/may have taken effect/g)?.length ?? 0).toBe(code === 'effect_outcome_unknown' ? 1 : 0);
  });
  it.each([
    ['a web page', PAGE, {}],
    ['nothing at results_path', '{"other": []}', {}],
    ['an unknown charset', '{"items": []}', { 'content-type': 'application/json; charset=klingon' }],
    ['broken XML', '<r><row></r>', { 'content-type': 'text/xml' }],
  ])('that was accepted with %s for an answer is for a person to judge', async (name, body, headers) => {
    answer = (_request, response) => response.writeHead(201, headers).end(body);
    const format = name === 'broken XML' ? 'xml' : 'json';
    const error = await errorOf(callRest({ ...unsafe, response_format: format }, { source }));
    expect(error).toMatchObject({
      code: 'effect_outcome_unknown',
      retryable: false,
      details: { cause: 'bad_response', status: 201, excerpt: expect.stringContaining(body.slice(0, 10)) },
    });
    expect(await errorOf(callRest({ ...unsafe, effect: 'keyed', response_format: format }, { source }))).toMatchObject({
      code: 'bad_response',
    });
  });
  it('that may be repeated ends as what the status says', async () => {
    answer = (_request, response) => response.writeHead(503).end('no');
    expect(await errorOf(callRest({ ...unsafe, effect: 'keyed' }, { source }))).toMatchObject({
      code: 'upstream_unavailable',
      retryable: true,
    });
  });
});

describe('a step whose time is over', () => {
  it('asks nobody', async () => {
    const before = source.seen.length;
    const error = await errorOf(callRest(restEndpoint(), { source, context: { timeoutMs: 0 } }));
    expect(error).toMatchObject({ code: 'upstream_timeout', details: { not_sent: true } });
    expect(source.seen.length).toBe(before);
  });
});
