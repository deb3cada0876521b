import type { Socket } from 'node:net';
import { finished } from 'node:stream';
import type { Agent } from 'undici';
import { refuseInTransaction } from '../db/open-transaction';
import type { AllowList } from './address-policy';
import { collect } from './collect';
import { Deadline } from './deadline';
import { guardedAgent } from './guarded-agent';
import { openGuardedSocket } from './guarded-socket';
import type { SocketRequest } from './guarded-socket';
import type { OwnServices } from './own-services';
import type { Policy } from './policy';
import type { EgressProxy } from './proxy';
import { followRedirects } from './redirects';
import { cachedResolve } from './resolve';
import type { Resolve } from './resolve';
import { DEFAULT_MAX_BYTES } from './types';
import type { EgressRequest, EgressResponse, EgressStream } from './types';

const OWN_NAMES_MS = 30_000;

export interface EgressOptions {
  /** Private `host:port` pairs that may be reached. */
  allow: AllowList;
  /** Our own servers, which are never reached. */
  own: OwnServices;
  resolve: Resolve;
  /** Proxy of all requests, in place of direct connections. */
  proxy?: EgressProxy;
}

/** The only way out of the platform. */
export interface Egress {
  /**
   * One request with its redirects. Any HTTP status is an answer; a failure is an AppError with code
   * egress_denied, invalid_request, secret_host_denied, redirect_refused, too_many_redirects, response_too_large,
   * upstream_timeout, upstream_unavailable, egress_proxy_refused or bad_response. When the caller's signal aborts, its
   * reason is thrown.
   */
  fetch(request: EgressRequest): Promise<EgressResponse>;
  /** The same, with a body that is read as it comes; the deadline and the caps go on until its end. */
  fetchStream(request: EgressRequest): Promise<EgressStream>;
  /** A connection for other protocols. Its caller is responsible for it, deadlines and caps included. */
  socket(request: SocketRequest): Promise<Socket>;
  /** The same way out for one purpose, with a few more places; it shares no connection with this one. */
  allowing(more: AllowList): Egress;
  close(): Promise<void>;
}

export function createEgress(options: EgressOptions): Egress {
  return new GuardedEgress({ ...options, resolveOwn: cachedResolve(options.resolve, OWN_NAMES_MS) });
}

class GuardedEgress implements Egress {
  private readonly agent: Agent;
  private readonly others: Egress[] = [];

  constructor(private readonly policy: Policy) {
    this.agent = guardedAgent(policy);
  }

  async fetch(request: EgressRequest): Promise<EgressResponse> {
    const deadline = this.start(request);
    try {
      const { status, headers, body, url } = await this.send(request, deadline);
      return { status, headers, body: await collect(body), url };
    } catch (error) {
      throw deadline.reasonOf(error);
    } finally {
      deadline.release();
    }
  }

  async fetchStream(request: EgressRequest): Promise<EgressStream> {
    const deadline = this.start(request);
    try {
      const answer = await this.send(request, deadline);
      finished(answer.body, () => deadline.release());
      return answer;
    } catch (error) {
      const reason = deadline.reasonOf(error);
      deadline.release();
      throw reason;
    }
  }

  socket(request: SocketRequest): Promise<Socket> {
    refuseInTransaction('A connection');
    return openGuardedSocket(this.policy, request);
  }

  allowing(more: AllowList): Egress {
    const other = new GuardedEgress({ ...this.policy, allow: [...this.policy.allow, ...more] });
    this.others.push(other);
    return other;
  }

  async close(): Promise<void> {
    await Promise.all([this.agent.close(), ...this.others.map((other) => other.close())]);
  }

  private start(request: EgressRequest): Deadline {
    refuseInTransaction('An HTTP request');
    return new Deadline(() => URL.parse(request.url)?.host ?? 'The source', request.timeoutMs, request.signal);
  }

  private send(request: EgressRequest, deadline: Deadline): Promise<EgressStream> {
    const { agent, policy } = this;
    const { maxBytes = DEFAULT_MAX_BYTES, onBytes } = request;
    return followRedirects(request, { agent, deadline, maxBytes, onBytes }, policy.allow);
  }
}
