import { type ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { msToTs } from '@temporalio/common/lib/time';
import { embeddedError, explainDiskError } from './errors';
import { choosePort, freePort, nextFreePort } from './ports';
import { killGroup, lastLines, outFileOf, spawnLogged, waitUntil } from './process';
import { temporalAnswers, withTemporal } from './temporal-connection';

export interface TemporalOptions {
  /** The `temporal` program. */
  program: string;
  logFile: string;
  /** SQLite file that keeps the runs; without it they are in memory. */
  dbFile?: string;
  /** Wished ports; the next free ones are taken. Without them any free ones. */
  port?: number;
  /** The port it had before, in place of a wished one. */
  oldPort?: number;
  uiPort?: number;
  /** Codec server that Temporal Web calls. */
  codecEndpoint?: string;
  /** Start without Temporal Web. */
  headless?: boolean;
  /** `name=value` pairs on top of ours, value as JSON. */
  dynamicConfig?: readonly string[];
  /** Called as soon as the process exists, long before it answers. */
  onSpawn?: (server: RunningTemporal) => void;
}

export interface RunningTemporal {
  address: string;
  pid: number;
  port: number;
  uiPort?: number;
}

const SEARCH_ATTRIBUTES = ['AfOwner', 'AfProfile', 'AfPlaybook', 'AfRunContext', 'AfStatus'];
const START_TIMEOUT_MS = 30_000;
const RETENTION_MS = 30 * 24 * 3_600_000;

/**
 * Shards read their queues at most 20 times a second by default, which makes every workflow task wait for a 50 ms
 * tick. Timers fire up to a second late by default, for clocks of hosts that differ: here there is one host. The matcher
 * settings give task queues fairness keys.
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxPollRPS=2000',
  'history.timerProcessorMaxTimeShift="10ms"',
  'matching.useNewMatcher=true',
  'matching.enableFairness=true',
];

/** Starts a development server and waits until its namespace takes calls. */
export async function startTemporal(options: TemporalOptions): Promise<RunningTemporal> {
  const ports = await choosePorts(options);
  if (options.dbFile !== undefined) makeFolder(path.dirname(options.dbFile));
  const child = spawnLogged({
    command: options.program,
    args: serverArguments(options, ports),
    logFile: options.logFile,
    outFile: outFileOf(options.logFile),
  });
  const failed = watchStart(child, options);
  child.unref();
  const address = `127.0.0.1:${ports.grpc}`;
  const running = { address, pid: child.pid ?? 0, port: ports.grpc, uiPort: ports.ui };
  options.onSpawn?.(running);
  try {
    await waitUntil(() => temporalAnswers(address), { what: 'Temporal', timeoutMs: START_TIMEOUT_MS, failed });
    await setRetention(address);
    return running;
  } catch (error) {
    killGroup(running.pid);
    throw error;
  }
}

interface Ports {
  grpc: number;
  http: number;
  ui?: number;
}

async function choosePorts(options: TemporalOptions): Promise<Ports> {
  const grpc = await choosePort(options);
  const http = await freePort();
  if (options.headless) return { grpc, http };
  const ui = options.uiPort === undefined ? await freePort() : await nextFreePort(options.uiPort, [grpc, http]);
  return { grpc, http, ui };
}

function serverArguments(options: TemporalOptions, ports: Ports): string[] {
  const args = [
    'server',
    'start-dev',
    '--ip',
    '127.0.0.1',
    '--namespace',
    'default',
    '--log-level',
    'error',
    '--log-format',
    'json',
    '--color',
    'never',
  ];
  args.push('--port', String(ports.grpc), '--http-port', String(ports.http));
  args.push(...(ports.ui === undefined ? ['--headless'] : ['--ui-port', String(ports.ui)]));
  if (ports.ui !== undefined && options.codecEndpoint !== undefined) {
    args.push('--ui-codec-endpoint', options.codecEndpoint);
  }
  if (options.dbFile !== undefined) {
    args.push('--db-filename', options.dbFile);
    // FULL: a decision that was acknowledged is still there after a power cut.
    args.push('--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=FULL');
  }
  for (const pair of [...DYNAMIC_CONFIG, ...(options.dynamicConfig ?? [])]) args.push('--dynamic-config-value', pair);
  for (const name of SEARCH_ATTRIBUTES) args.push('--search-attribute', `${name}=Keyword`);
  return args;
}

function watchStart(child: ChildProcess, options: TemporalOptions): () => string | undefined {
  let failure: string | undefined;
  child.once('error', (error) => (failure = `${options.program} could not be started: ${error.message}`));
  child.once('exit', () => (failure ??= explainExit(options)));
  return () => failure;
}

function explainExit(options: TemporalOptions): string {
  const tail = lastLines(options.logFile);
  if (/no space left|disk is full/i.test(tail))
    return 'Temporal ended: the disk is full. Free some space, or set AF_HOME to another disk.';
  return `Temporal ended while it was starting. The end of ${options.logFile} says:\n${tail}`;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw explainDiskError(error, folder);
  }
}

/** The development server keeps closed runs for one day; we keep them thirty. */
async function setRetention(address: string): Promise<void> {
  const workflowExecutionRetentionTtl = msToTs(RETENTION_MS);
  try {
    await withTemporal(address, 10_000, (connection) =>
      connection.workflowService.updateNamespace({ namespace: 'default', config: { workflowExecutionRetentionTtl } }),
    );
  } catch (error) {
    throw embeddedError(
      'temporal_failed',
      `Temporal at ${address} did not accept how long it is to keep closed runs.`,
      error,
    );
  }
}
