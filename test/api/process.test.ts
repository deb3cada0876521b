import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { callApi, NOBODY, PREFIX, TWO_STEPS } from './api-fixture';
import { readEvents } from './sse';
import { readLocalKey } from '../../infra/embedded/local-key-file';
import { newFolder } from '../support/run-folder';
import { TEST_MASTER_KEYS } from '../support/keys';
import { freshDatabase, startPostgres, type TestPostgres } from '../support/postgres';
import { waitUntil } from '../support/wait-until';

const ROOT = join(__dirname, '../..');

interface Program {
  child: ChildProcess;
  url: string;
  home: string;
  headers: Record<string, string>;
  said: string;
  exit: Promise<number | null>;
}

/** The API as it is started in real life, from its sources. */
function start(env: Record<string, string>): Promise<Program> {
  const home = env['AF_HOME'] ?? newFolder('api-home');
  const child = spawn(process.execPath, ['-r', join(ROOT, 'test/support/ts-hook.cjs'), join(ROOT, 'src/main.ts')], {
    cwd: ROOT,
    env: {
      PATH: process.env['PATH'],
      TEMPORAL_ADDRESS: NOBODY,
      AF_LOG_LEVEL: 'fatal',
      AF_MASTER_KEYS: TEST_MASTER_KEYS,
      AF_HOME: home,
      AF_LOCAL_KEY: 'on',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout?.on('data', (chunk) => {
      said += String(chunk);
      const url = /^api ready (\S+)$/m.exec(said)?.[1];
      if (url !== undefined) {
        resolve({ child, url, home, headers: { 'x-api-key': readLocalKey(home) ?? '' }, said, exit });
      }
    });
    let wrong = '';
    child.stderr?.on('data', (chunk) => (wrong += String(chunk)));
    void exit.then((code) => reject(new Error(`exit ${code}: ${wrong}`)));
  });
}

async function stop(program: Program): Promise<number | null> {
  program.child.kill('SIGTERM');
  return program.exit;
}

const post = ({ url, headers }: Program, path: string, body: unknown) =>
  callApi(url, { method: 'POST', path: PREFIX + path, body, headers });

describe('the process', () => {
  let fresh: Awaited<ReturnType<typeof freshDatabase>>;
  let program: Program;
  beforeAll(async () => {
    fresh = await freshDatabase();
    program = await start({ DATABASE_URL: fresh.url, AF_PORT: '41800' });
  });
  afterAll(async () => {
    await stop(program);
    await fresh.drop();
  });

  it('migrates, loads the catalogue and says one line', async () => {
    expect(program.said).toMatch(/^(port \d+ is taken, using \d+\n)?api ready http:\/\/127\.0\.0\.1:\d+\n$/);
    const { body } = await callApi(program.url, {
      method: 'GET',
      path: `${PREFIX}/playbooks`,
      headers: program.headers,
    });
    expect(body.items?.map((playbook) => playbook['origin'])).toContain('catalog');
    const ready = await fetch(`${program.url}/health/ready`);
    expect(await ready.json()).toMatchObject({
      status: 'degraded',
      checks: { database: { status: 'ok' }, temporal: { status: 'down' } },
    });
  });

  it('prints the first administrator’s link where there is no key file, and a password makes it the last one', async () => {
    const own = await freshDatabase();
    const env = { DATABASE_URL: own.url, AF_PORT: '42100', AF_LOCAL_KEY: 'off' };
    const first = await start(env);
    const link = /^first administrator, within a day: (\S+)$/m.exec(first.said)?.[1] ?? '';
    const path = new URL(link).pathname;
    const body = { handle: 'rosalind', password: 'correct horse battery' };
    expect((await callApi(first.url, { method: 'GET', path })).body).toMatchObject({ purpose: 'first_admin' });
    const used = await callApi(first.url, { method: 'POST', path, body });
    const headers = { authorization: `Bearer ${String(used.body['access_token'])}` };
    const me = await callApi(first.url, { method: 'GET', path: `${PREFIX}/users/me`, headers });
    expect(me.body).toMatchObject({ handle: 'rosalind', scopes: ['global:admin'] });
    expect((await callApi(first.url, { method: 'POST', path, body })).status).toBe(404);
    await stop(first);
    const second = await start(env);
    expect(second.said).not.toContain('first administrator');
    await stop(second);
    await own.drop();
  });

  it('prints addresses that answer where it listens on all of them, and that of a proxy which stands before it', async () => {
    const own = await freshDatabase();
    const env = { DATABASE_URL: own.url, AF_PORT: '42140', AF_LOCAL_KEY: 'off', AF_HOST: '0.0.0.0' };
    const first = await start(env);
    const linkOf = ({ said }: Program): URL =>
      new URL(/^first administrator, within a day: (\S+)$/m.exec(said)?.[1] ?? '');
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(linkOf(first).origin).toBe(first.url);
    expect(await (await fetch(linkOf(first))).json()).toMatchObject({ purpose: 'first_admin' });
    await stop(first);
    const behind = await start({ ...env, AF_ALLOWED_HOSTS: 'Factory.example.org:443,127.0.0.1:8080' });
    const link = linkOf(behind);
    expect(link.origin).toBe('https://factory.example.org');
    // Headers of a browser there, passed on by a proxy: neither names the port.
    const sent = { host: 'factory.example.org', origin: link.origin };
    const post = (headers: { [name: string]: string }): Promise<string> =>
      sentTo(
        `${behind.url}${link.pathname}`,
        { ...sent, ...headers },
        { handle: 'rosalind', password: 'correct horse battery' },
      );
    expect(await post({ host: 'factory.example.org:8443' })).toContain('foreign_host');
    expect(await post({ origin: 'https://example.org' })).toContain('foreign_origin');
    expect(await post({})).toContain('access_token');
    await stop(behind);
    await own.drop();
  });

  it('takes the next port when its own is taken, and says so', async () => {
    const port = new URL(program.url).port;
    const second = await start({ DATABASE_URL: fresh.url, AF_PORT: port, AF_HOME: program.home });
    expect(second.said).toMatch(new RegExp(`^port ${port} is taken, using \\d+\\napi ready `));
    expect(await stop(second)).toBe(0);
  });

  it('drains at SIGTERM: streams end, the request in flight is answered, exit 0, also when told twice (F29b, F29c)', async () => {
    const other = await start({
      DATABASE_URL: fresh.url,
      AF_PORT: '41900',
      AF_SHUTDOWN_GRACE: '20',
      AF_HOME: program.home,
    });
    await post(other, '/playbooks', { source: TWO_STEPS });
    const { body: run } = await post(other, '/runs', { playbook: 'two-steps', inputs: { rows: [] } });
    const url = `${other.url}${PREFIX}/runs/${String(run['runId'])}/events`;
    const open = await Promise.all(Array.from({ length: 20 }, () => fetch(url, { headers: other.headers })));
    const streams = open.map((response) => readEvents(response));
    const rows = async (): Promise<number> => {
      const { body } = await callApi(other.url, { method: 'GET', path: `${PREFIX}/runs`, headers: other.headers });
      return body.items?.length ?? 0;
    };
    const before = await rows();
    // Temporal is away, so this one waits for its start for a while.
    const flying = post(other, '/runs', { playbook: 'two-steps', inputs: { rows: [] } });
    await waitUntil('the row of the second run', async () => (await rows()) > before);
    other.child.kill('SIGTERM');
    await sleep(200);
    other.child.kill('SIGTERM');
    expect((await flying).status).toBe(201);
    for (const stream of await Promise.all(streams)) {
      expect(stream).toMatchObject({ status: 200, ended: true });
    }
    expect(await other.exit).toBe(0);
    const kept = await callApi(program.url, {
      method: 'GET',
      path: `${PREFIX}/runs/${String((await flying).body['runId'])}`,
      headers: program.headers,
    });
    expect(kept.status).toBe(200);
  });

  it('does not start on a configuration that it cannot use, and says why', async () => {
    await expect(start({ DATABASE_URL: 'mysql://x', AF_PORT: 'x' })).rejects.toThrow(
      /"code":"invalid_configuration".*AF_PORT: expected.*DATABASE_URL: expected/,
    );
  });
});

interface SilentProxy {
  port: number;
  cut(): void;
  heal(): void;
  close(): void;
  /** Number of the API's unanswered probes. */
  unansweredProbes(): number;
}

/** Name of the probe's connection. */
const PROBE_NAME = 'agent-factory-probe';

/** Passes bytes on until it is told to keep silent: a network that was cut. */
async function silentProxy(port: number): Promise<SilentProxy> {
  let silent = false;
  let unanswered = 0;
  const probes = new Set<Socket>();
  const sockets = new Set<Socket>();
  const server: Server = createServer((inner) => {
    const outer = connect(port, '127.0.0.1');
    inner.on('data', (chunk) => {
      if (chunk.includes(PROBE_NAME)) probes.add(inner);
      if (silent && probes.has(inner)) unanswered += 1;
    });
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => {
        if (!silent) to.write(chunk);
      });
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as { port: number }).port,
    unansweredProbes: () => unanswered,
    cut: () => {
      silent = true;
    },
    heal: () => {
      silent = false;
      sockets.forEach((socket) => socket.destroy());
    },
    close: () => {
      sockets.forEach((socket) => socket.destroy());
      server.close();
    },
  };
}

