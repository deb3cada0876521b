import type { EgressRequest } from '../../infra/egress/types';
import type { ConnectorCall } from '../call/connector-call';
import type { Exchange } from './exchange';

/** Facts of a request beside those of its call. */
export type RequestFacts = Partial<
  Pick<
    Exchange,
    'effect' | 'credential' | 'rateLimit' | 'cache' | 'page' | 'refreshable' | 'aside' | 'limited' | 'tokenRequest'
  >
>;

/** One request of a call; it only reads where nothing else is said. Limits of a request without a credential are those of who calls. */
export function exchangeOf(call: ConnectorCall, request: EgressRequest, facts: RequestFacts = {}): Exchange {
  const { connector, versionId, ownerId, secretOwner, name, mask, signal, deadline } = call;
  return {
    request: { ...request, signal },
    ownerId: facts.credential === undefined ? ownerId : secretOwner,
    connector: { id: connector.id, versionId },
    endpoint: name,
    effect: 'none',
    mask: mask.text,
    signal,
    deadline,
    ...facts,
  };
}
