import type { RateLimit } from '../../../core/connector/types';
import type {
  Bucket,
  ConnectorLimitsStore,
  Limit,
  Limits,
  Period,
  RequestLease,
} from '../../../infra/db/stores/connector-limits.store';
import { bucketKey } from './bucket-key';

/** Requests that this process may still send; they were counted when they were leased. */
interface Lease {
  left: number;
  from: number;
  until: number;
  used: number;
  slots: RequestPermit['slots'];
}

export interface LimitRefusal {
  waitMs: number;
  reason: string;
}

/** One request may leave. */
export interface RequestPermit {
  /** Calls in flight that all owners of a common bucket may have together. */
  slots: number | undefined;
}

/** Limits of origins for calls without a credential, from the catalogue. */
export type ShippedLimits = (origin: string) => Promise<RateLimit | undefined>;

/** Interval for looking at a bucket without limits: the source may have asked for a pause. */
const LOOK_MS = 1000;
const MOST_LEASES = 5000;

/** Leases requests in batches, for everybody in this process who calls for the same bucket and owner. */
export class Limiter {
  private readonly leases = new Map<string, Lease>();
  private readonly asking = new Map<string, Promise<RequestLease>>();
  private readonly waiting = new Map<string, number>();

  constructor(
    private readonly store: ConnectorLimitsStore,
    private readonly shipped: ShippedLimits,
  ) {}

  /** Takes one request; a refusal says when to ask again. */
  async take(bucket: Bucket, limit: RateLimit | undefined): Promise<RequestPermit | LimitRefusal> {
    const key = bucketKey(bucket);
    for (;;) {
      const lease = this.leases.get(key);
      if (lease !== undefined && lease.left > 0 && lease.until > Date.now()) {
        lease.left -= 1;
        lease.used += 1;
        return { slots: lease.slots };
      }
      const answer = await this.ask(key, bucket, limit);
      if (answer.granted === 0) return { waitMs: answer.wait_ms, reason: answer.reason ?? 'rate_limited' };
    }
  }

  /** Discards leased requests while the source demands a pause. */
  async block(bucket: Bucket, ms: number, reason: string): Promise<void> {
    for (const key of this.leases.keys()) if (key.startsWith(`${bucket.key}/`)) this.leases.delete(key);
    await this.store.block(bucket, ms, reason);
  }

  /**
   * Notes that this owner comes back: without a credential owners share an origin and leave held-back owners a turn. A
   * failure is ignored.
   */
  async comesBack(bucket: Bucket, ms: number): Promise<void> {
    if (bucket.common) await this.store.awaitTurn(bucket, ms).catch(() => undefined);
  }

  /** Makes one round trip at a time; calls that wait for it are counted in the next. */
  private async ask(key: string, bucket: Bucket, limit: RateLimit | undefined): Promise<RequestLease> {
    this.waiting.set(key, (this.waiting.get(key) ?? 0) + 1);
    try {
      const under = this.asking.get(key);
      if (under !== undefined) return await under;
      // All that come in this turn go together.
      const asked = Promise.resolve().then(() => this.lease(key, bucket, limit));
      this.asking.set(key, asked);
      try {
        return await asked;
      } finally {
        this.asking.delete(key);
      }
    } finally {
      this.waiting.set(key, (this.waiting.get(key) ?? 1) - 1);
      if (this.waiting.get(key) === 0) this.waiting.delete(key);
    }
  }

  private async lease(key: string, bucket: Bucket, limit: RateLimit | undefined): Promise<RequestLease> {
    const limits = await this.limitsOf(bucket, limit);
    const began = Date.now();
    const answer = await this.store.lease(bucket, limits, this.wanted(key, limits));
    if (this.leases.size > MOST_LEASES) this.leases.clear();
    const slots = answer.slots ?? undefined;
    if (answer.granted === 0) this.leases.delete(key);
    else if (!answer.limited)
      this.leases.set(key, { left: Infinity, from: began, until: began + LOOK_MS, used: 0, slots });
    else this.leases.set(key, { left: answer.granted, from: began, until: began + answer.usable_ms, used: 0, slots });
    return answer;
  }

  private async limitsOf(bucket: Bucket, limit: RateLimit | undefined): Promise<Limits> {
    if (!bucket.common) return { own: limitsOf(limit), shipped: [] };
    return { own: commonLimits(limit), shipped: commonLimits(await this.shipped(bucket.origin)) };
  }

  /**
   * Size of the next lease: as many as wait, or as the lease before would have been good for. The unused part of a
   * lease is lost to others.
   */
  private wanted(key: string, { own, shipped }: Limits): number {
    const before = neededOf(this.leases.get(key));
    const caps = [...own, ...shipped].filter(([period]) => period !== 'concurrency').map(([, cap]) => cap);
    const tenth = Math.floor(Math.min(...caps) / 10);
    return Math.max(1, this.waiting.get(key) ?? 1, Math.min(before, caps.length === 0 ? 1 : tenth));
  }
}

/** One that was used up early was too small: up to twice of it would have been used in its time. */
function neededOf(lease: Lease | undefined): number {
  if (lease === undefined) return 0;
  const { left, used, from, until } = lease;
  if (left > 0) return used;
  const lasted = Math.max(1, Date.now() - from);
  return Math.floor(used * Math.min(2, Math.max(1, (until - from) / lasted)));
}

const PERIODS: readonly Period[] = ['second', 'minute', 'hour', 'day', 'month'];

/** Less than one in a second is one in several seconds: no cap is below one. */
function limitsOf(limit: RateLimit = {}): Limit[] {
  return PERIODS.flatMap((period): Limit[] => {
    const cap = limit[`requests_per_${period}`];
    if (cap === undefined) return [];
    if (cap >= 1) return [[period, Math.floor(cap)]];
    return period === 'second' ? [['minute', Math.max(1, Math.floor(cap * 60))]] : [[period, 1]];
  });
}

function commonLimits(limit: RateLimit = {}): Limit[] {
  const { concurrency } = limit;
  return [...limitsOf(limit), ...(concurrency === undefined ? [] : [['concurrency', concurrency] as const])];
}
