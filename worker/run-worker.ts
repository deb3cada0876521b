import { hostname } from 'node:os';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection, Runtime } from '@temporalio/worker';
import { createActivities } from '../activities';
import { RunVerifier } from '../activities/verify';
import type { ActionTable } from '../activities/actions/types';
import { Compute } from '../activities/runner/compute';
import { QUEUES } from '../core/base/run-status';
import { openBlobs } from '../infra/blob/open-blobs';
import { catalogDirectory } from '../infra/catalog/catalog-directory';
import { shippedLimits } from '../connectors/runtime/limits/shipped-limits';
import { createConnectorRuntime } from '../connectors/runtime/runtime';
import { createFileParserHost } from '../connectors/formats/host/thread-host';
import { parseConfig, type Config } from '../infra/config/config';
import { openStores } from '../activities/stores';
import { awaitDatabase } from '../infra/db/open-database';
import { createLogger, type Logger } from '../infra/log/logger';
import { logProcess, logExit, STANDARD_ERROR } from '../infra/log/process-log';
import { openKeys } from '../infra/secrets/open-vault';
import { connectionOptions, dataConverter, payloadParts } from '../infra/temporal/connection';
import { workerActions } from './actions';
import { touchAlive } from './alive-file';
import { serveStarts } from './serve-starts';
import { watchWorkflowThread } from './thread-watchdog';
import { sdkLogger } from './sdk-log';
import { createWorkers } from './workers';

/** Far above what one workflow task may take (the engine's budget is 2 s), also on a machine that is overrun. */
const STUCK_AFTER_MS = 60_000;
const SHUTDOWN_SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** Time from the end of the grace time to the end of the process, even if work is left then. */
const HAND_OVER_MS = 8_000;

/** The whole worker process, until it is told to stop. `extra`: actions beside the product's own. */
async function runWorker(extra: ActionTable = {}): Promise<void> {
  const config = parseConfig(process.env);
  const keys = openKeys(config);
  const log = createLogger({ name: 'worker', level: config.logLevel, mask: keys.mask.text, fd: STANDARD_ERROR });
  logProcess(log);
  Runtime.install({
    logger: sdkLogger(log),
    shutdownSignals: [...SHUTDOWN_SIGNALS],
  });
  // The runtime stops listening at the first signal: without a listener a second one would end the draining process.
  for (const signal of SHUTDOWN_SIGNALS) process.once(signal, () => endInTime(config, log)).on(signal, () => undefined);
  // The API creates the worker's login and migrates the schema.
  const database = await awaitDatabase(config, 'agent-factory-worker', 120_000);
  const blobs = openBlobs(config, database);
  const connection = await connect(config, log);
  const compute = new Compute();
  const files = createFileParserHost();
  const worker = `${hostname()}-${process.pid}-${randomUUID()}`;
  const connectorRuntime = createConnectorRuntime({
    database,
    worker,
    shipped: shippedLimits(catalogDirectory()),
    warn: (facts, text) => log.warn(facts, text),
  });
  const stores = openStores(database);
  const verifier = new RunVerifier(stores.openRuns);
  const activities = createActivities({
    stores,
    verifier,
    blobs,
    compute,
    log,
    actions: { ...workerActions({ config, database, stores, blobs, files, connectorRuntime, keys }), ...extra },
    worker,
    heartbeatMs: config.heartbeatSeconds * 1000,
    quarantineAfter: config.quarantineAfter,
    workerLostAfter: config.workerLostAfter,
    signalApprovals: config.signalApprovals,
  });
  const converter = dataConverter(config, payloadParts(config, blobs, keys.ring));
  const workers = await createWorkers({ config, connection, activities, dataConverter: converter });
  watchWorkflowThread(STUCK_AFTER_MS, () => {
    log.fatal('the workflow thread has been stuck for a minute; the worker ends so that its runs go on elsewhere');
    process.exit(1);
  });
  const { aliveFile } = config;
  const running = (): boolean =>
    workers.every((each) => each.getState() === 'RUNNING' || each.getState() === 'INITIALIZED');
  const unmark = aliveFile === undefined ? () => undefined : touchAlive(aliveFile, running);
  const stopStarts = await takeStarts(config, { connection, converter, verifier, log, running });
  process.stdout.write(`worker ready ${config.queuePrefix}${QUEUES.main}\n`);
  // A part that fails ends the process: waiting for the others would only hide its error.
  await Promise.all(workers.map((worker) => worker.run()));
  unmark();
  stopStarts();
  // Closes parts whose data are recorded: connections that do not close in time end with the process.
  for (const part of [connection, compute, files, connectorRuntime, database]) {
    await part.close().catch((error: unknown) => log.warn({ err: error }, 'a part of the worker did not close'));
  }
}

interface StartParts {
  connection: NativeConnection;
  converter: DataConverter;
  verifier: RunVerifier;
  log: Logger;
  running: () => boolean;
}

async function takeStarts(config: Config, parts: StartParts): Promise<() => void> {
  const { startSocket: path, temporalNamespace: namespace } = config;
  if (path === undefined) return () => undefined;
  const { connection, converter, verifier, log, running } = parts;
  const client = new Client({ connection, namespace, dataConverter: converter });
  return serveStarts({ path, client, log, running, know: (run) => verifier.know(run) });
}

/**
 * Work that does not end when it is told to (a statement that the database does not answer) is not awaited:
 * another worker repeats it as after a lost worker. The SDK's own forced end would be an error about
 * references that it still holds.
 */
function endInTime({ shutdownGraceSeconds }: Config, log: Logger): void {
  setTimeout(
    () => {
      log.warn('the worker ends with work in hand that did not end in time; another worker takes it up');
      process.exit(0);
    },
    shutdownGraceSeconds * 1_000 + HAND_OVER_MS,
  ).unref();
}

/** Waits for the server, which may start after us. */
async function connect(config: Config, log: Logger): Promise<NativeConnection> {
  for (;;) {
    try {
      return await NativeConnection.connect(connectionOptions(config));
    } catch (error) {
      log.warn(
        { err: error },
        `Temporal does not answer at ${config.temporalAddress ?? 'its default address'}; trying again`,
      );
      await sleep(1000);
    }
  }
}

/** Runs the worker as this process, and ends the process with it. */
export function runWorkerProcess(extra?: ActionTable): void {
  runWorker(extra).then(
    () => process.exit(0),
    (error: unknown) => {
      logExit('worker', `The worker stopped: ${error instanceof Error ? error.message : String(error)}`);
      process.exit(1);
    },
  );
}
