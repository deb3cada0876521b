import 'reflect-metadata';
import { SYSTEM, Database } from '../../infra/db/database';
import { migrate } from '../../infra/db/migrate';
import { parseConfig } from '../../infra/config/config';
import { createLogger } from '../../infra/log/logger';
import { compose } from '../../src/app/compose';
import { createApi, type Api } from '../../src/app/create-app';
import { listen } from '../../src/app/listen';
import { freshDatabase } from '../support/postgres';

/** Nothing listens there: the real gateway without its server. */
export const NOBODY = '127.0.0.1:1';

export interface TestApi {
  api: Api;
  url: string;
  port: number;
  database: Database;
  databaseUrl: string;
  /** JSON of an answer with its status; `path` below the prefix. */
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // Bodies of many shapes are looked into by tests.
  body: Record<string, unknown> & { problems?: { code: string; field?: string; line?: number }[] };
}

export async function startApi(env: Record<string, string> = {}): Promise<TestApi> {
  const { url: databaseUrl, drop } = await freshDatabase();
  const config = parseConfig({ DATABASE_URL: databaseUrl, TEMPORAL_ADDRESS: NOBODY, ...env });
  const database = await Database.connect({ url: databaseUrl, poolSize: 5 });
  await migrate(database);
  const { deps, release } = compose(config, database, createLogger({ name: 'api', level: 'silent', fd: 2 }));
  const api = await createApi(deps);
  const { url, port } = await listen(api.app, '127.0.0.1', 0);
  return {
    api,
    url,
    port,
    database,
    databaseUrl,
    call: (method, path, body, headers) => call(`${url}/api/agent-factory${path}`, method, { body, headers }),
    close: async () => {
      await api.close();
      await release();
      await drop();
    },
  };
}

async function call(
  url: string,
  method: string,
  { body, headers }: { body?: unknown; headers?: Record<string, string> | undefined },
): Promise<Answer> {
  const json =
    body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } };
  const response = await fetch(url, { method, headers: headers ?? {}, ...json });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? {} : JSON.parse(text) };
}

/** Counts of everything that a refused request must not have changed. */
export async function rowCounts(database: Database): Promise<Record<string, number>> {
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
  const rows = await database.query<Record<string, number>>(
    SYSTEM,
    `select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`,
  );
  return rows[0] ?? {};
}

export const TWO_STEPS = `
id: two-steps
name: Two steps
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
