import path from 'node:path';
import type { Config } from '../config/variables';
import { type Home, projectFolder } from './home';
import { startNodeProgram } from './node-program';
import { livingProcess, removePidNote, writePidNote } from './pid-file';
import { choosePort, type PortRequest } from './ports';
import { type RunningPostgres, startPostgres, stopPostgres } from './postgres';
import { stopProcess } from './process';
import { type RunningTemporal, startTemporal } from './temporal';
import { temporalAnswers } from './temporal-connection';
import { findTemporalProgram } from './temporal-program';

/** The four parts of the embedded profile: how each starts, is taken over from an earlier start, and stops. */
const PREFERRED = { database: 5433, temporal: 7233, temporalUi: 8233 };
const GRACE_MARGIN_MS = 5_000;

export async function startDatabase(home: Home, oldPort?: number): Promise<RunningPostgres> {
  const server = await startPostgres({
    dataDir: path.join(home.database, 'data'),
    logFile: path.join(home.logs, 'database.log'),
    passwordFile: home.databasePasswordFile,
    copies: path.join(home.database, 'programs'),
    port: PREFERRED.database,
    oldPort,
  });
  writePidNote(home, 'database', server.pid);
  return server;
}

export async function stopDatabase(home: Home, pid: number): Promise<void> {
  await stopPostgres(pid, 'fast');
  removePidNote(home, 'database');
}

/** Takes over the server of a supervisor that was killed, if it still answers; else starts one. */
export async function startTemporalServer(
  home: Home,
  env: NodeJS.ProcessEnv,
  options: { before?: RunningTemporal; signal?: AbortSignal; apiPort: number },
): Promise<RunningTemporal> {
  const running = await adoptTemporal(home);
  if (running) return running;
  const program = await findTemporalProgram(home.bin, env, options.signal);
  return startTemporal({
    program: program.path,
    logFile: path.join(home.logs, 'temporal.log'),
    dbFile: home.temporalDb,
    port: PREFERRED.temporal,
    oldPort: options.before?.port,
    uiPort: options.before?.uiPort ?? PREFERRED.temporalUi,
    codecEndpoint: `http://127.0.0.1:${options.apiPort}/api/agent-factory/codec`,
    onSpawn: ({ address, pid, port, uiPort }) => {
      writePidNote(home, 'temporal', pid, { address, port: String(port), uiPort: String(uiPort ?? '') });
    },
  });
}

async function adoptTemporal(home: Home): Promise<RunningTemporal | undefined> {
  const left = livingProcess(home, 'temporal');
  if (!left) return undefined;
  const { address = '', port, uiPort } = left.details;
  if (await temporalAnswers(address)) {
    return { address, pid: left.pid, port: Number(port), uiPort: uiPort ? Number(uiPort) : undefined };
  }
  await stopTemporalServer(home, left.pid);
  return undefined;
}

export async function stopTemporalServer(home: Home, pid: number): Promise<void> {
  await stopProcess(pid, 'SIGTERM');
  removePidNote(home, 'temporal');
}

/** Each a script and its arguments. */
export interface Programs {
  api: readonly string[];
  worker: readonly string[];
}

export function builtPrograms(): Programs {
  const dist = path.join(projectFolder(), 'dist');
  return { api: [path.join(dist, 'src/main.js')], worker: [path.join(dist, 'worker/main.js')] };
}

/** MB. By default V8 lets the space of short-lived objects grow to 128 MB in each of the worker's two busy threads. */
const YOUNG_SPACE = '--max-semi-space-size=16';
/** Short-lived objects are collected by the thread that made them: helpers cost more CPU to wake than they take off it. */
const ONE_COLLECTOR = '--no-parallel-scavenge';

function apiNodeOptions(): string[] {
  return [ONE_COLLECTOR];
}

/** See worker/workflow-thread.ts. */
export function workerNodeOptions(): string[] {
  return [YOUNG_SPACE, ONE_COLLECTOR, '--require', path.join(projectFolder(), 'dist/worker/workflow-thread.js')];
}

export interface ProgramContext {
  home: Home;
  config: Config;
  env: NodeJS.ProcessEnv;
  programs: Programs;
}

/** The API on the wished port, or on the next free one. An API that a killed supervisor left is stopped first. */
export async function startApi(
  our: ProgramContext,
  wish: PortRequest,
): Promise<{ pid: number; url: string; port: number }> {
  await stopLeftOver(our, 'api');
  const port = await choosePort(wish);
  const { pid, said } = await startNodeProgram({
    title: 'The API',
    nodeOptions: apiNodeOptions(),
    script: our.programs.api,
    env: { ...our.env, AF_PORT: String(port) },
    logFile: path.join(our.home.logs, 'api.log'),
    readyLine: /^api ready (\S+)/m,
    onSpawn: (spawned) => writePidNote(our.home, 'api', spawned),
  });
  return { pid, url: said, port: Number(new URL(said).port) };
}

export async function startWorker(our: ProgramContext): Promise<{ pid: number }> {
  await stopLeftOver(our, 'worker');
  const { pid } = await startNodeProgram({
    title: 'The worker',
    nodeOptions: workerNodeOptions(),
    script: our.programs.worker,
    // The worker does not need the owner of the database.
    env: { ...our.env, AF_MIGRATE_DATABASE_URL: undefined },
    logFile: path.join(our.home.logs, 'worker.log'),
    readyLine: /^worker ready()/m,
    onSpawn: (spawned) => writePidNote(our.home, 'worker', spawned),
  });
  return { pid };
}

/** Our own programs are restarted rather than taken over: they may be of an older build. */
async function stopLeftOver(our: ProgramContext, name: 'api' | 'worker'): Promise<void> {
  const left = livingProcess(our.home, name);
  if (left) await stopProgram(our, name, left.pid);
}

export async function stopProgram(our: ProgramContext, name: 'api' | 'worker', pid: number): Promise<void> {
  await stopProcess(pid, 'SIGTERM', our.config.shutdownGraceSeconds * 1_000 + GRACE_MARGIN_MS);
  removePidNote(our.home, name);
}
