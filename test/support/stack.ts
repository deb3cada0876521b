import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@temporalio/client';
import { parseConfig } from '../../infra/config/config';
import { openKeys } from '../../infra/secrets/open-vault';
import { openBlobs } from '../../infra/blob/open-blobs';
import { Database } from '../../infra/db/database';
import { provisionLogin } from '../../infra/db/provision';
import { readLocalKey } from '../../infra/embedded/local-key-file';
import { freePort } from '../../infra/embedded/ports';
import { workerNodeOptions } from '../../infra/embedded/services';
import { openClient, payloadParts } from '../../infra/temporal/connection';
import { openAdmin, type Admin } from './admin';
import { migratedCluster } from './migrated-database';
import { loginUrl, startPostgres, type TestPostgres } from './postgres';
import { TEST_MASTER_KEYS } from './keys';
import { ProductApi } from './product-api';
import { builtProduct, startProduct, type ProductProcess } from './product-process';
import { expectNothingOpen } from './open-ends';
import { newFolder } from './run-folder';
import { startTemporal, type TestTemporal } from './temporal';

type Environment = Record<string, string>;
export interface Servers {
  databaseUrl: string;
  temporalAddress: string;
}
/** Settings of one process, added to those of all; a function where they depend on the servers (a proxy before one). */
type EnvironmentOf = Environment | ((servers: Servers) => Environment | Promise<Environment>);

export interface StackOptions {
  /** Number of workers at the start; default 1. */
  workers?: number;
  env?: EnvironmentOf;
  apiEnv?: EnvironmentOf;
  workerEnv?: EnvironmentOf;
  /** `host:port` that connectors and models may reach. */
  egress?: readonly string[];
  /** Option of `startTemporal`. */
  dynamicConfig?: readonly string[];
  files?: StackFiles;
}

/** Folders to begin with instead of new ones: those of another, stopped stack, or copies of them. */
export interface StackFiles {
  /** Folder of PostgreSQL's cluster. */
  cluster?: string;
  /** Folder where Temporal keeps its runs, also when it is empty. */
  temporal?: string;
  home?: string;
}

export interface WorkerOptions {
  env?: Environment;
  nodeOptions?: readonly string[];
  onSpawn?: (pid: number) => void;
  /** Program of another build, as a path from dist/. */
  script?: string;
}

/** The product as separate processes, each to be killed and started again. Must be closed. */
export interface Stack {
  readonly servers: Servers;
  readonly postgres: TestPostgres;
  readonly temporal: TestTemporal;
  readonly home: string;
  /** Secret that must appear nowhere. */
  readonly canary: string;
  readonly api: ProductApi;
  readonly apiProcess: ProductProcess;
  /** Processes in order of their start, also those that ended. */
  readonly workers: ProductProcess[];
  readonly client: Client;
  readonly database: Database;
  readonly admin: Admin;
  startApi(env?: Environment): Promise<ProductProcess>;
  startWorker(options?: WorkerOptions): Promise<ProductProcess>;
  killWorkers(): Promise<void>;
  /** Text of all logs. */
  logs(): string;
  /** Stops everything in order, as an operator does; the files stay. Checks first, as `close` does. */
  stop(): Promise<void>;
  /** Kills everything. Fails where something is open in a run that has ended: the invariant of every test on a stack. */
  close(): Promise<void>;
}

const SHORT: Environment = {
  AF_HEARTBEAT_SECONDS: '1',
  AF_HEARTBEAT_TIMEOUT_SECONDS: '3',
  AF_SWEEP_SECONDS: '1',
  AF_RECONCILE_SECONDS: '2',
  AF_DELIVER_SECONDS: '1',
  AF_SHUTDOWN_GRACE: '5',
  AF_SIGNAL_APPROVALS: 'on',
  // Many cases start a large number of runs of one owner.
  AF_OWNER_RUNNING_CAP: '100000',
};
/** Secret that must appear nowhere: the credential of every connection. */
export const CANARY = 'canary-7f3a9d51c0ffee';

export async function startStack(options: StackOptions = {}): Promise<Stack> {
  await builtProduct();
  const { cluster, temporal: kept, home = makeHome() } = options.files ?? {};
  const [postgres, temporal] = await Promise.all([
    startPostgres(cluster ?? (await migratedCluster())),
    startTemporal({
      ...(options.dynamicConfig && { dynamicConfig: options.dynamicConfig }),
      ...(kept !== undefined && { dbFile: path.join(kept, 'temporal.db') }),
    }),
  ]);
  const servers = { databaseUrl: postgres.url, temporalAddress: temporal.address };
  const env = { ...(await baseEnvironment(options, servers, home)), AF_PORT: String(await freePort()) };
  await provisionLogin(postgres.url, loginUrl(postgres.url));
  const database = await Database.connect({ url: loginUrl(postgres.url), poolSize: 3 });
  const admin = openAdmin(postgres.url);
  const config = parseConfig(env);
  const client = openClient(config, payloadParts(config, openBlobs(config, database), openKeys(config).ring));
  const stack = new RunningStack({ options, servers, env, home, postgres, temporal, database, admin, client });
  try {
    // A worker cannot start before the API has registered it.
    const workers = Array.from({ length: options.workers ?? 1 }, () => stack.startWorker());
    await Promise.all([stack.startApi(), ...workers]);
    return stack;
  } catch (error) {
    await stack.kill();
    throw error;
  }
}

