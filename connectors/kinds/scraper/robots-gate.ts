import { AppError } from '../../../core/errors/app-error';
import { isHostAllowed } from '../../../infra/egress/secret-hosts';
import type { EgressResponse } from '../../../infra/egress/types';
import type { Exchange, Exchanger } from '../../http/exchange';
import { isAllowedByRobots, parseRobots } from './robots';
import type { RobotsRule } from './robots';

const DAY_S = 86_400;
const TIMEOUT_MS = 10_000;
/** More than is read of it (`ROBOTS_BYTES`): an answer is cut by us, not refused by the egress guard. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_ORIGINS = 1_000;

/** Who asks; the request for robots.txt itself carries no credential. */
export type RobotsAsker = Pick<Exchange, 'ownerId' | 'connector' | 'endpoint' | 'signal' | 'deadline'>;

interface Known {
  rules: RobotsRule[];
  until: number;
}

/**
 * The robots.txt of every origin (RFC 9309): kept for a day; an origin that answers with 4xx has none, one that cannot
 * be reached or answers with 5xx is not read at all. Only the operator's list overrides it.
 */
export class RobotsGate {
  private readonly known = new Map<string, Known>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Throws `robots_unavailable`, and what the exchanger throws about waits and denied addresses. */
  async allows(
    url: URL,
    use: { exchange: Exchanger; asker: RobotsAsker; override: readonly string[] },
  ): Promise<boolean> {
    if (isHostAllowed(use.override, url)) {
      return true;
    }
    return isAllowedByRobots(await this.rulesOf(url, use), url);
  }

  private async rulesOf(url: URL, use: { exchange: Exchanger; asker: RobotsAsker }): Promise<RobotsRule[]> {
    const kept = this.known.get(url.origin);
    if (kept !== undefined && kept.until > this.now()) {
      return kept.rules;
    }
    const { rules, ageSeconds } = await ask(url, use);
    this.keep(url.origin, { rules, until: this.now() + Math.max(0, DAY_S - ageSeconds) * 1000 });
    return rules;
  }

  /** The origin that was asked longest ago goes first. */
  private keep(origin: string, known: Known): void {
    this.known.delete(origin);
    this.known.set(origin, known);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_ORIGINS && oldest !== undefined) {
      this.known.delete(oldest);
    }
  }
}

async function ask(
  url: URL,
  use: { exchange: Exchanger; asker: RobotsAsker },
): Promise<{ rules: RobotsRule[]; ageSeconds: number }> {
  const { asker } = use;
  try {
    const { response, ageSeconds, readable } = await use.exchange({
      ...asker,
      aside: true,
      request: {
        method: 'GET',
        url: `${url.origin}/robots.txt`,
        headers: { accept: 'text/plain, */*;q=0.5' },
        signal: asker.signal,
        timeoutMs: Math.max(1, Math.min(TIMEOUT_MS, asker.deadline - Date.now())),
        maxBytes: MAX_BYTES,
      },
      effect: 'none',
      cache: { ttl_seconds: DAY_S, stale_if_error_seconds: 0 },
    });
    const rules = rulesOfAnswer(url, response);
    await readable?.(rules.length);
    return { rules, ageSeconds: ageSeconds ?? 0 };
  } catch (error) {
    return { rules: rulesOfFailure(url, error), ageSeconds: 0 };
  }
}

function rulesOfAnswer(url: URL, { status, body }: EgressResponse): RobotsRule[] {
  if (status >= 500) {
    throw unavailable(url, `answers with status ${status}`);
  }
  return status >= 200 && status <= 299 ? parseRobots(body) : [];
}

/** 401 and 403 are 4xx, and so is a chain of redirects that never ends (RFC 9309 section 2.3.1). */
function rulesOfFailure(url: URL, error: unknown): RobotsRule[] {
  if (!(error instanceof AppError) || error.code === 'robots_unavailable' || error.code === 'rate_limited') {
    throw error;
  }
  if (error.code === 'auth_failed' || error.code === 'too_many_redirects') {
    return [];
  }
  throw error.category === 'upstream' || error.category === 'timeout'
    ? unavailable(url, 'cannot be read', error)
    : error;
}

function unavailable(url: URL, what: string, cause?: AppError): AppError {
  return new AppError(
    'robots_unavailable',
    `The robots.txt of ${url.host} ${what}, so nothing of it is read. Try again later; an operator can override it with AF_ROBOTS_OVERRIDE=${url.host}.`,
    { category: 'upstream', retryable: true, ...(cause === undefined ? {} : { cause }) },
  );
}

export function robotsDisallowed(url: URL): AppError {
  return new AppError(
    'robots_disallowed',
    `${url.host} asks in its robots.txt that \`${url.pathname.slice(0, 200)}\` is not read by programs. An operator can override it with AF_ROBOTS_OVERRIDE=${url.host}.`,
    { category: 'forbidden', details: { host: url.host } },
  );
}
