import type { Bucket, ConnectorLimitsStore } from '../../../infra/db/stores/connector-limits.store';
import { bucketKey } from './bucket-key';
import { pause } from './pause';

/** Number of calls in flight that an owner's definition allows, and all owners of a common bucket together. */
export interface SlotCaps {
  own: number | undefined;
  common: number | undefined;
}

interface Pool {
  bucket: Bucket;
  caps: SlotCaps;
  held: number;
  used: number;
  /** Calls that want a place and have none. */
  wanting: number;
  /** Others had some of what was asked for last. */
  full: boolean;
  askedAt: number;
  until: number;
  asking?: Promise<void>;
  waiters: Set<() => void>;
  timer?: NodeJS.Timeout;
}

const LEASE_SECONDS = 30;
const RENEW_MS = 10_000;
/** Interval of renewal where other owners may wait for their share: well within the time that they try for it. */
const COMMON_RENEW_MS = 2_000;
/** Time after which unused slots go back to others. */
const LINGER_MS = 300;
const LOOK_MS = 250;

/** Calls in flight of all workers together. A worker that dies loses its share after `LEASE_SECONDS`. */
export class Slots {
  private readonly pools = new Map<string, Pool>();

  constructor(
    private readonly store: ConnectorLimitsStore,
    private readonly worker: string,
  ) {}

  /** Undefined when nothing was free for `maxWaitMs`; else the function that gives it back. */
  async take(
    bucket: Bucket,
    caps: SlotCaps,
    { maxWaitMs, signal }: { maxWaitMs: number; signal: AbortSignal },
  ): Promise<(() => void) | undefined> {
    const pool = this.pool(bucket, caps);
    const end = Date.now() + maxWaitMs;
    pool.wanting += 1;
    try {
      for (;;) {
        if (!free(pool)) await this.ask(pool);
        if (free(pool)) {
          pool.used += 1;
          return this.giver(pool);
        }
        if (Date.now() >= end) return undefined;
        if (pool.full) await turn(pool, signal);
      }
    } finally {
      pool.wanting -= 1;
    }
  }

  async close(): Promise<void> {
    const pools = [...this.pools.values()];
    this.pools.clear();
    for (const pool of pools) clearTimeout(pool.timer);
    await Promise.allSettled(pools.map(async ({ asking }) => asking));
    await Promise.allSettled(pools.filter(({ held, used }) => held + used > 0).map((pool) => this.lease(pool, 0)));
    for (const pool of pools) clearTimeout(pool.timer);
  }

  private pool(bucket: Bucket, caps: SlotCaps): Pool {
    const known = this.pools.get(bucketKey(bucket));
    if (known !== undefined) {
      known.caps = caps;
      return known;
    }
    const none = { held: 0, used: 0, wanting: 0, full: false, askedAt: 0, until: 0 };
    const pool: Pool = { bucket, caps, ...none, waiters: new Set() };
    this.pools.set(bucketKey(bucket), pool);
    return pool;
  }

  private giver(pool: Pool): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      // Counts calls in flight above the limit: others wait for them to end.
      const over = pool.used > pool.held;
      pool.used -= 1;
      const [next] = pool.waiters;
      if (over || next === undefined) this.later(pool, over ? 0 : LINGER_MS);
      if (next !== undefined) {
        pool.waiters.delete(next);
        next();
      }
    };
  }

  /** One round trip at a time. Where others have the rest it is asked for again only now and then. */
  private async ask(pool: Pool): Promise<void> {
    if (pool.asking !== undefined) return pool.asking;
    if (pool.full && Date.now() - pool.askedAt < LOOK_MS && pool.until > Date.now()) return undefined;
    return this.lease(pool, pool.used + pool.wanting);
  }

  private lease(pool: Pool, want: number): Promise<void> {
    pool.asking = this.hold(pool, want).finally(() => {
      delete pool.asking;
    });
    return pool.asking;
  }

  private async hold(pool: Pool, want: number): Promise<void> {
    const { bucket, caps } = pool;
    const began = Date.now();
    const used = want === 0 ? 0 : pool.used;
    const asked = { worker: this.worker, want, used, cap: caps.own, commonCap: caps.common, seconds: LEASE_SECONDS };
    pool.held = await this.store.hold(bucket, asked);
    pool.full = pool.held < want;
    pool.askedAt = Date.now();
    pool.until = began + LEASE_SECONDS * 1000;
    if (pool.held + pool.used > 0) this.later(pool, bucket.common ? COMMON_RENEW_MS : RENEW_MS);
    else if (pool.wanting === 0) this.pools.delete(bucketKey(bucket));
  }

  /** Renews what is used and gives back what is not. A database that does not answer lets it expire. */
  private later(pool: Pool, ms: number): void {
    clearTimeout(pool.timer);
    pool.timer = setTimeout(() => {
      const done = pool.asking ?? this.lease(pool, pool.used + pool.wanting);
      done.catch(() => this.later(pool, RENEW_MS));
    }, ms);
    pool.timer.unref();
  }
}

function free(pool: Pool): boolean {
  return pool.used < pool.held && pool.until > Date.now();
}

/** Waits for a free slot here, or for the next look at the database. */
async function turn(pool: Pool, signal: AbortSignal): Promise<void> {
  let wake: () => void = () => undefined;
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  pool.waiters.add(wake);
  try {
    await Promise.race([woken, pause(LOOK_MS + Math.random() * LOOK_MS, signal)]);
  } finally {
    pool.waiters.delete(wake);
  }
}
