import { randomUUID } from 'node:crypto';
import { Client } from '@temporalio/client';
import { NativeConnection, type Worker } from '@temporalio/worker';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { createActivities } from '../../activities';
import { openStores } from '../../activities/stores';
import { RunVerifier } from '../../activities/verify';
import type { ActionTable } from '../../activities/actions/types';
import { Compute } from '../../activities/runner/compute';
import type { Json, JsonObject } from '../../core/base/json';
import { isTerminal, LOCAL_USER_ID } from '../../core/base/run-status';
import { parsePlaybook } from '../../core/playbook/parse-playbook';
import { openBlobs } from '../../infra/blob/open-blobs';
import { parseConfig, type Config } from '../../infra/config/config';
import { inlineHost } from '../../connectors/formats/host/inline-host';
import { Database } from '../../infra/db/database';
import { ApprovalsStore } from '../../infra/db/stores/approvals.store';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { ConnectorsStore, PlaybooksStore } from '../../infra/db/stores/definitions.store';
import { EventsStore, type EventRow } from '../../infra/db/stores/events.store';
import { OpenRunsStore } from '../../infra/db/stores/open-runs.store';
import { RunRetryStore } from '../../infra/db/stores/run-retry.store';
import type { NewRun, RunRow } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import { StepsStore } from '../../infra/db/stores/steps.store';
import { createLogger } from '../../infra/log/logger';
import { openKeys } from '../../infra/secrets/open-vault';
import { dataConverter, openClient, payloadParts } from '../../infra/temporal/connection';
import { TemporalRunGateway } from '../../infra/temporal/run-gateway';
import { runEventData } from '../../src/events/event-data';
import { workerActions } from '../../worker/actions';
import { eventMismatch } from '../api/conformance';
import { serveStarts } from '../../worker/serve-starts';
import { createWorkers } from '../../worker/workers';
import { openAdmin, type Admin } from './admin';
import { migratedDatabase } from './migrated-database';
import { loginUrl } from './postgres';
import { TEST_MASTER_KEYS } from './keys';
import { sharedTemporal } from './temporal';
import { expectNothingOpen } from './open-ends';
import { quietRuntime } from './quiet-runtime';
import { sourceBundle } from './workflow-bundle';
import { newFolder } from './run-folder';
import { testRuntime } from './connector-runtime';

/** The product without HTTP, in this process: real PostgreSQL, real Temporal, a real worker on queues of its own. */
export interface InProcess {
  config: Config;
  database: Database;
  admin: Admin;
  gateway: TemporalRunGateway;
  runs: RunsStore;
  approvals: ApprovalsStore;
  decisions: DecisionsStore;
  playbooks: PlaybooksStore;
  save(yaml: string): Promise<string>;
  start(
    slug: string,
    options?: Partial<Pick<NewRun, 'inputs' | 'query' | 'approval_policy' | 'clock' | 'connectors'>>,
  ): Promise<string>;
  until(runId: string, test: (run: RunRow) => boolean, what?: string): Promise<RunRow>;
  done(runId: string): Promise<RunRow>;
  approval(runId: string): Promise<string>;
  decide(
    runId: string,
    approvalId: string,
    decision: 'approve' | 'reject',
    more?: { instructions?: string; edits?: JsonObject; decisionId?: string; digest?: string; by?: string },
  ): ReturnType<TemporalRunGateway['decideApproval']>;
  events(runId: string): Promise<EventRow[]>;
  history(runId: string): Promise<{ events: { eventType: string }[] }>;
  client: ReturnType<typeof openClient>;
  workers: Worker[];
  /** Takes starts of runs at this socket, as the worker's process does; returns the way to stop. */
  takeStarts(path: string, running?: () => boolean): Promise<() => void>;
  close(): Promise<void>;
}

export interface InProcessOptions {
  env?: Record<string, string>;
  /** Actions of the test, added to the product's. */
  actions?: ActionTable;
  temporalAddress?: string;
  /** Option of `createActivities`. */
  endingMs?: number;
}

const WAIT_MS = 240_000;

/** Every event must be one that the OpenAPI document describes, whatever the test is about. */
function documented(rows: EventRow[]): EventRow[] {
  for (const row of rows) {
    const wrong = eventMismatch(runEventData(row));
    if (wrong !== '') throw new Error(`event ${row.type} ${wrong}: ${JSON.stringify(row.payload)}`);
  }
  return rows;
}

