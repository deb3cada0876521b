import { shorten } from '../../../core/base/shorten';
import { AppError } from '../../../core/errors/app-error';
import { isHostAllowed } from '../../../infra/egress/secret-hosts';
import type { EgressResponse } from '../../../infra/egress/types';
import type { ConnectorCall } from '../../call/connector-call';
import { exchangeOf } from '../../http/exchange';
import { isAllowedByRobots, parseRobots } from './robots';
import type { RobotsRule } from './robots';

const DAY_S = 86_400;
const TIMEOUT_MS = 10_000;
/** Limit above `ROBOTS_BYTES`: we cut the answer, and the egress guard does not refuse it. */
const MAX_BYTES = 5 * 1024 * 1024;
const MAX_ORIGINS = 1_000;

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

  /** Throws `robots_unavailable`, and what the transport throws about waits and denied addresses. */
  async allows(url: URL, call: ConnectorCall): Promise<boolean> {
    if (isHostAllowed(call.services.robotsOverride, url)) {
      return true;
    }
    return isAllowedByRobots(await this.rulesOf(url, call), url);
  }

  private async rulesOf(url: URL, call: ConnectorCall): Promise<RobotsRule[]> {
    const kept = this.known.get(url.origin);
    if (kept !== undefined && kept.until > this.now()) {
      return kept.rules;
    }
    const { rules, ageSeconds } = await ask(url, call);
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

/** The request for robots.txt carries no credential. */
async function ask(url: URL, call: ConnectorCall): Promise<{ rules: RobotsRule[]; ageSeconds: number }> {
  const request = {
    method: 'GET',
    url: `${url.origin}/robots.txt`,
    headers: { accept: 'text/plain, */*;q=0.5' },
    timeoutMs: Math.max(1, Math.min(TIMEOUT_MS, call.deadline - Date.now())),
    maxBytes: MAX_BYTES,
  };
  const cache = { ttl_seconds: DAY_S, stale_if_error_seconds: 0 };
  try {
    const { response, ageSeconds, readable } = await call.http(exchangeOf(call, request, { aside: true, cache }));
    const rules = rulesOfAnswer(url, response);
    await readable(rules.length);
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
    `${url.host} asks in its robots.txt that \`${shorten(url.pathname, 200)}\` is not read by programs. An operator can override it with AF_ROBOTS_OVERRIDE=${url.host}.`,
    { category: 'forbidden', details: { host: url.host } },
  );
}
