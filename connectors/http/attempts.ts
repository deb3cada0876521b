import { AppError } from '../../core/errors/app-error';
import type { CallRecord } from '../../infra/db/stores/connector-calls.store';
import type { Egress } from '../../infra/egress/egress';
import type { EgressRequest, EgressResponse } from '../../infra/egress/types';
import type { CallLedger } from '../call/call-ledger';
import { mayHaveActed } from './effect-outcome';
import type { Exchange } from './exchange';
import { unreadableFacts } from './fact-headers';
import { breakerOpen, Gate } from '../runtime/limits/gate';
import { isForeign, type Identity } from '../runtime/identity';
import type { LimitRefusal } from '../runtime/limits/limiter';
import { pause, retryDelay } from '../runtime/limits/pause';
import { refusalOf } from './refusal';
import type { ConnectorRuntime } from '../runtime/runtime';
import { addWarnings, recordOf, type HttpOutcome } from '../runtime/records/call-stats';
import { unreadableWaits, exhaustedMs } from '../../infra/egress/wait-headers';

/** Shared services of the process, and the call's own state. */
export interface TransportParts extends CallLedger {
  egress: Egress;
  runtime: ConnectorRuntime;
}

export interface AttemptResult {
  response: EgressResponse;
  attempts: number;
  record: CallRecord;
}

interface Outcome {
  sent: HttpOutcome;
  record: CallRecord;
  refusal: LimitRefusal | undefined;
}

const MOST_ATTEMPTS = 4;
const MOST_COMMON_BLOCK_MS = 3_600_000;
/** A repeat is useless: the source would say the same. */
const PERMANENT_5XX = new Set([501, 505, 511]);

/**
 * Sends one request until it has an answer that a repeat would not change, within the step's time: repeats where that
 * is harmless, waits where a limit or the source asks for it.
 */
export class Attempts {
  private readonly gate: Gate;
  private failures = 0;
  private timedOut = false;
  private last: Outcome | undefined;
  /** Requests that left for this exchange. */
  count = 0;

  constructor(
    private readonly parts: TransportParts,
    private readonly exchange: Exchange,
    private readonly request: EgressRequest,
    private readonly identity: Identity,
  ) {
    const { rateLimit, call } = exchange;
    const { signal, deadline } = call;
    this.gate = new Gate(parts.runtime, parts.waits, { identity, rateLimit, signal, deadline });
  }

  async run(): Promise<AttemptResult> {
    for (;;) {
      const open = await this.gate.passBreaker(this.last === undefined);
      if (open !== undefined) return this.held(open);
      const release = await this.gate.slot(await this.gate.passLimit());
      const last = await this.send().finally(release);
      this.last = last;
      if (last.refusal === undefined) {
        await this.report(last.sent);
        const delay = this.repeatAfter(last.sent);
        if (delay === undefined) return this.end(last);
        await pause(delay, this.exchange.call.signal);
      } else await this.refused(last.refusal);
    }
  }

  private async send(): Promise<Outcome> {
    const { egress, stats, by, runtime } = this.parts;
    const { exchange, request } = this;
    this.count += 1;
    stats.requests += 1;
    const left = Math.max(1, exchange.call.deadline - Date.now());
    const timeoutMs = Math.min(request.timeoutMs * (this.timedOut ? 2 : 1), left);
    const began = Date.now();
    let sent: HttpOutcome;
    try {
      sent = { response: await egress.fetch({ ...request, timeoutMs }) };
    } catch (error) {
      sent = { error };
    }
    const cache = exchange.cache === undefined ? 'none' : 'miss';
    const refusal = this.refusalOf(sent);
    const record = recordOf(sent, { exchange, origin: this.identity.origin, by, attempt: this.count, began, cache });
    if ('response' in sent) addWarnings(stats, this.unreadable(sent.response));
    // A limit may be reported in a 200 or a 403, too.
    if (refusal !== undefined) record.outcome = 'rate_limited';
    if (record.outcome !== 'ok') stats.failed += 1;
    const announced = exchange.effect !== 'none' && exchange.tokenRequest !== true;
    if (announced && refusal === undefined && mayHaveActed(sent)) stats.acted = true;
    runtime.recorder.add(record);
    return { sent, record, refusal };
  }

