import { statfsSync } from 'node:fs';
import { parseConfig } from '../config/config';
import type { Config } from '../config/variables';
import { type Endpoints, readEndpoints, removeEndpoints, writeEndpoints } from './endpoints';
import { embeddedError } from './errors';
import { createHome, type Home, resolveHome } from './home';
import { rotateLogs } from './log-rotation';
import { removePidNote, takeLock } from './pid-file';
import type { RunningPostgres } from './postgres';
import { isAlive, waitUntil } from './process';
import {
  builtPrograms,
  type OurProgram,
  type Programs,
  startApi,
  startDatabase,
  startTemporalServer,
  startWorker,
  stopDatabase,
  stopOurProgram,
  stopTemporalServer,
} from './services';
import { Supervisor } from './supervisor';
import type { RunningTemporal } from './temporal';
import { temporalAnswers } from './temporal-connection';

export interface Profile {
  endpoints(): Endpoints;
  /** Another process supervises it; then `stop` leaves it alone. */
  joined: boolean;
  stop(): Promise<void>;
}

export interface ProfileOptions {
  say: (line: string) => void;
  env?: NodeJS.ProcessEnv;
  /** Scripts with arguments to run in place of the built ones. */
  programs?: Programs;
}

const LOCK = 'supervisor';
const ROTATE_EVERY_MS = 30_000;
const JOIN_TIMEOUT_MS = 180_000;
const NEEDED_BYTES = 200 * 1024 * 1024;

/** Starts the embedded profile and keeps it running, or joins the one that runs on this home already. */
export async function startProfile(options: ProfileOptions): Promise<Profile> {
  const env = options.env ?? process.env;
  const config = parseConfig(env);
  const home = resolveHome(env);
  createHome(home);
  const holder = takeLock(home, LOCK);
  if (holder) return join(home, holder.pid);
  removeEndpoints(home);
  refuseFullDisk(home);
  const starting = new Starting(home, config, env, options);
  try {
    await starting.start();
    return { endpoints: () => starting.endpoints(), joined: false, stop: () => starting.stop() };
  } catch (error) {
    await starting.stop();
    throw error;
  }
}

async function join(home: Home, pid: number): Promise<Profile> {
  await waitUntil(() => readEndpoints(home) !== undefined, {
    what: `The profile that process ${pid} is starting`,
    timeoutMs: JOIN_TIMEOUT_MS,
    intervalMs: 250,
    failed: () => (isAlive(pid) ? undefined : 'The process that was starting the profile has ended. Start again.'),
  });
  const endpoints = readEndpoints(home);
  if (!endpoints) throw embeddedError('not_running', 'The profile was stopped meanwhile. Start again.');
  return { endpoints: () => endpoints, joined: true, stop: async () => undefined };
}

function refuseFullDisk(home: Home): void {
  for (const folder of [home.root, home.database]) {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < NEEDED_BYTES) {
      throw embeddedError(
        'disk_full',
        `The disk that holds ${folder} has less than ${NEEDED_BYTES / 1024 / 1024} MB left. Free some space, or set AF_HOME to another disk.`,
      );
    }
  }
}

/** The profile while this process supervises it. */
class Starting {
  private readonly supervisor: Supervisor;
  private readonly timer: NodeJS.Timeout;
  private database?: RunningPostgres;
  private temporal?: RunningTemporal;
  private api?: { pid: number; url: string; port: number };
  private worker?: { pid: number };
  private ready = false;

  constructor(
    private readonly home: Home,
    private readonly config: Config,
    private readonly env: NodeJS.ProcessEnv,
    private readonly options: ProfileOptions,
  ) {
    const changed = () => writeEndpoints(home, this.endpoints());
    this.supervisor = new Supervisor({ restart: config.supervise, say: options.say, changed });
    this.timer = setInterval(() => rotateLogs(home.logs), ROTATE_EVERY_MS);
  }

  async start(): Promise<void> {
    await settleAll([this.timed('PostgreSQL', this.addDatabase()), this.timed('Temporal', this.addTemporal())]);
    await settleAll([this.timed('The API', this.addApi()), this.timed('The worker', this.addWorker())]);
    writeEndpoints(this.home, this.endpoints());
    this.ready = true;
    this.supervisor.watch();
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.supervisor.stop(['The API', 'The worker']);
    if (this.ready) removeEndpoints(this.home);
    removePidNote(this.home, LOCK);
  }

