import { type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { embeddedError, explainDiskError } from './errors';
import { choosePort } from './ports';
import { postgresBinaries } from './postgres-binaries';
import { clearDeadPostmaster, isLivingPostgres } from './postgres-leftovers';
import { isAlive, lastLines, spawnLogged, stopProcess, waitUntil } from './process';
import { type RunAs, unprivilegedUser } from './unprivileged';

export interface PostgresOptions {
  /** The cluster lies here. Its parent must be reachable by the unprivileged user. */
  dataDir: string;
  logFile: string;
  /** The superuser's password is created here once, mode 0600. */
  passwordFile: string;
  /** Folder to which the programs are copied if they cannot be used in place. */
  copies: string;
  /** Wished port; the next free one is taken. Without it any free one. */
  port?: number;
  /** The port it had before, in place of a wished one. */
  oldPort?: number;
  /** True: without fsync. Survives the end of every process, not of the machine. For tests. */
  fast?: boolean;
}

export interface RunningPostgres {
  /** `postgres://…/agent_factory` as superuser. */
  url: string;
  pid: number;
  port: number;
  dataDir: string;
  /** True when it ran already and was taken over. */
  adopted: boolean;
}

export type StopMode = 'smart' | 'fast' | 'immediate';

const DATABASE_NAME = 'agent_factory';
const STOP_SIGNALS: Record<StopMode, NodeJS.Signals> = { smart: 'SIGTERM', fast: 'SIGINT', immediate: 'SIGQUIT' };
const START_TIMEOUT_MS = 60_000;

/** Starts the cluster (creating it at first), or takes over the one that runs on this data directory. */
export async function startPostgres(options: PostgresOptions): Promise<RunningPostgres> {
  const user = unprivilegedUser();
  const password = readOrCreatePassword(options);
  const running = runningPostmaster(options.dataDir);
  if (running) return adopt(options, running, password);
  const binaries = postgresBinaries(user, options.copies);
  if (!existsSync(path.join(options.dataDir, 'PG_VERSION'))) await createCluster(options, binaries, user, password);
  await clearDeadPostmaster(options.dataDir);
  const port = await choosePort(options);
  const child = spawnLogged({
    command: path.join(binaries, 'bin/postgres'),
    args: serverArguments(options, port),
    ...childSettings(options, user),
  });
  const failed = watchStart(child, options.logFile);
  const pid = child.pid ?? 0;
  child.unref();
  try {
    await waitUntil(() => ensureDatabase(port, password), { what: 'PostgreSQL', timeoutMs: START_TIMEOUT_MS, failed });
  } catch (error) {
    await stopPostgres(pid, 'immediate', 1_000);
    throw error;
  }
  return { url: urlOf(port, password, DATABASE_NAME), pid, port, dataDir: options.dataDir, adopted: false };
}

export function stopPostgres(pid: number, mode: StopMode = 'fast', graceMs = 30_000): Promise<void> {
  return stopProcess(pid, STOP_SIGNALS[mode], graceMs);
}

/** The postmaster that holds this data directory, if one lives. */
export function runningPostmaster(dataDir: string): { pid: number; port: number } | undefined {
  try {
    const lines = readFileSync(path.join(dataDir, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    const port = Number(lines[3]);
    return isLivingPostgres(pid) ? { pid, port } : undefined;
  } catch {
    return undefined;
  }
}

async function adopt(
  options: PostgresOptions,
  running: { pid: number; port: number },
  password: string,
): Promise<RunningPostgres> {
  await waitUntil(() => ensureDatabase(running.port, password), {
    what: `The PostgreSQL that already runs on ${options.dataDir} (pid ${running.pid})`,
    timeoutMs: START_TIMEOUT_MS,
    failed: () =>
      isAlive(running.pid) ? undefined : 'The PostgreSQL that was running has ended meanwhile. Start again.',
  });
  return { url: urlOf(running.port, password, DATABASE_NAME), ...running, dataDir: options.dataDir, adopted: true };
}

function readOrCreatePassword(options: PostgresOptions): string {
  const { passwordFile, dataDir } = options;
  if (existsSync(passwordFile)) return readFileSync(passwordFile, 'utf8').trim();
  if (existsSync(path.join(dataDir, 'PG_VERSION'))) {
    throw embeddedError(
      'database_password_missing',
      `The database in ${dataDir} has lost its password file ${passwordFile}. Put it back, or remove all data with "af reset".`,
    );
  }
  const password = randomBytes(24).toString('base64url');
  try {
    mkdirSync(path.dirname(passwordFile), { recursive: true });
    writeFileSync(passwordFile, password, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    throw explainDiskError(error, passwordFile);
  }
  return password;
}

/** Made under another name and renamed: a start that was cut off leaves no half cluster. */
async function createCluster(
  options: PostgresOptions,
  binaries: string,
  user: RunAs | undefined,
  password: string,
): Promise<void> {
  const partial = `${options.dataDir}.partial`;
  const passwordCopy = `${partial}.pw`;
  try {
    rmSync(partial, { recursive: true, force: true });
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    writeFileSync(passwordCopy, password, { mode: 0o600 });
    if (user) [partial, passwordCopy].forEach((each) => chownSync(each, user.uid, user.gid));
    await runInitdb(options, binaries, user, { partial, passwordCopy });
    chmodSync(partial, 0o700);
    renameSync(partial, options.dataDir);
  } catch (error) {
    throw explainDiskError(error, options.dataDir);
  } finally {
    rmSync(passwordCopy, { force: true });
  }
}

async function runInitdb(
  options: PostgresOptions,
  binaries: string,
  user: RunAs | undefined,
  files: { partial: string; passwordCopy: string },
): Promise<void> {
  const args = ['-D', files.partial, '--username=postgres', `--pwfile=${files.passwordCopy}`, '--auth=scram-sha-256'];
  args.push('--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8');
  if (options.fast) args.push('--no-sync');
  const child = spawnLogged({ command: path.join(binaries, 'bin/initdb'), args, ...childSettings(options, user) });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', resolve);
  });
  if (code !== 0) throw startFailure('The database could not be created', options.logFile);
}

function childSettings(options: PostgresOptions, user: RunAs | undefined) {
  const env = { PATH: process.env.PATH, LANG: 'C', LC_ALL: 'C', TZ: 'UTC' };
  return { env, cwd: path.dirname(options.dataDir), uid: user?.uid, gid: user?.gid, logFile: options.logFile };
}

function serverArguments(options: PostgresOptions, port: number): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '100',
    shared_buffers: '64MB',
    log_timezone: 'UTC',
    timezone: 'UTC',
    log_min_messages: 'warning',
  };
  // Commits still reach the operating system before they are acknowledged, so that an immediate stop loses none.
  if (options.fast) Object.assign(settings, { fsync: 'off', full_page_writes: 'off', io_method: 'sync' });
  const pairs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', options.dataDir, '-p', String(port), ...pairs];
}

function watchStart(child: ChildProcess, logFile: string): () => string | undefined {
  let failure: string | undefined;
  child.once('error', (error) => (failure = `PostgreSQL could not be started: ${error.message}`));
  child.once('exit', () => (failure ??= startFailure('PostgreSQL ended while it was starting', logFile).message));
  return () => failure;
}

function startFailure(what: string, logFile: string): Error {
  const tail = lastLines(logFile);
  if (tail.includes('No space left on device')) {
    return embeddedError('disk_full', `${what}: the disk is full. Free some space, or set AF_HOME to another disk.`);
  }
  return embeddedError('postgres_failed', `${what}. The end of ${logFile} says:\n${tail}`);
}

/** True once the server answers and our database exists in it. */
async function ensureDatabase(port: number, password: string): Promise<boolean> {
  const client = new Client({ connectionString: urlOf(port, password, 'postgres'), connectionTimeoutMillis: 5_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE_NAME]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE_NAME}`);
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf(port: number, password: string, database: string): string {
  return `postgres://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/${database}`;
}
