import type { EgressResponse } from '../../infra/egress/types';
import type { Exchange } from './exchange';
import type { LimitRefusal } from '../runtime/limits/limiter';
import { refusalDelay } from '../runtime/limits/pause';
import { requestedWaitMs, retryAfterMs, hasReadableWait, exhaustedMs } from '../../infra/egress/wait-headers';

const SHORTEST_MS = 100;

/**
 * 429, 503 that says until when, a 403 whose headers say that a limit is used up, and what says the same in its body.
 * `refusals`: those in a row before it.
 */
export function refusalOf(response: EgressResponse, refusals: number, exchange: Exchange): LimitRefusal | undefined {
  const asked = askedBy(response, exchange);
  if (asked === undefined) return undefined;
  // A moment that is over says nothing: with no pause of ours the source would be asked again and again.
  const waitMs = asked === 0 ? refusalDelay(refusals) : Math.max(asked, SHORTEST_MS);
  return { waitMs, reason: 'rate_limited' };
}

/** Milliseconds that a refusal asks for, 0 where it does not say. Undefined: the answer is none. */
function askedBy(response: EgressResponse, { limited, effect }: Exchange): number | undefined {
  const { status, headers } = response;
  // GitHub answers so; the credential is good.
  if (status === 403) return retryAfterMs(headers['retry-after']) ?? exhaustedMs(headers);
  const inBody = limited?.(response);
  if (inBody !== undefined) return inBody.waitMs ?? requestedWaitMs(headers) ?? 0;
  // Counters of a limit stand in every answer: only `Retry-After` says that a 503 is a refusal, and of an effect only one that is understood.
  if (status === 503 && effect === 'unsafe' && !hasReadableWait(headers['retry-after'])) return undefined;
  if (status === 503) return retryAfterMs(headers['retry-after']);
  return status === 429 ? (requestedWaitMs(headers) ?? 0) : undefined;
}
