import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/base/json';
import { callEndpoint } from '../../connectors/call/call-endpoint';
import { inlineHost } from '../../connectors/formats/host/inline-host';
import { readConnector } from '../../connectors/definition/read-connector';
import { WaitBudget } from '../../connectors/runtime/limits/wait-budget';
import { createConnectorRuntime } from '../../connectors/runtime/runtime';
import { newCallStats } from '../../connectors/runtime/records/call-stats';
import { AccessTokens, type SharedTokens } from '../../connectors/auth/access-tokens';
import type { ConnectorServices } from '../../connectors/call/connector-call';
import { openTransports } from '../../connectors/call/open-transports';
import { prepareCall } from '../../connectors/call/prepare-call';
import { guardedAccess } from '../../connectors/kinds/database/guarded-access';
import type { ConnectorDefinition } from '../../core/connector/types';
import { parseConfig } from '../../infra/config/config';
import { awaitDatabase } from '../../infra/db/open-database';
import { createEgress } from '../../infra/egress/egress';
import { egressSettings } from '../../infra/egress/settings';
import { mustEqual } from '../documents';
import type { Stack } from '../stack';

/** Calls one connector as a worker does, without Temporal: guard, limits, breaker, records, mapping. */
export interface Caller {
  walk(no: number): Promise<JsonObject[]>;
  close(): Promise<void>;
}

const CALL_MS = 60_000;
const done = (): Promise<void> => Promise.resolve();
/** The source takes a key, so that no token is fetched. */
const NOBODY_ELSE: SharedTokens = { claim: () => Promise.resolve('claimed'), put: done, release: done, drop: done };

export async function openCaller(stack: Stack, source: { url: string; port: number; pages: number }): Promise<Caller> {
  const settings = parseConfig({ ...process.env, DATABASE_URL: process.env['DATABASE_URL'] ?? stack.databaseUrl });
  const database = await awaitDatabase(settings, 'agent-factory-bench', CALL_MS);
  const runtime = createConnectorRuntime({
    database,
    worker: `bench-${randomUUID()}`,
    shipped: () => Promise.resolve(undefined),
    warn: () => undefined,
  });
  const egress = createEgress({ ...egressSettings(settings), allow: [{ host: '127.0.0.1', port: source.port }] });
  const ownerId = (await stack.product.request('GET', '/users/me')).body['id'] as string;
  const definition = definitionOf(source);
  const services: ConnectorServices = {
    transports: openTransports({ egress, runtime }),
    tokens: new AccessTokens(NOBODY_ELSE),
    documents: { find: () => Promise.resolve(undefined) },
    importRoots: [],
    grantedRoots: () => Promise.resolve([]),
    defaultDirectory: '',
    files: inlineHost,
    robotsOverride: [],
    database: guardedAccess(egress, database),
    readingTools: {},
  };
  return {
    walk: async (no) => {
      const result = await callEndpoint(prepareCall(services, requestOf({ definition, ownerId, no })));
      mustEqual(result['pages'], source.pages, 'pages of a walk');
      return result['results'] as JsonObject[];
    },
    close: async () => {
      await runtime.close();
      await egress.close();
      await database.close();
    },
  };
}

/** Makes one call as a step does: each has waits and counts of its own. */
function requestOf({ definition, ownerId, no }: { definition: ConnectorDefinition; ownerId: string; no: number }) {
  const key = { value: 'key-of-the-source', allowedHosts: ['127.0.0.1'], version: '1' };
  return {
    definition,
    name: 'items',
    inputs: { walk: no },
    versionId: undefined,
    ownerId,
    secretOwner: ownerId,
    effectKey: 'bench/walk',
    now: undefined,
    timeoutMs: CALL_MS,
    signal: new AbortController().signal,
    beforeEffect: () => Promise.resolve(),
    resume: undefined,
    secrets: { resolve: () => Promise.resolve(key) },
    hooks: { audit: () => Promise.resolve() },
    ledger: {
      waits: new WaitBudget({ maxWaitMs: CALL_MS, waitedMs: 0, refusals: 0 }),
      stats: newCallStats(),
      by: {},
    },
  };
}

function definitionOf({ url, pages }: { url: string; pages: number }) {
  const { definition, problems } = readConnector(`
id: bench-pages
type: rest_api
connection:
  base_url: ${url}
  auth: { type: api_key, in: header, key_param: X-API-Key, secret: { secret: KEY } }
  rate_limit: { requests_per_second: 100000 }
endpoints:
  items:
    path: /items
    parameters: [{ name: walk, in: query, type: integer, required: true }]
    pagination: { type: page, param: page, max_pages: ${pages} }
    response_mapping:
      results_path: results
      fields: { id: id, name: recipient.name, amount: amount }
`);
  if (definition === undefined)
    throw new Error(`The connector of the benchmark is refused: ${JSON.stringify(problems)}`);
  return definition;
}
