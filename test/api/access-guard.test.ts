import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '../../core/errors/app-error';
import { KeyRing } from '../../infra/crypto/key-ring';
import { DatabaseProbe } from '../../infra/db/probe';
import { ApiKeysStore } from '../../infra/db/stores/identity/api-keys.store';
import { CredentialsStore } from '../../infra/db/stores/identity/credentials.store';
import { SigningKeysStore } from '../../infra/db/stores/identity/signing-keys.store';
import { AccessTokens } from '../../infra/identity/access-tokens';
import { mintKey } from '../../infra/identity/local-key';
import { hashToken, PREFIXES, randomToken } from '../../infra/identity/random-token';
import { SigningKeys } from '../../infra/identity/signing-keys';
import { AccessGuard, isWrite } from '../../src/access/access.guard';
import { Authenticator } from '../../src/access/authenticator';
import { identityOf } from '../../src/access/identity';
import { Decides, Needs, Public, Authenticated } from '../../src/access/rules';
import { STRANGER, testDatabase, type TestDatabase } from '../db/db-fixture';

/** Routes by their rules; nobody calls what is behind them here. */
class Routes {
  @Public()
  open(): void {}

  @Authenticated()
  signed(): void {}

  @Decides()
  decides(): void {}

  @Needs('macro:analyst')
  needs(): void {}

  forgotten(): void {}
}

let db: TestDatabase;
let credentials: CredentialsStore;
let tokens: AccessTokens;
let probe: DatabaseProbe;
let authenticator: Authenticator;
let guard: AccessGuard;
let session: string;
let cookie: string;

beforeAll(async () => {
  db = await testDatabase();
  await db.admin.query(`update users set scopes = '{macro:analyst}' where id = $1`, [STRANGER]);
  credentials = new CredentialsStore(db.database);
  const ring = new KeyRing([{ id: 'k1', bytes: Buffer.alloc(32, 7) }]);
  tokens = new AccessTokens(new SigningKeys(new SigningKeysStore(db.database), ring));
  probe = new DatabaseProbe(db.url);
  session = randomUUID();
  cookie = randomToken(PREFIXES.session);
  const opened = { ownerId: STRANGER, client: null, peer: '10.0.0.1', seconds: 600 };
  await credentials.openSession({ ...opened, id: session, refreshHash: hashToken(randomToken(PREFIXES.refresh)) });
  await credentials.openSession({ ...opened, id: randomUUID(), secretHash: hashToken(cookie) });
});
afterAll(async () => {
  await probe.close();
  await db.close();
});
beforeEach(() => {
  authenticator = new Authenticator(credentials, tokens);
  guard = new AccessGuard(new Reflector(), authenticator, probe);
});

type Limits = Partial<Parameters<ApiKeysStore['add']>[0]>;

async function newKey(limits: Limits = {}): Promise<{ id: string; key: string }> {
  const { key, hash, prefix } = mintKey();
  const all = { scopes: null, read_only: false, may_decide: true, objects: null, expires_at: null };
  const row = { id: randomUUID(), owner_id: STRANGER, name: 'k', prefix, hash, ...all, ...limits };
  return { id: (await new ApiKeysStore(db.database).add(row)).id, key };
}

type RawRequest = { method?: string; headers?: Record<string, string>; params?: unknown; query?: unknown };

function rawOf({ method = 'GET', headers = {} }: RawRequest): IncomingMessage {
  return { method, headers, socket: { remoteAddress: '::ffff:10.0.0.9' } } as unknown as IncomingMessage;
}

/** The guard before one of the routes: true, or what it says. */
async function pass(route: keyof Routes, asked: RawRequest): Promise<unknown> {
  const raw = rawOf(asked);
  const request = { method: raw.method, raw, params: {}, ...asked };
  const context = {
    getHandler: () => Routes.prototype[route],
    getClass: () => Routes,
    switchToHttp: () => ({ getRequest: () => request }),
  } as unknown as ExecutionContext;
  const passed = await guard.canActivate(context).catch((error: unknown) => {
    if (error instanceof AppError) return `${error.category}: ${error.code}`;
    throw error;
  });
  if (passed !== true || route === 'open') expect(identityOf(request as never)).toBeUndefined();
  else expect(identityOf(request as never)).toMatchObject({ ownerId: STRANGER, actor: 'stranger' });
  return passed;
}

const withKey = async (limits: Limits = {}): Promise<Record<string, string>> => ({
  'x-api-key': (await newKey(limits)).key,
});

