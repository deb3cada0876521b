import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac, randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { SigningKeysStore } from '../../infra/db/stores/identity/signing-keys.store';
import { SigningKeys } from '../../infra/identity/signing-keys';
import { openKeys } from '../../infra/secrets/open-vault';
import { SignJWT } from 'jose';
import { TEST_MASTER_KEYS } from '../support/keys';
import { startApi, type Answer, type TestApi } from './api-fixture';
import { anonymous, caller, PASSWORD, personOf, register, signIn, withKey } from './people';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const said = ({ status, body }: Answer) => [status, body.code];
const show = (headers: Record<string, string>): Promise<Answer> => caller(api, headers)('GET', '/users/me');

describe('an account', () => {
  it('registers, signs in, renews, says who it is, and signs out', async () => {
    const person = await register(api, 'rosalind');
    const me = await person.call('GET', '/users/me');
    expect(me.body).toMatchObject({
      id: person.id,
      handle: 'rosalind',
      kind: 'person',
      scopes: [],
      credential: { means: 'token', read_only: false, may_decide: true },
    });
    const again = await anonymous(api)('POST', '/auth/register', { handle: 'rosalind', password: PASSWORD });
    expect(said(again)).toEqual([409, 'handle_taken']);
    const second = await signIn(api, person);
    const sessions = await second.call('GET', '/users/me/sessions');
    expect(sessions.body.items?.map((session) => session['current'])).toEqual([true, false]);
    expect((await second.call('POST', '/auth/logout')).status).toBe(204);
    expect(said(await second.call('GET', '/users/me'))).toEqual([401, 'invalid_credential']);
    expect((await person.call('GET', '/users/me')).status).toBe(200);
  });

  it('finds the catalogue, and what it changes there is its own', async () => {
    const stocked = await startApi({ databaseUrl: api.databaseUrl, withCatalogue: true });
    const [ann, bea] = [await register(stocked), await register(stocked)];
    const [hers, theirs] = await Promise.all([ann, bea].map((who) => who.call('GET', '/playbooks')));
    const names = (answer?: Answer): unknown[] => answer?.body.items?.map((item) => item['slug']) ?? [];
    expect(names(hers)).toContain('nonprofit-filing-review');
    expect(names(theirs)).toEqual(names(hers));
    const ids = hers?.body.items?.map((item) => item['id']);
    expect(theirs?.body.items?.filter((item) => ids?.includes(item['id']))).toEqual([]);
    await stocked.close();
  });

  it.each([
    ['a short password', { password: 'short' }],
    ['a handle with capitals', { handle: 'Rosalind' }],
    ['a name of two lines (K04)', { display_name: 'a\r\n{"level":"fatal"}' }],
    ['a name with an escape sequence (K04)', { display_name: '\u001b[31mred' }],
    ['scopes of its own', { scopes: ['global:admin'] }],
  ])('is refused with %s', async (_what, more) => {
    const body = { handle: `x${Date.now()}`, password: PASSWORD, ...more };
    expect(said(await anonymous(api)('POST', '/auth/register', body))).toEqual([400, 'invalid_request']);
  });

  it('changes its password with the old one alone, which ends its other sessions', async () => {
    const person = await register(api);
    const other = await signIn(api, person);
    const next = { current_password: PASSWORD, password: `${PASSWORD} 2` };
    const wrong = await person.call('POST', '/auth/password', { ...next, current_password: 'something else' });
    expect(said(wrong)).toEqual([401, 'wrong_credentials']);
    const byKey = await withKey(api, person.id);
    expect(said(await byKey('POST', '/auth/password', next))).toEqual([403, 'session_required']);
    expect((await person.call('POST', '/auth/password', next)).status).toBe(204);
    expect((await person.call('GET', '/users/me')).status).toBe(200);
    expect(said(await other.call('POST', '/auth/logout'))).toEqual([401, 'invalid_credential']);
    await expect(signIn(api, person)).rejects.toThrow(/wrong_credentials/);
    await signIn(api, person, next.password);
  });

  it('is throttled after ten wrong passwords, for the right one too, and says nothing of who exists', async () => {
    const { handle } = await register(api);
    const attempt = (password: string, name = handle) =>
      anonymous(api)('POST', '/auth/login', { handle: name, password });
    const nobody = await attempt(PASSWORD, 'nobody-of-that-name');
    for (let tries = 0; tries < 10; tries += 1) {
      const wrong = await attempt('something else');
      expect({ ...wrong.body, request_id: 0 }).toEqual({ ...nobody.body, request_id: 0 });
    }
    const answer = await attempt(PASSWORD);
    expect(said(answer)).toEqual([429, 'too_many_attempts']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    // The address of a header is not the peer's: nobody gets round with another one, or locks another out.
    const forwarded = await anonymous(api)(
      'POST',
      '/auth/login',
      { handle, password: PASSWORD },
      { 'x-forwarded-for': '9.9.9.9' },
    );
    expect(forwarded.status).toBe(429);
    await api.admin.query(`delete from login_attempts where account = $1`, [handle]);
    expect((await attempt(PASSWORD)).status).toBe(200);
  });
});

describe('refresh tokens', () => {
  const refresh = (refresh_token: string) => anonymous(api)('POST', '/auth/refresh', { refresh_token });

  it('are good for one use, and ten seconds more for another tab', async () => {
    const { tokens } = await register(api);
    const [one, two] = await Promise.all([refresh(tokens.refresh_token), refresh(tokens.refresh_token)]);
    expect([one.status, two.status]).toEqual([200, 200]);
    expect(one.body['refresh_token']).not.toBe(two.body['refresh_token']);
    expect((await personOf(api, one.body as never).call('GET', '/users/me')).status).toBe(200);
  });

  it('used again later end the whole family', async () => {
    const { tokens, headers } = await register(api);
    const next = await refresh(tokens.refresh_token);
    await api.admin.query(
      `update refresh_tokens set used_at = used_at - interval '11 seconds' where used_at is not null`,
    );
    expect(said(await refresh(tokens.refresh_token))).toEqual([401, 'invalid_refresh_token']);
    expect(said(await refresh(String(next.body['refresh_token'])))).toEqual([401, 'invalid_refresh_token']);
    expect(said(await show(headers))).toEqual([401, 'invalid_credential']);
  });

  it('are no access tokens, and access tokens do not refresh (A04)', async () => {
    const { tokens } = await register(api);
    expect(said(await show({ authorization: `Bearer ${tokens.refresh_token}` }))[0]).toBe(401);
    expect(said(await show({ 'x-api-key': tokens.refresh_token }))[0]).toBe(401);
    expect(said(await refresh(tokens.access_token))).toEqual([400, 'invalid_request']);
  });
});

describe('access tokens', () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('without a signature, or signed by another means, are none (A01)', async () => {
    const { tokens } = await register(api);
    const [head = '', claims = '', signature = ''] = tokens.access_token.split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    const [row] = await api.admin.query<{ public_key: string }>('select public_key from signing_keys where kid = $1', [
      kid,
    ]);
    const confused = `${part({ alg: 'HS256', kid, typ: 'at+jwt' })}.${claims}`;
    const mac = createHmac('sha256', row?.public_key ?? '')
      .update(confused)
      .digest('base64url');
    const forged = [
      `${part({ alg: 'none', typ: 'at+jwt' })}.${claims}.`,
      `${part({ alg: 'none', typ: 'at+jwt' })}.${claims}`,
      `${part({ alg: 'none', kid, typ: 'at+jwt' })}.${claims}.${signature}`,
      `${confused}.${mac}`,
      `${head}.${claims}.`,
      `${head}.${part({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: LOCAL_USER_ID })}.${signature}`,
      `${part({ alg: 'EdDSA', kid: 'other', typ: 'at+jwt' })}.${claims}.${signature}`,
      tokens.access_token.slice(0, -2),
      'x.y.z',
    ];
    for (const token of forged)
      expect([token, said(await show({ authorization: `Bearer ${token}` }))[0]]).toEqual([token, 401]);
    for (const value of ['', 'Bearer', 'Bearer  ', 'Basic eDp5', tokens.access_token, `Token ${tokens.access_token}`]) {
      expect([value, (await show({ authorization: value })).status]).toEqual([value, 401]);
    }
  });

  it('of our own key count only whole, for us, in time, and with a live subject (A04, T11)', async () => {
    const { id, tokens } = await register(api);
    const { ring } = openKeys({ home: '/nowhere', masterKeys: TEST_MASTER_KEYS, masterKeysFile: undefined });
    const { kid, key } = await new SigningKeys(new SigningKeysStore(api.database), ring).signer();
    const claims = JSON.parse(Buffer.from(tokens.access_token.split('.')[1] ?? '', 'base64url').toString()) as object;
    const seconds = Math.floor(Date.now() / 1000);
    const sign = (changes: object, typ = 'at+jwt') =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'EdDSA', kid, typ }).sign(key);
    expect((await show({ authorization: `Bearer ${await sign({})}` })).status).toBe(200);
    const refused = [
      { aud: 'somebody-else' },
      { iss: 'somebody-else' },
      { exp: seconds - 1 },
      { exp: undefined },
      { nbf: seconds + 3_600 },
      { sid: undefined },
      { sid: randomUUID() },
      { sub: LOCAL_USER_ID },
      { sub: undefined },
      { sub: randomUUID() },
    ];
    for (const changes of refused) {
      const answer = await show({ authorization: `Bearer ${await sign(changes)}` });
      expect([changes, answer.status]).toEqual([changes, 401]);
    }
    expect((await show({ authorization: `Bearer ${await sign({}, 'JWT')}` })).status).toBe(401);
    expect(id).toBe((claims as { sub: string }).sub);
  });

  it('outlive a rotation of the key that signed them', async () => {
    const person = await register(api);
    expect((await api.call('POST', '/settings/signing-key/rotate')).status).toBe(200);
    expect((await person.call('GET', '/users/me')).status).toBe(200);
    const next = await signIn(api, person);
    expect(next.tokens.access_token.split('.')[0]).not.toBe(person.tokens.access_token.split('.')[0]);
  });
});

describe('headers that name somebody', () => {
  it('are ignored: no tenant, no user, no key in a URL (T11)', async () => {
    const person = await register(api);
    const names = {
      'x-tenant': LOCAL_USER_ID,
      'x-user': LOCAL_USER_ID,
      'x-user-id': LOCAL_USER_ID,
      'x-owner': 'local',
    };
    const me = await person.call('GET', '/users/me', undefined, names);
    expect(me.body['id']).toBe(person.id);
    for (const headers of [names, {}]) expect((await show(headers)).status).toBe(401);
    for (const query of [`?token=${person.tokens.access_token}`, `?api_key=${api.key}`, `?access_token=${api.key}`]) {
      expect((await anonymous(api)('GET', `/users/me${query}`)).status).toBe(401);
    }
    const both = await show({ ...person.headers, 'x-api-key': api.key });
    expect(said(both)).toEqual([401, 'ambiguous_credentials']);
  });
});
