const LONGEST_MS = 24 * 60 * 60 * 1000;

interface HeaderBag {
  get(name: string): string | null;
}

/**
 * Milliseconds that a provider asks to wait: `retry-after-ms`, else `Retry-After` in seconds or as an
 * HTTP date (RFC 9110, 10.2.3). Undefined when absent or unreadable.
 */
export function retryAfterMs(headers: HeaderBag | undefined, nowMs: number): number | undefined {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact) && exact >= 0) {
    return Math.min(Math.ceil(exact), LONGEST_MS);
  }
  const text = headers?.get('retry-after')?.trim();
  if (text === undefined || text === '') {
    return undefined;
  }
  const wait = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) - nowMs : secondsOf(text) * 1000;
  return Number.isFinite(wait) ? Math.min(Math.max(0, Math.ceil(wait)), LONGEST_MS) : undefined;
}

function secondsOf(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}
