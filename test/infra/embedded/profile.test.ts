import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { type Endpoints, readEndpoints } from '../../../infra/embedded/endpoints';
import { type Home, resolveHome } from '../../../infra/embedded/home';
import { freePort } from '../../../infra/embedded/ports';
import { isAlive, waitUntil } from '../../../infra/embedded/process';
import { resetHome } from '../../../infra/embedded/reset';
import { describeWhere, isRoot } from '../../support/machine';
import { newFolder } from '../../support/run-folder';
import { programFolder } from '../../support/temporal';

interface Supervised {
  child: ChildProcess;
  said(): string;
  waitFor(words: string): Promise<void>;
  exit: Promise<number | null>;
}

/** One home for the suite: each test starts a supervisor on it and ends it in its own way. */
const root = newFolder('home');
const env: NodeJS.ProcessEnv = { ...process.env, AF_HOME: root, AF_CACHE_DIR: programFolder() };
let port: number;
beforeAll(async () => {
  port = await freePort();
  env['AF_PORT'] = String(port);
});
const home: Home = resolveHome(env);
const running: ChildProcess[] = [];

function supervise(extra: NodeJS.ProcessEnv = {}): Supervised {
  const support = path.resolve(__dirname, '../../support');
  const args = ['-r', path.join(support, 'ts-hook.cjs'), path.join(support, 'supervise.main.ts')];
  const child = spawn(process.execPath, args, { env: { ...env, ...extra }, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const waitFor = (words: string) =>
    waitUntil(() => said.includes(words), {
      what: `"${words}" in: ${said}`,
      timeoutMs: 60_000,
      failed: () => (child.exitCode === null ? undefined : `it ended with ${child.exitCode}: ${said}`),
    });
  return { child, said: () => said, waitFor, exit };
}

function endpoints(): Endpoints {
  const found = readEndpoints(home);
  if (!found) throw new Error('there are no endpoints');
  return found;
}

function pids({ api, worker, temporal, database }: Endpoints): number[] {
  return [api.pid, worker.pid, temporal.pid ?? 0, database.pid ?? 0];
}

describe('the supervisor', () => {
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });
  afterAll(async () => {
    await resetHome(home);
  });

  it('starts everything, tells where, lets a second start join, and stops everything', async () => {
    const first = supervise();
    await first.waitFor('up');
    const found = endpoints();
    expect(pids(found).every(isAlive)).toBe(true);
    expect(found.api.url).toBe(`http://127.0.0.1:${port}`);
    expect(found.temporalUi.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(found.database.data_dir).toBe(path.join(home.database, 'data'));
    expect(statSync(home.endpointsFile).mode & 0o777).toBe(0o600);
    expect(new URL(found.database.url).password).toBe('');
    const url = new URL(found.database.url);
    url.password = readFileSync(home.databasePasswordFile, 'utf8');
    const client = new Client({ connectionString: url.href });
    await client.connect();
    await client.end();

    const second = supervise();
    await second.waitFor('joined');
    expect(await second.exit).toBe(0);
    expect(pids(found).every(isAlive)).toBe(true);

    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    expect(pids(found).some(isAlive)).toBe(false);
    expect(readEndpoints(home)).toBeUndefined();
  });

  it('brings back what dies, each with one line, and keeps the addresses', async () => {
    const supervisor = supervise();
    await supervisor.waitFor('up');
    const before = endpoints();
    for (const pid of pids(before)) process.kill(pid, 'SIGKILL');
    await waitUntil(() => pids(endpoints()).every((pid) => isAlive(pid) && !pids(before).includes(pid)), {
      what: `the restart of all four: ${supervisor.said()}`,
      timeoutMs: 60_000,
    });
    const after = endpoints();
    expect(after.api.url).toBe(before.api.url);
    expect(after.temporal.address).toBe(before.temporal.address);
    expect(after.database.url).toBe(before.database.url);
    for (const title of ['The worker', 'The API', 'Temporal', 'PostgreSQL']) {
      expect(supervisor.said().split(`${title} ended; starting it again in 0.5 s.`)).toHaveLength(2);
    }
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.exit).toBe(0);
  });

  it('takes over what a killed supervisor left', async () => {
    const killed = supervise();
    await killed.waitFor('up');
    const before = endpoints();
    killed.child.kill('SIGKILL');
    await killed.exit;
    expect(pids(before).every(isAlive)).toBe(true);

    const next = supervise();
    await next.waitFor('up');
    const after = endpoints();
    expect(after.database.pid).toBe(before.database.pid);
    expect(after.temporal).toEqual(before.temporal);
    expect(after.worker.pid).not.toBe(before.worker.pid);
    expect([before.api.pid, before.worker.pid].some(isAlive)).toBe(false);
    next.child.kill('SIGTERM');
    expect(await next.exit).toBe(0);
    expect(pids(after).some(isAlive)).toBe(false);
  });

  it('takes the next port when the wished one is taken, and says so', async () => {
    const server = createServer().listen(port, '127.0.0.1');
    const supervisor = supervise();
    await supervisor.waitFor('up');
    const next = new URL(endpoints().api.url).port;
    expect(Number(next)).toBeGreaterThan(port);
    expect(supervisor.said()).toContain(`Port ${port} is taken; the API listens on ${next}.`);
    supervisor.child.kill('SIGTERM');
    await supervisor.exit;
    server.close();
  });

  it('leaves dead what dies under AF_SUPERVISE=0', async () => {
    const supervisor = supervise({ AF_SUPERVISE: '0' });
    await supervisor.waitFor('up');
    process.kill(endpoints().worker.pid, 'SIGKILL');
    await supervisor.waitFor('The worker ended and is not started again');
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.exit).toBe(0);
  });

  it('says why a part did not start, and leaves nothing running', async () => {
    const supervisor = supervise({ STAND_IN_FAILS: 'api' });
    expect(await supervisor.exit).toBe(1);
    expect(supervisor.said()).toContain('The API ended with code 3 while it was starting');
    expect(supervisor.said()).toContain('api cannot start');
    expect(supervisor.said()).not.toMatch(/^\s+at /m);
    expect(readEndpoints(home)).toBeUndefined();
    const left = ['api', 'worker', 'temporal'].map((name) => path.join(home.run, `${name}.json`));
    for (const note of left) expect(readPid(note)).toBeUndefined();
  });

  it('can be interrupted while it starts', async () => {
    const supervisor = supervise({ STAND_IN_HANGS: 'worker' });
    await supervisor.waitFor('The API is ready');
    const started = ['api', 'worker', 'temporal'].map((name) => readPid(path.join(home.run, `${name}.json`)) ?? 0);
    expect(started.every(isAlive)).toBe(true);
    supervisor.child.kill('SIGTERM');
    expect(await supervisor.exit).toBe(1);
    expect(supervisor.said()).toContain('The start was interrupted.');
    expect(started.some(isAlive)).toBe(false);
  });

  it('says at once that an address of another Temporal does not answer', async () => {
    const supervisor = supervise({ TEMPORAL_ADDRESS: '127.0.0.1:9' });
    expect(await supervisor.exit).toBe(1);
    expect(supervisor.said()).toContain('No Temporal server answers at 127.0.0.1:9 (TEMPORAL_ADDRESS)');
  });

  it('removes its own data and nothing else', async () => {
    writeFileSync(path.join(root, 'mine.txt'), 'not yours');
    const { left } = await resetHome(home);
    expect(left).toEqual(['mine.txt']);
  });
});

describeWhere('root', isRoot(), 'a home that the user of PostgreSQL cannot reach', () => {
  it('has its database elsewhere, says so, and is removed with it', async () => {
    const closed = newFolder('closed');
    chmodSync(closed, 0o700);
    const settings = { AF_HOME: path.join(closed, 'home') };
    const there = resolveHome({ ...env, ...settings });
    const supervisor = supervise(settings);
    await supervisor.waitFor('up');
    const found = readEndpoints(there);
    expect(found?.database.data_dir).toMatch(/^\/var\/lib\/agent-factory\/[0-9a-f]{16}\/data$/);
    await resetHome(there);
    expect(await supervisor.exit).toBe(0);
    expect(existsSync(there.root)).toBe(false);
    expect(existsSync(there.database)).toBe(false);
  });
});

function readPid(file: string): number | undefined {
  try {
    const note = JSON.parse(readFileSync(file, 'utf8')) as { pid: number };
    return isAlive(note.pid) ? note.pid : undefined;
  } catch {
    return undefined;
  }
}
