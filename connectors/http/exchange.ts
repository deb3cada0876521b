import type { CachePolicy, EndpointEffect, RateLimit } from '../../core/connector/types';
import { AppError } from '../../core/errors/app-error';
import type { EgressRequest, EgressResponse } from '../../infra/egress/types';
import type { CallContext } from '../call/call-context';

/** One request of a call, with the facts that are its own. */
export interface Exchange {
  call: CallContext;
  request: EgressRequest;
  effect: EndpointEffect;
  /** The secret that goes with it; absent = keyless. `version` changes when the value does. */
  credential?: { name: string; version: string } | undefined;
  rateLimit?: RateLimit | undefined;
  cache?: CachePolicy | undefined;
  /** One-based page of a paginated call. */
  page?: number | undefined;
  /**
   * The caller can fetch another token: a first 401 is returned without telling the owner. The caller clears this for
   * the repeat.
   */
  refreshable?: boolean;
  /** A request beside the call (robots.txt): its answer says nothing about the connector's credentials. */
  aside?: boolean;
  /** The answer refuses for too many requests although its status does not say so. `waitMs`: the wait that it asks for. */
  limited?: ((response: EgressResponse) => { waitMs?: number } | undefined) | undefined;
  /** A request for a token: success does not show that the source accepts the token. */
  tokenRequest?: boolean;
}

/** One request of a call; a read where `facts` do not say otherwise. */
export function exchangeOf(
  call: CallContext,
  request: EgressRequest,
  facts: Omit<Partial<Exchange>, 'call' | 'request'> = {},
): Exchange {
  return { call, request: { ...request, signal: call.signal }, effect: 'none', ...facts };
}

/** Extent of a refusal: the credential is refused everywhere (as after a 401), or at this endpoint (as after a 403). */
export type CredentialRefusal = 'everything' | 'endpoint';

export interface ExchangeResult {
  response: EgressResponse;
  from: 'source' | 'cache' | 'stale_cache';
  /** Age of a cached answer. */
  ageSeconds?: number;
  /** Requests that left for it. */
  attempts: number;
  /**
   * Reports that the answer could be read, and held so many records. Only then it is kept and the credential counts as accepted:
   * an error page with status 200 proves neither.
   */
  readable: (items: number) => Promise<void>;
  /** The answer refuses the credential although its status does not say so. */
  refused: (reach: CredentialRefusal) => Promise<void>;
}

/**
 * Sends one request. Throws AppError (`upstream_unavailable`, `upstream_timeout`, `rate_limited`, ...) or SourceWait.
 * A status that remains after all repeats and waits (also 401, 429 and 5xx) is returned as it is:
 * the reader of the answer says what it means, with an excerpt that it can mask.
 */
export type HttpTransport = (exchange: Exchange) => Promise<ExchangeResult>;

/** Reads an answer; when it refuses the credential, reports that to the owner as after a 401, or as `reachOf` says. */
export async function reportRefusal<T>(
  exchanged: ExchangeResult,
  read: () => T,
  reachOf: (failure: AppError) => CredentialRefusal = () => 'everything',
): Promise<T> {
  try {
    return read();
  } catch (error) {
    if (error instanceof AppError && error.code === 'auth_failed') await exchanged.refused(reachOf(error));
    throw error;
  }
}
