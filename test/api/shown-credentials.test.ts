import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors/app-error';
import { anonymousBodyProblem } from '../../src/access/anonymous-body';
import { credentialOf, refuseForgedCookie } from '../../src/access/credential';
import { identityOf, isLocal, peerOf, setIdentity, type Identity } from '../../src/access/identity';
import { namedObjects } from '../../src/access/named-objects';

/** Result of a call, or the code and field of its refusal. */
function said<T>(call: () => T): T | [string, string] {
  try {
    return call();
  } catch (error) {
    if (error instanceof AppError) return [error.code, error.category];
    throw error;
  }
}

describe('what a request shows', () => {
  const text = fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/);
  const cookies = (session: string): string => `theme=dark;  af_session=${session} ;x=y`;

  it('is a key, a token or the session of the cookie', () => {
    fc.assert(
      fc.property(text, (secret) => {
        expect(credentialOf({ 'x-api-key': secret })).toEqual({ means: 'key', secret });
        expect(credentialOf({ authorization: `Bearer ${secret}` })).toEqual({ means: 'token', secret });
        expect(credentialOf({ authorization: `bearer   ${secret}` })).toEqual({ means: 'token', secret });
        expect(credentialOf({ cookie: cookies(secret) })).toEqual({ means: 'session', secret });
      }),
    );
  });

  it('is nothing without one of them', () => {
    expect(credentialOf({})).toBeUndefined();
    expect(credentialOf({ cookie: 'not_af_session=a; af_session_old=b; af_session' })).toBeUndefined();
  });

  it('of headers goes before the cookie, which a browser sends by itself', () => {
    const cookie = cookies('c');
    expect(credentialOf({ cookie, 'x-api-key': 'k' })).toEqual({ means: 'key', secret: 'k' });
    expect(credentialOf({ cookie, authorization: 'Bearer t' })).toEqual({ means: 'token', secret: 't' });
  });

  it('counts as shown where it cannot be read: nothing else is tried', () => {
    for (const authorization of ['', 'Basic YTpi', 'Bearer', 'Bearer ', 'Bearer a b', 'x Bearer t', 'Bearer t x']) {
      expect(credentialOf({ authorization, cookie: cookies('c') })).toEqual({ means: 'token', secret: '' });
    }
    expect(credentialOf({ 'x-api-key': '', cookie: cookies('c') })).toEqual({ means: 'key', secret: '' });
    expect(credentialOf({ cookie: 'af_session=' })).toEqual({ means: 'session', secret: '' });
  });

  it('is refused where it could be two', () => {
    const refused = ['ambiguous_credentials', 'unauthenticated'];
    expect(said(() => credentialOf({ 'x-api-key': 'k', authorization: 'Bearer t' }))).toEqual(refused);
    expect(said(() => credentialOf({ cookie: 'af_session=a; af_session=b' }))).toEqual(refused);
    expect(said(() => credentialOf({ cookie: 'af_session=a; af_session=a' }))).toEqual(refused);
  });
});

describe('a cookie', () => {
  const refused = ['origin_missing', 'forbidden'];
  const page = { 'sec-fetch-site': 'same-origin' };

  it.each<[string, IncomingHttpHeaders, unknown]>([
    ['GET', {}, refused],
    ['GET', page, undefined],
    ['GET', { 'sec-fetch-site': 'cross-site' }, refused],
    ['GET', { 'sec-fetch-site': 'same-site' }, refused],
    ['POST', page, refused],
    ['HEAD', page, refused],
    ['POST', { origin: 'http://localhost' }, undefined],
    ['GET', { origin: 'http://localhost' }, undefined],
    ['', page, refused],
  ])('%s with %j', (method, headers, wanted) => {
    expect(said(() => refuseForgedCookie(method, headers))).toEqual(wanted);
  });
});

describe('a body of somebody who shows nothing', () => {
  const MOST = 64 * 1024;
  const refused = { code: 'unauthenticated', category: 'unauthenticated' };

  it('is read up to 64 KB', () => {
    expect(anonymousBodyProblem({})).toBeUndefined();
    expect(anonymousBodyProblem({ 'content-length': String(MOST) })).toBeUndefined();
    expect(anonymousBodyProblem({ 'content-length': String(MOST + 1) })).toMatchObject(refused);
  });

  it('is not begun where nobody says how long it is', () => {
    expect(anonymousBodyProblem({ 'transfer-encoding': 'chunked' })).toMatchObject(refused);
    expect(anonymousBodyProblem({ 'transfer-encoding': 'chunked', 'content-length': '1' })).toMatchObject(refused);
    expect(anonymousBodyProblem({ 'content-length': 'many' })).toMatchObject(refused);
  });

  it('may be as long as it is where somebody shows something', () => {
    const large = { 'content-length': String(10 * MOST) };
    expect(anonymousBodyProblem({ ...large, 'x-api-key': 'k' })).toBeUndefined();
    expect(anonymousBodyProblem({ 'transfer-encoding': 'chunked', authorization: 'Bearer t' })).toBeUndefined();
    expect(said(() => anonymousBodyProblem({ ...large, 'x-api-key': 'k', authorization: 'x' }))).toEqual([
      'ambiguous_credentials',
      'unauthenticated',
    ]);
  });
});

