import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import type { Server } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseConfig } from '../../../infra/config/config';
import { createEgress } from '../../../infra/egress/egress';
import type { Egress } from '../../../infra/egress/egress';
import { egressSettings } from '../../../infra/egress/settings';
import { startConnectProxy } from '../../support/connect-proxy';
import type { ConnectProxy } from '../../support/connect-proxy';
import { startHttpSource } from '../../support/http-source';
import type { HttpSource } from '../../support/http-source';
import { answering, startRawServer } from '../../support/raw-server';
import { testEgress } from '../../support/egress';
import { selfSigned } from '../../support/self-signed';

const PUBLIC = '93.184.216.34';
const usual = getCACertificates('default');
const { key, cert } = selfSigned('api.example.org');
let source: HttpSource;
let secure: Server;
let proxy: ConnectProxy;
let egress: Egress;
const serverNames: (string | undefined)[] = [];

beforeAll(async () => {
  source = await startHttpSource((request, response) => response.end(`plain ${request.headers.host}`));
  secure = createServer({ key, cert, SNICallback: (name, done) => (serverNames.push(name), done(null)) }, (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecure'));
  });
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  proxy = await startConnectProxy((target) => {
    if (target.endsWith(':403')) return { status: 403 };
    return { port: target.endsWith(':443') ? (secure.address() as AddressInfo).port : source.port };
  });
  const config = parseConfig({ EGRESS_PROXY: `http://user:p%40ss@127.0.0.1:${proxy.port}` });
  egress = createEgress({ ...egressSettings(config), resolve: () => Promise.resolve([PUBLIC]) });
  setDefaultCACertificates([...usual, cert]);
});
afterAll(async () => {
  setDefaultCACertificates(usual);
  await egress.close();
  await Promise.all([source.close(), proxy.close(), new Promise((resolve) => secure.close(resolve))]);
});

const get = (url: string) => ({ method: 'GET', url, timeoutMs: 5_000 });
const textOf = ({ body }: { body: Uint8Array }): string => Buffer.from(body).toString();

describe('the proxy of the configuration', () => {
  it('is asked for the checked address, never for the name, with its own credentials', async () => {
    expect(textOf(await egress.fetch(get('http://api.example.org/')))).toBe('plain api.example.org');
    expect(proxy.asked.at(-1)).toMatchObject({
      target: `${PUBLIC}:80`,
      headers: { 'proxy-authorization': `Basic ${Buffer.from('user:p@ss').toString('base64')}` },
    });
    expect(source.seen.at(-1)?.headers['proxy-authorization']).toBeUndefined();
  });

  it('leads TLS through with the name of the server', async () => {
    expect(textOf(await egress.fetch(get('https://api.example.org/')))).toBe('secure');
    expect(proxy.asked.at(-1)?.target).toBe(`${PUBLIC}:443`);
    expect(serverNames.at(-1)).toBe('api.example.org');
  });

  it('is no way around the certificate', async () => {
    await expect(egress.fetch(get('https://other.example.org/'))).rejects.toMatchObject({
      code: 'upstream_unavailable',
      retryable: false,
      message: expect.stringContaining('certificate'),
    });
  });

  it('leads other protocols through as well', async () => {
    const socket = await egress.socket({ host: 'db.example.org', port: 5433, timeoutMs: 5_000 });
    expect(proxy.asked.at(-1)?.target).toBe(`${PUBLIC}:5433`);
    socket.write('GET /raw HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    await once(socket.resume(), 'close');
    expect(source.seen.at(-1)?.url).toBe('/raw');
  });

  it('is not asked for what the guard refuses', async () => {
    const before = proxy.asked.length;
    for (const url of ['http://127.0.0.1/', 'http://169.254.169.254/', `http://[::1]:${proxy.port}/`]) {
      await expect(egress.fetch(get(url))).rejects.toMatchObject({ code: 'egress_denied' });
    }
    expect(proxy.asked).toHaveLength(before);
  });

  it('says so when it refuses, when it is gone, and when it is no proxy', async () => {
    await expect(egress.fetch(get('http://api.example.org:403/'))).rejects.toMatchObject({
      code: 'egress_proxy_refused',
      retryable: false,
      details: { status: 403, not_sent: true },
    });
    for (const [answer, code] of [
      ['SSH-2.0-OpenSSH\r\n\r\n', 'egress_proxy_refused'],
      ['x'.repeat(20_000), 'egress_proxy_refused'],
      ['', 'egress_proxy_refused'],
    ] as const) {
      const wrong = await startRawServer(answering(answer, (socket) => socket.end()));
      const lost = testEgress({
        resolve: () => Promise.resolve([PUBLIC]),
        proxy: { host: '127.0.0.1', port: wrong.port },
      });
      await expect(lost.fetch(get('http://api.example.org/'))).rejects.toMatchObject({ code });
      await wrong.close();
      await expect(lost.fetch(get('http://api.example.org/'))).rejects.toMatchObject({ code: 'upstream_unavailable' });
      await lost.close();
    }
  });
});

describe('proxy variables of the environment', () => {
  it('count for nothing', async () => {
    const decoy = await startConnectProxy(() => ({ port: source.port }));
    const address = `http://127.0.0.1:${decoy.port}`;
    const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
    const [hook, script] = [
      path.resolve('test/support/ts-hook.cjs'),
      path.resolve('test/support/egress-fetch.main.ts'),
    ];
    const child = spawn(process.execPath, ['-r', hook, script, `--url=${source.url}`], {
      env: {
        ...process.env,
        ...Object.fromEntries(names.map((name) => [name, address])),
        NODE_USE_ENV_PROXY: '1',
        NO_PROXY: '',
        AF_EGRESS_ALLOW: `127.0.0.1:${source.port}`,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await once(child, 'close');
    expect(JSON.parse(said)).toMatchObject({ outcomes: [{ status: 200 }] });
    expect(decoy.connections()).toBe(0);
    await decoy.close();
  });
});
