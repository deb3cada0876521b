import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { Client } from 'pg';
import { databaseLogin } from '../../infra/db/login';
import { provisionLogin } from '../../infra/db/provision';
import {
  type RunningPostgres,
  startPostgres as launch,
  type StopMode,
  stopPostgres,
} from '../../infra/embedded/postgres';
import { isAlive, stopProcess, waitUntil } from '../../infra/embedded/process';
import { newFolder, registerServer, runFolder, sharedOnce } from './run-folder';

/** A PostgreSQL of one test's own, to be stopped and killed at will. Its URL stays the same over restarts. */
export interface TestPostgres {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  pid(): number;
  stop(mode?: StopMode): Promise<void>;
  /** SIGKILL of the postmaster; resolves when all its processes are gone. */
  kill(): Promise<void>;
  start(): Promise<void>;
  restart(mode?: StopMode): Promise<void>;
}

/** `cluster`: the folder of another, stopped server that this one begins as a copy of. Default: an empty one. */
export async function startPostgres(cluster?: string): Promise<TestPostgres> {
  const folder = newFolder('postgres');
  // The files belong to the database's own user, which Node's copy would not keep.
  if (cluster !== undefined) execFileSync('cp', ['-a', `${cluster}/.`, folder]);
  let server = await startIn(folder);
  const { url, port, dataDir } = server;
  const stop = (mode: StopMode = 'fast') => stopPostgres(server.pid, mode);
  const start = async () => {
    server = await startIn(folder, port);
  };
  return {
    url,
    port,
    dataDir,
    pid: () => server.pid,
    stop,
    start,
    kill: async () => {
      await stopProcess(server.pid, 'SIGKILL');
      await waitUntil(() => !isAlive(server.pid), { what: 'the killed PostgreSQL', timeoutMs: 10_000 });
    },
    restart: async (mode) => {
      await stop(mode);
      await start();
    },
  };
}

export interface FreshDatabase {
  /** URL of the owner. */
  url: string;
  drop(): Promise<void>;
}

/** An empty database in the PostgreSQL that all test files of the run share, or a copy of another one there. */
export async function freshDatabase(template = 'template1'): Promise<FreshDatabase> {
  const server = await sharedPostgres();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await runSql(server.url, `create database ${name} template ${template}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => runSql(server.url, `drop database if exists ${name} with (force)`) };
}

/** The run's own PostgreSQL, started at the first call. */
function sharedPostgres(): Promise<RunningPostgres> {
  return sharedOnce('postgres', () => startIn(newFolder('postgres')));
}

/** Starts the cluster in this folder; makes it where there is none. */
export async function startIn(folder: string, oldPort?: number): Promise<RunningPostgres> {
  const server = await launch({
    dataDir: path.join(folder, 'data'),
    logFile: path.join(folder, 'postgres.log'),
    passwordFile: path.join(folder, 'password'),
    copies: path.join(runFolder(), 'programs'),
    oldPort,
    fast: true,
  });
  registerServer(server.pid);
  await provisionLogin(server.url, loginUrl(server.url));
  return server;
}

/** The same database as af_login, as the processes reach it. */
export function loginUrl(ownerUrl: string): string {
  return databaseLogin({ databaseUrl: ownerUrl }).url;
}

export async function runSql(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
