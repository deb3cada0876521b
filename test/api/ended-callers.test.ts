import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { WebSocket } from 'ws';
import { hashToken } from '../../infra/identity/random-token';
import { PREFIX, startApi, type TestApi } from './api-fixture';
import { register, signIn, withKey, type Person } from './people';
import { together } from '../support/together';

/** Keeps these streams without events, so that only the end of their reader can end them. */
let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api?.close());

type Headers = Record<string, string>;
interface Case {
  show: () => Promise<Headers>;
  end: (headers: Headers) => Promise<unknown>;
}

async function expectEnd({ show, end }: Case): Promise<void> {
  const headers = await show();
  const response = await fetch(`${api.url}${PREFIX}/events`, { headers });
  expect(response.status).toBe(200);
  const socket = new WebSocket(`ws://127.0.0.1:${api.port}${PREFIX}/ws`, { headers });
  let pings = 0;
  socket.on('ping', () => (pings += 1));
  await once(socket, 'open');
  const closed = once(socket, 'close') as Promise<[number]>;
  const text = response.text();
  await end(headers);
  expect(await text).toContain('"code":"access_revoked"');
  expect((await closed)[0]).toBe(4001);
  // Ends before the first heartbeat, which comes after 14 seconds at the earliest; one line is written at the
  // beginning.
  expect([(await text).match(/: alive/g)?.length, pings]).toEqual([1, 0]);
}

describe('an open stream and a socket end with', () => {
  const sql = (text: string, ...params: unknown[]): Promise<unknown> => api.admin.query(text, params);
  const byKey = async (): Promise<Headers> => (await withKey(api, (await register(api)).id)).headers;
  let person: Person;
  const cases: { [name: string]: Case } = {
    'a session that is logged out': {
      show: async () => (person = await signIn(api, await register(api))).headers,
      end: () => person.call('POST', '/auth/logout'),
    },
    'a session that has expired': {
      show: async () => (await register(api, 'expiring')).headers,
      end: () =>
        sql(`update sessions set expires_at = now() where owner_id = (select id from users where handle = 'expiring')`),
    },
    'a key that is revoked': {
      show: byKey,
      end: (headers) =>
        sql('update api_keys set revoked_at = now() where hash = $1', hashToken(headers['x-api-key'] ?? '')),
    },
    'a key that has expired': {
      show: byKey,
      end: (headers) =>
        sql('update api_keys set expires_at = now() where hash = $1', hashToken(headers['x-api-key'] ?? '')),
    },
    'an account that is deactivated': {
      show: async () => (await register(api, 'leaving')).headers,
      end: () => sql(`update users set status = 'deactivated' where handle = 'leaving'`),
    },
  };
  together((declare) => {
    for (const [name, each] of Object.entries(cases)) declare(name, () => expectEnd(each));
  });
});
