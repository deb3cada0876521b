import type { ConnectorCall } from '../call/connector-call';
import type { SourceRequest } from './source-client';

/** What a question to a source that is no HTTP request has of its call. */
export function sourceRequestOf(
  call: ConnectorCall,
): Pick<SourceRequest, 'ownerId' | 'connector' | 'endpoint' | 'signal' | 'deadline'> {
  const { ownerId, connector, versionId, name: endpoint, signal, deadline } = call;
  return { ownerId, connector: { id: connector.id, versionId }, endpoint, signal, deadline };
}
