import type { Agent } from 'undici';
import { refuseInTransaction } from '../db/open-transaction';
import type { AllowList } from './address-policy';
import { guardedAgent } from './guarded-agent';
import type { Resolve } from './guarded-agent';
import { followRedirects } from './redirects';
import type { EgressRequest, EgressResponse } from './types';

export interface EgressOptions {
  /** Private `host:port` pairs that may be reached all the same. */
  allow: AllowList;
  /** How names become addresses; the system's resolver unless given. */
  resolve?: Resolve;
}

/** The one way out of the platform. */
export interface Egress {
  /**
   * One request with its redirects. Any HTTP status is an answer; a failure is an AppError with code
   * egress_denied, invalid_request, too_many_redirects, response_too_large, upstream_timeout,
   * upstream_unavailable or bad_response. When the caller's signal aborts, its reason is thrown.
   */
  fetch(request: EgressRequest): Promise<EgressResponse>;
  close(): Promise<void>;
}

export function createEgress(options: EgressOptions): Egress {
  const agent: Agent = guardedAgent(options.allow, options.resolve);
  return {
    fetch: (request) => {
      refuseInTransaction('An HTTP request');
      return followRedirects(agent, request);
    },
    close: () => agent.close(),
  };
}
