import type { JsonObject } from '../../../core/base/json';
import type { ExchangeResult } from '../../http/exchange';

/** A result that does not come from the source itself says so. */
export function cacheNotes({ from, ageSeconds }: Pick<ExchangeResult, 'from' | 'ageSeconds'>): JsonObject {
  if (from === 'source') {
    return {};
  }
  return {
    cache: from === 'cache' ? 'fresh' : 'stale',
    ...(ageSeconds === undefined ? {} : { age_seconds: ageSeconds }),
  };
}

/** Takes the age of the oldest of several cached answers. */
export function oldestNotes(before: JsonObject, now: JsonObject): JsonObject {
  const [a, b] = [before['age_seconds'], now['age_seconds']];
  const { cache, age_seconds } = typeof a === 'number' && (typeof b !== 'number' || a >= b) ? before : now;
  return { ...(cache === undefined ? {} : { cache }), ...(age_seconds === undefined ? {} : { age_seconds }) };
}