describe('who asks', () => {
  const ask = (headers: Record<string, string>, method = 'GET') =>
    authenticator.authenticate(rawOf({ method, headers }), true);
  const whole = {
    ownerId: STRANGER,
    actor: 'stranger',
    kind: 'person',
    scopes: ['macro:analyst'],
    via: 'api',
    readOnly: false,
    mayDecide: true,
    objects: null,
    limited: false,
    peer: '10.0.0.9',
  };

  it('is whom a key, a token or a session belongs to, with all that they have', async () => {
    const { id, key } = await newKey();
    expect(await ask({ 'x-api-key': key })).toEqual({ ...whole, means: 'key', credentialId: id, keyId: id });
    const token = await tokens.issue(STRANGER, session);
    const asked = { authorization: `Bearer ${token}`, 'x-af-client': 'cli/1' };
    expect(await ask(asked)).toEqual({ ...whole, via: 'cli', means: 'token', credentialId: session });
    const shown = { cookie: `af_session=${cookie}`, origin: 'http://localhost' };
    expect(await ask(shown)).toMatchObject({ ...whole, means: 'session' });
    const fromPage = { cookie: `af_session=${cookie}`, 'sec-fetch-site': 'same-origin' };
    expect(await ask(fromPage)).toMatchObject({ ...whole, means: 'session' });
    await expect(ask(fromPage, 'POST')).rejects.toMatchObject({ code: 'origin_missing' });
  });

  it.each<[string, Limits, object]>([
    ['scopes', { scopes: ['macro:reader', 'global:admin'] }, { scopes: ['macro:reader'], limited: true }],
    ['reading', { read_only: true }, { readOnly: true, limited: true }],
    ['not deciding', { may_decide: false }, { mayDecide: false, limited: true }],
    ['objects', { objects: [] }, { objects: [], limited: true }],
  ])('may less by a key that is limited to %s', async (_what, limits, wanted) => {
    expect(await ask(await withKey(limits))).toMatchObject(wanted);
  });

  it('is nobody by what is unknown, has ended or has another form, and a cookie says where it comes from', async () => {
    const codes = async (headers: Record<string, string>): Promise<string> =>
      ask(headers).then(
        () => 'in',
        (error: unknown) => `${(error as AppError).category}: ${(error as AppError).code}`,
      );
    const refused = 'unauthenticated: invalid_credential';
    expect(await codes({})).toBe('unauthenticated: unauthenticated');
    expect(await codes({ 'x-api-key': mintKey().key })).toBe(refused);
    expect(await codes({ 'x-api-key': cookie })).toBe(refused);
    expect(await codes(await withKey({ expires_at: '2020-01-01T00:00:00Z' }))).toBe(refused);
    expect(await codes({ authorization: 'Bearer x' })).toBe(refused);
    expect(await codes({ authorization: `Bearer ${await tokens.issue(STRANGER, randomUUID())}` })).toBe(refused);
    expect(await codes({ cookie: 'af_session=x', origin: 'http://localhost' })).toBe(refused);
    expect(await codes({ cookie: `af_session=${cookie}` })).toBe('forbidden: origin_missing');
  });

  it('is not looked up by what cannot be a key or a session', async () => {
    const byKey = jest.spyOn(credentials, 'byKey');
    const byCookie = jest.spyOn(credentials, 'byCookie');
    await ask({ 'x-api-key': cookie }).catch(() => undefined);
    await ask({ cookie: `af_session=${mintKey().key}`, origin: 'http://localhost' }).catch(() => undefined);
    expect([byKey.mock.calls, byCookie.mock.calls]).toEqual([[], []]);
    jest.restoreAllMocks();
  });
});

describe('rights of a moment ago', () => {
  const read = (key: string, fresh = false) =>
    authenticator.authenticate(rawOf({ headers: { 'x-api-key': key } }), fresh);
  const looks = (): { mock: { calls: unknown[] } } => jest.spyOn(credentials, 'byKey');
  const revoke = (id: string) => new ApiKeysStore(db.database).revoke(STRANGER, id);
  beforeEach(() => void jest.restoreAllMocks());

  it('answer reads for some seconds, and nothing that is asked afresh', async () => {
    const { id, key } = await newKey();
    const seen = looks();
    await read(key);
    await revoke(id);
    // Reads another owner's runs too, and a stream that asks again.
    await read((await newKey()).key);
    const caller = await read(key);
    expect(caller).toMatchObject({ credentialId: id });
    expect(await authenticator.stillCounts(caller)).toBe(true);
    expect(seen.mock.calls).toHaveLength(2);
    await expect(read(key, true)).rejects.toMatchObject({ code: 'invalid_credential' });
    // Rights do not come back either.
    await expect(read(key)).rejects.toMatchObject({ code: 'invalid_credential' });
  });

  it('are forgotten after five seconds, and when somebody says so', async () => {
    const { key } = await newKey();
    const seen = looks();
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now');
    for (const [at, wanted] of [
      [now, 1],
      [now + 4_999, 1],
      [now + 5_000, 2],
      [now + 9_999, 2],
    ] as const) {
      clock.mockReturnValue(at);
      await read(key);
      expect([at - now, seen.mock.calls.length]).toEqual([at - now, wanted]);
    }
    authenticator.forget();
    await read(key);
    expect(seen.mock.calls).toHaveLength(3);
  });

  it('of a token end with it', async () => {
    const token = await tokens.issue(STRANGER, session);
    const ask = () => authenticator.authenticate(rawOf({ headers: { authorization: `Bearer ${token}` } }), false);
    const end = (await tokens.read(token))?.expiresAt ?? 0;
    const seen = jest.spyOn(credentials, 'bySession');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(end - 1_000);
    await ask();
    clock.mockReturnValue(end - 1);
    await ask();
    expect(seen.mock.calls).toHaveLength(1);
    clock.mockReturnValue(end + 1);
    await ask().catch(() => undefined);
    expect(seen.mock.calls.length + Number((await tokens.read(token)) === undefined)).toBeGreaterThan(1);
  });

  it('of different means are not taken for each other', async () => {
    const { key } = await newKey();
    await read(key);
    const other = authenticator.authenticate(rawOf({ headers: { authorization: `Bearer ${key}` } }), false);
    await expect(other).rejects.toMatchObject({ code: 'invalid_credential' });
  });
});

