import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DatabaseAddress } from '../../../connectors/kinds/database/address';
import { withSession } from '../../../connectors/kinds/database/session';
import { testEgress } from '../../support/egress';
import type { SocketRequest } from '../../../infra/egress/guarded-socket';
import { isHostAllowed } from '../../../infra/egress/secret-hosts';
import { startRawServer } from '../../support/raw-server';
import type { RawServer } from '../../support/raw-server';

let echo: RawServer;
beforeAll(async () => {
  echo = await startRawServer((socket) => socket.pipe(socket));
});
afterAll(() => echo.close());

const to = (host: string, port = echo.port) => ({ host, port, timeoutMs: 5_000 });

describe('a guarded connection', () => {
  it('leads to an allowed place, and to no other', async () => {
    const egress = testEgress({ allow: [{ host: '127.0.0.1', port: echo.port }] });
    const socket = await egress.socket(to('127.0.0.1'));
    socket.end('hello');
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    expect(chunk.toString()).toBe('hello');
    const before = echo.opened();
    for (const host of ['127.0.0.2', '::1', '0', '169.254.169.254', '10.0.0.1', '0xa.1']) {
      await expect(egress.socket(to(host))).rejects.toMatchObject({ code: 'egress_denied' });
    }
    expect(echo.opened()).toBe(before);
    await egress.close();
  });

  it.each([
    ['', 5432],
    ['a b', 5432],
    ['user@host', 5432],
    ['/run/postgresql', 5432],
    ['example.org', 0],
    ['example.org', 65_536],
    ['example.org', 1.5],
  ])('%j:%d is no place', async (host, port) => {
    const egress = testEgress();
    await expect(egress.socket(to(host, port))).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('ends its wait by time and by the signal of its caller', async () => {
    const egress = testEgress({ allow: [], resolve: () => new Promise(() => undefined) });
    await expect(egress.socket({ ...to('example.org'), timeoutMs: 50 })).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
    const reason = new Error('cancelled');
    await expect(egress.socket({ ...to('example.org'), signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  it('serves a client of PostgreSQL', async () => {
    // ReadyForQuery after AuthenticationOk: as much of the protocol as a client needs to be content.
    const server = await startRawServer((socket) => {
      socket.once('data', () => socket.write(Buffer.from('5200000008000000005a0000000549', 'hex')));
    });
    const egress = testEgress({ allow: [{ host: '127.0.0.1', port: server.port }] });
    const address: DatabaseAddress = {
      host: '127.0.0.1',
      port: server.port,
      user: 'u',
      password: 'p',
      database: 'd',
      tls: 'off',
    };
    const { signal } = new AbortController();
    const open = (request: SocketRequest) => egress.socket(request);
    const done = await withSession(open, { address, timeoutMs: 5_000, signal }, () => Promise.resolve('done'));
    expect(done).toBe('done');
    expect(server.opened()).toBe(1);
    await Promise.all([egress.close(), server.close()]);
  });
});

describe('the hosts of a secret', () => {
  it('know the port of PostgreSQL', () => {
    const url = new URL('postgresql://db.example.org/app');
    expect(isHostAllowed(['db.example.org:5432'], url)).toBe(true);
    expect(isHostAllowed(['db.example.org:443'], url)).toBe(false);
  });
});
