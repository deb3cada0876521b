import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { SYSTEM } from '../../infra/db/database';
import { PREFIX, startApi, TWO_STEPS, type TestApi } from './api-fixture';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const CONNECTIONS = 5;
const SLEEPERS = `select pid from pg_stat_activity where query = 'select pg_sleep(28)' and state = 'active'
  and datname = current_database()`;

it('answers every request while all connections are held, and goes on when they are free again', async () => {
  let ended = 0;
  const held = Array.from({ length: CONNECTIONS }, () =>
    api.database.query(SYSTEM, 'select pg_sleep(28)').then(
      () => (ended += 1),
      () => (ended += 1),
    ),
  );
  while ((await api.admin.query(SLEEPERS)).length < CONNECTIONS) await sleep(20);
  const asked = [
    ['GET', '/runs'],
    ['GET', '/runs/6ba7b810-9dad-11d1-80b4-00c04fd430c8'],
    ['POST', '/playbooks', { source: TWO_STEPS }],
    ['GET', '/search?q=x'],
    ['GET', '/users/me'],
  ] as const;
  const answers = await Promise.all(asked.map(([method, path, body]) => api.call(method, path, body)));
  for (const { status, body, headers } of answers) {
    expect([status, body.code, headers.get('retry-after')]).toEqual([503, 'database_unavailable', '5']);
  }
  // The database itself is well, and says so.
  const ready = await fetch(`${api.url}/health/ready`);
  expect(await ready.json()).toMatchObject({ checks: { database: { status: 'ok' } } });
  expect((await fetch(`${api.url}/health/live`)).status).toBe(200);
  // All of it was said while nothing was free.
  expect(ended).toBe(0);
  await api.admin.query(`select pg_cancel_backend(pid) from (${SLEEPERS}) s`);
  await Promise.all(held);
  expect((await api.call('GET', '/runs')).status).toBe(200);
  expect((await fetch(`${api.url}${PREFIX}/runs`)).status).toBe(401);
});
