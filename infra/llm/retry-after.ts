import { retryAfterMs } from '../egress/wait-headers';

const LONGEST_MS = 24 * 60 * 60 * 1000;

interface HeaderBag {
  get(name: string): string | null;
}

/**
 * Milliseconds that a provider asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as an
 * HTTP date (RFC 9110, 10.2.3). Undefined when absent; what cannot be read is a minute.
 */
export function providerWaitMs(headers: HeaderBag | undefined, nowMs: number): number | undefined {
  const exact = Number(headers?.get('retry-after-ms')?.trim() || Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) {
    return Math.min(Math.ceil(exact), LONGEST_MS);
  }
  const wait = retryAfterMs(headers?.get('retry-after') ?? undefined, nowMs);
  return wait === undefined ? undefined : Math.min(wait, LONGEST_MS);
}
