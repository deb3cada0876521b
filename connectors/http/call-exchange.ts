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

/** One request of a call; it counts as a read by default. A request without a credential counts for the caller's limits. */
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