describe('where a request comes from', () => {
  type Peer = Parameters<typeof isLocal>[0];
  const from = (remoteAddress: string | undefined, headers: IncomingHttpHeaders = {}): Peer =>
    ({ headers, socket: { remoteAddress } }) as Peer;

  it('is the address at the other end of the connection, IPv4 as such', () => {
    expect(peerOf(from('::ffff:10.1.2.3'))).toBe('10.1.2.3');
    expect(peerOf(from('2001:db8::ffff:1'))).toBe('2001:db8::ffff:1');
    expect(peerOf(from('10.1.2.3', { 'x-forwarded-for': '127.0.0.1' }))).toBe('10.1.2.3');
    expect(peerOf(from(undefined))).toBe('unknown');
  });

  it('is this machine for every loopback address, and for no other', () => {
    fc.assert(
      fc.property(fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255)), ([a, b, c, d]) => {
        expect(isLocal(from(`127.${b}.${c}.${d}`))).toBe(true);
        expect(isLocal(from(`::ffff:127.${b}.${c}.${d}`))).toBe(true);
        expect(isLocal(from(`${a}.${b}.${c}.${d}`))).toBe(a === 127);
      }),
    );
    expect(isLocal(from('::1'))).toBe(true);
    for (const peer of ['::2', '', 'unknown', '127.0.0', '127.0.0.1.5', '1127.0.0.1', 'x127.0.0.1', '127.0.0.1x'])
      expect(isLocal(from(peer))).toBe(false);
    expect(isLocal(from(undefined))).toBe(false);
  });

  it('is not this machine where a proxy on it passes a request on', () => {
    for (const name of ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'])
      expect([name, isLocal(from('127.0.0.1', { [name]: '' }))]).toEqual([name, false]);
    expect(isLocal(from('127.0.0.1', { host: 'localhost', 'x-af-client': 'cli/1' }))).toBe(true);
  });

  it('is told of each request by itself', () => {
    const [one, other] = [{}, {}] as FastifyRequest[];
    const identity = { ownerId: 'o' } as Identity;
    setIdentity(one as FastifyRequest, identity);
    expect(identityOf(one as FastifyRequest)).toBe(identity);
    expect(identityOf(other as FastifyRequest)).toBeUndefined();
  });
});

describe('the objects that a request names', () => {
  const A = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const B = '1f8fad5b-d9cb-469f-a165-70867728950e';
  const C = '2f8fad5b-d9cb-469f-a165-70867728950e';
  const named = (places: { params?: unknown; body?: unknown; query?: unknown }): string[] =>
    namedObjects({ params: {}, ...places } as FastifyRequest);

  it('stand in its path, in its query beside it, and in its body', () => {
    expect(named({ params: { id: A.toUpperCase() } })).toEqual([A]);
    expect(named({ params: { id: A }, query: { run: B }, body: { folder_id: C } })).toEqual([A, C, B]);
    expect(named({ params: { id: A, stepPath: 'x' }, query: { run: [B, C], limit: '5', and: 7 } })).toEqual([A, B, C]);
  });

  it('are none where only the query has one: a filter makes no object of a list', () => {
    expect(named({ query: { run: A } })).toEqual([]);
    expect(named({ params: { slug: 'x' }, body: { run: A }, query: { run: B } })).toEqual([]);
  });

  it('of a body stand in fields of objects: other fields may hold any text', () => {
    for (const field of [
      'id',
      'run_id',
      'runId',
      'run',
      'folder',
      'parent',
      'profile',
      'team',
      'playbook',
      'connector',
    ])
      expect([field, named({ body: { [field]: A } })]).toEqual([field, [A]]);
    for (const field of ['note', 'runs', 'a_run', 'idea', 'identity', 'Idx', 'paid', 'steam', 'teams', 'playbook_text'])
      expect([field, named({ body: { [field]: A } })]).toEqual([field, []]);
    // Id-like values count one by one if any of them is an id.
    expect(named({ body: { run: A, note: B } })).toEqual([A, B]);
  });

  it('may be slugs where a field takes them', () => {
    expect(named({ body: { playbook: 'Weekly' } })).toEqual(['weekly']);
    expect(named({ body: { connector: 'sec-edgar', skill_reference: 's' } })).toEqual(['sec-edgar', 's']);
    expect(named({ body: { run: 'weekly', id: 5, playbook: 7, connector: null } })).toEqual([]);
  });

  it('are not the ids that a client chose', () => {
    expect(named({ params: { id: A, decisionId: B }, body: { decisionId: C } })).toEqual([A]);
    expect(named({ params: { decisionId: B } })).toEqual([]);
  });

  it('are none in a body that is no object', () => {
    for (const body of [undefined, null, A, 5, Buffer.from(A)]) expect(named({ body })).toEqual([]);
    expect(named({ params: { id: A }, body: Buffer.from(B), query: undefined })).toEqual([A]);
  });
});
