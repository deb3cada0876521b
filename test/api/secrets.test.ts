import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { openKeys, openVault } from '../../infra/secrets/open-vault';
import type { SecretVault } from '../../infra/secrets/vault';
import { testMasterKey } from '../support/keys';
import { startApi, type TestApi } from './api-fixture';

const VALUE = 'canary-secret-value-1';
const HOSTS = ['api.example.org'];

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const vaultOf = (masterKeys: string): SecretVault => {
  const keys = openKeys({ home: '/nowhere', masterKeys, masterKeysFile: undefined });
  return openVault({ home: '/nowhere' }, api.database, keys);
};
const create = (name: string, more: object = {}) =>
  api.call('POST', '/secrets', { name, value: VALUE, allowed_hosts: HOSTS, ...more });

describe('secrets over HTTP', () => {
  it('are created, listed, rotated and deleted, and no answer has a value', async () => {
    const created = await create('one');
    expect([created.status, created.body]).toEqual([
      201,
      { name: 'one', allowed_hosts: HOSTS, key_id: 'test', version: 1, created_at: expect.any(String) },
    ]);
    const rotated = await api.call('POST', '/secrets/one/rotate', { value: `${VALUE}-new` });
    expect([rotated.status, rotated.body['version'], rotated.body['allowed_hosts']]).toEqual([200, 2, HOSTS]);
    const vault = api.deps.security.vault;
    expect(await vault.resolve(LOCAL_USER_ID, 'one')).toMatchObject({ value: `${VALUE}-new`, allowedHosts: HOSTS });
    const list = await api.call('GET', '/secrets');
    expect(list.body.items?.map((secret) => secret['name'])).toEqual(['one']);
    expect(JSON.stringify([created.body, rotated.body, list.body])).not.toContain('canary');
    const etag = String(rotated.headers.get('etag'));
    expect((await api.call('DELETE', '/secrets/one', undefined, { 'if-match': etag })).status).toBe(204);
    expect((await api.call('DELETE', '/secrets/one')).body.code).toBe('secret_not_found');
    await expect(vault.resolve(LOCAL_USER_ID, 'one')).rejects.toThrow(/"one".*af secrets set one/);
  });

  it('are listed in pages', async () => {
    for (const name of ['p_1', 'p_2', 'p_3']) await create(name);
    const first = await api.call('GET', '/secrets?limit=2');
    const rest = await api.call('GET', `/secrets?limit=2&cursor=${String(first.body['next_cursor'])}`);
    const names = [...(first.body.items ?? []), ...(rest.body.items ?? [])].map((secret) => secret['name']);
    expect(names).toEqual(['p_1', 'p_2', 'p_3']);
    expect(rest.body['next_cursor']).toBeUndefined();
    expect((await api.call('GET', '/secrets?cursor=nonsense%20')).status).toBe(400);
  });

  it('a name that is taken is a conflict and keeps its value', async () => {
    await create('taken');
    const again = await create('taken', { value: 'another value' });
    expect([again.status, again.body.code]).toEqual([409, 'secret_exists']);
    expect((await api.deps.security.vault.resolve(LOCAL_USER_ID, 'taken')).value).toBe(VALUE);
  });

  it.each([
    ['a short value', { value: 'abc' }, 'value'],
    ['a value with NUL', { value: 'abcd\0' }, 'value'],
    ['no hosts', { allowed_hosts: [] }, 'allowed_hosts'],
    ['a URL as host', { allowed_hosts: ['https://api.example.org'] }, 'allowed_hosts'],
    ['a path in a host', { allowed_hosts: ['api.example.org/v1'] }, 'allowed_hosts'],
    ['a star inside', { allowed_hosts: ['api.*.org'] }, 'allowed_hosts'],
    ['a name that no connector can write', { name: 'a b' }, 'name'],
    ['an unknown field', { owner_id: randomUUID() }, 'owner_id'],
  ])('%s is refused, and nothing is stored or repeated', async (_what, more, field) => {
    const answer = await create('refused', more);
    expect([answer.status, answer.body.problems?.map((problem) => problem.field)]).toEqual([400, [field]]);
    expect(JSON.stringify(answer.body)).not.toContain('canary');
    await expect(api.deps.security.vault.resolve(LOCAL_USER_ID, 'refused')).rejects.toThrow();
  });
});

