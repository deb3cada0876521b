import { createHash, createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { HmacAuth, HttpAuth } from '../../../core/connector/auth-types';
import { signedText } from '../../../connectors/auth/hmac';
import { sendJson, startHttpSource } from '../../support/http-source';
import type { HttpSource, SeenRequest } from '../../support/http-source';
import { callRest, errorOf, parameter, restEndpoint, SECRET } from '../http-definitions';

const secret = { secret: 'KEY' };
let source: HttpSource;
beforeAll(async () => {
  source = await startHttpSource(({ headers, url, body }, response) =>
    // A source that quotes everything that it was sent.
    sendJson(response, [{ headers, url, body }]),
  );
});
afterAll(() => source.close());
beforeEach(() => void source.seen.splice(0));
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const last = (): SeenRequest => source.seen.at(-1)!;

describe('what is sent, and what comes back of it', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const cases: [string, HttpAuth, string, Record<string, string>, string?][] = [
    ['api key in a header', { type: 'api_key', in: 'header', key_param: 'X-Key', secret }, SECRET, { 'x-key': SECRET }],
    [
      'api key in the query',
      { type: 'api_key', in: 'query', key_param: 'k', secret },
      SECRET,
      {},
      `/rows?k=${encodeURIComponent(SECRET)}`,
    ],
    ['bearer token', { type: 'bearer_token', secret }, SECRET, { authorization: `Bearer ${SECRET}` }],
    [
      'basic with a user name',
      { type: 'basic', username: 'ann', secret },
      'pä:ss wörd',
      { authorization: `Basic ${base64('ann:pä:ss wörd')}` },
    ],
    [
      'basic with a pair',
      { type: 'basic', secret },
      'ann:pass:word',
      { authorization: `Basic ${base64('ann:pass:word')}` },
    ],
  ];
  it.each(cases)('%s', async (_name, auth, value, headers, url = '/rows') => {
    const result = await callRest(restEndpoint(), { source, auth, deps: { secretValues: { KEY: value } } });
    expect(last()).toMatchObject({ headers, url });
    const text = JSON.stringify(result);
    expect(text).toContain('[masked]');
    for (const form of [value, encodeURIComponent(value), base64(value).slice(0, -4), value.split(':').pop()!]) {
      expect(text).not.toContain(form);
    }
  });
  it('a credential takes the place of a header of another spelling', async () => {
    const auth: HttpAuth = { type: 'api_key', in: 'header', key_param: 'X-Key', secret };
    await callRest(restEndpoint(), { source, auth, connection: { headers: { 'x-key': 'from the definition' } } });
    expect(last().headers['x-key']).toBe(SECRET);
  });
  it('goes only to hosts that the secret is for', async () => {
    const use = { source, auth: { type: 'bearer_token' as const, secret }, deps: { secretHosts: ['api.example.org'] } };
    expect(await errorOf(callRest(restEndpoint(), use))).toMatchObject({ code: 'secret_host_denied' });
    expect(source.seen).toEqual([]);
  });
  it.each([
    ['bearer_token', 'line\nbreak', 'invalid_secret'],
    ['bearer_token', '', 'invalid_secret'],
    ['basic', 'no colon', 'invalid_secret'],
    ['oauth2_client_credentials', 'no colon', 'invalid_secret'],
  ])('%s with the secret %j is refused without quoting it', async (type, value, code) => {
    const auth = { type, secret, token_url: source.url, in: 'header' } as HttpAuth;
    const error = await errorOf(callRest(restEndpoint(), { source, auth, deps: { secretValues: { KEY: value } } }));
    expect(error).toMatchObject({ code, message: expect.stringContaining('`KEY`') });
    expect(value === '' || !error.message!.includes(value)).toBe(true);
    expect(source.seen).toEqual([]);
  });
  it('stored connections say that they are not there yet', async () => {
    const auth: HttpAuth = { type: 'connection', connection: 'work' };
    expect(await errorOf(callRest(restEndpoint(), { source, auth }))).toMatchObject({ code: 'not_available' });
  });
});

describe('hmac', () => {
  const hmac = (given: Partial<HmacAuth> = {}): HmacAuth => ({
    type: 'hmac',
    algorithm: 'sha256',
    key_param: 'X-Signature',
    prefix: '',
    encoding: 'hex',
    template: '{method}\n{path}\n{query}\n{timestamp}\n{body_sha256}',
    secret,
    ...given,
  });
  /** RFC 4231, section 4.3 (test case 2). */
  const VECTORS: [HmacAuth['algorithm'], string][] = [
    ['sha256', '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'],
    [
      'sha512',
      '164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea2505549758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737',
    ],
  ];
  it.each(VECTORS)('%s gives the value of RFC 4231', async (algorithm, digest) => {
    const auth = hmac({ algorithm, template: 'what do ya want for nothing?' });
    const result = await callRest(restEndpoint(), { source, auth, deps: { secretValues: { KEY: 'Jefe' } } });
    expect(last().headers['x-signature']).toBe(digest);
    expect(JSON.stringify(result)).not.toContain(digest);
  });
  it('signs what is sent: method, path and query as written, time, body byte for byte', async () => {
    const auth = hmac({ timestamp_header: 'X-Time', prefix: 'v1=', encoding: 'base64' });
    const endpoint = restEndpoint({
      method: 'POST',
      path: '/rows/{id}',
      parameters: [parameter('id', { in: 'path' }), parameter('q'), parameter('b', { in: 'body' })],
    });
    const result = await callRest(endpoint, { source, auth, inputs: { id: 'a/b', q: 'x y', b: 'ö' } });
    const { headers, url, body } = last();
    expect(url).toBe('/rows/a%2Fb?q=x+y');
    expect(body).toBe('{"b":"ö"}');
    const signed = `POST\n/rows/a%2Fb\nq=x+y\n${String(headers['x-time'])}\n${sha256(body)}`;
    const digest = createHmac('sha256', SECRET).update(signed).digest('base64');
    expect(headers['x-signature']).toBe(`v1=${digest}`);
    expect(headers['x-time']).toMatch(/^\d{10}$/);
    expect(JSON.stringify(result)).not.toContain(digest);
  });
  it.each([
    ['{method} {path}?{query}', 'PUT /a/b?c=d&e'],
    ['{timestamp}.{body}', '17.{"x":"{path}"}'],
    ['sha256 {body_sha256}', `sha256 ${sha256('{"x":"{path}"}')}`],
    ['{unknown} {{method}}', '{unknown} {PUT}'],
  ])('the template %j', (template, expected) => {
    const request = { method: 'PUT', url: 'https://x.example/a/b?c=d&e', headers: {}, body: '{"x":"{path}"}' };
    expect(signedText(template, request, '17').toString()).toBe(expected);
  });
});