describe('a database that is away', () => {
  let postgres: TestPostgres;
  let proxy: SilentProxy;
  let program: Program;
  beforeAll(async () => {
    postgres = await startPostgres();
    proxy = await silentProxy(postgres.port);
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    program = await start({ DATABASE_URL: url.href, AF_PORT: '42000' });
    await post(program, '/playbooks', { source: TWO_STEPS });
  });
  afterAll(async () => {
    program.child.kill('SIGKILL');
    await program.exit;
    proxy.close();
    await postgres.stop();
  });

  /** Answered while the database is away: who waited for it would never come back from here. */
  async function expectUnavailable(): Promise<void> {
    const body = { playbook: 'two-steps', inputs: { rows: [] } };
    const requests = [
      () => callApi(program.url, { method: 'GET', path: `${PREFIX}/runs`, headers: program.headers }),
      () => post(program, '/runs', body),
      () => post(program, '/playbooks/validate', { source: TWO_STEPS }),
    ];
    for (const answer of await Promise.all(requests.map((request) => request()))) {
      expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
      expect(answer.headers.get('retry-after')).toBeTruthy();
    }
  }

  async function expectNotReady(): Promise<void> {
    expect((await fetch(`${program.url}/health/ready`)).status).toBe(503);
    expect((await fetch(`${program.url}/health/live`)).status).toBe(200);
  }

  const healed = (): Promise<void> =>
    waitUntil('an answer with the database back', async () => {
      const answer = await callApi(program.url, { method: 'GET', path: `${PREFIX}/runs`, headers: program.headers });
      return answer.status === 200;
    });

  it('gives 503 with Retry-After while it is stopped, and heals by itself (F05b)', async () => {
    await postgres.stop('immediate');
    await expectUnavailable();
    await expectNotReady();
    await postgres.start();
    await healed();
  });

  it('gives 503 while it is silent, and heals by itself (F27b)', async () => {
    proxy.cut();
    await expectUnavailable();
    // Proves that the driver's own long limit did not end the requests: the database was asked over another connection.
    expect(proxy.unansweredProbes()).toBeGreaterThan(0);
    await expectNotReady();
    proxy.heal();
    await healed();
  });
});

/** Sends a call with its own host, which `fetch` does not send. */
function sentTo(url: string, headers: { [name: string]: string }, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const sending = request(url, options, (answer) => void textOf(answer).then(resolve, reject));
    sending.on('error', reject);
    sending.end(JSON.stringify(body));
  });
}
