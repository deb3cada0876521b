import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { IdempotencyStore, type Claim } from '../../infra/db/stores/idempotency.store';
import { KeyedOnce } from '../../src/http/idempotency/once';
import { requestHash } from '../../src/http/idempotency/request-hash';
import { PREFIX, startApi, startRun, TWO_STEPS, type Answer, type TestApi } from './api-fixture';

let api: TestApi;
let store: IdempotencyStore;
beforeAll(async () => {
  api = await startApi();
  store = new IdempotencyStore(api.database);
});
afterAll(() => api.close());

const secret = (name: string): object => ({ name, value: 'canary-of-a-value', allowed_hosts: ['api.example.org'] });
const post = (path: string, body: object | undefined, key: string): Promise<Answer> =>
  api.call('POST', path, body, { 'idempotency-key': key });
const replayed = (answer: Answer): string | null => answer.headers.get('idempotency-replayed');
const names = async (): Promise<unknown[]> =>
  (await api.call('GET', '/secrets?limit=200')).body.items?.map((item) => item['name']) ?? [];

/** Claims the key as the API does for a request that makes this secret. */
async function claimed(key: string, name: string): Promise<Claim> {
  const hash = requestHash({ params: {}, query: {}, body: secret(name) });
  const result = await store.claim({ ownerId: LOCAL_USER_ID, method: 'POST', route: `${PREFIX}/secrets`, key, hash });
  if (!('claim' in result)) throw new Error('The key was used before.');
  return result.claim;
}

describe('a key', () => {
  it('gives a repeat the first answer, and makes nothing again', async () => {
    const first = await post('/secrets', secret('once'), 'k-1');
    const again = await post('/secrets', secret('once'), 'k-1');
    expect([first.status, replayed(first)]).toEqual([201, null]);
    expect([again.status, replayed(again), again.body]).toEqual([201, 'true', first.body]);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect((await post('/secrets', secret('once'), 'k-2')).body.code).toBe('secret_exists');
  });

  it('belongs to one request: another body, another object or query is refused', async () => {
    await post('/secrets', secret('two'), 'k-3');
    expect(await post('/secrets', secret('three'), 'k-3')).toMatchObject({
      status: 422,
      body: { code: 'idempotency_mismatch' },
    });
    await post('/secrets/once/rotate', { value: 'another value' }, 'k-4');
    const other = await post('/secrets/two/rotate', { value: 'another value' }, 'k-4');
    expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_mismatch' } });
    // The order of keys says nothing, and another route has keys of its own.
    const turned = Object.fromEntries(Object.entries(secret('two')).reverse());
    expect(replayed(await post('/secrets', turned, 'k-3'))).toBe('true');
    expect((await post('/playbooks', { source: TWO_STEPS }, 'k-3')).status).toBe(201);
  });

  it('is not used up by what was refused', async () => {
    const taken = await post('/secrets', secret('two'), 'k-5');
    expect(taken.status).toBe(409);
    await api.call('DELETE', '/secrets/two', undefined, { 'if-match': '*' });
    const after = await post('/secrets', secret('two'), 'k-5');
    expect([after.status, replayed(after)]).toEqual([201, null]);
    expect((await post('/secrets', { ...secret('x'), value: '' }, 'k-6')).status).toBe(400);
    expect((await post('/secrets', secret('x'), 'k-6')).status).toBe(201);
  });

  it.each(['a b', 'ü', 'x'.repeat(256)])('must be printable ASCII: %s', async (key) => {
    const answer = await fetch(`${api.url}${PREFIX}/secrets`, {
      method: 'POST',
      body: JSON.stringify(secret('bad')),
      headers: {
        ...api.headers,
        'content-type': 'application/json',
        'idempotency-key': Buffer.from(key).toString('latin1'),
      },
    });
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([400, 'invalid_idempotency_key']);
  });

  it('holds for documents by their bytes, and for commands', async () => {
    const upload = async (bytes: string): Promise<[number, string | null, unknown]> => {
      const answer = await fetch(`${api.url}${PREFIX}/documents?name=a.txt`, {
        method: 'POST',
        body: bytes,
        headers: { ...api.headers, 'content-type': 'application/octet-stream', 'idempotency-key': 'k-7' },
      });
      const body = (await answer.json()) as { id?: string; code?: string };
      return [answer.status, answer.headers.get('idempotency-replayed'), body.id ?? body.code];
    };
    const [, , id] = await upload('one');
    expect(await upload('one')).toEqual([201, 'true', id]);
    expect(await upload('two')).toEqual([422, null, 'idempotency_mismatch']);
    const run = await startRun(api);
    const first = await post(`/runs/${run}/cancel`, undefined, 'k-8');
    const again = await post(`/runs/${run}/cancel`, undefined, 'k-8');
    expect([again.status, replayed(again), again.body]).toEqual([first.status, 'true', first.body]);
  });

  it('of many requests at once makes one thing', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => post('/secrets', secret('many'), 'k-9')));
    expect(answers.filter((answer) => answer.status === 201 && replayed(answer) === null)).toHaveLength(1);
    const others = answers.filter((answer) => answer.status !== 201);
    expect(others.every((answer) => answer.body.code === 'idempotency_in_flight')).toBe(true);
    expect((await names()).filter((name) => name === 'many')).toHaveLength(1);
  });
});

