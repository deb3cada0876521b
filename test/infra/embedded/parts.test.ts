import { describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { parseConfig } from '../../../infra/config/config';
import { Backoff } from '../../../infra/embedded/backoff';
import { childEnvironment } from '../../../infra/embedded/child-environment';
import { explainDiskError } from '../../../infra/embedded/errors';
import { checkGivenDatabase } from '../../../infra/embedded/given-database';
import { createHome, resolveHome } from '../../../infra/embedded/home';
import { writeLocalKey } from '../../../infra/embedded/local-key-file';
import { rotateLogs } from '../../../infra/embedded/log-rotation';
import { livingProcess, takeLock, writePidNote } from '../../../infra/embedded/pid-file';
import { freePort, nextFreePort } from '../../../infra/embedded/ports';
import { resetHome } from '../../../infra/embedded/reset';
import { canReach } from '../../../infra/embedded/unprivileged';
import { newFolder } from '../../support/run-folder';

function listen(port: number): Promise<Server> {
  return new Promise((resolve) => {
    const server = createServer().listen(port, '127.0.0.1', () => resolve(server));
  });
}

describe('ports', () => {
  it('gives the wished one, or the next that is neither taken nor promised', async () => {
    const port = await freePort();
    expect(await nextFreePort(port)).toBe(port);
    const server = await listen(port);
    expect(await nextFreePort(port, [port + 1])).toBeGreaterThan(port + 1);
    server.close();
  });
});

describe('waits between restarts', () => {
  it('doubles them up to half a minute and starts anew after a minute of peace', () => {
    const backoff = new Backoff();
    backoff.started(0);
    expect([1, 2, 3, 4, 5, 6, 7, 8].map((now) => backoff.next(now))).toEqual([
      500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000,
    ]);
    backoff.started(100_000);
    expect(backoff.next(160_001)).toBe(500);
  });
});

describe('logs', () => {
  it('keeps three old ones and lets the writer go on in the emptied file', () => {
    const folder = newFolder('logs');
    const file = path.join(folder, 'api.log');
    for (const content of ['first', 'second', 'third', 'fourth']) {
      writeFileSync(file, content, { flag: 'a' });
      rotateLogs(folder, 3);
    }
    const old = [1, 2, 3].map((at) => readFileSync(`${file}.${at}`, 'utf8'));
    expect(old).toEqual(['fourth', 'third', 'second']);
    expect(readFileSync(file, 'utf8')).toBe('');
    expect(existsSync(`${file}.4`)).toBe(false);
  });
});

describe('notes of processes', () => {
  const home = resolveHome({ AF_HOME: newFolder('notes') });
  createHome(home);

  it('knows a process again, and not another one with its pid', () => {
    writePidNote(home, 'some', process.pid, { address: 'here' });
    expect(livingProcess(home, 'some')?.details).toEqual({ address: 'here' });
    const file = path.join(home.run, 'some.json');
    writeFileSync(file, JSON.stringify({ pid: process.pid, mark: 'another start time', details: {} }));
    expect(livingProcess(home, 'some')).toBeUndefined();
    writeFileSync(file, '{"pid":');
    expect(livingProcess(home, 'some')).toBeUndefined();
  });

  it('gives the lock to one, and takes it from the dead', () => {
    writeFileSync(
      path.join(home.run, 'lock.json'),
      JSON.stringify({ pid: 1, mark: 'not its start time', details: {} }),
    );
    expect(takeLock(home, 'lock')).toBeUndefined();
    writePidNote(home, 'lock', process.ppid);
    expect(takeLock(home, 'lock')?.pid).toBe(process.ppid);
  });
});

describe('places and rights', () => {
  it('sees a folder that another user cannot walk through', () => {
    const folder = newFolder('walk');
    const inner = path.join(folder, 'inner');
    mkdirSync(inner);
    const stranger = { uid: 54_321, gid: 54_321, name: 'stranger' };
    expect(canReach(stranger, path.join(inner, 'new'))).toBe(true);
    chmodSync(inner, 0o700);
    expect(canReach(stranger, path.join(inner, 'new'))).toBe(false);
    expect(canReach(undefined, inner)).toBe(true);
  });

  it('takes no folder for its home in which somebody else has what a reset would remove', () => {
    const folder = newFolder('somebody');
    mkdirSync(path.join(folder, 'bin'));
    mkdirSync(path.join(folder, 'music'));
    const home = resolveHome({ AF_HOME: folder });
    expect(() => createHome(home)).toThrow(expect.objectContaining({ code: 'home_not_ours' }));
    expect(readdirSync(folder).toSorted()).toEqual(['bin', 'music']);
    // Homes of an earlier version have no mark yet; a folder with our files only may come from other processes.
    writeFileSync(path.join(folder, 'master.keys'), '');
    createHome(home);
    rmSync(path.join(folder, 'master.keys'));
    createHome(home);
    const fresh = newFolder('fresh');
    mkdirSync(path.join(fresh, 'exports'));
    createHome(resolveHome({ AF_HOME: fresh }));
  });

  it('removes at a reset all that it made, the key of the first administrator too', async () => {
    const home = resolveHome({ AF_HOME: newFolder('reset') });
    createHome(home);
    writeLocalKey(home.root, 'afk_local');
    expect(await resetHome(home)).toMatchObject({ left: [] });
    expect(existsSync(home.root)).toBe(false);
  });

  it("is not reset where nothing of ours was ever started: a bin that lies there is somebody else's", async () => {
    const home = resolveHome({ AF_HOME: newFolder('foreign-reset') });
    mkdirSync(path.join(home.root, 'bin'), { recursive: true });
    writeFileSync(path.join(home.root, 'bin', 'precious'), 'mine');
    await expect(resetHome(home)).rejects.toMatchObject({ code: 'home_not_ours' });
    expect(readFileSync(path.join(home.root, 'bin', 'precious'), 'utf8')).toBe('mine');
  });

  it('turns what a disk says into a way out', () => {
    const full = Object.assign(new Error('x'), { code: 'ENOSPC' });
    const readOnly = Object.assign(new Error('x'), { code: 'EROFS' });
    expect(explainDiskError(full, '/here')).toMatchObject({ code: 'disk_full' });
    expect(explainDiskError(readOnly, '/here')).toMatchObject({ code: 'not_writable' });
    const file = Object.assign(new Error('x'), { code: 'EEXIST' });
    expect(explainDiskError(file, '/here')).toMatchObject({ code: 'not_a_directory' });
    const other = new Error('x');
    expect(explainDiskError(other, '/here')).toBe(other);
  });

  it('keeps certificates and keys of another Temporal away from our own', () => {
    const home = resolveHome({ AF_HOME: newFolder('child') });
    createHome(home);
    const env = { TEMPORAL_API_KEY: 'secret', TEMPORAL_TLS: 'true', OTHER: 'kept' };
    const reachable = { database: { url: 'postgres://x', ownerUrl: undefined }, temporalUi: undefined };
    const own = childEnvironment(env, home, { ...reachable, ownTemporal: '127.0.0.1:1' });
    expect(own).toMatchObject({ OTHER: 'kept', TEMPORAL_ADDRESS: '127.0.0.1:1', TEMPORAL_NAMESPACE: 'default' });
    expect(own.TEMPORAL_API_KEY).toBeUndefined();
    expect(own.TEMPORAL_TLS).toBeUndefined();
    const given = childEnvironment(env, home, { ...reachable, ownTemporal: undefined });
    expect(given).toMatchObject(env);
  });

  it('gives the API and the worker a socket and a folder for compiled code below its own, unless the person said otherwise', () => {
    const reachable = { database: { url: 'postgres://x', ownerUrl: undefined }, temporalUi: undefined };
    const below = (root: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv =>
      childEnvironment(env, resolveHome({ AF_HOME: root }), { ...reachable, ownTemporal: undefined });
    const given = { AF_START_SOCKET: '/there.sock', NODE_COMPILE_CACHE: '/there' };
    expect(below('/home')).toMatchObject({
      AF_START_SOCKET: '/home/run/starts.sock',
      NODE_COMPILE_CACHE: '/home/compiled',
    });
    expect(below('/home', given)).toMatchObject(given);
    // No system takes the name of such a socket: runs are started without.
    expect(below(`/${'deep/'.repeat(30)}`).AF_START_SOCKET).toBeUndefined();
  });

  it('lets signals decide where Temporal is our own, unless the person said otherwise', () => {
    const home = resolveHome({ AF_HOME: newFolder('signals') });
    createHome(home);
    const reachable = { database: { url: 'postgres://x', ownerUrl: undefined }, temporalUi: undefined };
    const signals = (env: NodeJS.ProcessEnv, ownTemporal: string | undefined): boolean =>
      parseConfig(childEnvironment(env, home, { ...reachable, ownTemporal })).signalApprovals;
    expect(signals({}, '127.0.0.1:1')).toBe(true);
    expect(signals({ AF_SIGNAL_APPROVALS: '' }, '127.0.0.1:1')).toBe(true);
    expect(signals({ AF_SIGNAL_APPROVALS: 'off' }, '127.0.0.1:1')).toBe(false);
    expect(signals({ TEMPORAL_ADDRESS: '127.0.0.1:1' }, undefined)).toBe(false);
    expect(signals({ TEMPORAL_ADDRESS: '127.0.0.1:1', AF_SIGNAL_APPROVALS: 'on' }, undefined)).toBe(true);
  });
});

it('a database that was given and does not answer is said at once, without its password', async () => {
  const failure = checkGivenDatabase('postgres://somebody:hidden@127.0.0.1:1/nowhere');
  await expect(failure).rejects.toMatchObject({ code: 'database_unreachable' });
  await expect(failure).rejects.toThrow(/^(?!.*hidden).*127\.0\.0\.1:1\/nowhere/);
});
