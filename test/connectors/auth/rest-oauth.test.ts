import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { OAuth2ClientCredentials } from '../../../core/connector/auth-types';
import { AccessTokens } from '../../../connectors/auth/access-tokens';
import type { Exchange } from '../../../connectors/http/exchange';
import { testEgress } from '../../support/egress';
import { sendJson, startHttpSource } from '../../support/http-source';
import type { HttpSource, SeenRequest } from '../../support/http-source';
import { callRest, errorOf, paging, restEndpoint, results, type OneCall } from '../http-definitions';
import { directTransport, unsharedTokens } from '../../support/connector-deps';

const PAIR = 'client-1:canary s3cret/+';
let source: HttpSource;
/** Next answer of the token service; undefined = it gives a new token. */
let refusal: { status: number; body: unknown } | undefined;
let life: unknown = 3600;
let issued = 0;
/** Tokens that the source accepts. */
const valid = new Set<string>();

beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    if (request.url === '/token') {
      if (refusal !== undefined) return sendJson(response, refusal.body, refusal.status);
      const token = `canary-token-${(issued += 1)}`;
      valid.add(token);
      return sendJson(response, { access_token: token, token_type: 'bearer', expires_in: life });
    }
    const token = (request.headers.authorization ?? '').replace('Bearer ', '');
    if (!valid.has(token)) return sendJson(response, { error: `${token} is over` }, 401);
    return sendJson(response, { items: [{ n: request.url, quoted: request.headers.authorization }] });
  });
});
afterAll(() => source.close());
beforeEach(() => {
  source.seen.splice(0);
  valid.clear();
  refusal = undefined;
  life = 3600;
});

const auth = (given: Partial<OAuth2ClientCredentials> = {}): OAuth2ClientCredentials => ({
  type: 'oauth2_client_credentials',
  token_url: `${source.url}/token`,
  in: 'header',
  secret: { secret: 'KEY' },
  ...given,
});
const asked = (): SeenRequest[] => source.seen.filter(({ url }) => url === '/token');
const endpoint = restEndpoint({ response_mapping: results('items') });
function call(tokens = new AccessTokens(unsharedTokens), given: Partial<OneCall> = {}, value = PAIR) {
  const { deps, ...rest } = given;
  return callRest(endpoint, {
    source,
    auth: auth(),
    ...rest,
    deps: { tokens, secretValues: { KEY: value }, ...deps },
  });
}

describe('client credentials', () => {
  it('in the header: form-encoded, then basic; a token is used until it expires', async () => {
    const tokens = new AccessTokens(unsharedTokens);
    const result = await call(tokens, { auth: auth({ scope: 'read write' }) });
    await call(tokens, { auth: auth({ scope: 'read write' }) });
    expect(asked()).toHaveLength(1);
    expect(asked()[0]).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials&scope=read+write' });
    const [client, password] = ['client-1', encodeURIComponent('canary s3cret/+')];
    expect(asked()[0]!.headers.authorization).toBe(`Basic ${Buffer.from(`${client}:${password}`).toString('base64')}`);
    expect(source.seen.at(-1)!.headers.authorization).toMatch(/^Bearer canary-token-\d+$/);
    expect(JSON.stringify(result)).toContain('Bearer [masked]');
    expect(JSON.stringify(result)).not.toContain('canary');
  });
  it('in the body, with the client in the definition', async () => {
    await call(undefined, { auth: auth({ in: 'body', client_id: 'me' }) }, 's3cret');
    expect(asked()[0]!.body).toBe('grant_type=client_credentials&client_id=me&client_secret=s3cret');
    expect(asked()[0]!.headers.authorization).toBeUndefined();
  });
  it('another scope, client, address or value of the secret is another token', async () => {
    const tokens = new AccessTokens(unsharedTokens);
    await call(tokens);
    await call(tokens, { auth: auth({ scope: 'read' }) });
    await call(tokens, {}, 'client-1:another value');
    await call(tokens, { context: { ownerId: '00000000-0000-4000-8000-000000000002' } });
    expect(asked()).toHaveLength(4);
  });
  it('belongs to the owner of the secret: all callers of a shared agent use theirs', async () => {
    const [invoker, sharer] = ['00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000003'];
    const tokens = new AccessTokens(unsharedTokens);
    const shared = { value: PAIR, allowedHosts: ['*'], version: 'v1', ownerId: sharer };
    const secrets = { resolve: () => Promise.resolve(shared) };
    await call(tokens, { context: { ownerId: invoker }, deps: { secrets } });
    await call(tokens, { context: { ownerId: sharer }, deps: { secrets } });
    expect(asked()).toHaveLength(1);
    // The invoker's own secret of the same name and version is another one.
    const own = { resolve: () => Promise.resolve({ ...shared, ownerId: invoker }) };
    await call(tokens, { context: { ownerId: invoker }, deps: { secrets: own } });
    expect(asked()).toHaveLength(2);
  });
  it('many calls at once fetch one token', async () => {
    const tokens = new AccessTokens(unsharedTokens);
    await Promise.all(Array.from({ length: 20 }, () => call(tokens)));
    expect(asked()).toHaveLength(1);
  });
  it('a token that has nearly expired, or whose life nobody knows, is fetched again in time', async () => {
    const tokens = new AccessTokens(unsharedTokens);
    life = 0.000001;
    await call(tokens);
    await call(tokens);
    expect(asked()).toHaveLength(2);
    life = undefined;
    await call(tokens);
    const before = asked().length;
    await call(tokens);
    expect(asked()).toHaveLength(before);
  });
  it('a 401 drops the token and asks once more, and only once', async () => {
    const tokens = new AccessTokens(unsharedTokens);
    await call(tokens);
    valid.clear();
    expect(await call(tokens)).toMatchObject({ count: 1 });
    expect(asked()).toHaveLength(2);
    valid.clear();
    refusal = { status: 200, body: { access_token: 'canary-never-accepted', expires_in: 60 } };
    const error = await errorOf(call(tokens));
    expect(error).toMatchObject({ code: 'auth_failed', details: { status: 401 } });
    expect(JSON.stringify(error)).not.toContain('canary');
    expect(asked()).toHaveLength(3);
  });
  it('the runtime knows which 401 is the first one, and what belongs to no answer of the source', async () => {
    const egress = testEgress({ allow: [{ host: '127.0.0.1', port: source.port }] });
    const seen: Exchange[] = [];
    const exchange = (one: Exchange) => {
      seen.push(one);
      return directTransport(egress)(one);
    };
    const tokens = new AccessTokens(unsharedTokens);
    await call(tokens, { deps: { exchange } });
    valid.clear();
    await call(tokens, { deps: { exchange } });
    await egress.close();
    expect(seen.map((one) => [new URL(one.request.url).pathname, one.refreshable ?? false])).toEqual([
      ['/token', false],
      ['/rows', true],
      ['/rows', true],
      ['/token', false],
      ['/rows', false],
    ]);
    expect(seen[0]).toMatchObject({ effect: 'idempotent', credential: { name: 'KEY' } });
    expect(seen[0]!.cache).toBeUndefined();
  });
});

