import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { callApi, keyOf, PREFIX, startApi, TWO_STEPS, type Answer, type TestApi } from './api-fixture';
import { anonymous, caller, PASSWORD, personOf, register, signIn, withKey } from './people';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const said = ({ status, body }: Answer) => [status, body.code];
const tokenOf = (url: unknown): string => String(url).split('/').at(-1) ?? '';

describe('API keys', () => {
  it('are shown once, hashed, and end when they are revoked or expire', async () => {
    const person = await register(api);
    const made = await person.call('POST', '/api-keys', { name: 'mine' });
    expect(made.body).toMatchObject({ name: 'mine', read_only: false, may_decide: false });
    const key = String(made.body['key']);
    const list = await person.call('GET', '/api-keys');
    expect(JSON.stringify(list.body)).not.toContain(key);
    const [row] = await api.admin.query('select * from api_keys where id = $1', [made.body['id']]);
    expect(JSON.stringify(row)).not.toContain(key);
    const call = caller(api, { 'x-api-key': key });
    expect((await call('GET', '/users/me')).body['credential']).toMatchObject({ means: 'key', may_decide: false });
    const used = await person.call('GET', `/api-keys/${String(made.body['id'])}`);
    expect(used.body['last_used_at']).toEqual(expect.any(String));
    expect(
      (await person.call('DELETE', `/api-keys/${String(made.body['id'])}`, undefined, { 'if-match': '*' })).status,
    ).toBe(204);
    expect(said(await call('GET', '/users/me'))).toEqual([401, 'invalid_credential']);
    const past = await withKey(api, person.id, { expires_at: '2020-01-01T00:00:00Z' });
    expect((await past('GET', '/users/me')).status).toBe(401);
    const late = await person.call('POST', '/api-keys', { name: 'late', expires_at: '2020-01-01T00:00:00Z' });
    expect(said(late)).toEqual([422, 'expires_in_the_past']);
    const unwritable = [
      '9999-12-31T23:59:60Z',
      '9999-12-31T23:59:59-00:01',
      '2030-02-30T00:00:00Z',
      '2030-01-01',
      'soon',
    ];
    for (const expires_at of unwritable) {
      expect(said(await person.call('POST', '/api-keys', { name: 'odd', expires_at }))).toEqual([
        400,
        'invalid_request',
      ]);
    }
    for (const expires_at of ['9999-12-31T23:59:59Z', '2999-01-01t00:00:00.5z', '2999-01-01 02:00:00+02:00']) {
      const { status, body } = await person.call('POST', '/api-keys', { name: 'kept', expires_at });
      const written = new Date(expires_at.toUpperCase().replace(' ', 'T')).getTime();
      expect({ status, at: Date.parse(String(body['expires_at'])) }).toEqual({ status: 201, at: written });
    }
  });

  it('have no more than their owner, and lose what the owner loses', async () => {
    const person = await register(api);
    const excess = await person.call('POST', '/api-keys', { name: 'more', scopes: ['global:admin'] });
    expect(said(excess)).toEqual([403, 'scopes_exceeded']);
    await api.call('POST', `/users/${person.id}/scopes`, { scopes: ['global:admin', 'macro:analyst'] });
    const limited = await withKey(api, person.id, { scopes: ['macro:reader'] });
    const whole = await withKey(api, person.id);
    expect(said(await limited('GET', '/users'))).toEqual([403, 'scope_missing']);
    expect((await whole('GET', '/users')).status).toBe(200);
    await api.call('POST', `/users/${person.id}/scopes`, { scopes: [] });
    expect(said(await whole('GET', '/users'))).toEqual([403, 'scope_missing']);
    expect((await limited('GET', '/users/me')).body['credential']).toMatchObject({ scopes: [] });
  });

  it('with limits make no credentials, and with a list see those objects alone', async () => {
    const person = await register(api);
    const reader = await withKey(api, person.id, { may_decide: false });
    for (const [path, body] of [
      ['/api-keys', { name: 'x' }],
      ['/service-accounts', { handle: 'x-service' }],
      ['/auth/sign-in-links', {}],
    ] as const) {
      expect(said(await reader('POST', path, body))).toEqual([403, 'key_is_limited']);
    }
    const limitedAdmin = await withKey(api, LOCAL_USER_ID, { scopes: ['global:admin'] });
    for (const path of ['/invites', `/users/${person.id}/reset-password`]) {
      expect(said(await limitedAdmin('POST', path, path === '/invites' ? {} : undefined))).toEqual([
        403,
        'key_is_limited',
      ]);
    }
    const mine = await person.call('POST', '/api-keys', { name: 'a' });
    const other = await person.call('POST', '/api-keys', { name: 'b' });
    const listed = await withKey(api, person.id, { objects: [String(mine.body['id'])] });
    expect((await listed('GET', `/api-keys/${String(mine.body['id'])}`)).status).toBe(200);
    expect(said(await listed('GET', `/api-keys/${String(other.body['id'])}`))).toEqual([404, 'object_not_found']);
    const secret = { name: 'walled', value: 'of the person', allowed_hosts: ['a.test'] };
    expect((await person.call('POST', '/secrets', secret)).status).toBe(201);
    for (const path of ['/api-keys', '/runs', '/secrets/walled']) {
      expect(said(await listed('GET', path))).toEqual([403, 'key_has_objects']);
      // An id that changes nothing about the answer.
      const beside = `${path}?about=${String(mine.body['id'])}`;
      expect(said(await listed('GET', beside))).toEqual([403, 'key_has_objects']);
    }
  });

  it('that may not decide do not wave the gates of a run through either (V04)', async () => {
    const person = await register(api);
    await person.call('POST', '/playbooks', { source: TWO_STEPS });
    const agent = await withKey(api, person.id, { may_decide: false });
    const run = { playbook: 'two-steps', inputs: { rows: [] } };
    const waved = { ...run, approval_policy: 'auto_approve' };
    expect(said(await agent('POST', '/runs', waved))).toEqual([403, 'key_may_not_decide']);
    expect((await agent('POST', '/runs', run)).status).toBe(201);
    expect((await person.call('POST', '/runs', waved)).status).toBe(201);
  });

  it('with a list are not let in by a text that looks like an id of the list', async () => {
    const person = await register(api);
    const { body: folder } = await person.call('POST', '/folders', { name: 'on the list' });
    const id = String(folder['id']);
    const listed = await withKey(api, person.id, { objects: [id] });
    for (const [path, body] of [
      ['/folders', { name: id }],
      ['/teams', { name: id }],
      ['/profiles', { handle: 'mine', name: id }],
    ] as const) {
      expect(said(await listed('POST', path, body))).toEqual([403, 'key_has_objects']);
    }
    expect((await listed('POST', '/folders', { name: 'inside', parent_id: id })).status).toBe(201);
  });

  it('with a list reach nothing beside it, whatever spells the id and wherever it stands', async () => {
    const person = await register(api);
    const make = async (name: string) => String((await person.call('POST', '/folders', { name })).body['id']);
    const [own, other] = [await make('own'), await make('other')];
    const key = await keyOf(api.database, person.id, { objects: [own] });
    const ask = async (method: string, path: string, body?: string): Promise<unknown[]> => {
      const headers = { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
      const answer = await fetch(api.url + PREFIX + path, { method, headers, ...(body === undefined ? {} : { body }) });
      return [answer.status, ((await answer.json()) as { code?: string }).code];
    };
    const percent = (id: string): string => Buffer.from(id).toString('hex').replace(/../g, '%$&');
    const escaped = (id: string): string =>
      Array.from(id, (each) => `\\u00${each.charCodeAt(0).toString(16)}`).join('');
    const refused = [404, 'object_not_found'];
    expect(await ask('GET', `/folders/${own}`)).toEqual([200, undefined]);
    expect(await ask('GET', `/folders/${other}`)).toEqual(refused);
    expect(await ask('GET', `/folders/${other.toUpperCase()}`)).toEqual(refused);
    // A path has one spelling, also of what the key may reach.
    expect(await ask('GET', `/folders/${percent(other)}`)).toEqual([404, 'route_not_found']);
    expect(await ask('GET', `/folders/${percent(own)}`)).toEqual([404, 'route_not_found']);
    // An object in the query counts beside the one in the path, whatever the parameter is called.
    for (const query of [
      `folder=${other}`,
      `%66older=${percent(other)}`,
      `a=${own}&a=${other}`,
      `x=1&y=${other.toUpperCase()}`,
    ]) {
      expect(await ask('GET', `/folders/${own}?${query}`)).toEqual(refused);
    }
    for (const body of [
      `{"name":"x","parent_id":"${other}"}`,
      `{"name":"x","parent_id":"${escaped(other)}"}`,
      `{"name":"x","parent_id":"${own}","\\u0066older":"${escaped(other).toUpperCase().replaceAll('\\U', '\\u')}"}`,
      `{"name":"x","parent_id":"${own}","ids":["${other}"]}`,
    ]) {
      expect(await ask('POST', '/folders', body)).toEqual(refused);
    }
    expect(await ask('POST', '/folders', `{"name":"x","parent_id":"${escaped(own)}"}`)).toEqual([201, undefined]);
  });

  it('with a list start nothing that is named by its slug beside what is on the list', async () => {
    const person = await register(api);
    await person.call('POST', '/playbooks', { source: TWO_STEPS });
    const { body: profile } = await person.call('POST', '/profiles', { handle: 'listed', name: 'Listed' });
    const listed = await withKey(api, person.id, { objects: [String(profile['id'])] });
    const run = { playbook: 'two-steps', inputs: { rows: [] }, profile_id: profile['id'] };
    expect(said(await listed('POST', '/runs', run))).toEqual([404, 'object_not_found']);
    expect((await person.call('POST', '/runs', run)).status).toBe(201);
  });
});

describe('service accounts', () => {
  it('sign in by keys alone, have rows of their own, and end with their maker', async () => {
    const person = await register(api);
    const handle = `svc-${randomUUID().slice(0, 8)}`;
    const { body: account } = await person.call('POST', '/service-accounts', { handle });
    const id = String(account['id']);
    expect(account).toMatchObject({ kind: 'service', managed_by: person.id });
    const { body: made } = await person.call('POST', `/service-accounts/${id}/api-keys`, { name: 'k' });
    const service = caller(api, { 'x-api-key': String(made['key']) });
    expect((await service('GET', '/users/me')).body).toMatchObject({ id, kind: 'service' });
    const { body: whole } = await person.call('POST', `/service-accounts/${id}/api-keys`, {
      name: 'w',
      may_decide: true,
    });
    const nested = await caller(api, { 'x-api-key': String(whole['key']) })('POST', '/service-accounts', {
      handle: `${handle}-2`,
    });
    expect(said(nested)).toEqual([403, 'person_needed']);
    await service('POST', '/secrets', { name: 'own', value: 'of the service', allowed_hosts: ['a.test'] });
    expect((await person.call('GET', '/secrets')).body.items).toEqual([]);
    const login = await anonymous(api)('POST', '/auth/login', { handle, password: PASSWORD });
    expect(said(login)).toEqual([401, 'wrong_credentials']);
    await api.call('POST', `/users/${person.id}/deactivate`);
    expect(said(await service('GET', '/users/me'))).toEqual([401, 'invalid_credential']);
  });
});

describe('an administrator who is one no more', () => {
  it('keeps nothing by what they made: their service accounts and invitations go with the scope (V06)', async () => {
    const person = await register(api);
    const as = (scopes: string[]) => api.call('POST', `/users/${person.id}/scopes`, { scopes });
    await as(['global:admin', 'macro:analyst']);
    const { body: account } = await person.call('POST', '/service-accounts', {
      handle: `svc-${randomUUID().slice(0, 8)}`,
      scopes: ['global:admin', 'macro:reader'],
    });
    const keys = `/service-accounts/${String(account['id'])}/api-keys`;
    const { body: made } = await person.call('POST', keys, { name: 'k', may_decide: true });
    const service = caller(api, { 'x-api-key': String(made['key']) });
    expect((await service('GET', '/users')).status).toBe(200);
    const { body: invite } = await person.call('POST', '/invites', { scopes: ['global:admin'] });

    await as(['macro:analyst']);
    expect(said(await service('GET', '/users'))).toEqual([403, 'scope_missing']);
    expect((await service('GET', '/users/me')).body['scopes']).toEqual(['macro:reader']);
    const used = await anonymous(api)('POST', `/auth/links/${tokenOf(invite['url'])}`, {
      handle: `i-${randomUUID().slice(0, 8)}`,
      password: PASSWORD,
    });
    expect(said(used)).toEqual([404, 'link_invalid']);
  });
});

describe('a deactivated account', () => {
  it('loses sessions, keys and links at once, and can be anonymised but not deleted (V06)', async () => {
    const person = await register(api);
    const key = await withKey(api, person.id);
    expect((await key('GET', '/runs')).status).toBe(200);
    const { body: link } = await api.call('POST', `/users/${person.id}/reset-password`);
    expect((await api.call('POST', `/users/${person.id}/deactivate`)).body['status']).toBe('deactivated');
    for (const call of [person.call, key])
      expect(said(await call('GET', '/runs'))).toEqual([401, 'invalid_credential']);
    const decision = { decisionId: randomUUID(), digest: 'd'.repeat(64) };
    expect((await person.call('POST', `/approvals/${randomUUID()}/approve`, decision)).status).toBe(401);
    const used = await anonymous(api)('POST', `/auth/links/${tokenOf(link['url'])}`, { password: PASSWORD });
    expect(said(used)).toEqual([404, 'link_invalid']);
    expect(said(await anonymous(api)('POST', '/auth/refresh', { refresh_token: person.tokens.refresh_token }))[0]).toBe(
      401,
    );
    await expect(signIn(api, person)).rejects.toThrow(/wrong_credentials/);

    const gone = await api.call('POST', `/users/${person.id}/anonymise`);
    expect(gone.body).toMatchObject({ status: 'anonymised', display_name: 'Anonymised account' });
    expect(JSON.stringify(gone.body)).not.toContain(person.handle);
    expect(said(await api.call('POST', `/users/${person.id}/reactivate`))).toEqual([409, 'user_anonymised']);
  });

  it('is never the last administrator', async () => {
    expect(said(await api.call('POST', `/users/${LOCAL_USER_ID}/deactivate`))).toEqual([409, 'last_administrator']);
    expect(said(await api.call('POST', `/users/${LOCAL_USER_ID}/scopes`, { scopes: [] }))).toEqual([
      409,
      'last_administrator',
    ]);
  });

  it('of a role that was taken away may no longer what it could (V06)', async () => {
    const person = await register(api);
    await api.call('POST', `/users/${person.id}/scopes`, { scopes: ['global:admin'] });
    expect((await person.call('GET', '/settings')).status).toBe(200);
    await api.admin.query(`update users set scopes = '{}' where id = $1`, [person.id]);
    expect(said(await person.call('GET', '/settings'))).toEqual([403, 'scope_missing']);
  });
});

describe('links', () => {
  it('are used once: an invitation makes an account with its scopes', async () => {
    const { body: invite } = await api.call('POST', '/invites', { scopes: ['macro:editor'] });
    const path = `/auth/links/${tokenOf(invite['url'])}`;
    expect((await anonymous(api)('GET', path)).body).toMatchObject({ purpose: 'invite' });
    const handle = `i-${randomUUID().slice(0, 8)}`;
    expect(said(await anonymous(api)('POST', path, { password: PASSWORD }))).toEqual([422, 'handle_needed']);
    const { body } = await anonymous(api)('POST', path, { handle, password: PASSWORD });
    expect((await personOf(api, body as never).call('GET', '/users/me')).body['scopes']).toEqual(['macro:editor']);
    const again = await anonymous(api)('POST', path, { handle: `${handle}2`, password: PASSWORD });
    expect(said(again)).toEqual([404, 'link_invalid']);
    expect(said(await anonymous(api)('GET', path))).toEqual([404, 'link_invalid']);
  });

  it('reset a password, which ends every session', async () => {
    const person = await register(api);
    const { body } = await api.call('POST', `/users/${person.id}/reset-password`);
    const path = `/auth/links/${tokenOf(body['url'])}`;
    expect(said(await anonymous(api)('POST', path, {}))).toEqual([422, 'password_needed']);
    expect((await anonymous(api)('POST', path, { password: 'an entirely new one' })).status).toBe(200);
    expect((await person.call('GET', '/users/me')).status).toBe(401);
    await signIn(api, person, 'an entirely new one');
  });
});

describe('a browser', () => {
  const own = (): string => `http://127.0.0.1:${api.port}`;

  it('is signed in by a link into a cookie that no script reads, and only our own pages use it (A10)', async () => {
    const { body: link } = await api.call('POST', '/auth/sign-in-links');
    const path = `${PREFIX}/auth/links/${tokenOf(link['url'])}`;
    const page = await fetch(api.url + path, { headers: { accept: 'text/html' } });
    const [script = ''] = /(?<=<script>)[^]*(?=<\/script>)/.exec(await page.text()) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(page.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'`);
    const used = await callApi(api.url, { method: 'POST', path, body: { cookie: true } });
    expect(used.body).toEqual({ user_id: LOCAL_USER_ID, handle: 'local' });
    const set = used.headers.get('set-cookie') ?? '';
    expect(set).toMatch(/^af_session=afs_[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/);
    const cookie = set.split(';')[0] ?? '';
    const ask = (method: string, headers: Record<string, string>, path = '/users/me') =>
      caller(api, { cookie, ...headers })(method, path);

    expect((await ask('GET', { origin: own() })).status).toBe(200);
    expect((await ask('GET', { 'sec-fetch-site': 'same-origin' })).status).toBe(200);
    for (const site of ['cross-site', 'same-site', 'none', '']) {
      expect(said(await ask('GET', { 'sec-fetch-site': site }))).toEqual([403, 'origin_missing']);
    }
    expect(said(await ask('GET', { origin: 'https://evil.test' }))).toEqual([403, 'foreign_origin']);
    expect(said(await ask('POST', { 'sec-fetch-site': 'same-origin' }, '/auth/logout'))).toEqual([
      403,
      'origin_missing',
    ]);
    expect(said(await ask('POST', { origin: 'null' }, '/auth/logout'))).toEqual([403, 'foreign_origin']);
    // A header goes before the cookie: what it says counts, also when it is wrong.
    expect((await ask('GET', { origin: own(), 'x-api-key': 'afk_wrong' })).status).toBe(401);

    const out = await ask('POST', { origin: own() }, '/auth/logout');
    expect([out.status, out.headers.get('set-cookie')]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await ask('GET', { origin: own() })).status).toBe(401);
  });
});

describe('the audit trail', () => {
  it('says who did what to which object from where, and cannot be changed', async () => {
    const person = await register(api);
    await person.call('POST', '/secrets', { name: 'trail', value: 'canary-trail', allowed_hosts: ['a.test'] });
    await api.call('POST', `/users/${person.id}/scopes`, { scopes: ['macro:reader'] });
    const own = await person.call('GET', '/audit');
    const entries = own.body.items?.map(({ action, object_id: object, means, peer }) => [action, object, means, peer]);
    expect(entries).toEqual([
      ['POST /secrets', 'trail', 'token', '127.0.0.1'],
      ['session.open', expect.any(String), 'password', '127.0.0.1'],
      ['account.register', person.id, 'password', '127.0.0.1'],
    ]);
    expect(JSON.stringify(own.body)).not.toContain('canary');
    const all = await api.call('GET', `/audit?of=all&object=${person.id}&action=user.scopes`);
    expect(all.body.items).toEqual([
      expect.objectContaining({ actor: 'local', before_digest: expect.any(String), after_digest: expect.any(String) }),
    ]);
    expect(said(await person.call('GET', '/audit?of=all'))).toEqual([403, 'scope_missing']);
    for (const text of ['update audit_log set actor = actor', 'delete from audit_log', 'truncate audit_log']) {
      await expect(api.database.query({ kind: 'system' }, text)).rejects.toMatchObject({ code: '42501' });
      await expect(api.database.query({ kind: 'owner', ownerId: person.id }, text)).rejects.toMatchObject({
        code: '42501',
      });
    }
  });
});

describe('registration', () => {
  it('by an invitation that is none is refused before anything is hashed', async () => {
    const handle = `n-${randomUUID().slice(0, 8)}`;
    const used = await anonymous(api)('POST', '/auth/register', { handle, password: PASSWORD, invite: 'afl_made-up' });
    expect(said(used)).toEqual([404, 'link_invalid']);
  });

  it.each([
    ['invite', 'invite_required'],
    ['closed', 'registration_closed'],
  ])('that is %s lets nobody in by themselves', async (mode, code) => {
    const other = await startApi({ env: { AF_REGISTRATION: mode } });
    try {
      const answer = await anonymous(other)('POST', '/auth/register', { handle: 'somebody', password: PASSWORD });
      expect(said(answer)).toEqual([403, code]);
    } finally {
      await other.close();
    }
  });

  it('that is open needs a loopback address', async () => {
    await expect(startApi({ env: { AF_REGISTRATION: 'open', AF_HOST: '0.0.0.0' } })).rejects.toThrow(/AF_REGISTRATION/);
  });
});

it('a key of a read-only kind reads', async () => {
  const call = caller(api, { 'x-api-key': await keyOf(api.database, LOCAL_USER_ID, { read_only: true }) });
  expect((await call('GET', '/playbooks')).status).toBe(200);
});
