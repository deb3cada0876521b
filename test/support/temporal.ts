import path from 'node:path';
import { Connection } from '@temporalio/client';
import { projectFolder } from '../../infra/embedded/home';
import { FAST_RECONNECT } from '../../infra/embedded/temporal-connection';
import { findTemporalProgram } from '../../infra/embedded/temporal-program';
import { type RunningTemporal, startTemporal as launch, type TemporalOptions } from '../../infra/embedded/temporal';
import { newFolder, registerServer, sharedOnce } from './run-folder';
import { stopProcess } from '../../infra/embedded/process';

export interface TestTemporalOptions {
  /** File that keeps the runs over restarts; default: in the folder of the test run. */
  dbFile?: string;
  /** `name=value` pairs, value as JSON, such as `limit.historyCount.suggestContinueAsNew=40`. */
  dynamicConfig?: readonly string[];
  /** Starts Temporal Web too. */
  ui?: boolean;
}

/** A development server of one test's own. Its address stays the same over restarts. */
export interface TestTemporal {
  readonly address: string;
  readonly uiUrl?: string;
  pid(): number;
  stop(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
}

export async function startTemporal(options: TestTemporalOptions = {}): Promise<TestTemporal> {
  const folder = newFolder('temporal');
  const settings = await settingsIn(folder, options);
  let server = await registered(settings);
  const again = { ...settings, oldPort: server.port };
  const stop = () => stopProcess(server.pid, 'SIGTERM');
  const start = async () => {
    server = await registered(again);
  };
  return {
    address: server.address,
    uiUrl: server.uiPort === undefined ? undefined : `http://127.0.0.1:${server.uiPort}`,
    pid: () => server.pid,
    stop,
    start,
    kill: () => stopProcess(server.pid, 'SIGKILL'),
    restart: async () => {
      await stop();
      await start();
    },
  };
}

/** The run's own server, started at the first call. Use own task queues and run ids on it. */
export function sharedTemporal(): Promise<{ address: string; pid: number }> {
  return sharedOnce('temporal', async () => registered(await settingsIn(newFolder('temporal'), {})));
}

async function settingsIn(folder: string, options: TestTemporalOptions): Promise<TemporalOptions> {
  const { path: program } = await findTemporalProgram(programFolder());
  return {
    program,
    logFile: path.join(folder, 'temporal.log'),
    dbFile: options.dbFile ?? path.join(folder, 'temporal.db'),
    headless: options.ui !== true,
    dynamicConfig: options.dynamicConfig,
  };
}

/** A connection that finds the server again soon after a restart. Must be closed. */
export function connectTemporal(address: string): Promise<Connection> {
  return Connection.connect({ address, channelArgs: FAST_RECONNECT });
}

/** Programs that tests fetch are kept over runs, by default where `npm start` keeps them too. */
export function programFolder(): string {
  return process.env.AF_CACHE_DIR ?? path.join(projectFolder(), '.af/bin');
}

async function registered(settings: TemporalOptions): Promise<RunningTemporal> {
  const server = await launch(settings);
  registerServer(server.pid);
  return server;
}