describe('stored ciphertext', () => {
  const other = randomUUID();
  const copy = `insert into secrets (id, owner_id, name, ciphertext, key_id, allowed_hosts)
    select gen_random_uuid(), $1, $2, ciphertext, key_id, allowed_hosts from secrets where owner_id = $3 and name = 'mine'`;

  beforeAll(async () => {
    await create('mine');
    await api.admin.query('insert into users (id, handle, display_name) values ($1, $2, $3)', [
      other,
      `other-${other}`,
      'Other',
    ]);
  });

  it('K01: a dump of the table has no value in any form', async () => {
    const rows = await api.admin.query(`select s::text as row, encode(ciphertext, 'escape') as raw from secrets s`);
    const dump = JSON.stringify(rows);
    expect(rows.length).toBeGreaterThan(0);
    for (const form of [VALUE, Buffer.from(VALUE).toString('hex'), Buffer.from(VALUE).toString('base64')])
      expect(dump).not.toContain(form);
  });

  it.each([
    ['of another owner', other, 'mine'],
    ['of another name', LOCAL_USER_ID, 'copied'],
  ])('copied to a row %s does not open', async (_what, ownerId, name) => {
    await api.admin.query(copy, [ownerId, name, LOCAL_USER_ID]);
    await expect(api.deps.security.vault.resolve(ownerId, name)).rejects.toMatchObject({ code: 'envelope_damaged' });
    await api.admin.query('delete from secrets where owner_id = $1 and name = $2', [ownerId, name]);
  });

  it('is nothing that another user finds', async () => {
    await expect(api.deps.security.vault.resolve(other, 'mine')).rejects.toMatchObject({ code: 'secret_not_found' });
  });
});

describe('F32a: a new master key', () => {
  const two = `${testMasterKey('next')},${testMasterKey('test')}`;

  it('old and new rows open, rotation encrypts the old ones anew, then the old key is not needed', async () => {
    await create('old');
    const vault = vaultOf(two);
    await vault.create(LOCAL_USER_ID, 'new', { value: 'new value', allowedHosts: HOSTS });
    const values = async (by: SecretVault) =>
      Promise.all(['old', 'new'].map(async (name) => (await by.resolve(LOCAL_USER_ID, name)).value));
    expect(await values(vault)).toEqual([VALUE, 'new value']);
    const keyIds = () => api.admin.query<{ key_id: string }>('select distinct key_id from secrets order by key_id');
    expect((await keyIds()).map((row) => row.key_id)).toEqual(['next', 'test']);

    expect(await vault.reencryptAll()).toBeGreaterThan(0);
    expect((await keyIds()).map((row) => row.key_id)).toEqual(['next']);
    expect(await vault.reencryptAll()).toBe(0);
    expect(await values(vaultOf(testMasterKey('next')))).toEqual([VALUE, 'new value']);
    // The API of this test knows only the old key: it says so, and goes on with what it can.
    await expect(api.deps.security.vault.resolve(LOCAL_USER_ID, 'old')).rejects.toThrow(/"next"/);

    // Rotates back with the API's own command.
    await vaultOf(`${testMasterKey('test')},${testMasterKey('next')}`).reencryptAll();
    const rotated = await api.call('POST', '/keys/rotate', {});
    expect([rotated.status, rotated.body]).toEqual([200, { current: 'test', reencrypted: 0 }]);
  });

  it('a key is retired when nothing is encrypted under it, and only then', async () => {
    await api.call('POST', '/keys/rotate', {});
    await api.admin.query(`insert into master_keys (id, check_value) values ('ancient', 'x')`);
    const listed = (await api.call('GET', '/keys')).body.items;
    expect(listed).toEqual([
      { id: 'test', current: true, available: true, secrets: expect.any(Number), created_at: expect.any(String) },
      { id: 'ancient', current: false, available: false, secrets: 0, created_at: expect.any(String) },
    ]);
    expect((await api.call('POST', '/keys/test/retire')).body.code).toBe('master_key_in_use');
    expect((await api.call('POST', '/keys/none/retire')).body.code).toBe('master_key_not_found');
    // Used and not there: nothing is encrypted while a key is missing.
    expect((await api.call('POST', '/keys/rotate', {})).body.code).toBe('master_key_lost');
    expect((await api.call('POST', '/keys/ancient/retire')).status).toBe(204);
    expect((await api.call('POST', '/keys/rotate', {})).status).toBe(200);
  });
});
