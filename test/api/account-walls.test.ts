import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { PREFIX, startApi, type TestApi } from './api-fixture';
import { anonymous, PASSWORD, register, withKey } from './people';

/** Roads round the walls of accounts, each closed. */
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const said = ({ status, body }: { status: number; body: { code?: string } }): unknown[] => [status, body.code];
const tokenOf = (url: unknown): string => String(url).split('/').at(-1) ?? '';

describe('a proxy on the same host', () => {
  it.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto'])(
    'that says so by %s makes nobody local: neither who registers nor who signs in by a link',
    async (name) => {
      const account = { handle: `p-${randomUUID().slice(0, 8)}`, password: PASSWORD };
      const through = { [name]: '127.0.0.1' };
      expect(said(await anonymous(api)('POST', '/auth/register', account, through))).toEqual([403, 'invite_required']);
      const { body: link } = await api.call('POST', '/auth/sign-in-links');
      const path = `/auth/links/${tokenOf(link['url'])}`;
      expect(said(await anonymous(api)('POST', path, {}, through))).toEqual([403, 'link_elsewhere']);
      expect((await anonymous(api)('POST', '/auth/register', account)).status).toBe(201);
    },
  );
});

describe('a link that sets another’s password', () => {
  it.each<[string, (admin: string) => Promise<unknown>]>([
    ['demoted', (admin) => api.call('POST', `/users/${admin}/scopes`, { scopes: [] })],
    ['deactivated', (admin) => api.call('POST', `/users/${admin}/deactivate`)],
    ['demoted beside the API', (admin) => api.admin.query(`update users set scopes = '{}' where id = $1`, [admin])],
  ])('is worth nothing when its maker was %s', async (_how, lose) => {
    const [person, admin] = [await register(api), await register(api)];
    await api.call('POST', `/users/${admin.id}/scopes`, { scopes: ['global:admin'] });
    const { body } = await admin.call('POST', `/users/${person.id}/reset-password`);
    const path = `/auth/links/${tokenOf(body['url'])}`;
    expect((await anonymous(api)('GET', path)).status).toBe(200);
    await lose(admin.id);
    expect(said(await anonymous(api)('GET', path))).toEqual([404, 'link_invalid']);
    const taken = await anonymous(api)('POST', path, { password: 'an entirely new one' });
    expect(said(taken)).toEqual([404, 'link_invalid']);
    expect((await person.call('GET', '/users/me')).status).toBe(200);
  });
});

/** Repeats a call without checking its form: values shown once are missing. */
const repeated = (path: string, body: unknown, key: Record<string, string>): Promise<Response> =>
  fetch(api.url + PREFIX + path, {
    method: 'POST',
    headers: { ...api.headers, ...key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe('what happens to accounts', () => {
  it('keeps the answer to an Idempotency-Key in the transaction of its effect', async () => {
    const person = await register(api);
    const calls: [path: string, body: object | undefined, effect: string][] = [
      ['/invites', {}, `select xmin::text as x from invites order by created_at desc limit 1`],
      [
        '/service-accounts',
        { handle: `s-${randomUUID().slice(0, 8)}` },
        `select xmin::text as x from users where kind = 'service'`,
      ],
      ['/api-keys', { name: 'keyed' }, `select xmin::text as x from api_keys where name = 'keyed'`],
      [
        '/auth/sign-in-links',
        undefined,
        `select xmin::text as x from one_time_links where used_at is null and purpose = 'sign_in'`,
      ],
      [
        `/users/${person.id}/reset-password`,
        undefined,
        `select xmin::text as x from one_time_links where purpose = 'password_reset' and user_id = '${person.id}'`,
      ],
      [
        `/users/${person.id}/scopes`,
        { scopes: ['macro:reader'] },
        `select xmin::text as x from users where id = '${person.id}'`,
      ],
      [`/users/${person.id}/deactivate`, undefined, `select xmin::text as x from users where id = '${person.id}'`],
      [`/users/${person.id}/reactivate`, undefined, `select xmin::text as x from users where id = '${person.id}'`],
    ];
    for (const [path, body, effect] of calls) {
      const key = { 'idempotency-key': randomUUID() };
      const first = await api.call('POST', path, body, key);
      const [kept] = await api.admin.query<{ x: string }>(
        'select xmin::text as x from idempotency_keys where key = $1',
        [key['idempotency-key']],
      );
      const [made] = await api.admin.query<{ x: string }>(effect);
      expect({ path, kept: kept?.x }).toEqual({ path, kept: made?.x });
      const again = await repeated(path, body, key);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([first.status, 'true']);
    }
  });

  it('makes a key of a service account in the same way', async () => {
    const { body: account } = await api.call('POST', '/service-accounts', { handle: `s-${randomUUID().slice(0, 8)}` });
    const key = { 'idempotency-key': randomUUID() };
    const path = `/service-accounts/${String(account['id'])}/api-keys`;
    const first = await api.call('POST', path, { name: 'of the program' }, key);
    const again = (await (await repeated(path, { name: 'of the program' }, key)).json()) as Record<string, unknown>;
    expect([first.status, again['id'], again['key']]).toEqual([201, first.body['id'], undefined]);
  });
});

describe('the audit trail of plain writes', () => {
  it('says what each found, which is what the one before it left', async () => {
    const { body, headers } = await api.call('POST', '/folders', { name: 'first' });
    const path = `/folders/${String(body['id'])}`;
    const second = await api.call('PATCH', path, { name: 'second' }, { 'if-match': headers.get('etag') ?? '' });
    const etag = second.headers.get('etag') ?? '';
    expect((await api.call('DELETE', path, undefined, { 'if-match': etag })).status).toBe(204);
    const { items = [] } = (await api.call('GET', `/audit?object=${String(body['id'])}`)).body;
    const [removed, changed, made] = items;
    expect(items.map((item) => item['action'])).toEqual([
      'DELETE /folders/:folderId',
      'PATCH /folders/:folderId',
      'POST /folders',
    ]);
    expect(made?.['before_digest']).toBeUndefined();
    expect(changed?.['before_digest']).toBe(made?.['after_digest']);
    expect(changed?.['after_digest']).not.toBe(made?.['after_digest']);
    expect(removed?.['before_digest']).toBe(changed?.['after_digest']);
    expect(removed?.['after_digest']).toBeUndefined();
  });
});

describe('a key with limits', () => {
  it('makes no link that would decide as its owner does', async () => {
    const person = await register(api);
    const limited = await withKey(api, person.id, { scopes: [] });
    const answer = await limited('POST', `/approvals/${randomUUID()}/links`, { user: person.id });
    expect(said(answer)).toEqual([403, 'key_is_limited']);
  });
});
