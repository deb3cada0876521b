import type { CallHooks } from '../hooks/hook-types';
import { digestOf } from './identity';
import type { Patience } from './patience';
import type { ConnectorRuntime } from './runtime';

/** Takes one call from the limit of its credential: for calls that are no HTTP requests, which are counted where they leave. */
export function createLimiter(
  { limiter }: ConnectorRuntime,
  patience: Patience,
  { deadline, secretOwner }: { deadline: number; secretOwner: string },
): NonNullable<CallHooks['limiter']> {
  return async ({ origin, credential, rateLimit, signal }) => {
    const key = digestOf(['bucket', origin, secretOwner, credential]);
    const bucket = { key, ownerId: secretOwner, common: false, origin };
    for (;;) {
      const refusal = await limiter.take(bucket, rateLimit);
      if (refusal === undefined) return;
      await patience.wait(refusal.waitMs, refusal.reason, { signal, deadline, origin });
    }
  };
}
