import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { projectFolder, resolveHome } from '../infra/embedded/home';
import { readLocalKey } from '../infra/embedded/local-key-file';
import { startNodeProgram } from '../infra/embedded/node-program';
import { stopProcess } from '../infra/embedded/process';
import { startProfile, type Profile } from '../infra/embedded/profile';
import { resetHome } from '../infra/embedded/reset';
import { cpuBetween, cpuTimes } from './measure/cpu';
import type { Meter } from './measure/callers';
import { INSPECT_FOLDER } from './profile/open-inspector';
import { ProductClient } from './product/client';

export interface Pids {
  [name: string]: number | null;
  api: number;
  /** Id of the worker's process; null where the API's process is the worker. */
  worker: number | null;
  database: number | null;
  temporal: number | null;
  bare: number;
  load: number;
}

/** All processes: the product as it ships, a bare worker on the same server, and their clients. */
export interface Stack {
  product: ProductClient;
  bare: Client;
  meter: Meter;
  /** Process ids; null for a server that the benchmark has not started. */
  pids: Pids;
  /** URL of the schema's owner: inserting ten thousand rows through the API would take too long. */
  databaseUrl: string;
  /** Name of the Temporal server, for people. */
  server: string;
  stop(): Promise<void>;
}

const BUILT = path.join(projectFolder(), 'dist/bench');

export interface StackOptions {
  say: (line: string) => void;
  /** Folder where each process writes the address of its inspector. */
  inspectFolder: string | undefined;
  /** Further processes that are measured: pids by name. */
  processes: { [name: string]: number };
}

export async function startStack({ say, inspectFolder, processes }: StackOptions): Promise<Stack> {
  const root = mkdtempSync(path.join(tmpdir(), 'af-bench-'));
  const bin = process.env['AF_CACHE_DIR'] ?? path.join(projectFolder(), '.af/bin');
  const env = {
    ...process.env,
    AF_HOME: root,
    AF_CACHE_DIR: bin,
    AF_SUPERVISE: '0',
    AF_LOG_LEVEL: 'warn',
    // All callers are one owner; the owner's limit of runs must not delay them.
    AF_OWNER_RUNNING_CAP: '100000',
    AF_WRITES_PER_SECOND: '100000',
    [INSPECT_FOLDER]: inspectFolder,
  };
  const programs = {
    api: [path.join(BUILT, 'product/api.main.js')],
    worker: [path.join(BUILT, 'product/worker.main.js')],
  };
  const profile = await startProfile({ say, env, programs });
  const stops: (() => Promise<unknown>)[] = [() => resetHome({ ...resolveHome(env), bin: root }), () => profile.stop()];
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).reverse()) await each();
  };
  try {
    return { ...(await besideProfile({ profile, env, stops, processes })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

interface Started {
  profile: Profile;
  env: NodeJS.ProcessEnv & { AF_HOME: string };
  stops: (() => Promise<unknown>)[];
  processes: StackOptions['processes'];
}

async function besideProfile({ profile, env, stops, processes }: Started): Promise<Omit<Stack, 'stop'>> {
  const { api, worker, temporal, database } = profile.endpoints();
  const root = env.AF_HOME;
  const databaseUrl = ownerUrl(database.url, root);
  const { pid: barePid } = await startNodeProgram({
    title: 'The bare worker',
    script: [path.join(BUILT, 'bare/worker.main.js'), path.join(root, 'run/bare-workflows.js')],
    env: { ...env, TEMPORAL_ADDRESS: temporal.address, DATABASE_URL: databaseUrl },
    logFile: path.join(root, 'logs/bare-worker.log'),
    readyLine: /^bare worker ready()/m,
    onSpawn: (pid) => stops.push(() => stopProcess(pid)),
  });
  const connection = await Connection.connect({ address: temporal.address });
  stops.push(() => connection.close());
  const product = new ProductClient(`${api.url}/api/agent-factory`, readLocalKey(root) ?? '');
  stops.push(() => product.close());
  const pids: Pids = {
    api: api.pid,
    worker: worker.pid === api.pid ? null : worker.pid,
    database: database.pid,
    temporal: temporal.pid,
    bare: barePid,
    load: process.pid,
    ...processes,
  };
  return {
    product,
    bare: new Client({ connection, namespace: process.env['TEMPORAL_NAMESPACE'] ?? 'default' }),
    meter: { read: () => cpuTimes(pids), between: cpuBetween },
    pids,
    databaseUrl,
    server:
      temporal.pid === null
        ? `the Temporal server at ${temporal.address}${pids.temporal === null ? ' (its CPU and memory are not measured)' : ''}`
        : 'the Temporal dev server on SQLite (WAL, synchronous FULL), with the poll-rate settings of the embedded profile',
  };
}

/** URL of the embedded database, whose endpoint comes without its password, or of the one that was given. */
function ownerUrl(endpoint: string, root: string): string {
  const given = process.env['AF_MIGRATE_DATABASE_URL'] ?? process.env['DATABASE_URL'];
  if (given !== undefined) return given;
  const url = new URL(endpoint);
  url.password = readFileSync(resolveHome({ AF_HOME: root }).databasePasswordFile, 'utf8').trim();
  return url.href;
}
