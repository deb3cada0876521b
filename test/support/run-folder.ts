import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  chmodSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isSameProcess, killGroup, processMark } from '../../infra/embedded/process';

/**
 * One folder for each jest run. Shared servers, and those that test files start for themselves, are registered here,
 * so that the end of the run, or the next run after a crash, stops them. AF_TEST_RUN names it.
 */
const PREFIX = 'af-test-';
const START_LIMIT_MS = 300_000;
const MOUNTS = '/proc/mounts';

interface Registered {
  pid: number;
  mark: string;
}

export function createRunFolder(): void {
  if (process.env.AF_TEST_RUN) return;
  sweepDeadRuns();
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX));
  chmodSync(folder, 0o755);
  mkdirSync(path.join(folder, 'servers'));
  writeJson(path.join(folder, 'owner.json'), { pid: process.pid, mark: processMark(process.pid) });
  process.env.AF_TEST_RUN = folder;
  // Programs that tests start load two thousand files each: the next one reuses what the first has compiled.
  process.env.NODE_COMPILE_CACHE ??= compileCache();
}

/** A cache for this run alone, so that files of an older dist/ do not collect here. */
export function compileCache(): string {
  return path.join(runFolder(), 'compiled');
}

/** Outside jest (a script that uses the test support) the folder is made at first use. */
export function runFolder(): string {
  createRunFolder();
  return process.env.AF_TEST_RUN ?? '';
}

export function removeRunFolder(): void {
  const folder = process.env.AF_TEST_RUN;
  if (!folder) return;
  delete process.env.AF_TEST_RUN;
  if (process.env.NODE_COMPILE_CACHE?.startsWith(folder) === true) delete process.env.NODE_COMPILE_CACHE;
  dispose(folder);
}

/** A new folder inside the run's that the database's own user can enter. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(path.join(runFolder(), `${name}-`));
  chmodSync(folder, 0o755);
  return folder;
}

/** Registers a process: it is killed at the end of the run at the latest. */
export function registerServer(pid: number): void {
  writeJson(path.join(runFolder(), 'servers', `${pid}.json`), { pid, mark: processMark(pid) });
}

/** Starts a server once for all test files of a run: the first caller starts it, the others wait for the file that describes it. */
export async function sharedOnce<Value>(name: string, start: () => Promise<Value>): Promise<Value> {
  const result = path.join(runFolder(), `${name}.json`);
  const lock = path.join(runFolder(), `${name}.lock`);
  const end = Date.now() + START_LIMIT_MS;
  while (Date.now() < end) {
    if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8')) as Value;
    if (tryLock(lock)) {
      try {
        const value = await start();
        writeJson(result, value);
        return value;
      } finally {
        rmSync(lock, { recursive: true, force: true });
      }
    }
    await sleep(100);
  }
  throw new Error(`the shared ${name} of this test run did not start`);
}

function tryLock(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch {
    return false;
  }
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(`${file}.partial`, JSON.stringify(value));
  renameSync(`${file}.partial`, file);
}

function sweepDeadRuns(): void {
  for (const name of readdirSync(tmpdir()).filter((each) => each.startsWith(PREFIX))) {
    const folder = path.join(tmpdir(), name);
    const owner = readRegistered(path.join(folder, 'owner.json'));
    if (owner && !isSameProcess(owner.pid, owner.mark)) disposeOf(folder);
  }
}

/** Remains of another run must not keep this one from starting. */
function disposeOf(folder: string): void {
  try {
    dispose(folder);
  } catch (error) {
    process.stderr.write(`${folder} of an earlier run could not be removed: ${String(error)}\n`);
  }
}

function dispose(folder: string): void {
  const servers = path.join(folder, 'servers');
  for (const name of existsSync(servers) ? readdirSync(servers) : []) {
    const server = readRegistered(path.join(servers, name));
    if (server && isSameProcess(server.pid, server.mark)) killGroup(server.pid);
  }
  unmountBelow(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/** A killed run leaves its small volumes mounted. */
function unmountBelow(folder: string): void {
  if (!existsSync(MOUNTS)) return;
  const places = readFileSync(MOUNTS, 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((place) => place.startsWith(`${folder}/`));
  for (const place of places) spawnSync('umount', ['-l', place], { stdio: 'ignore' });
}

function readRegistered(file: string): Registered | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Registered;
  } catch {
    return undefined;
  }
}