  endpoints(): Endpoints {
    const { database, temporal, api, worker, config } = this;
    return {
      api: { url: api?.url ?? '', pid: api?.pid ?? 0 },
      worker: { pid: worker?.pid ?? 0 },
      temporal: { address: config.temporalAddress ?? temporal?.address ?? '', pid: temporal?.pid ?? null },
      temporalUi: { url: this.uiUrl() ?? null },
      database: {
        url: config.databaseUrl ?? database?.url ?? '',
        pid: database?.pid ?? null,
        data_dir: database?.dataDir ?? null,
      },
    };
  }

  private async timed(title: string, start: Promise<void>): Promise<void> {
    const began = Date.now();
    await start;
    this.options.say(`${title} is ready (${((Date.now() - began) / 1_000).toFixed(1)} s).`);
  }

  private async addDatabase(): Promise<void> {
    if (this.config.databaseUrl !== undefined) return;
    await this.supervisor.add({
      title: 'PostgreSQL',
      start: async () => (this.database = await startDatabase(this.home, this.database?.port)),
      stop: (pid) => stopDatabase(this.home, pid),
    });
  }

  private async addTemporal(): Promise<void> {
    const given = this.config.temporalAddress;
    if (given !== undefined) return this.checkGivenTemporal(given);
    await this.supervisor.add({
      title: 'Temporal',
      start: async () => (this.temporal = await startTemporalServer(this.home, this.temporal)),
      stop: (pid) => stopTemporalServer(this.home, pid),
    });
  }

  /** A server without TLS can be asked at once; with TLS or a key the API and the worker find out. */
  private async checkGivenTemporal(address: string): Promise<void> {
    const isPlain = !Object.keys(this.env).some((name) => /^TEMPORAL_(TLS|API_KEY|CONFIG_FILE|PROFILE)/.test(name));
    if (isPlain && this.config.temporalNamespace === 'default' && !(await temporalAnswers(address))) {
      throw embeddedError(
        'temporal_unreachable',
        `No Temporal server answers at ${address} (TEMPORAL_ADDRESS). Start it, correct the address, or unset it to use the embedded one.`,
      );
    }
  }

  private async addApi(): Promise<void> {
    const wished = this.config.port;
    await this.supervisor.add({
      title: 'The API',
      start: async () => {
        this.api = await startApi(this.ours(), this.api?.port ?? wished);
        if (!this.ready && this.api.port !== wished) {
          this.options.say(`Port ${wished} is taken; the API listens on ${this.api.port}.`);
        }
        return this.api;
      },
      stop: (pid) => stopOurProgram(this.ours(), 'api', pid),
    });
  }

  private async addWorker(): Promise<void> {
    await this.supervisor.add({
      title: 'The worker',
      start: async () => (this.worker = await startWorker(this.ours())),
      stop: (pid) => stopOurProgram(this.ours(), 'worker', pid),
    });
  }

  private ours(): OurProgram {
    return {
      home: this.home,
      config: this.config,
      env: this.environment(),
      programs: this.options.programs ?? builtPrograms(),
    };
  }

  private environment(): NodeJS.ProcessEnv {
    const { env, home, config } = this;
    const ours: NodeJS.ProcessEnv = {
      ...env,
      AF_HOME: home.root,
      DATABASE_URL: config.databaseUrl ?? this.database?.url,
      AF_TEMPORAL_UI_URL: this.uiUrl(),
    };
    if (config.temporalAddress !== undefined) return ours;
    // Our own server wants no certificate: what is set for another one must not leak into the connection.
    for (const name of Object.keys(ours)) if (/^TEMPORAL_(TLS|API_KEY|PROFILE|GRPC_META)/.test(name)) delete ours[name];
    return {
      ...ours,
      TEMPORAL_ADDRESS: this.temporal?.address,
      TEMPORAL_NAMESPACE: 'default',
      TEMPORAL_CONFIG_FILE: '/dev/null',
    };
  }

  private uiUrl(): string | undefined {
    if (this.config.temporalUiUrl !== undefined) return this.config.temporalUiUrl;
    return this.temporal?.uiPort === undefined ? undefined : `http://127.0.0.1:${this.temporal.uiPort}`;
  }
}

/** Like Promise.all, but waits for the others too: what they have started must be known before it can be stopped. */
async function settleAll(starts: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(starts);
  const failure = results.find((result) => result.status === 'rejected');
  if (failure) throw failure.reason;
}
