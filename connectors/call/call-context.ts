import type { Mask } from '../../infra/secrets/mask';

/** Facts of a call that its requests read on their way to the socket: a `ConnectorCall` is passed as one. */
export interface CallContext {
  connector: { id: string };
  /** Name of the endpoint. */
  name: string;
  /** Pinned version of the connector; undefined = it is not saved. */
  versionId: string | undefined;
  /** Caller. */
  ownerId: string;
  /** Owner of the call's secrets: limits, breakers and states of credentials belong to them. */
  secretOwner: string;
  /** Aborts on timeout, cancel and shutdown. */
  signal: AbortSignal;
  /** Epoch milliseconds at which the time of the call is over. */
  deadline: number;
  /** Mask that learns every secret of the call, and removes them from answers. */
  mask: Mask;
}

/** Owner whose limits, breaker and cache a request uses: the owner of its credential, or the caller where it has none. */
export function chargedOwner({ ownerId, secretOwner }: CallContext, credential: object | undefined): string {
  return credential === undefined ? ownerId : secretOwner;
}
