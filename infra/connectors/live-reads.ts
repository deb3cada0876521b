import type { JsonObject } from '../../core/base/json';
import type { RestConnector } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { callRestApi } from './rest-api';
import type { EndpointResult, RestDeps } from './types';

const CALL_MS = 15_000;

export interface LiveRead {
  ownerId: string;
  definition: RestConnector;
  endpoint: string;
  inputs: JsonObject;
  signal: AbortSignal;
}

/** Calls of endpoints that only read, outside of any run. */
export class LiveReads {
  constructor(private readonly deps: RestDeps) {}

  /** Throws what the call of a step would fail with, and `not_a_read` before an effect could leave. */
  async read({ ownerId, definition, endpoint: name, inputs, signal }: LiveRead): Promise<EndpointResult> {
    const endpoint = Object.hasOwn(definition.endpoints, name) ? definition.endpoints[name] : undefined;
    if (endpoint === undefined || endpoint.effect !== 'none') throw notARead(definition.id, name);
    const context = {
      ownerId,
      effectKey: '',
      timeoutMs: CALL_MS,
      signal,
      beforeEffect: () => Promise.reject(notARead(definition.id, name)),
    };
    return callRestApi(this.deps, definition, { name, endpoint, inputs, context });
  }

  async close(): Promise<void> {
    await Promise.all([this.deps.egress.close(), this.deps.files.close()]);
  }
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
