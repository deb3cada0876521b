import type { EndpointEffect } from '../../../core/connector/types';
import { AppError } from '../../../core/errors/app-error';
import type { ConnectorCall } from '../../db/stores/connector-calls.store';
import type { Egress } from '../../egress/egress';
import type { EgressRequest, EgressResponse } from '../../egress/types';
import type { Exchange } from './exchange';
import { isForeign, type Identity } from './identity';
import type { Refusal } from './limiter';
import { pause, refusalDelay, retryDelay } from './pause';
import { waitDetails, type Patience, type Waiting } from './patience';
import type { ConnectorRuntime } from './runtime';
import { recordOf, type CallOrigin, type Sent, type Tally } from './tally';
import { askedWaitMs, retryAfterMs, usedUpMs } from './wait-headers';

export interface AttemptParts {
  egress: Egress;
  runtime: ConnectorRuntime;
  patience: Patience;
  tally: Tally;
  by: CallOrigin;
}

export interface Attempted {
  response: EgressResponse;
  attempts: number;
  record: ConnectorCall;
}

interface Outcome {
  sent: Sent;
  record: ConnectorCall;
}

const MOST_ATTEMPTS = 4;
/** A breaker that is about to let somebody try is worth this wait. */
const NEAR_MS = 5000;
const PROBE_LOOK_MS = 500;
const PROBE_PATIENCE_MS = 5000;
const SLOT_PATIENCE_MS = 5000;
const SLOT_WAIT_MS = 6000;
const SHORTEST_REFUSAL_MS = 100;
const MOST_COMMON_BLOCK_MS = 3_600_000;
/** Not worth a repeat: the source will say the same. */
const PERMANENT_5XX = new Set([501, 505, 511]);

/**
 * Sends one request until it has an answer that a repeat would not change, within the step's time: repeats where that
 * is harmless, waits where a limit or the source asks for it.
 */
export class Attempts {
  private readonly waiting: Waiting;
  private failures = 0;
  private timedOut = false;
  private last: Outcome | undefined;
  /** Requests that left for this exchange. */
  count = 0;

  constructor(
    private readonly parts: AttemptParts,
    private readonly exchange: Exchange,
    private readonly request: EgressRequest,
    private readonly identity: Identity,
  ) {
    const { signal, deadline } = exchange;
    this.waiting = { signal, deadline, origin: this.identity.origin };
  }

  async run(): Promise<Attempted> {
    for (;;) {
      const open = await this.passBreaker();
      if (open !== undefined) return this.held(open);
      await this.passLimit();
      const last = await this.inSlot();
      this.last = last;
      const refusal = this.refusalOf(last.sent);
      if (refusal === undefined) {
        await this.report(last.sent);
        const delay = this.repeatAfter(last.sent);
        if (delay === undefined) return this.end(last);
        await pause(delay, this.exchange.signal);
      } else await this.refused(refusal);
    }
  }

  /** Undefined: the way is free. Else the time that it stays closed; a short one is waited for here. */
  private async passBreaker(): Promise<number | undefined> {
    const { deadline, signal } = this.exchange;
    const began = Date.now();
    for (;;) {
      const passage = await this.parts.runtime.breakers.passage(this.identity.breaker);
      if (!passage.open) return undefined;
      // While somebody tries, the answer may be there at any moment.
      const step = passage.probing ? PROBE_LOOK_MS : passage.waitMs;
      const end = Math.min(began + NEAR_MS + (passage.probing ? PROBE_PATIENCE_MS : 0), deadline);
      if (this.last !== undefined || Date.now() + step > end) return passage.waitMs;
      await pause(step + Math.random() * 100, signal);
    }
  }

  private async passLimit(): Promise<void> {
    const { runtime, patience } = this.parts;
    for (;;) {
      const refusal = await runtime.limiter.take(this.identity.bucket, this.exchange.rateLimit);
      if (refusal === undefined) return;
      await patience.wait(refusal.waitMs, refusal.reason, this.waiting);
    }
  }

  private async inSlot(): Promise<Outcome> {
    const cap = this.exchange.rateLimit?.concurrency;
    if (cap === undefined) return this.send();
    const release = await this.slot(cap);
    return this.send().finally(release);
  }

  private async slot(cap: number): Promise<() => void> {
    const { slots } = this.parts.runtime;
    for (;;) {
      const most = Math.min(SLOT_PATIENCE_MS, this.exchange.deadline - Date.now());
      const free = await slots.take(this.identity.bucket, Math.max(1, cap), most, this.exchange.signal);
      if (free !== undefined) return free;
      await this.parts.patience.wait(SLOT_WAIT_MS, 'source_busy', this.waiting);
    }
  }

  private async send(): Promise<Outcome> {
    const { egress, tally, by, runtime } = this.parts;
    const { exchange, request } = this;
    this.count += 1;
    tally.requests += 1;
    const left = Math.max(1, exchange.deadline - Date.now());
    const timeoutMs = Math.min(request.timeoutMs * (this.timedOut ? 2 : 1), left);
    const began = Date.now();
    let sent: Sent;
    try {
      sent = { response: await egress.fetch({ ...request, timeoutMs }) };
    } catch (error) {
      sent = { error };
    }
    const cache = exchange.cache === undefined ? 'none' : 'miss';
    const record = recordOf(sent, { exchange, origin: this.identity.origin, by, attempt: this.count, began, cache });
    if (record.outcome !== 'ok') tally.failed += 1;
    runtime.recorder.add(record);
    return { sent, record };
  }

