import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Database } from '../../infra/db/database';
import { BUSY_AFTER_MS } from '../../infra/db/open-database';
import { parseConfig } from '../../infra/config/config';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { ApiKeysStore } from '../../infra/db/stores/identity/api-keys.store';
import { mintKey } from '../../infra/identity/local-key';
import { createLogger } from '../../infra/log/logger';
import { compose } from '../../src/app/compose';
import { createApi, type Api } from '../../src/app/create-app';
import type { ApiDeps } from '../../src/app/deps';
import type { RunGateway } from '../../src/app/ports';
import { listen } from '../../src/app/listen';
import { migrateAs, openAdmin, type Admin } from '../support/admin';
import type { InProcess } from '../support/in-process';
import { migratedDatabase } from '../support/migrated-database';
import { type FreshDatabase, loginUrl } from '../support/postgres';
import { TEST_MASTER_KEYS } from '../support/keys';
import { checkAnswer } from './conformance';

/** Address without a listener: the real gateway without its server. */
export const NOBODY = '127.0.0.1:1';
export const PREFIX = '/api/agent-factory';

export interface TestApi {
  api: Api;
  deps: ApiDeps;
  url: string;
  port: number;
  database: Database;
  admin: Admin;
  databaseUrl: string;
  /** Key of the first administrator, whose calls `call` makes; and the header that shows it. */
  key: string;
  headers: Record<string, string>;
  /** The answer, checked against the OpenAPI document; `path` below the prefix. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & {
    code?: string;
    detail?: string;
    items?: Record<string, unknown>[];
    problems?: { code: string; field?: string; step?: string; line?: number; column?: number }[];
  };
}

export interface TestApiOptions {
  env?: Record<string, string | undefined>;
  /** A database that somebody else made and drops. */
  databaseUrl?: string;
  /** New accounts find the catalogue; else nothing, which tests of lists count on. */
  withCatalogue?: boolean;
  /** Descriptor that the log is written to; else there is none. */
  logFd?: number;
}

/** The API in front of the Temporal server and the worker of a product that runs in process; `env` on top of its places. */
export function startApiOf({ config }: InProcess, env: Record<string, string> = {}): Promise<TestApi> {
  const { temporalAddress, queuePrefix, home, databaseUrl = '' } = config;
  const places = { TEMPORAL_ADDRESS: temporalAddress, AF_QUEUE_PREFIX: queuePrefix, AF_HOME: home };
  return startApi({ databaseUrl, env: { ...places, ...env } });
}

export async function startApi({ env, databaseUrl, withCatalogue, logFd }: TestApiOptions = {}): Promise<TestApi> {
  const fresh = databaseUrl === undefined ? await migratedDatabase() : await foreignDatabase(databaseUrl);
  const config = parseConfig({
    TEMPORAL_ADDRESS: NOBODY,
    AF_MASTER_KEYS: TEST_MASTER_KEYS,
    ...env,
    DATABASE_URL: fresh.url,
  });
  const database = await Database.connect({
    url: loginUrl(fresh.url),
    poolSize: 5,
    busyAfterMs: BUSY_AFTER_MS,
    // Sets the cap only if a test is about it: other tests leave many runs pending.
    ...(env?.['AF_OWNER_RUNNING_CAP'] === undefined ? {} : { ownerRunningCap: config.ownerRunningCap }),
  });
  const admin = openAdmin(fresh.url);
  const composition = compose(
    config,
    database,
    createLogger({ name: 'api', level: logFd === undefined ? 'silent' : 'info', fd: logFd ?? 2 }),
  );
  const deps = {
    ...composition.deps,
    ...(withCatalogue === true ? {} : { welcome: () => Promise.resolve() }),
    ...(config.temporalAddress === NOBODY ? { gateway: soonGivenUp(composition.deps.gateway) } : {}),
  };
  const api = await createApi(deps);
  const { url, port } = await listen(api.app, '127.0.0.1', 0);
  const key = await keyOf(database, LOCAL_USER_ID);
  const own = { 'x-api-key': key };
  return {
    key,
    headers: own,
    api,
    deps,
    url,
    port,
    database,
    admin,
    databaseUrl: fresh.url,
    call: (method, path, body, headers) =>
      callApi(url, { method, path: PREFIX + path, body, headers: { ...own, ...headers } }),
    close: async () => {
      await api.close();
      await composition.release();
      await admin.close();
      await fresh.drop();
    },
  };
}

/** Shortens the gateway's wait of three seconds for the run, as no run ever answers here. */
function soonGivenUp(gateway: RunGateway): RunGateway {
  const decideApproval: RunGateway['decideApproval'] = (call) => gateway.decideApproval({ ...call, deadlineMs: 300 });
  return Object.assign(Object.create(gateway) as RunGateway, { decideApproval });
}

async function foreignDatabase(url: string): Promise<FreshDatabase> {
  await migrateAs(url);
  return { url, drop: () => Promise.resolve() };
}

/** A key of an account, with the limits given. */
export async function keyOf(
  database: Database,
  ownerId: string,
  limits: {
    scopes?: string[];
    read_only?: boolean;
    may_decide?: boolean;
    objects?: string[];
    expires_at?: string;
  } = {},
): Promise<string> {
  const { key, hash, prefix } = mintKey();
  const all = { scopes: null, read_only: false, may_decide: true, objects: null, expires_at: null };
  const row = { id: randomUUID(), owner_id: ownerId, name: 'test', prefix, hash, ...all, ...limits };
  await new ApiKeysStore(database).add(row);
  return key;
}

export interface Call {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string> | undefined;
}

export async function callApi(url: string, { method, path, body, headers }: Call): Promise<Answer> {
  const json =
    body === undefined
      ? { headers: headers ?? {} }
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(`${url}${path}`, { method, ...json });
  const text = await response.text();
  const parsed: unknown = text === '' ? {} : JSON.parse(text);
  checkAnswer({
    method,
    path,
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    body: parsed,
  });
  return { status: response.status, headers: response.headers, body: parsed as Answer['body'] };
}

/** Counts of everything that a refused request must not have changed. */
export async function rowCounts({ admin }: TestApi): Promise<Record<string, number>> {
  const tables = [
    'playbooks',
    'playbook_versions',
    'connectors',
    'runs',
    'run_events',
    'approval_decisions',
    'documents',
    'blobs',
  ];
  const rows = await admin.query<Record<string, number>>(
    `select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
  );
  return rows[0] ?? {};
}

/** Sorts the rows it is given and keeps two. */
export const TWO_STEPS = `
id: two-steps
name: Two steps
version: "1.0"
inputs:
  - name: rows
    type: list
    required: true
  - name: least
    type: number
    default: 3
steps:
  - name: sort_rows
    step_type: tool
    action: transform_data
    inputs:
      data: "{rows}"
    params:
      operations:
        - type: sort
          field: size
  - name: first_rows
    step_type: tool
    action: transform_data
    inputs:
      data: "{sort_rows.data}"
    params:
      operations:
        - type: limit
          count: 2
`;

/** Makes the playbook and gives the id of a run of it. */
export async function startRun(api: TestApi, body: Record<string, unknown> = {}): Promise<string> {
  await api.call('POST', '/playbooks', { source: TWO_STEPS });
  const { body: answer } = await api.call('POST', '/runs', {
    playbook: 'two-steps',
    inputs: { rows: [{ size: 1 }] },
    ...body,
  });
  return String(answer['runId']);
}
