import { AccessTokens, type SharedTokens } from '../../connectors/auth/access-tokens';
import type { Confirmations } from '../../connectors/auth/confirmation';
import { callEndpoint as callPrepared } from '../../connectors/call/call-endpoint';
import { noWaitLedger } from '../../connectors/call/call-ledger';
import type {
  CallRequest,
  ConnectorCall,
  ConnectorServices,
  EndpointResult,
} from '../../connectors/call/connector-call';
import { prepareCall } from '../../connectors/call/prepare-call';
import { inlineHost } from '../../connectors/formats/host/inline-host';
import type { CallHooks } from '../../connectors/hooks/hook-types';
import type { DatabaseAccess, OpenSocket } from '../../connectors/kinds/database/access';
import type { HttpTransport } from '../../connectors/http/exchange';
import type { SourceClient } from '../../connectors/runtime/source-client';
import type { JsonObject } from '../../core/base/json';
import type { ConnectorDefinition } from '../../core/connector/types';
import type { Egress } from '../../infra/egress/egress';
import { testEgress } from './egress';
import type { AllowList } from '../../infra/egress/address-policy';
import type { SecretSource } from '../../infra/secrets/secret-source';

/** Services of a process, with replacements for a test. */
export interface ConnectorDeps extends Omit<ConnectorServices, 'transports'> {
  egress: Egress;
  /** Transport of requests; `connectorDeps` sends them straight through the guard. */
  exchange: HttpTransport;
  /** Client for other protocols; `connectorDeps` uses no limits and no records. */
  source: SourceClient;
  secrets: SecretSource;
  hooks: CallHooks;
}

export interface TestDeps extends Partial<ConnectorDeps> {
  allow?: AllowList;
  secretValues?: Record<string, string>;
  secretHosts?: readonly string[];
}

/** Sends straight through the guard: no retry, no limit, no cache, no record. */
export function directTransport(egress: Egress): HttpTransport {
  return async ({ request }) => ({
    response: await egress.fetch(request),
    from: 'source',
    attempts: 1,
    readable: () => Promise.resolve(),
    refused: () => Promise.resolve(),
  });
}

/** Calls without limit and record. */
const directClient: SourceClient = (_request, work) => work();

/** A lock for one process: no other process fetches tokens. */
export const unsharedTokens: SharedTokens = {
  claim: () => Promise.resolve('claimed'),
  put: () => Promise.resolve(),
  release: () => Promise.resolve(),
  drop: () => Promise.resolve(),
};

/** Database addresses that may be reached; none of them is the platform's own. */
export function openedBy(open: OpenSocket): DatabaseAccess {
  return { open, ownSystem: () => Promise.resolve(undefined) };
}

const noDatabase = openedBy(() => Promise.reject(new Error('This test reaches no database.')));

export const noAudit: CallHooks = { audit: () => Promise.resolve() };

/** Connectors that their owner wrote, without overrides: their secrets go where the version says. */
export function writtenAsTheyAre(connectors: {
  version(ownerId: string, versionId: string): Promise<{ body: ConnectorDefinition } | null>;
}): Confirmations {
  const confirmations = async (ownerId: string, versionId: string): Promise<object | undefined> => {
    const { body } = (await connectors.version(ownerId, versionId)) ?? {};
    return body && { connector: body.id, reused: false, first_definition: body, confirmed: [] };
  };
  return { confirmations: confirmations as Confirmations['confirmations'] };
}

/** Real services throughout; secrets and documents come from memory. */
export function connectorDeps(given: TestDeps = {}): ConnectorDeps {
  const egress = given.egress ?? testEgress({ allow: given.allow ?? [] });
  return {
    egress,
    exchange: directTransport(egress),
    source: directClient,
    secrets: {
      resolve: (_owner, name) =>
        Promise.resolve({ value: given.secretValues?.[name] ?? '', allowedHosts: given.secretHosts ?? ['*'] }),
    },
    hooks: noAudit,
    tokens: new AccessTokens(unsharedTokens),
    documents: { find: () => Promise.resolve(undefined) },
    importRoots: [],
    grantedRoots: () => Promise.resolve([]),
    defaultDirectory: '',
    files: inlineHost,
    robotsOverride: [],
    database: noDatabase,
    readingTools: {},
    ...given,
  };
}

/** The services of a process whose calls leave as `deps` says. */
export function servicesOf({ exchange, source, ...services }: ConnectorDeps): ConnectorServices {
  return { ...services, transports: () => ({ http: exchange, source }) };
}

export type CallContext = Pick<ConnectorCall, 'ownerId' | 'effectKey' | 'timeoutMs' | 'signal' | 'beforeEffect'> &
  Partial<Pick<ConnectorCall, 'versionId' | 'resume'>> & { clock?: { now: string } };

export function testContext(given: Partial<CallContext> = {}): CallContext {
  return {
    ownerId: '00000000-0000-4000-8000-000000000001',
    effectKey: 'run/step',
    timeoutMs: 10_000,
    signal: new AbortController().signal,
    beforeEffect: () => Promise.resolve(),
    ...given,
  };
}

export interface EndpointCall {
  definition: ConnectorDefinition;
  endpoint: string;
  inputs: JsonObject;
  context: CallContext;
}

/** Makes a call as a step of a run does, without the run. */
export function preparedCall(deps: ConnectorDeps, call: EndpointCall): ConnectorCall {
  const { clock, ...context } = call.context;
  const request: CallRequest = {
    versionId: undefined,
    resume: undefined,
    ...context,
    definition: call.definition,
    name: call.endpoint,
    inputs: call.inputs,
    secretOwner: context.ownerId,
    now: clock?.now,
    secrets: deps.secrets,
    hooks: deps.hooks,
    ledger: noWaitLedger(),
  };
  return prepareCall(servicesOf(deps), request);
}

export async function callEndpoint(deps: ConnectorDeps, call: EndpointCall): Promise<EndpointResult> {
  return callPrepared(preparedCall(deps, call));
}