  private refusalOf(sent: Sent): Refusal | undefined {
    if ('response' in sent && isForeign(this.identity.origin, sent.response)) return undefined;
    return refusalOf(sent, this.parts.patience.refusals, this.exchange.effect);
  }

  /** The source refused, and says (or we guess) for how long. Nothing of the request took effect. */
  private async refused({ waitMs, reason }: Refusal): Promise<void> {
    const { runtime, patience } = this.parts;
    const { bucket, breaker } = this.identity;
    patience.refusals += 1;
    // Everybody's bucket is not shut for long on one answer to one of us.
    const shutMs = bucket.common ? Math.min(waitMs, MOST_COMMON_BLOCK_MS) : waitMs;
    await Promise.allSettled([runtime.limiter.block(bucket, shutMs, reason), runtime.breakers.succeeded(breaker)]);
    await patience.wait(waitMs, reason, this.waiting);
  }

  /** Told after the answer: a database that is away must not make a request be repeated. */
  private async report(sent: Sent): Promise<void> {
    if (this.exchange.signal.aborted) return;
    const { runtime, patience } = this.parts;
    const { breaker, bucket } = this.identity;
    const ill = isIllness(sent);
    const said: Promise<void>[] = [];
    if (ill) said.push(runtime.breakers.failed(breaker));
    else if ('response' in sent) said.push(runtime.breakers.succeeded(breaker));
    if ('response' in sent && !ill && !isForeign(this.identity.origin, sent.response)) {
      patience.refusals = 0;
      const usedUp = usedUpMs(sent.response.headers);
      const shutMs = usedUp !== undefined && bucket.common ? Math.min(usedUp, MOST_COMMON_BLOCK_MS) : usedUp;
      if (shutMs !== undefined) said.push(runtime.limiter.block(bucket, shutMs, 'quota_used_up'));
    }
    await Promise.allSettled(said);
  }

  /** Milliseconds until the repeat; undefined when there is none. */
  private repeatAfter(sent: Sent): number | undefined {
    const { effect, signal, deadline } = this.exchange;
    if (effect === 'unsafe' || !mayPass(sent)) return undefined;
    signal.throwIfAborted();
    const timeout = 'error' in sent && codeOf(sent.error) === 'upstream_timeout';
    if (timeout && this.timedOut) return undefined;
    this.timedOut ||= timeout;
    this.failures += 1;
    const delay = timeout ? 0 : retryDelay(this.failures - 1);
    return this.failures >= MOST_ATTEMPTS || Date.now() + delay >= deadline ? undefined : delay;
  }

  /** The breaker is open. Whoever made a try of his own shows what came of it. */
  private held(waitMs: number): Attempted {
    if (this.last !== undefined) return this.end(this.last);
    throw breakerOpen(this.identity.origin, waitMs);
  }

  private end({ sent, record }: Outcome): Attempted {
    if ('response' in sent) return { response: sent.response, attempts: this.count, record };
    throw withAttempts(sent.error, this.count);
  }
}

function withAttempts(error: unknown, attempts: number): unknown {
  if (!(error instanceof AppError) || attempts < 2) return error;
  const { code, message, category, retryable, details, cause } = error;
  return new AppError(code, message, { category, retryable, details: { ...details, attempts }, cause: cause ?? error });
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : '';
}

/** What opens a breaker: time-outs, network errors and 5xx, nothing else. */
function isIllness(sent: Sent): boolean {
  if ('response' in sent) return sent.response.status >= 500;
  return ['upstream_unavailable', 'upstream_timeout'].includes(codeOf(sent.error));
}

/** What may be over at the next try. */
function mayPass(sent: Sent): boolean {
  if ('error' in sent) return ['upstream_unavailable', 'upstream_timeout'].includes(codeOf(sent.error));
  const { status } = sent.response;
  return status === 408 || (status >= 500 && !PERMANENT_5XX.has(status));
}

/** 429, and 503 that says until when. */
function refusalOf(sent: Sent, refusals: number, effect: EndpointEffect): Refusal | undefined {
  if (!('response' in sent)) return undefined;
  const { status, headers } = sent.response;
  if (status !== 429 && status !== 503) return undefined;
  // Counters of a limit stand in every answer: only `Retry-After` says that this 503 is a refusal.
  const asked = status === 503 && effect === 'unsafe' ? retryAfterMs(headers['retry-after']) : askedWaitMs(headers);
  const waitMs = asked ?? (status === 429 ? refusalDelay(refusals) : undefined);
  return waitMs === undefined ? undefined : { waitMs: Math.max(waitMs, SHORTEST_REFUSAL_MS), reason: 'rate_limited' };
}

function breakerOpen(origin: string, waitMs: number): AppError {
  return new AppError(
    'upstream_unavailable',
    `${new URL(origin).host} failed several times in a row; nothing is sent to it for now.`,
    { category: 'upstream', retryable: true, details: { breaker: 'open', not_sent: true, ...waitDetails(waitMs) } },
  );
}
