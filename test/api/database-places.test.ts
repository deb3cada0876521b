import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { startApi, type TestApi } from './api-fixture';
import { withKey } from './people';

/** Address without a server: the call's error shows how far a secret came. */
const PLACE = '10.0.0.1:5432';
const valueOf = (database: string): string => `postgresql://reader:a-password@${PLACE}/${database}?sslmode=disable`;
/** Let out, and led where the guard stops it. */
const LEFT = [403, 'egress_denied'];
const HELD = [409, 'needs_confirmation'];

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
  for (const name of ['DB_ONE', 'DB_TWO', 'EXTERNAL_DB_URL'])
    await api.call('POST', '/secrets', { name, value: valueOf(name.toLowerCase()), allowed_hosts: ['*'] });
  await api.call('POST', '/secrets', { name: 'DB_NAMED', value: valueOf('named'), allowed_hosts: [PLACE] });
});
afterAll(() => api?.close());

const database = (id: string, secret: string): object => ({
  id,
  type: 'database',
  connection: { driver: 'postgresql', auth: { type: 'connection_string', secret: { secret } } },
  endpoints: { all: { sql: 'select 1 as n' } },
});
const save = async (source: object, call: TestApi['call'] = api.call): Promise<unknown> => {
  const { status, body } = await call('POST', '/connectors', { source });
  return [status, body.code];
};
const said = ({ status, body }: Awaited<ReturnType<TestApi['call']>>): unknown => [
  status,
  body.code ?? (body.error as { code?: string } | undefined)?.code,
];
const test = async (id: string, endpoint = 'all') =>
  said(await api.call('POST', `/connectors/${id}/test`, { endpoint }));
const confirm = (id: string) => api.call('POST', `/connectors/${id}/confirm`, { origins: ['postgresql'] });

describe('the secret of a database, which says itself where it leads', () => {
  it('goes where the first text says, and another one only when its owner has confirmed it', async () => {
    expect(await save(database('own', 'DB_ONE'))).toEqual([201, undefined]);
    expect(await test('own')).toEqual(LEFT);
    expect(await save(database('own', 'DB_TWO'))).toEqual([201, undefined]);
    const held = await api.call('POST', '/connectors/own/test', { endpoint: 'all' });
    expect(said(held)).toEqual(HELD);
    expect(held.body.detail).toContain('would read the database that a secret leads to');
    expect(held.body.detail).toContain('POST /connectors/own/confirm');
    expect((await confirm('own')).body).toEqual({
      secret: 'DB_TWO',
      wanted: ['postgresql'],
      known: ['postgresql'],
      missing: [],
    });
    expect(await test('own')).toEqual(LEFT);
  });

  it('is confirmed for a binding by whoever gives it there', async () => {
    await save(database('lent', 'DB_ONE'));
    const made = await api.call('POST', '/profiles', { handle: 'lender', name: 'Lender' });
    const profile_id = String(made.body.id);
    const field = { credentials: { secret: { secret: 'DB_TWO' } } };
    const bound = await api.call('POST', `/profiles/${profile_id}/connectors`, { connector: 'lent', ...field });
    expect(bound.status).toBe(201);
    expect(said(await api.call('POST', '/connectors/lent/test', { endpoint: 'all', profile_id }))).toEqual(LEFT);
  });

  it('of a text that is not saved has to name its host', async () => {
    const ask = async (secret: string): Promise<unknown> =>
      said(await api.call('POST', '/connectors/test', { source: database('unsaved', secret), endpoint: 'all' }));
    expect(await ask('DB_ONE')).toEqual(HELD);
    expect(await ask('DB_NAMED')).toEqual(LEFT);
  });
});

describe('a key with limits', () => {
  it('begins a database connector that reads nothing before the owner has confirmed it', async () => {
    const key = await withKey(api, LOCAL_USER_ID, { scopes: [] });
    expect(await save(database('limited', 'DB_ONE'), key)).toEqual([403, 'key_is_limited']);
    expect(await save({ ...database('limited', 'DB_ONE'), imported: true }, key)).toEqual([201, undefined]);
    expect(await test('limited')).toEqual(HELD);
    expect(said(await key('POST', '/connectors/limited/confirm', { origins: ['postgresql'] }))).toEqual([
      403,
      'key_is_limited',
    ]);
    await confirm('limited');
    expect(await test('limited')).toEqual(LEFT);
    // Keys with limits cannot turn a connector of the owner to another of their secrets.
    expect(await save(database('limited', 'DB_TWO'), key)).toEqual([201, undefined]);
    expect(await test('limited')).toEqual(HELD);
  });

  it('makes a connector from a template; its secret is the owner’s to confirm', async () => {
    const key = await withKey(api, LOCAL_USER_ID, { scopes: [] });
    for (const [template, id] of [
      ['external-postgres', 'from-key'],
      ['fec-contributions', 'fec-from-key'],
      ['federal-register-api', 'keyless-from-key'],
    ]) {
      const made = await key('POST', '/connectors/from-template', { template, id });
      expect([made.status, made.body.slug]).toEqual([201, id]);
      expect(String(made.body.source)).toContain('imported: true');
    }
    const path = await key('POST', '/connectors/from-template/external-postgres', { id: 'from-path' });
    expect(String(path.body.source)).toContain('imported: true');
    expect(await test('from-key', 'tables')).toEqual(HELD);
    await confirm('from-key');
    expect(await test('from-key', 'tables')).toEqual(LEFT);
    const own = await api.call('POST', '/connectors/from-template', { template: 'external-postgres', id: 'by-owner' });
    expect(String(own.body.source)).not.toContain('imported');
    expect(await test('by-owner', 'tables')).toEqual(LEFT);
  });
});
