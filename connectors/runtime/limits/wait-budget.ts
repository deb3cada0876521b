import type { JsonObject } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import { jittered, pause } from './pause';
import { SourceWait } from './source-wait';

/** Time that a call may wait for limits and for sources that ask for a pause. */
export interface WaitBudgetOptions {
  /** A person looks on: what would have to wait is refused at once. */
  neverWait?: boolean;
  /** All waits of the step together; those before this part of the call included. */
  maxWaitMs: number;
  waitedMs: number;
  /** Refusals in a row that said nothing about their end, before this part of the call. */
  refusals: number;
}

/** Limits of one exchange: end of its waiting time, and its signal. */
export interface WaitContext {
  signal: AbortSignal;
  deadline: number;
  origin: string;
  /** Called before a wait, with the milliseconds until the call comes again. Never throws. */
  comesBack?: (ms: number) => Promise<void>;
}

/** Longer waits do not hold a worker. */
const SLEEP_MS = 5000;
/** Time that must be left after a sleep. */
const MARGIN_MS = 1000;

/** The waits of one call, all of its pages and feeds together. */
export class WaitBudget {
  refusals: number;
  /** Sum of ended waits; with it the start of the present wait: feeds wait side by side, and the step waits once. */
  private overMs = 0;
  private sleepers = 0;
  private since = 0;

  constructor(private readonly options: WaitBudgetOptions) {
    this.refusals = options.refusals;
  }

  /** Time in which at least one request of the call waited. */
  get sleptMs(): number {
    return this.overMs + (this.sleepers > 0 ? Date.now() - this.since : 0);
  }

  /** Sleeps a short wait; a longer one is thrown as SourceWait. Throws `rate_limited` when it may not wait so long. */
  async wait(ms: number, reason: string, waiting: WaitContext): Promise<void> {
    const { signal, deadline, origin } = waiting;
    const { neverWait, maxWaitMs, waitedMs } = this.options;
    if (neverWait === true) throw rateLimited(origin, ms, 'it is not waited for here');
    if (waitedMs + this.sleptMs + ms > maxWaitMs) {
      const seconds = Math.floor(maxWaitMs / 1000);
      throw rateLimited(origin, ms, `the step may wait ${seconds} seconds in all (max_wait_seconds)`);
    }
    const delay = jittered(ms);
    await waiting.comesBack?.(delay);
    if (delay > SLEEP_MS || Date.now() + delay > deadline - MARGIN_MS) throw this.sourceWait(delay, reason, origin);
    await this.asleep(() => pause(delay, signal));
  }

  /** Counts the time of `work` as slept, also when it fails. */
  async asleep<T>(work: () => Promise<T>): Promise<T> {
    if (this.sleepers === 0) this.since = Date.now();
    this.sleepers += 1;
    try {
      return await work();
    } finally {
      this.sleepers -= 1;
      if (this.sleepers === 0) this.overMs += Date.now() - this.since;
    }
  }

  private sourceWait(ms: number, reason: string, origin: string): SourceWait {
    const wait = new SourceWait(Math.ceil(Date.now() + ms), reason, origin);
    wait.sleptMs = this.sleptMs;
    return wait;
  }
}

function rateLimited(origin: string, ms: number, why: string): AppError {
  return new AppError(
    'rate_limited',
    `${hostOf(origin)} can be asked again in ${Math.ceil(ms / 1000)} seconds, and ${why}.`,
    {
      category: 'rate_limited',
      details: waitDetails(ms),
    },
  );
}

/** Host for people; a text that is no address stays as it is. */
export function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host || origin : origin;
}

/** `retry_after` for answers over HTTP (seconds), `retry_after_ms` for the next try of a step. */
export function waitDetails(ms: number): JsonObject {
  return { retry_after: Math.max(1, Math.ceil(ms / 1000)), retry_after_ms: Math.ceil(ms) };
}
