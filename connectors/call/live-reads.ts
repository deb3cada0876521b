import type { JsonObject } from '../../core/base/json';
import { endpointEffect, findEndpoint } from '../../core/connector/find-endpoint';
import type { GraphqlConnector, RestConnector } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { SecretSource } from '../../infra/secrets/secret-source';
import type { CallHooks } from '../hooks/hook-types';
import { callEndpoint } from './call-endpoint';
import { noWaitLedger } from './call-ledger';
import type { ConnectorServices, EndpointResult } from './connector-call';
import { requireInService } from './in-service';
import { prepareCall } from './prepare-call';
import type { SecretGuard } from './secret-guard';

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
  constructor(
    private readonly services: ConnectorServices,
    private readonly secrets: SecretSource,
  ) {}

  /** Throws what the call of a step would fail with, and `not_a_read` before an effect could leave. */
  async read({ definition, endpoint, guard, ...facts }: LiveRead): Promise<EndpointResult> {
    requireInService(definition);
    const isThere = findEndpoint(definition, endpoint) !== undefined;
    if (!isThere || endpointEffect(definition, endpoint) !== 'none') throw notARead(definition.id, endpoint);
    const call = prepareCall(this.services, {
      ...facts,
      definition,
      name: endpoint,
      versionId: undefined,
      secretOwner: facts.ownerId,
      effectKey: '',
      now: undefined,
      timeoutMs: CALL_MS,
      beforeEffect: () => Promise.reject(notARead(definition.id, endpoint)),
      resume: undefined,
      secrets: guard(this.secrets),
      ledger: noWaitLedger(),
    });
    return callEndpoint(call);
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
