import type { JsonObject } from '../../core/base/json';
import type { HttpAuth } from '../../core/connector/auth-types';
import type {
  ConnectorDefinition,
  GraphqlEndpoint,
  HttpConnection,
  Pagination,
  Parameter,
  RestEndpoint,
} from '../../core/connector/types';
import type { HttpSource } from '../support/http-source';
import { connectorDeps, testContext, type TestDeps, callEndpoint, type CallContext } from '../support/connector-deps';
import type { EndpointResult } from '../../connectors/call/connector-call';

export const SECRET = 'canary-s3cret/+value';

export function restEndpoint(given: Partial<RestEndpoint> = {}): RestEndpoint {
  return {
    method: 'GET',
    path: '/rows',
    parameters: [],
    body_format: 'json',
    response_format: 'json',
    effect: 'none',
    ...given,
  };
}

export function graphqlEndpoint(given: Partial<GraphqlEndpoint> = {}): GraphqlEndpoint {
  return {
    query: 'query Q { a }',
    operation: 'query',
    parameters: [],
    effect: 'none',
    partial_data: 'refuse',
    ...given,
  };
}

export function parameter(name: string, given: Partial<Parameter> = {}): Parameter {
  return { name, in: 'query', type: 'string', required: false, ...given };
}

export function paging(given: Partial<Pagination> & Pick<Pagination, 'type'>): Pagination {
  return {
    in: 'query',
    start: given.type === 'page' ? 1 : 0,
    max_pages: 50,
    max_items: 10_000,
    max_bytes: 10_000_000,
    max_seconds: 300,
    ...given,
  };
}

export function results(path: string | undefined, fields: Record<string, string> = {}) {
  return { ...(path === undefined ? {} : { results_path: path }), fields, entity_extraction: [] };
}

export interface OneCall {
  source: HttpSource;
  auth?: HttpAuth;
  connection?: Partial<HttpConnection>;
  inputs?: JsonObject;
  context?: Partial<CallContext>;
  deps?: TestDeps;
}

/** Calls the one endpoint of a connector of that type at the source. */
export async function callRest(endpoint: RestEndpoint, use: OneCall): Promise<EndpointResult> {
  return callOne({ ...common('rest_api', use), endpoints: { e: endpoint } } as ConnectorDefinition, use);
}

export async function callGraph(endpoint: GraphqlEndpoint, use: OneCall): Promise<EndpointResult> {
  return callOne({ ...common('graphql', use), endpoints: { e: endpoint } } as ConnectorDefinition, use);
}

async function callOne(definition: ConnectorDefinition, use: OneCall): Promise<EndpointResult> {
  const allow = [{ host: '127.0.0.1', port: use.source.port }];
  const deps = connectorDeps({ allow, secretValues: { KEY: SECRET }, ...use.deps });
  const call = { definition, endpoint: 'e', inputs: use.inputs ?? {}, context: testContext(use.context) };
  try {
    return await callEndpoint(deps, call);
  } finally {
    await deps.egress.close();
  }
}

function common(type: string, { source, auth, connection }: OneCall) {
  return {
    schema: 1,
    id: 'wire',
    name: 'Wire',
    type,
    connection: {
      base_url: type === 'graphql' ? `${source.url}/graphql` : source.url,
      headers: {},
      auth: auth ?? { type: 'none' },
      timeout_seconds: 10,
      ...connection,
    },
  };
}

/** The error that a call ends with; `undefined` when it does not. */
export async function errorOf(
  work: Promise<unknown>,
): Promise<{ code?: string; details?: JsonObject; message?: string }> {
  return work.then(
    (value) => ({ message: `it succeeded with ${JSON.stringify(value)}` }),
    (error: unknown) => error as Error & { code?: string },
  );
}