export async function startInProcess(options: InProcessOptions = {}): Promise<InProcess> {
  quietRuntime();
  const fresh = await migratedDatabase();
  const address = options.temporalAddress ?? (await sharedTemporal()).address;
  const config = parseConfig({
    AF_HOME: newFolder('home'),
    DATABASE_URL: fresh.url,
    TEMPORAL_ADDRESS: address,
    AF_QUEUE_PREFIX: `t-${randomUUID().slice(0, 8)}-`,
    AF_LOG_LEVEL: 'error',
    AF_SHUTDOWN_GRACE: '5',
    AF_MASTER_KEYS: TEST_MASTER_KEYS,
    // Signals are one of the ways to decide, as in the embedded profile.
    AF_SIGNAL_APPROVALS: 'on',
    ...options.env,
  });
  const log = createLogger({ name: 'worker', level: 'error' });
  const database = await Database.connect({ url: loginUrl(fresh.url), poolSize: 10 });
  const admin = openAdmin(fresh.url);
  const blobs = openBlobs(config, database);
  const keys = openKeys(config);
  const payloads = payloadParts(config, blobs, keys.ring);
  const client = openClient(config, payloads);
  const stores = {
    runs: new RunsStore(database),
    openRuns: new OpenRunsStore(database),
    playbooks: new PlaybooksStore(database),
    connectors: new ConnectorsStore(database),
    approvals: new ApprovalsStore(database),
    decisions: new DecisionsStore(database),
    events: new EventsStore(database),
  };
  const gateway = new TemporalRunGateway({
    client,
    runs: stores.openRuns,
    playbooks: stores.playbooks,
    connectors: stores.connectors,
    decisions: stores.decisions,
    approvals: stores.approvals,
    retries: new RunRetryStore(database, new StepsStore(database)),
    log,
    settings: {
      queuePrefix: config.queuePrefix,
      heartbeatTimeoutMs: config.heartbeatTimeoutSeconds * 1000,
      continueAsNewEvents: config.continueAsNewEvents,
    },
  });
  const compute = new Compute();
  const worker = `in-process-${randomUUID()}`;
  const connectorRuntime = testRuntime(database, worker);
  const workerStores = openStores(database);
  const parts = { config, database, stores: workerStores, blobs, files: inlineHost, connectorRuntime, keys };
  const connection = await NativeConnection.connect({ address });
  const verifier = new RunVerifier(stores.openRuns);
  const activities = createActivities({
    stores: workerStores,
    verifier,
    blobs,
    compute,
    log,
    actions: { ...workerActions(parts), ...options.actions },
    worker,
    heartbeatMs: config.heartbeatSeconds * 1000,
    quarantineAfter: config.quarantineAfter,
    workerLostAfter: config.workerLostAfter,
    signalApprovals: config.signalApprovals,
    ...(options.endingMs === undefined ? {} : { endingMs: options.endingMs }),
  });
  const converter = dataConverter(config, payloads);
  const workers = await createWorkers({
    config,
    connection,
    activities,
    dataConverter: converter,
    workflowBundle: await sourceBundle(),
  });
  const running = workers.map((worker) => worker.run());

  const until = async (runId: string, test: (run: RunRow) => boolean, what = 'the run'): Promise<RunRow> => {
    const deadline = Date.now() + WAIT_MS;
    for (;;) {
      const run = await stores.runs.require(LOCAL_USER_ID, runId);
      if (test(run)) return run;
      if (Date.now() > deadline)
        throw new Error(
          `${what} did not get there: ${JSON.stringify({ status: run.status, code: run.status_code, message: run.status_message, waits: run.waits })}`,
        );
      await sleep(50);
    }
  };
  const isDone = (run: RunRow): boolean => isTerminal(run.status);
  return {
    config,
    database,
    admin,
    gateway,
    client,
    workers,
    takeStarts: (path, running = () => true) => {
      const ours = new Client({ connection, namespace: config.temporalNamespace, dataConverter: converter });
      return serveStarts({ path, client: ours, log, running, know: (run) => verifier.know(run) });
    },
    ...stores,
    save: (yaml) => savePlaybook(stores.playbooks, yaml),
    start: async (slug, more = {}) => {
      const version = await stores.playbooks.resolve(LOCAL_USER_ID, slug);
      const now = new Date();
      const id = randomUUID();
      await stores.runs.create(LOCAL_USER_ID, {
        id,
        playbook_id: version.definition_id,
        playbook_version_id: version.id,
        playbook_slug: slug,
        playbook_name: version.body.playbook.name,
        inputs: {},
        run_context: 'interactive',
        approval_policy: version.body.approval_policy,
        clock: { now: now.toISOString(), today: now.toISOString().slice(0, 10), time_zone: 'UTC' },
        connectors: {},
        ...more,
      });
      await gateway.startRun(id);
      return id;
    },
    until,
    done: (runId) => until(runId, isDone),
    approval: async (runId) => {
      await until(runId, (run) => run.status === 'waiting_approval', 'the approval');
      const page = await stores.approvals.list(LOCAL_USER_ID, { status: ['waiting'], runId });
      return page.items[0]?.id ?? '';
    },
    decide: async (runId, approvalId, decision, more = {}) => {
      const { decisionId = randomUUID(), by = LOCAL_USER_ID, ...rest } = more;
      const shown = await stores.approvals.get(LOCAL_USER_ID, approvalId);
      const { decision: received } = await stores.decisions.receive(by, {
        digest: shown?.edited_digest ?? shown?.digest ?? '',
        approvalId,
        decisionId,
        actor: 'local',
        via: 'api',
        decision,
        ...rest,
      });
      return gateway.decideApproval({ runId, approvalId, decisionId, deadlineMs: 10_000, received });
    },
    events: async (runId) => documented(await stores.events.listAfter(runId, LOCAL_USER_ID, 0, 100_000)),
    history: async (runId) => {
      const history = await client.workflow.getHandle(`run-${runId}`).fetchHistory();
      return { events: (history.events ?? []).map((event) => ({ eventType: String(event.eventType) })) };
    },
    close: async () => {
      const open = await expectNothingOpen(admin).catch((error: Error) => error);
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await connection.close();
      await client.connection.close();
      await compute.close();
      await connectorRuntime.close();
      await database.close();
      await admin.close();
      await fresh.drop();
      if (open instanceof Error) throw open;
    },
  };
}

async function savePlaybook(playbooks: PlaybooksStore, yaml: string): Promise<string> {
  const { plan, problems } = parsePlaybook(yaml);
  if (!plan) throw new Error(`the playbook does not parse: ${JSON.stringify(problems)}`);
  await playbooks.save(LOCAL_USER_ID, {
    slug: plan.playbook.id,
    name: plan.playbook.name,
    content_hash: randomUUID(),
    source_format: 'yaml',
    source: yaml,
    body: plan,
  });
  return plan.playbook.id;
}

export function outputOf(run: RunRow, key: string): Json | undefined {
  return run.result?.[key]?.value;
}

export function readText(path: string): string {
  return readFileSync(path, 'utf8');
}
