import { didYouMean } from '../../core/base/did-you-mean';
import { findEndpoint } from '../../core/connector/find-endpoint';
import type { ConnectorDefinition } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import { withoutDisabledLimit } from '../hooks/call-hooks';
import type { CallRequest, ConnectorCall, ConnectorServices } from './connector-call';
import { requireInService } from './in-service';
import { Mask } from '../../infra/secrets/mask';

/** Throws `endpoint_not_found`, `connector_retired`. */
export function prepareCall(services: ConnectorServices, { definition, ...facts }: CallRequest): ConnectorCall {
  const endpoint = findEndpoint(definition, facts.name);
  if (endpoint === undefined) throw endpointNotFound(definition, facts.name);
  requireInService(definition);
  return {
    ...facts,
    ...services.transports(facts.ledger),
    connector: withoutDisabledLimit(definition, facts.name),
    endpoint,
    deadline: Date.now() + facts.timeoutMs,
    mask: new Mask(),
    services,
  };
}

function endpointNotFound(definition: ConnectorDefinition, name: string): AppError {
  const names = Object.keys(definition.endpoints);
  const near = didYouMean(name, names);
  return new AppError(
    'endpoint_not_found',
    `The connector \`${definition.id}\` has no endpoint \`${name}\`. ${near === undefined ? `It has ${names.join(', ')}.` : `Did you mean \`${near}\`?`}`,
    { category: 'bad_request' },
  );
}