describe('a token service', () => {
  it.each([
    ['refuses the client', 400, { error: 'invalid_client', hint: PAIR }, 'auth_failed'],
    ['refuses by status', 401, { error: 'x' }, 'auth_failed'],
    ['has a fault', 503, 'down', 'upstream_unavailable'],
    ['asks for something else', 400, { error: 'unsupported_grant_type' }, 'upstream_rejected'],
    ['gives no token', 200, { token: 'canary' }, 'bad_response'],
    ['gives another kind of token', 200, { access_token: 'canary-mac', token_type: 'mac' }, 'bad_response'],
    ['answers something else', 200, 'hello', 'bad_response'],
  ])('that %s (%i) ends the call before the source is asked', async (_name, status, body, code) => {
    refusal = { status, body };
    const error = await errorOf(call());
    expect(error).toMatchObject({ code });
    expect(JSON.stringify(error)).not.toMatch(/canary s3cret|canary-mac/);
    expect(source.seen.map(({ url }) => url)).toEqual(['/token']);
  });
  it('is asked only where the secret may go', async () => {
    const deps = { secretHosts: ['api.example.org'] };
    expect(await errorOf(call(undefined, { deps }))).toMatchObject({ code: 'secret_host_denied' });
    expect(source.seen).toEqual([]);
  });
  it('that fails leaves no effect in doubt: nothing was announced or sent', async () => {
    refusal = { status: 503, body: 'down' };
    const announced: string[] = [];
    const context = { beforeEffect: () => Promise.resolve(void announced.push('x')) };
    const work = callRest(restEndpoint({ method: 'POST', effect: 'unsafe' }), {
      source,
      auth: auth(),
      context,
      deps: { secretValues: { KEY: PAIR } },
    });
    expect(await errorOf(work)).toMatchObject({ code: 'upstream_unavailable' });
    expect(announced).toEqual([]);
  });
  it('a call that is cancelled while others wait for its token fails alone', async () => {
    const tokens = new AccessTokens(unsharedTokens);
    const slot = { ownerId: 'o', key: 'k' };
    const first = new AbortController();
    const second = new AbortController();
    const never = new Promise<never>((_resolve, reject) => {
      first.signal.addEventListener('abort', () => reject(first.signal.reason as Error));
    });
    const cancelled = errorOf(tokens.get(slot, () => never, first.signal));
    const waiting = tokens.get(slot, () => Promise.resolve({ value: 't', seconds: 60 }), second.signal);
    first.abort(new Error('cancelled'));
    expect(await cancelled).toMatchObject({ message: 'cancelled' });
    expect(await waiting).toMatchObject({ value: 't' });
  });
});

it('pages share the token of their call', async () => {
  const paged = restEndpoint({ pagination: paging({ type: 'page', param: 'p', max_pages: 3, results_path: 'items' }) });
  const result = await callRest(paged, { source, auth: auth(), deps: { secretValues: { KEY: PAIR } } });
  expect(result).toMatchObject({ pages: 3, stopped_by: 'max_pages' });
  expect(asked()).toHaveLength(1);
});
