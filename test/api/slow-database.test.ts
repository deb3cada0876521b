import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { migratedDatabase } from '../support/migrated-database';
import type { FreshDatabase } from '../support/postgres';
import { TcpProxy } from '../support/tcp-proxy';
import { startApi, TWO_STEPS, type TestApi } from './api-fixture';

/** Longer than a request waits before it has the database looked at, and than such a look takes on an idle machine. */
const SILENT_MS = 3_000;

let fresh: FreshDatabase;
let proxy: TcpProxy;
let api: TestApi;
beforeAll(async () => {
  fresh = await migratedDatabase();
  proxy = await TcpProxy.start(new URL(fresh.url).host);
  api = await startApi({ databaseUrl: proxy.through(fresh.url) });
});
afterAll(async () => {
  await api.close();
  await proxy.close();
  await fresh.drop();
});

describe('a database that is slow for some seconds', () => {
  it.each(['for the first time', 'with the connection of the look before'])('is no outage: %s', async () => {
    proxy.hold();
    const answers = [1, 2, 3].map(() => api.call('POST', '/playbooks', { source: TWO_STEPS }));
    await sleep(SILENT_MS);
    proxy.release();
    expect((await Promise.all(answers)).map((answer) => answer.status)).toEqual([201, 201, 201]);
  });

  it('a connection of the look that broke meanwhile is no outage either', async () => {
    proxy.cut();
    proxy.mend();
    expect(await api.deps.probe.answers(20_000)).toBe(true);
    proxy.cut();
    expect(await api.deps.probe.answers(20_000)).toBe(false);
    proxy.mend();
    expect(await api.deps.probe.answers(20_000)).toBe(true);
  });
});
