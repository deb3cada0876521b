import type { ConnectorCall } from '../call/connector-call';
import type { SourceRequest } from './source-client';

/** Fields of a source request that come from its call. */
export function sourceRequestOf(
  call: ConnectorCall,
): Pick<SourceRequest, 'ownerId' | 'connector' | 'endpoint' | 'signal' | 'deadline'> {
  const { ownerId, connector, versionId, name: endpoint, signal, deadline } = call;
  return { ownerId, connector: { id: connector.id, versionId }, endpoint, signal, deadline };
}
