import type {
  AnswerLives,
  AnswerPlace,
  ConnectorCacheStore,
  CachedAnswer,
} from '../../../infra/db/stores/connector-cache.store';
import type { EgressResponse } from '../../../infra/egress/types';
import { hasValidator, keptHeaders, lifetimeOf, mayCache, isStorable, requestDigest } from './cache-rules';
import { chargedOwner } from '../../call/call-context';
import type { Exchange } from '../../http/exchange';
import type { UsedBinding } from '../identity';

/** Bytes of all answers of one owner. */
const OWNER_BYTES = 64 * 1024 * 1024;
/** Seconds after its time within which a validator may revive an answer. */
const REVIVABLE_SECONDS = 86_400;

export interface CachePlace {
  place: AnswerPlace;
  exchange: Exchange;
}

/** Cached answers, used instead of a request or for a failing source. */
export class AnswerCache {
  constructor(private readonly store: ConnectorCacheStore) {}

  /** Undefined where nothing of this exchange may be kept. */
  placeOf(exchange: Exchange): CachePlace | undefined {
    const { call, credential } = exchange;
    const { versionId } = call;
    if (!mayCache(exchange) || versionId === undefined) return undefined;
    const ownerId = chargedOwner(call, credential);
    const place = { ownerId, versionId, digest: requestDigest(exchange), keyless: credential === undefined };
    return { exchange, place };
  }

  find(at: CachePlace): Promise<CachedAnswer | undefined> {
    return this.store.find(at.place);
  }

  async keep(at: CachePlace, response: EgressResponse): Promise<void> {
    const { exchange, place } = at;
    if (!isStorable(exchange, response)) return;
    await this.store.keep(place, {
      ...livesOf(exchange, response.headers),
      connector: exchange.call.connector.id,
      endpoint: exchange.call.name,
      credential: exchange.credential?.name ?? '',
      credentialVersion: exchange.credential?.version ?? '',
      status: response.status,
      headers: keptHeaders(response.headers),
      url: response.url,
      body: response.body,
      ownerBytes: OWNER_BYTES,
    });
  }

  async revive(at: CachePlace, kept: CachedAnswer, headers: Record<string, string>): Promise<void> {
    await this.store.revive(at.place, livesOf(at.exchange, { ...kept.headers, ...headers }));
  }

  /**
   * Removes the answers that a refused credential fetched. `version`: only one endpoint refused that version, so only
   * its answers go; otherwise a person who runs a shared profile could empty its owner's cache with forbidden requests.
   */
  async drop({ ownerId, connector, credential, endpoint }: UsedBinding, version?: string): Promise<void> {
    const only = version === undefined ? undefined : { endpoint, credentialVersion: version };
    await this.store.drop(ownerId, connector, credential, only);
  }
}

function livesOf({ cache }: Exchange, headers: Record<string, string>): AnswerLives {
  const staleSeconds = cache?.stale_if_error_seconds ?? 0;
  return {
    ttlSeconds: lifetimeOf(headers, cache?.ttl_seconds ?? 0),
    staleSeconds,
    dropSeconds: Math.max(staleSeconds, hasValidator(headers) ? REVIVABLE_SECONDS : 0),
  };
}

export function answerOf(kept: CachedAnswer): EgressResponse {
  return { status: kept.status, headers: kept.headers, body: kept.body, url: kept.url };
}
