import { afterAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { readEndpoints } from '../../infra/embedded/endpoints';
import { resolveHome } from '../../infra/embedded/home';
import { isAlive, waitUntil } from '../../infra/embedded/process';
import { resetHome } from '../../infra/embedded/reset';
import { openAdmin } from '../support/admin';
import { expectNothingOpen } from '../support/open-ends';
import { newFolder } from '../support/run-folder';
import { programFolder } from '../support/temporal';

const ROOT = path.resolve(__dirname, '../..');
const folder = newFolder('quickstart');
const env = { ...process.env, AF_HOME: folder, AF_CACHE_DIR: programFolder(), AF_PORT: '39400' };
const home = resolveHome(env);

interface Result {
  code: number | null;
  out: string;
  err: string;
}

function af(...args: string[]): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['cli/af.cjs', ...args], {
    cwd: ROOT,
    env,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

interface Started {
  child: ChildProcess;
  said: () => string;
  exit: Promise<number | null>;
}

function start(script: string, ...args: string[]): Started {
  return watched(spawn(process.execPath, [script, ...args], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] }));
}

function watched(child: ChildProcessByStdio<null, Readable, Readable>): Started {
  let said = '';
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve));
  return { child, said: () => said, exit };
}

function livingPids(): number[] {
  const endpoints = readEndpoints(home);
  return endpoints
    ? [endpoints.api.pid, endpoints.worker.pid, endpoints.temporal.pid ?? 0, endpoints.database.pid ?? 0]
    : [];
}

/** Checks while it runs: nothing is open in a run that has ended. */
async function nothingOpen(): Promise<void> {
  const url = new URL(readEndpoints(home)?.database.url ?? '');
  url.password = readFileSync(home.databasePasswordFile, 'utf8').trim();
  const admin = openAdmin(url.href);
  try {
    await expectNothingOpen(admin);
  } finally {
    await admin.close();
  }
}

const EXAMPLE = 'nonprofit-filing-review-deterministic';
const API = '/api/agent-factory';

/** All logs but PostgreSQL's own: every line is an object of JSON, without a colour. */
function logLines(): Record<string, unknown>[] {
  return ['profile', 'api', 'worker', 'temporal'].flatMap((name) => {
    const text = readFileSync(path.join(home.logs, `${name}.log`), 'utf8');
    expect(text).not.toContain('\u001b');
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  });
}

/** The page that the profile starts is told of our codec endpoint, and may call it from its own origin. */
async function temporalWebDecodes(): Promise<void> {
  const { api, temporalUi } = readEndpoints(home) ?? {};
  const settings = (await (await fetch(`${temporalUi?.url}/api/v1/settings`)).json()) as {
    Codec: { Endpoint: string };
  };
  expect(settings.Codec.Endpoint).toBe(`${api?.url}${API}/codec`);
  const asked = await fetch(`${settings.Codec.Endpoint}/decode`, {
    method: 'OPTIONS',
    headers: { origin: temporalUi?.url ?? '', 'access-control-request-headers': 'content-type,x-namespace' },
  });
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, temporalUi?.url]);
}