describe('a request that is under way', () => {
  it('is 409 with Retry-After, until its lease ends because its process died', async () => {
    await claimed('k-10', 'slow');
    const waiting = await post('/secrets', secret('slow'), 'k-10');
    expect(waiting).toMatchObject({ status: 409, body: { code: 'idempotency_in_flight' } });
    expect(Number(waiting.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await post('/secrets', secret('other'), 'k-10')).status).toBe(422);
    await api.admin.query(`update idempotency_keys set lease_until = clock_timestamp() where key = 'k-10'`);
    expect(await post('/secrets', secret('slow'), 'k-10')).toMatchObject({ status: 201 });
  });

  it('that lost its lease takes its effect back', async () => {
    const claim = await claimed('k-11', 'late');
    const once = new KeyedOnce({ database: api.database, store, claim, status: () => 201, shownOnce: [] });
    const { vault } = api.deps.security;
    const late = once.tx(async (sql) => {
      const made = await vault.create(LOCAL_USER_ID, 'late', { value: 'a value', allowedHosts: ['*'] }, sql);
      await api.admin.query('update idempotency_keys set claim_id = $1 where key = $2', [randomUUID(), 'k-11']);
      return { name: made.name };
    });
    await expect(late).rejects.toMatchObject({ code: 'idempotency_in_flight' });
    expect(await names()).not.toContain('late');
    await once.giveUp();
    expect(await api.admin.query(`select 1 from idempotency_keys where key = 'k-11'`)).toHaveLength(1);
  });

  it('whose process died after its effect is answered by what it kept with it', async () => {
    const claim = await claimed('k-12', 'kept');
    const once = new KeyedOnce({ database: api.database, store, claim, status: () => 201, shownOnce: ['token'] });
    await once.tx(() => Promise.resolve({ name: 'kept', token: 'shown-once' }));
    const again = await fetch(`${api.url}${PREFIX}/secrets`, {
      method: 'POST',
      body: JSON.stringify(secret('kept')),
      headers: { ...api.headers, 'content-type': 'application/json', 'idempotency-key': 'k-12' },
    });
    expect([again.status, again.headers.get('idempotency-replayed'), await again.json()]).toEqual([
      201,
      'true',
      { name: 'kept' },
    ]);
    const rows = await api.admin.query('select k::text as row from idempotency_keys k');
    expect(JSON.stringify(rows)).not.toMatch(/shown-once|canary/);
  });
});

it('keys are kept for a day, and then forgotten', async () => {
  await post('/secrets', secret('aged'), 'k-13');
  await api.admin.query(`update idempotency_keys set created_at = created_at - interval '25 hours'`);
  await post('/secrets', secret('newer'), 'k-14');
  const left = await api.admin.query<{ key: string }>('select key from idempotency_keys');
  expect(left.map((row) => row.key)).toContain('k-14');
  expect(left.length).toBeLessThan(3);
  expect((await post('/secrets', secret('aged'), 'k-13')).body.code).toBe('secret_exists');
});
