import type { JsonObject } from '../../core/base/json';
import type { RestConnector, RestEndpoint } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { EgressResponse } from '../egress/types';
import { Mask } from './mask';
import { buildRequest } from './rest-request';
import type { BuiltRequest } from './rest-request';
import { resultOf } from './rest-response';
import { requireSuccess } from './rest-status';
import { directExchanger, type Exchange } from './runtime/exchange';
import { SourceWait } from './runtime/source-wait';
import type { CallContext, EndpointResult, ResolvedSecret, RestDeps } from './types';

interface RestCall {
  name: string;
  endpoint: RestEndpoint;
  inputs: JsonObject;
  context: CallContext;
}

/** Calls one endpoint of a rest_api connector. */
export async function callRestApi(deps: RestDeps, definition: RestConnector, call: RestCall): Promise<EndpointResult> {
  const { endpoint, context } = call;
  const secret = await secretOf(deps, definition, context.ownerId);
  const mask = new Mask(secret === undefined ? [] : [secret.value]);
  const request = buildRequest(definition.connection, endpoint, call.inputs, secret?.value);
  if (endpoint.effect !== 'none') {
    request.headers['idempotency-key'] = context.effectKey;
    await context.beforeEffect({
      description: `${definition.id}.${call.name}: ${request.method} ${new URL(request.url).host}`,
      effect: endpoint.effect,
    });
  }
  const response = await send(deps, definition, { request, call, secret, mask });
  requireKnownOutcome(endpoint, response);
  requireSuccess(response, mask);
  return resultOf({ endpoint, response, mask, files: deps.files, signal: context.signal });
}

async function secretOf(
  deps: RestDeps,
  definition: RestConnector,
  ownerId: string,
): Promise<ResolvedSecret | undefined> {
  const { auth } = definition.connection;
  if (auth.type === 'none' || auth.type === 'connection') {
    return undefined;
  }
  const secret = await deps.secrets.resolve(ownerId, auth.secret.secret);
  if (!/^[\x20-\x7e]{1,8000}$/.test(secret.value)) {
    throw new AppError(
      'invalid_secret',
      `The secret \`${auth.secret.secret}\` is empty or contains characters that a header cannot carry.`,
      {
        category: 'bad_request',
      },
    );
  }
  return secret;
}

async function send(
  deps: RestDeps,
  definition: RestConnector,
  use: { request: BuiltRequest; call: RestCall; secret: ResolvedSecret | undefined; mask: Mask },
): Promise<EgressResponse> {
  const { endpoint, context } = use.call;
  const own = (endpoint.timeout_seconds ?? definition.connection.timeout_seconds) * 1000;
  try {
    const request = {
      ...use.request,
      ...(use.secret === undefined ? {} : { secretHosts: use.secret.allowedHosts }),
      signal: context.signal,
      timeoutMs: Math.min(own, context.timeoutMs),
    };
    const exchange = deps.exchange ?? directExchanger(deps.egress);
    return (await exchange({ ...factsOf(definition, use), request })).response;
  } catch (error) {
    if (error instanceof SourceWait) throw error;
    throw endpoint.effect === 'unsafe' ? unknownOutcome(error) : error;
  }
}

function factsOf(
  definition: RestConnector,
  { call, secret, mask }: { call: RestCall; secret: ResolvedSecret | undefined; mask: Mask },
): Omit<Exchange, 'request'> {
  const { connection, id } = definition;
  const { endpoint, context, name } = call;
  const { auth } = connection;
  const known = 'secret' in auth && secret !== undefined;
  return {
    ownerId: context.ownerId,
    connector: context.versionId === undefined ? { id } : { id, versionId: context.versionId },
    endpoint: name,
    effect: endpoint.effect,
    mask: mask.text,
    signal: context.signal,
    deadline: Date.now() + context.timeoutMs,
    ...(known ? { credential: { name: auth.secret.secret, version: secret.version ?? '' } } : {}),
    ...(connection.rate_limit === undefined ? {} : { rateLimit: connection.rate_limit }),
    ...(endpoint.cache === undefined ? {} : { cache: endpoint.cache }),
  };
}

/** Failures after which nothing can have arrived. */
const NEVER_SENT = new Set(['egress_denied', 'secret_host_denied', 'invalid_request', 'rate_limited']);
const NO_CONNECTION = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** A request that cannot be repeated and whose answer is lost: a person must say whether it took effect. */
function unknownOutcome(error: unknown): unknown {
  if (!(error instanceof AppError) || NEVER_SENT.has(error.code) || NO_CONNECTION.has(causeCode(error))) {
    return error;
  }
  if (error.details['not_sent'] === true) {
    return error;
  }
  return outcomeUnknown(`${error.message} The request may have taken effect.`, error.code);
}

/** A gateway or a crashed server cannot tell whether the request was carried out; 503 says that it was not. */
function requireKnownOutcome(endpoint: RestEndpoint, response: EgressResponse): void {
  if (endpoint.effect === 'unsafe' && response.status >= 500 && response.status !== 501 && response.status !== 503) {
    throw outcomeUnknown(
      `${new URL(response.url).host} answered with status ${response.status}. The request may have taken effect.`,
      'upstream_unavailable',
    );
  }
}

function outcomeUnknown(message: string, cause: string): AppError {
  return new AppError('effect_outcome_unknown', message, { category: 'upstream', details: { cause } });
}

function causeCode(error: AppError): string {
  for (
    let current: unknown = error.cause, depth = 0;
    current instanceof Error && depth < 5;
    current = current.cause, depth += 1
  ) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string') {
      return code;
    }
  }
  return '';
}