interface Parts {
  options: StackOptions;
  servers: Servers;
  env: Environment;
  home: string;
  postgres: TestPostgres;
  temporal: TestTemporal;
  database: Database;
  admin: Admin;
  client: Client;
}

class RunningStack implements Stack {
  readonly canary = CANARY;
  readonly servers: Servers;
  readonly workers: ProductProcess[] = [];
  readonly home: string;
  readonly postgres: TestPostgres;
  readonly temporal: TestTemporal;
  readonly database: Database;
  readonly admin: Admin;
  readonly client: Client;
  readonly api: ProductApi;
  private running: ProductProcess | undefined;

  constructor(private readonly parts: Parts) {
    ({ home: this.home, postgres: this.postgres, temporal: this.temporal } = parts);
    ({ database: this.database, admin: this.admin, client: this.client, servers: this.servers } = parts);
    this.api = new ProductApi(`http://127.0.0.1:${parts.env['AF_PORT']}`, () => readLocalKey(this.home));
  }

  get apiProcess(): ProductProcess {
    if (this.running === undefined) throw new Error('the API was not started');
    return this.running;
  }

  async startApi(more: Environment = {}): Promise<ProductProcess> {
    const { options, servers, env } = this.parts;
    const own = await resolved(options.apiEnv, servers);
    this.running = await startProduct({
      script: 'src/main.js',
      env: { ...process.env, ...env, ...own, ...more },
      logFile: this.logFile('api'),
      readyLine: /^api ready (\S+)/m,
    });
    return this.running;
  }

  async startWorker({ env: more, nodeOptions, onSpawn, script }: WorkerOptions = {}): Promise<ProductProcess> {
    const { options, servers, env } = this.parts;
    const own = await resolved(options.workerEnv, servers);
    const worker = await startProduct({
      script: script ?? 'worker/main.js',
      env: { ...process.env, ...env, ...own, ...more },
      logFile: this.logFile('worker'),
      readyLine: /^worker ready (\S+)/m,
      nodeOptions: [...workerNodeOptions(), ...(nodeOptions ?? [])],
      ...(onSpawn && { onSpawn }),
    });
    this.workers.push(worker);
    return worker;
  }

  async killWorkers(): Promise<void> {
    await Promise.all(this.workers.filter((worker) => worker.alive()).map((worker) => worker.kill()));
  }

  async stop(): Promise<void> {
    await this.look();
    await Promise.all(this.workers.filter((worker) => worker.alive()).map((worker) => worker.stop()));
    if (this.running?.alive() === true) await this.running.stop();
    await this.parts.client.connection.close();
    await this.parts.database.close();
    await this.parts.admin.close();
    await Promise.all([this.postgres.stop('fast'), this.temporal.stop()]);
  }

  logs(): string {
    const folder = path.join(this.home, 'logs');
    return readdirSync(folder)
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('\n');
  }

  async close(): Promise<void> {
    const open = await this.look().catch((error: Error) => error);
    await this.kill();
    if (open instanceof Error) throw open;
  }

  async kill(): Promise<void> {
    await this.killWorkers();
    if (this.running?.alive() === true) await this.running.kill();
    await this.parts.client.connection.close();
    await this.parts.database.close();
    await this.parts.admin.close();
    await Promise.all([this.postgres.stop('immediate'), this.temporal.kill()]);
  }

  /** Checks while there are workers: children end a moment after the run that started them. */
  private async look(): Promise<void> {
    for (const worker of this.workers) worker.signal('SIGCONT');
    await expectNothingOpen(this.admin);
  }

  private logFile(name: string): string {
    return path.join(this.home, 'logs', `${name}.log`);
  }
}

/** The product sees nothing of the developer's own environment. */
async function baseEnvironment(options: StackOptions, servers: Servers, home: string): Promise<Environment> {
  const foreign = Object.keys(process.env).filter((name) =>
    /^(AF|TEMPORAL|OPENAI|ANTHROPIC|DATABASE|EGRESS)_/.test(name),
  );
  return {
    ...Object.fromEntries(foreign.map((name) => [name, ''])),
    ...SHORT,
    AF_HOME: home,
    AF_MASTER_KEYS: TEST_MASTER_KEYS,
    AF_LOCAL_KEY: 'on',
    DATABASE_URL: servers.databaseUrl,
    TEMPORAL_ADDRESS: servers.temporalAddress,
    TEMPORAL_CONFIG_FILE: path.join(home, 'temporal.toml'),
    AF_EGRESS_ALLOW: (options.egress ?? []).join(','),
    ...(await resolved(options.env, servers)),
  };
}

async function resolved(env: EnvironmentOf | undefined, servers: Servers): Promise<Environment> {
  return typeof env === 'function' ? env(servers) : (env ?? {});
}

function makeHome(): string {
  const home = newFolder('home');
  mkdirSync(path.join(home, 'logs'));
  writeFileSync(path.join(home, 'secrets.json'), JSON.stringify({ CANARY }), { mode: 0o600 });
  writeFileSync(path.join(home, 'temporal.toml'), '[profile.default]\n');
  return home;
}
