import { AppError } from '../../core/errors/app-error';
import type { CallRecord } from '../../infra/db/stores/connector-calls.store';
import type { CachedAnswer } from '../../infra/db/stores/connector-cache.store';
import { answerOf, type CachePlace } from '../runtime/cache/answer-cache';
import { Attempts, type AttemptResult, type TransportParts } from './attempts';
import { conditionalRequest } from '../runtime/cache/cache-rules';
import type { Exchange, ExchangeResult, HttpTransport, CredentialRefusal } from './exchange';
import { bindingOf, identitiesOfCall, isForeign, type Identity } from '../runtime/identity';
import { recordOf } from '../runtime/records/call-stats';

/** Failures after which a cached answer is used. */
const STANDS_IN_FOR = ['upstream_unavailable', 'upstream_timeout', 'rate_limited'];

/**
 * Transport of one call's requests: from the cache, else within limits and past the breaker, repeated where that is
 * harmless, recorded. One transport serves all pages of one call; what processes share is in `runtime`.
 */
export function createHttpTransport(parts: TransportParts): HttpTransport {
  const identities = identitiesOfCall();
  return async (exchange) => {
    const { cache } = parts.runtime;
    const place = cache.placeOf(exchange);
    const kept = place && (await cache.find(place));
    const known = { exchange, identity: identities(exchange), place, kept };
    if (kept?.fresh === true) return fromCache(parts, known, kept, 'hit');
    const attempts = new Attempts(parts, exchange, conditionalRequest(exchange.request, kept?.headers), known.identity);
    try {
      const done = await attempts.run();
      return await recordAnswer(parts, known, done);
    } catch (error) {
      const failed = error instanceof AppError && STANDS_IN_FOR.includes(error.code);
      if (failed && kept?.usable === true) return fromCache(parts, known, kept, 'stale', attempts.count);
      throw error;
    }
  };
}

interface Known {
  exchange: Exchange;
  identity: Identity;
  place: CachePlace | undefined;
  kept: CachedAnswer | undefined;
}

/** Records the consequences of an answer. A failure to record them does not fail the call. */
async function recordAnswer(parts: TransportParts, known: Known, done: AttemptResult): Promise<ExchangeResult> {
  const { exchange, identity, place, kept } = known;
  const { cache, credentials } = parts.runtime;
  const { response, attempts, record } = done;
  const { status } = response;
  if (status >= 500 || status === 408) {
    if (kept?.usable === true) return fromCache(parts, known, kept, 'stale', attempts);
    return resultOf(done);
  }
  const refused = async (reach: CredentialRefusal): Promise<void> => {
    if (exchange.aside === true || isForeign(identity.origin, response)) return;
    const binding = bindingOf(exchange);
    const version = reach === 'endpoint' ? (exchange.credential?.version ?? '') : undefined;
    await Promise.allSettled([credentials.refused(binding, status), cache.drop(binding, version)]);
  };
  if (status === 401 || status === 403) {
    if (status !== 401 || exchange.refreshable !== true) await refused(status === 401 ? 'everything' : 'endpoint');
    return resultOf(done);
  }
  if (status === 304 && kept !== undefined && place !== undefined) {
    record.cache = 'revalidated';
    await Promise.allSettled([cache.revive(place, kept, response.headers)]);
    return { ...resultOf(done), response: answerOf(kept), from: 'cache', ageSeconds: 0 };
  }
  const readable = async (items: number): Promise<void> => {
    record.items = items;
    const says = status < 400 && exchange.tokenRequest !== true && exchange.aside !== true;
    await Promise.allSettled([
      says ? credentials.accepted(bindingOf(exchange)) : undefined,
      place === undefined ? undefined : cache.keep(place, response),
    ]);
  };
  return { ...resultOf(done), readable, refused };
}

function resultOf({ response, attempts, record }: AttemptResult): ExchangeResult {
  return { response, from: 'source', attempts, readable: counter(record), refused: nothing };
}

/** Reports nothing: the status has reported the refusal already, or the answer does not come from the source. */
const nothing = (): Promise<void> => Promise.resolve();

function counter(record: CallRecord): (items: number) => Promise<void> {
  return (items) => {
    record.items = items;
    return Promise.resolve();
  };
}

function fromCache(
  { stats, by, runtime }: TransportParts,
  { exchange, identity }: Known,
  kept: CachedAnswer,
  cache: 'hit' | 'stale',
  attempts = 0,
): ExchangeResult {
  const response = answerOf(kept);
  const { origin } = identity;
  const record = recordOf({ response }, { exchange, origin, by, attempt: attempts, began: Date.now(), cache });
  runtime.recorder.add(record);
  const ageSeconds = Math.floor(kept.age_ms / 1000);
  stats.fromCache += 1;
  if (cache === 'stale') stats.staleSeconds = Math.max(stats.staleSeconds ?? 0, ageSeconds);
  const from = cache === 'stale' ? 'stale_cache' : 'cache';
  return { response, from, ageSeconds, attempts, readable: counter(record), refused: nothing };
}
