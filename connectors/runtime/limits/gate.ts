import type { RateLimit } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import type { Identity } from '../identity';
import type { RequestPermit, LimitRefusal } from './limiter';
import { pause } from './pause';
import { hostOf, waitDetails, type WaitBudget, type WaitContext } from './wait-budget';
import type { ConnectorRuntime } from '../runtime';

/** Identity of a request, and the limits of its source. */
export interface RequestScope {
  identity: Identity;
  rateLimit: RateLimit | undefined;
  signal: AbortSignal;
  deadline: number;
  /** Name shown to the caller instead of the origin. */
  shown?: string;
}

/** Longest wait for a breaker that is about to let a probe through. */
const NEAR_MS = 5000;
const PROBE_LOOK_MS = 500;
const PROBE_WAIT_MS = 5000;
const SLOT_TRY_MS = 5000;
const SLOT_WAIT_MS = 6000;

/** Gate between a call and its source: the breaker, the limit, and a place among the calls in flight. */
export class Gate {
  private readonly waiting: WaitContext;

  constructor(
    private readonly runtime: Pick<ConnectorRuntime, 'breakers' | 'limiter' | 'slots'>,
    private readonly waits: WaitBudget,
    private readonly scope: RequestScope,
  ) {
    const { signal, deadline, identity, shown = identity.origin } = scope;
    this.waiting = { signal, deadline, origin: shown };
  }

  /** Undefined: the way is free. Else the time that it stays closed; `mayWait`: a short one is waited for here. */
  async passBreaker(mayWait: boolean): Promise<number | undefined> {
    const { deadline, signal, identity } = this.scope;
    const began = Date.now();
    for (;;) {
      const passage = await this.runtime.breakers.passage(identity.breaker);
      if (!passage.open) return undefined;
      // Looks often while a probe is under way: its answer may come at any moment.
      const step = passage.probing ? PROBE_LOOK_MS : passage.waitMs;
      const end = Math.min(began + NEAR_MS + (passage.probing ? PROBE_WAIT_MS : 0), deadline);
      if (!mayWait || Date.now() + step > end) return passage.waitMs;
      await pause(step + Math.random() * 100, signal);
    }
  }

  async passLimit(): Promise<RequestPermit> {
    const { identity, rateLimit } = this.scope;
    for (;;) {
      const taken = await this.runtime.limiter.take(identity.bucket, rateLimit);
      if (!('reason' in taken)) return taken;
      await this.keepSilent(taken);
    }
  }

  /** Waits as long as the limit or the source demands. Other owners leave this owner a turn. */
  async keepSilent({ waitMs, reason }: LimitRefusal): Promise<void> {
    const comesBack = (ms: number): Promise<void> => this.runtime.limiter.comesBack(this.scope.identity.bucket, ms);
    await this.waits.wait(waitMs, reason, { ...this.waiting, comesBack });
  }

  /** Takes a slot and returns its release; undefined where calls in flight are not counted. */
  async slot({ slots: common }: RequestPermit): Promise<(() => void) | undefined> {
    const { identity, rateLimit, deadline, signal } = this.scope;
    const caps = { own: rateLimit?.concurrency, common };
    if (caps.own === undefined && caps.common === undefined) return undefined;
    for (;;) {
      const maxWaitMs = Math.min(SLOT_TRY_MS, deadline - Date.now());
      // A wait for others as any: no part of the step's time.
      const free = await this.waits.asleep(() => this.runtime.slots.take(identity.bucket, caps, { maxWaitMs, signal }));
      if (free !== undefined) return free;
      await this.waits.wait(SLOT_WAIT_MS, 'source_busy', this.waiting);
    }
  }
}

export function breakerOpen(origin: string, waitMs: number): AppError {
  return new AppError(
    'upstream_unavailable',
    `${hostOf(origin)} failed several times in a row; nothing is sent to it for now.`,
    { category: 'upstream', retryable: true, details: { breaker: 'open', not_sent: true, ...waitDetails(waitMs) } },
  );
}
