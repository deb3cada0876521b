import type { Config } from '../config/variables';
import { databaseLogin } from '../db/login';
import { childEnvironment } from './child-environment';
import { type Endpoints, removeEndpoints, writeEndpoints } from './endpoints';
import { embeddedError } from './errors';
import { checkGivenDatabase } from './given-database';
import type { Home } from './home';
import { rotateLogs } from './log-rotation';
import { livingProcess, removePidNote } from './pid-file';
import { openProfileLog, type ProfileLog } from './profile-log';
import { choosePort } from './ports';
import type { RunningPostgres } from './postgres';
import { killGroup } from './process';
import {
  builtPrograms,
  type ProgramContext,
  type Programs,
  startApi,
  startDatabase,
  startTemporalServer,
  startWorker,
  stopDatabase,
  stopProgram,
  stopTemporalServer,
} from './services';
import { Supervisor } from './supervisor';
import type { RunningTemporal } from './temporal';
import { temporalAnswers } from './temporal-connection';

export interface ProfileOptions {
  say: (line: string) => void;
  env?: NodeJS.ProcessEnv;
  /** Scripts with arguments to run in place of the built ones. */
  programs?: Programs;
  /** Aborts the start and stops what it has started. */
  signal?: AbortSignal;
}

/** Note of the process that supervises a home. */
export const LOCK = 'supervisor';
const ROTATE_EVERY_MS = 30_000;

/** The profile that this process starts, supervises and stops. */
export class OwnProfile {
  private readonly supervisor: Supervisor;
  private readonly timer: NodeJS.Timeout;
  private readonly log: ProfileLog;
  /** Aborts downloads. */
  private readonly cut = new AbortController();
  private database?: RunningPostgres;
  private temporal?: RunningTemporal;
  private api?: { pid: number; url: string; port: number };
  private worker?: { pid: number };
  private apiPort?: Promise<number>;
  private ready = false;

  constructor(
    private readonly home: Home,
    private readonly config: Config,
    private readonly env: NodeJS.ProcessEnv,
    private readonly options: ProfileOptions,
  ) {
    const changed = () => writeEndpoints(home, this.endpoints());
    this.log = openProfileLog(home, config);
    this.supervisor = new Supervisor({ restart: config.supervise, say: (line) => this.say(line), changed });
    this.timer = setInterval(() => rotateLogs(home.logs), ROTATE_EVERY_MS);
  }

  async start(): Promise<void> {
    const { signal } = this.options;
    const cutShort = () => this.cutShort();
    signal?.addEventListener('abort', cutShort, { once: true });
    try {
      await this.together([this.timed('PostgreSQL', this.addDatabase()), this.timed('Temporal', this.addTemporal())]);
      await this.together([this.timed('The API', this.addApi()), this.timed('The worker', this.addWorker())]);
    } finally {
      signal?.removeEventListener('abort', cutShort);
    }
    writeEndpoints(this.home, this.endpoints());
    this.ready = true;
    this.supervisor.watch();
  }

  /** The first failure ends the wait for the others; all of them are settled before it is thrown. */
  private async together(starts: Promise<void>[]): Promise<void> {
    const failures: unknown[] = [];
    const onFailure = (error: unknown) => {
      if (failures.push(error) === 1) this.cutShort();
    };
    await Promise.all(starts.map((start) => start.catch(onFailure)));
    if (this.options.signal?.aborted) throw embeddedError('interrupted', 'The start was interrupted.');
    if (failures.length > 0) throw failures[0];
  }

  /** Kills what is still starting, so that nothing goes on waiting for it. */
  private cutShort(): void {
    this.cut.abort();
    for (const name of ['temporal', 'api', 'worker']) {
      const note = livingProcess(this.home, name);
      if (note && !this.supervisor.keeps(note.pid)) killGroup(note.pid);
    }
  }

  async stop(): Promise<void> {
    clearInterval(this.timer);
    await this.supervisor.stop(['The API', 'The worker']);
    removeEndpoints(this.home);
    removePidNote(this.home, LOCK);
    this.log.write('The profile was stopped.');
    this.log.close();
  }

  endpoints(): Endpoints {
    const { database, temporal, api, worker, config } = this;
    return {
      api: { url: api?.url ?? '', pid: api?.pid ?? 0 },
      worker: { pid: worker?.pid ?? 0 },
      temporal: { address: config.temporalAddress ?? temporal?.address ?? '', pid: temporal?.pid ?? null },
      temporalUi: { url: this.uiUrl() ?? null },
      database: {
        url: withoutPassword(config.databaseUrl ?? database?.url ?? ''),
        pid: database?.pid ?? null,
        data_dir: database?.dataDir ?? null,
      },
    };
  }

  /** Writes a line to the terminal and to the log of the profile. */
  private say(line: string): void {
    this.log.write(line);
    this.options.say(line);
  }

  private async timed(title: string, start: Promise<void>): Promise<void> {
    const began = Date.now();
    await start;
    this.say(`${title} is ready (${((Date.now() - began) / 1_000).toFixed(1)} s).`);
  }

  private async addDatabase(): Promise<void> {
    const given = this.config.migrateDatabaseUrl ?? this.config.databaseUrl;
    if (given !== undefined) return checkGivenDatabase(given);
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
      start: async () =>
        (this.temporal = await startTemporalServer(this.home, this.env, {
          before: this.temporal,
          apiPort: await this.chosenPort(),
          signal: this.cut.signal,
        })),
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
    const chosen = await this.chosenPort();
    await this.supervisor.add({
      title: 'The API',
      start: async () => {
        this.api = await startApi(this.ours(), { port: chosen, oldPort: this.api?.port });
        if (!this.ready && this.api.port !== wished) {
          this.say(`Port ${wished} is taken; the API listens on ${this.api.port}.`);
        }
        return this.api;
      },
      stop: (pid) => stopProgram(this.ours(), 'api', pid),
    });
  }

  /** Chosen before anything starts: Temporal Web is told where the API will be. */
  private chosenPort(): Promise<number> {
    return (this.apiPort ??= choosePort({ port: this.config.port }));
  }

  private async addWorker(): Promise<void> {
    await this.supervisor.add({
      title: 'The worker',
      start: async () => (this.worker = await startWorker(this.ours())),
      stop: (pid) => stopProgram(this.ours(), 'worker', pid),
    });
  }

  private ours(): ProgramContext {
    return {
      home: this.home,
      config: this.config,
      env: this.environment(),
      programs: this.options.programs ?? builtPrograms(),
    };
  }

  private environment(): NodeJS.ProcessEnv {
    return childEnvironment(this.env, this.home, {
      database: databaseLogin({ ...this.config, databaseUrl: this.config.databaseUrl ?? this.database?.url }),
      ownTemporal: this.config.temporalAddress === undefined ? this.temporal?.address : undefined,
      temporalUi: this.uiUrl(),
    });
  }

  private uiUrl(): string | undefined {
    if (this.config.temporalUiUrl !== undefined) return this.config.temporalUiUrl;
    return this.temporal?.uiPort === undefined ? undefined : `http://127.0.0.1:${this.temporal.uiPort}`;
  }
}

/** Address without its password, for files that others read. */
function withoutPassword(text: string): string {
  if (!URL.canParse(text)) return '';
  const url = new URL(text);
  url.password = '';
  return url.href;
}