  private unreadable({ headers }: EgressResponse): string[] {
    return [...unreadableWaits(headers), ...unreadableFacts(headers)].map(this.exchange.call.mask.text);
  }

  private refusalOf(sent: HttpOutcome): LimitRefusal | undefined {
    if (!('response' in sent) || isForeign(this.identity.origin, sent.response)) return undefined;
    return refusalOf(sent.response, this.parts.waits.refusals, this.exchange);
  }

  /** The source refused, and says (or we guess) for how long. Nothing of the request took effect. */
  private async refused(refusal: LimitRefusal): Promise<void> {
    const { waitMs, reason } = refusal;
    const { runtime, waits } = this.parts;
    const { bucket, breaker } = this.identity;
    waits.refusals += 1;
    // One answer to one caller must not close a bucket that all owners share for long.
    const shutMs = bucket.common ? Math.min(waitMs, MOST_COMMON_BLOCK_MS) : waitMs;
    await Promise.allSettled([runtime.limiter.block(bucket, shutMs, reason), runtime.breakers.succeeded(breaker)]);
    await this.gate.keepSilent(refusal);
  }

  /** Reports after the answer: a database that is down must not make a request be repeated. */
  private async report(sent: HttpOutcome): Promise<void> {
    if (this.exchange.call.signal.aborted) return;
    const { runtime, waits } = this.parts;
    const { breaker, bucket } = this.identity;
    const ill = isIllness(sent);
    const said: Promise<void>[] = [];
    if (ill) said.push(runtime.breakers.failed(breaker));
    else if ('response' in sent) said.push(runtime.breakers.succeeded(breaker));
    if ('response' in sent && !ill && !isForeign(this.identity.origin, sent.response)) {
      waits.refusals = 0;
      const usedUp = exhaustedMs(sent.response.headers);
      const shutMs = usedUp !== undefined && bucket.common ? Math.min(usedUp, MOST_COMMON_BLOCK_MS) : usedUp;
      if (shutMs !== undefined) said.push(runtime.limiter.block(bucket, shutMs, 'quota_used_up'));
    }
    await Promise.allSettled(said);
  }

  /** Milliseconds until the repeat; undefined when there is none. */
  private repeatAfter(sent: HttpOutcome): number | undefined {
    const { effect, call } = this.exchange;
    const { signal, deadline } = call;
    if (effect === 'unsafe' || !mayPass(sent)) return undefined;
    signal.throwIfAborted();
    const timeout = 'error' in sent && codeOf(sent.error) === 'upstream_timeout';
    if (timeout && this.timedOut) return undefined;
    this.timedOut ||= timeout;
    this.failures += 1;
    const delay = timeout ? 0 : retryDelay(this.failures - 1);
    return this.failures >= MOST_ATTEMPTS || Date.now() + delay >= deadline ? undefined : delay;
  }

  /** The breaker is open. A call that has made an attempt ends with the answer to that. */
  private held(waitMs: number): AttemptResult {
    if (this.last !== undefined) return this.end(this.last);
    throw breakerOpen(this.identity.origin, waitMs);
  }

  private end({ sent, record }: Outcome): AttemptResult {
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

/** True for failures that open a breaker: time-outs, network errors and 5xx. */
function isIllness(sent: HttpOutcome): boolean {
  if ('response' in sent) return sent.response.status >= 500;
  return ['upstream_unavailable', 'upstream_timeout'].includes(codeOf(sent.error));
}

/** True for transient failures. */
function mayPass(sent: HttpOutcome): boolean {
  if ('error' in sent) return ['upstream_unavailable', 'upstream_timeout'].includes(codeOf(sent.error));
  const { status } = sent.response;
  return status === 408 || (status >= 500 && !PERMANENT_5XX.has(status));
}