describe('what was shown at the start of a stream', () => {
  it('counts until it is revoked, and is known by its id and end', async () => {
    const { id, key } = await newKey();
    const caller = await authenticator.authenticate(rawOf({ headers: { 'x-api-key': key } }), true);
    expect(authenticator.shownBy(caller)).toMatchObject({ credentialId: id, expiresAt: Infinity });
    expect(await authenticator.stillCounts(caller)).toBe(true);
    await new ApiKeysStore(db.database).revoke(STRANGER, id);
    authenticator.forget();
    expect(await authenticator.stillCounts(caller)).toBe(false);
  });

  it('of a token ends with the token', async () => {
    const token = await tokens.issue(STRANGER, session);
    const caller = await authenticator.authenticate(rawOf({ headers: { authorization: `Bearer ${token}` } }), true);
    const { expiresAt } = (await tokens.read(token)) ?? {};
    expect(expiresAt).toEqual(expect.any(Number));
    expect(authenticator.shownBy(caller)).toMatchObject({ credentialId: session, expiresAt });
  });

  it('is nothing for a caller that no request brought', async () => {
    const caller = { ownerId: STRANGER, actor: 'stranger', via: 'api' } as const;
    expect(authenticator.shownBy(caller)).toEqual({});
    expect(await authenticator.stillCounts(caller)).toBe(false);
  });
});

describe('the guard', () => {
  const ID = '0f8fad5b-d9cb-469f-a165-70867728950e';

  it('lets anybody into what is public, and nobody else in without a credential', async () => {
    expect(await pass('open', {})).toBe(true);
    for (const route of ['signed', 'decides', 'needs'] as const)
      expect(await pass(route, {})).toBe('unauthenticated: unauthenticated');
    await expect(pass('forgotten', { headers: await withKey() })).rejects.toThrow('Routes.forgotten has no rule');
  });

  it('asks for what the rule says', async () => {
    const [whole, silent, none] = [
      await withKey(),
      await withKey({ may_decide: false }),
      await withKey({ scopes: ['macro:reader'] }),
    ];
    for (const route of ['signed', 'decides', 'needs'] as const)
      expect(await pass(route, { headers: whole })).toBe(true);
    expect(await pass('signed', { headers: silent })).toBe(true);
    expect(await pass('decides', { headers: silent })).toBe('forbidden: key_may_not_decide');
    expect(await pass('needs', { headers: silent })).toBe(true);
    expect(await pass('signed', { headers: none })).toBe(true);
    expect(await pass('needs', { headers: none })).toBe('forbidden: scope_missing');
  });

  it('lets a key that only reads write nothing', async () => {
    const headers = await withKey({ read_only: true });
    for (const method of ['GET', 'HEAD']) expect(await pass('signed', { method, headers })).toBe(true);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      expect(isWrite(method)).toBe(true);
      expect(await pass('signed', { method, headers })).toBe('forbidden: key_read_only');
      expect(await pass('signed', { method, headers: await withKey() })).toBe(true);
    }
  });

  it('lets a key of certain objects name those alone', async () => {
    const headers = await withKey({ objects: [ID] });
    const other = randomUUID();
    expect(await pass('signed', { headers })).toBe('forbidden: key_has_objects');
    expect(await pass('signed', { headers, params: { id: ID } })).toBe(true);
    expect(await pass('signed', { headers, params: { id: other } })).toBe('not_found: object_not_found');
    expect(await pass('signed', { headers, params: { id: ID }, query: { run: other } })).toBe(
      'not_found: object_not_found',
    );
  });

  it('answers reads by rights of a moment ago, writes and all that needs more than an account by those of now', async () => {
    const freshness = async (route: keyof Routes, method: string): Promise<boolean> => {
      const { id, key } = await newKey();
      const headers = { 'x-api-key': key };
      expect(await pass('signed', { headers })).toBe(true);
      await new ApiKeysStore(db.database).revoke(STRANGER, id);
      return (await pass(route, { headers, method })) !== true;
    };
    expect(await freshness('signed', 'GET')).toBe(false);
    expect(await freshness('signed', 'POST')).toBe(true);
    expect(await freshness('decides', 'GET')).toBe(true);
    expect(await freshness('needs', 'GET')).toBe(true);
  });
});
