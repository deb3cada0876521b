import type { JsonObject } from '../../core/base/json';
import type { EndpointEffect, GraphqlConnector, RestConnector } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { callGraphql } from '../kinds/graphql/call-graphql';
import { withHooks } from '../hooks/call-hooks';
import type { CallHooks } from '../hooks/hook-types';
import { callRestApi } from '../kinds/rest/call-rest-api';
import { requireInService } from './in-service';
import type { CallContext, EndpointResult, RestDeps, SecretGuard } from './types';

const CALL_MS = 15_000;

export interface LiveRead {
  ownerId: string;
  definition: RestConnector | GraphqlConnector;
  endpoint: string;
  inputs: JsonObject;
  signal: AbortSignal;
  guard: SecretGuard;
  hooks: CallHooks;
}

/** Calls of endpoints that only read, outside of any run. */
export class LiveReads {
  constructor(private readonly deps: RestDeps) {}

  /** Throws what the call of a step would fail with, and `not_a_read` before an effect could leave. */
  async read({ ownerId, definition, endpoint: name, inputs, signal, guard, hooks }: LiveRead): Promise<EndpointResult> {
    const deps = { ...this.deps, secrets: guard(this.deps.secrets) };
    requireInService(definition);
    const context = {
      ownerId,
      effectKey: '',
      timeoutMs: CALL_MS,
      signal,
      beforeEffect: () => Promise.reject(notARead(definition.id, name)),
    };
    const work = readOf(deps, definition, { name, inputs, context });
    return withHooks({ hooks, secrets: deps.secrets }, { definition, endpoint: name, context }, work);
  }

  async close(): Promise<void> {
    await Promise.all([this.deps.egress.close(), this.deps.files.close()]);
  }
}

/** Throws `not_a_read`. */
function readOf(
  deps: RestDeps,
  definition: RestConnector | GraphqlConnector,
  call: { name: string; inputs: JsonObject; context: CallContext },
): () => Promise<EndpointResult> {
  if (definition.type === 'graphql') {
    const endpoint = readable(definition, definition.endpoints, call.name);
    return () => callGraphql(deps, definition, { ...call, endpoint });
  }
  const endpoint = readable(definition, definition.endpoints, call.name);
  return () => callRestApi(deps, definition, { ...call, endpoint });
}

function readable<E extends { effect: EndpointEffect }>(
  { id }: { id: string },
  all: Record<string, E>,
  name: string,
): E {
  const endpoint = Object.hasOwn(all, name) ? all[name] : undefined;
  if (endpoint?.effect !== 'none') throw notARead(id, name);
  return endpoint;
}

function notARead(connector: string, endpoint: string): AppError {
  return new AppError(
    'not_a_read',
    `The endpoint \`${connector}.${endpoint}\` may change something outside, so it is not called here.`,
    {
      category: 'forbidden',
    },
  );
}
