import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migratedDatabase } from '../support/migrated-database';
import type { FreshDatabase } from '../support/postgres';
import { TcpProxy } from '../support/tcp-proxy';
import { waitUntil } from '../support/wait-until';
import { startApi, TWO_STEPS, type Answer, type TestApi } from './api-fixture';
import { anonymous, PASSWORD, register, type Person } from './people';

let fresh: FreshDatabase;
let proxy: TcpProxy;
let api: TestApi;
let person: Person;
beforeAll(async () => {
  fresh = await migratedDatabase();
  proxy = await TcpProxy.start(new URL(fresh.url).host);
  api = await startApi({ databaseUrl: proxy.through(fresh.url) });
  person = await register(api);
  await api.call('POST', '/playbooks', { source: TWO_STEPS });
});
afterAll(async () => {
  proxy.release();
  proxy.mend();
  await api.close();
  await proxy.close();
  await fresh.drop();
});

/** One of every kind: lists, views, writes, streams, checks, and what nobody has to sign in for. */
const REQUESTS: [string, () => Promise<Answer>][] = [
  ['a list', () => api.call('GET', '/runs')],
  ['a filtered list', () => api.call('GET', '/connectors?tag=us')],
  ['a view', () => api.call('GET', '/playbooks/two-steps')],
  ['a start', () => api.call('POST', '/runs', { playbook: 'two-steps', inputs: { rows: [] } })],
  ['a save', () => api.call('POST', '/playbooks', { source: TWO_STEPS })],
  ['a change', () => api.call('PUT', '/playbooks/two-steps', { source: TWO_STEPS }, { 'if-match': '*' })],
  ['a removal', () => api.call('DELETE', '/playbooks/none', undefined, { 'if-match': '*' })],
  ['a check of a text', () => api.call('POST', '/playbooks/validate', { source: TWO_STEPS })],
  ['a stream', () => api.call('GET', '/events')],
  ['a call with a token', () => person.call('GET', '/users/me')],
  ['a sign-in', () => anonymous(api)('POST', '/auth/login', { handle: person.handle, password: PASSWORD })],
  ['a link', () => anonymous(api)('GET', `/links/approvals/${'x'.repeat(43)}`)],
];

async function ready(): Promise<{ status: number; database: unknown }> {
  const answer = await fetch(`${api.url}/health/ready`);
  const body = (await answer.json()) as { checks: { database: unknown } };
  return { status: answer.status, database: body.checks.database };
}

async function expectUnavailable(): Promise<void> {
  const answers = await Promise.all(REQUESTS.map(async ([name, send]) => ({ name, answer: await send() })));
  const said = answers.map(({ name, answer }) => ({
    name,
    status: answer.status,
    code: answer.body.code,
    again: answer.headers.get('retry-after') !== null,
  }));
  expect(said).toEqual(REQUESTS.map(([name]) => ({ name, status: 503, code: 'database_unavailable', again: true })));
}

async function expectBack(): Promise<void> {
  await waitUntil('readiness', async () => (await ready()).status === 200);
  for (const [name, send] of REQUESTS.filter(([each]) => /list|view|check|token|sign-in/.test(each))) {
    expect({ name, status: (await send()).status }).toEqual({ name, status: 200 });
  }
}

const away = { status: 'down', code: 'database_unavailable', detail: 'The database does not answer.' };

describe('while the database is away, every kind of request gets 503 with Retry-After (F05b)', () => {
  it('that says nothing: the answers are there while it still holds the questions', async () => {
    proxy.hold();
    await expectUnavailable();
    expect(await ready()).toEqual({ status: 503, database: away });
    expect(proxy.waiting('requests')).toBeGreaterThan(0);
    proxy.release();
    await expectBack();
  });

  it('that takes no connection: the answers are there before it is back', async () => {
    proxy.cut();
    await expectUnavailable();
    expect(await ready()).toEqual({ status: 503, database: away });
    proxy.mend();
    await expectBack();
  });
});
