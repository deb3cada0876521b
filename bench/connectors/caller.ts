import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../core/base/json';
import { callEndpoint } from '../../connectors/call/call-endpoint';
import { inlineHost } from '../../connectors/formats/host/inline-host';
import { readConnector } from '../../connectors/definition/read-connector';
import { createExchanger } from '../../connectors/http/create-transport';
import { Patience } from '../../connectors/runtime/limits/wait-budget';
import { createConnectorRuntime } from '../../connectors/runtime/runtime';
import { newTally } from '../../connectors/runtime/records/call-stats';
import type { CallContext, ConnectorDeps } from '../../connectors/call/types';
import { parseConfig } from '../../infra/config/config';
import { awaitDatabase } from '../../infra/db/open-database';
import { createEgress } from '../../infra/egress/egress';
import { mustEqual } from '../documents';
import type { Stack } from '../stack';

/** Calls of one connector as a worker makes them, without Temporal: guard, limits, breaker, records, mapping. */
export interface Caller {
  walk(no: number): Promise<JsonObject[]>;
  close(): Promise<void>;
}

const CALL_MS = 60_000;

export async function openCaller(stack: Stack, source: { url: string; port: number; pages: number }): Promise<Caller> {
  const settings = parseConfig({ ...process.env, DATABASE_URL: process.env['DATABASE_URL'] ?? stack.databaseUrl });
  const database = await awaitDatabase(settings, 'agent-factory-bench', CALL_MS);
  const runtime = createConnectorRuntime({ database, worker: `bench-${randomUUID()}`, warn: () => undefined });
  const egress = createEgress({ allow: [{ host: '127.0.0.1', port: source.port }] });
  const ownerId = (await stack.product.request('GET', '/users/me')).body['id'] as string;
  const definition = definitionOf(source);
  const deps = (): ConnectorDeps => ({
    egress,
    // One for each call: waits and counts are the call's own.
    exchange: createExchanger({ egress, runtime, patience: patience(), tally: newTally(), by: {} }),
    secrets: {
      resolve: () => Promise.resolve({ value: 'key-of-the-source', allowedHosts: ['127.0.0.1'], version: '1' }),
    },
    documents: { find: () => Promise.resolve(undefined) },
    importRoots: [],
    files: inlineHost,
  });
  return {
    walk: async (no) => {
      const context = contextOf(ownerId);
      const result = await callEndpoint(deps(), { definition, endpoint: 'items', inputs: { walk: no }, context });
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

function patience(): Patience {
  return new Patience({ maxWaitMs: CALL_MS, waitedMs: 0, refusals: 0 });
}

function contextOf(ownerId: string): CallContext {
  return {
    ownerId,
    effectKey: 'bench/walk',
    timeoutMs: CALL_MS,
    signal: new AbortController().signal,
    beforeEffect: () => Promise.resolve(),
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