describe('the quick start', () => {
  afterAll(async () => {
    await resetHome(home);
  });

  it('with --once runs the example to its end, writes the report and stops everything', async () => {
    const quickstart = start('scripts/quickstart.cjs', '--once');
    expect(await quickstart.exit).toBe(0);
    const [run, status, report] = quickstart.said().trimEnd().split('\n').slice(-3);
    expect(run).toMatch(/^run: [0-9a-f-]{36}$/);
    expect(status).toBe('status: complete');
    const file = /^report: (\/.+\.md)$/.exec(report ?? '')?.[1] ?? '';
    expect(readFileSync(file, 'utf8')).toContain('Pasadena Community Foundation');
    expect(quickstart.said()).toMatch(/The API is ready \(\d/);
    expect(existsSync(home.endpointsFile)).toBe(false);
    const lines = logLines();
    const runId = (run ?? '').slice('run: '.length);
    expect(lines.filter((line) => line['runId'] === runId && line['event'] !== 'request')).toEqual([
      expect.objectContaining({ name: 'api', event: 'run.started', playbook: EXAMPLE }),
      expect.objectContaining({ name: 'worker', event: 'run.ended', playbook: EXAMPLE, status: 'complete' }),
    ]);
    expect(lines.filter((line) => line['event'] === 'request').map((line) => line['route'])).toContain(`${API}/runs`);
  });

  it('stays up, takes a decision from the command line, lets others join, and stops at Ctrl-C', async () => {
    const quickstart = start('scripts/quickstart.cjs');
    await waitUntil(() => quickstart.said().includes('Answer it in one of three ways'), {
      what: `the approval request; so far: ${quickstart.said()}`,
      timeoutMs: 180_000,
    });
    const waiting = JSON.parse(af('approvals', '--json').out) as { items: { approvalId: string; runId: string }[] };
    const [request] = waiting.items;
    const runId = request?.runId ?? '';
    expect(af('runs').out).toContain(`${runId.slice(0, 8)}  waiting_approval`);
    expect(af('approve', request?.approvalId ?? '')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/\n {2}digest [0-9a-f]{64}\nApproved\.\n$/),
    });
    expect(af('reject', request?.approvalId ?? '')).toMatchObject({ code: 1 });
    await waitUntil(() => quickstart.said().includes('status: complete'), {
      what: 'the end of the run',
      timeoutMs: 60_000,
    });

    const status = JSON.parse(af('status', '--json').out) as unknown;
    expect(status).toEqual(readEndpoints(home));
    await temporalWebDecodes();
    const same = start('scripts/start.cjs');
    expect(await same.exit).toBe(0);
    expect(same.said()).toContain('It was running already; nothing was started.');
    expect(same.said()).not.toContain('not count');
    const other = { ...env, AF_PORT: '39499', AF_IMPORT_DIRS: '/somewhere', AF_HOST: '127.0.0.1' };
    const second = spawnSync(process.execPath, ['scripts/start.cjs'], { cwd: ROOT, env: other, encoding: 'utf8' });
    expect(second.stdout).toContain(
      'These settings do not count, the running profile has other values: AF_IMPORT_DIRS, AF_PORT.',
    );
    expect(af('logs', 'api', '--lines', '5')).toMatchObject({ code: 0 });

    await nothingOpen();
    const pids = livingPids();
    expect(pids.every(isAlive)).toBe(true);
    quickstart.child.kill('SIGINT');
    expect(await quickstart.exit).toBe(0);
    expect(pids.some(isAlive)).toBe(false);
  });

  it.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('stops everything when npm gets %s', async (signal) => {
    // Process group of its own, so that the signal reaches npm alone.
    const npm = watched(spawn('npm', ['start'], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true }));
    await waitUntil(() => npm.said().includes('Ctrl-C stops it.'), {
      what: `the start; so far: ${npm.said()}`,
      timeoutMs: 120_000,
    });
    const pids = livingPids();
    expect(pids.every(isAlive)).toBe(true);
    npm.child.kill(signal);
    await npm.exit;
    const over = (): boolean => !pids.some(isAlive) && !existsSync(home.endpointsFile);
    await waitUntil(over, { what: `the end of all parts and of their file: ${npm.said()}`, timeoutMs: 60_000 });
  });

  it('validates files, runs with inputs and reports failures by exit code', async () => {
    const up = start('scripts/start.cjs');
    await waitUntil(() => up.said().includes('Ctrl-C stops it.'), {
      what: `the start; so far: ${up.said()}`,
      timeoutMs: 120_000,
    });
    const bad = path.join(folder, 'bad.yaml');
    writeFileSync(bad, 'name: Bad\nsteps:\n  - name: one\n    action: no_such_action\n');
    const verdict = af('validate', bad);
    expect(verdict.code).toBe(2);
    expect(verdict.out).toMatch(/\d+:\d+ error \w+: /);
    expect(af('validate', 'catalog/playbooks/nonprofit-filing-review-deterministic.yaml')).toMatchObject({ code: 0 });
    expect(af('run', 'no-such-playbook')).toMatchObject({ code: 1 });
    const followed = af('run', 'nonprofit-filing-review-deterministic', '--approve');
    expect(followed.out).toContain('status: complete');
    expect(followed.code).toBe(0);
    await nothingOpen();
    const pids = livingPids();
    expect(af('stop')).toMatchObject({ code: 0, out: 'Everything is stopped: supervisor.\n' });
    expect(await up.exit).toBe(0);
    expect(pids.some(isAlive)).toBe(false);
    expect(af('stop').out).toContain('Nothing runs here');
    expect(af('runs')).toMatchObject({ code: 3 });
  });

  it('is removed by reset --yes, a running one stopped first, and by nothing less', async () => {
    const up = start('scripts/start.cjs');
    await waitUntil(() => up.said().includes('Ctrl-C stops it.'), {
      what: `the start; so far: ${up.said()}`,
      timeoutMs: 120_000,
    });
    const pids = livingPids();
    const asked = af('reset');
    expect(asked).toMatchObject({ code: 2, out: '' });
    expect(asked.err).toContain(`This removes all data in ${home.root}`);
    expect(pids.every(isAlive)).toBe(true);

    const foreign = path.join(folder, 'bad.yaml');
    writeFileSync(foreign, 'what somebody else keeps here');
    const first = af('reset', '--yes');
    expect(first.code).toBe(0);
    expect(first.out).toContain(home.database);
    expect(first.out).toContain('Left, since it is not ours: bad.yaml.');
    await up.exit;
    expect(pids.some(isAlive)).toBe(false);
    expect(readdirSync(home.root)).toEqual(['bad.yaml']);
    rmSync(foreign);
    expect(af('reset', '--yes')).toMatchObject({ code: 0, out: 'Removed: nothing.\n' });
    expect([home.root, home.database].filter(existsSync)).toEqual([]);
  });
});
