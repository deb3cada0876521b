import { fields } from '../clean-params';
import type { Database } from '../database';

/** Owner of a limit: without a credential the origin's own, for everybody (`common`). */
export interface Bucket {
  /** Digest of what it belongs to. */
  key: string;
  ownerId: string;
  common: boolean;
  origin: string;
}

export type Period = 'second' | 'minute' | 'hour' | 'day' | 'month';

/** Requests of a period; in common buckets also calls in flight. */
export type Limit = readonly [Period | 'concurrency', number];

/** Limits of the caller's definition, and for common buckets those of the catalogue for the origin. */
export interface Limits {
  own: readonly Limit[];
  shipped: readonly Limit[];
}

export interface RequestLease {
  granted: number;
  /** Milliseconds for which the granted requests may be used. */
  usable_ms: number;
  /** Milliseconds until the next attempt when none was granted, because of `reason`. */
  wait_ms: number;
  reason: string | null;
  /** Some limit counts; else as many may leave as like. */
  limited: boolean;
  /** Calls in flight of all owners together; null where nobody limits them. */
  slots: number | null;
}

export interface SlotRequest {
  worker: string;
  want: number;
  /** Number of them under way. */
  used: number;
  /** Limit of the owner's definition. */
  cap: number | undefined;
  /** Cap of all owners together, in a common bucket. */
  commonCap: number | undefined;
  seconds: number;
}

/** Limits that all workers share: one round trip for a batch of requests. */
export class ConnectorLimitsStore {
  constructor(private readonly database: Database) {}

  async lease(bucket: Bucket, { own, shipped }: Limits, want: number): Promise<RequestLease> {
    const [row] = await this.database.hot<RequestLease>('select * from af_lease_requests($1)', [
      fields({
        ...bucketFields(bucket),
        periods: own.map(periodOf),
        caps: own.map(capOf),
        shipped_periods: shipped.map(periodOf),
        shipped_caps: shipped.map(capOf),
        want,
      }),
    ]);
    return row as RequestLease;
  }

  /**
   * Leases slots for calls in flight of the owner to this worker: at most `want`, 0 returns all. The lease ends after
   * `seconds`.
   */
  async hold(bucket: Bucket, { worker, want, used, cap, commonCap, seconds }: SlotRequest): Promise<number> {
    const [row] = await this.database.hot<{ held: number }>('select af_hold_slots($1) as held', [
      fields({ ...bucketFields(bucket), worker, want, used, cap, common_cap: commonCap, seconds }),
    ]);
    return row?.held ?? 0;
  }

  /** A request that was held back, because of the source or of another owner, is tried again in `ms`. */
  async awaitTurn({ key, ownerId }: Bucket, ms: number): Promise<void> {
    await this.database.hot('select af_await_turn($1, $2, $3)', [key, ownerId, Math.ceil(ms)]);
  }

  /** The source asked for a pause: nobody calls it meanwhile. */
  async block(bucket: Bucket, ms: number, reason: string): Promise<void> {
    await this.database.hot('select af_block_bucket($1)', [
      fields({ ...bucketFields(bucket), ms: Math.ceil(ms), reason }),
    ]);
  }
}

function bucketFields({ key, ownerId, common, origin }: Bucket): object {
  return { key, owner: ownerId, common, origin };
}

const periodOf = ([period]: Limit): string => period;
const capOf = ([, cap]: Limit): number => cap;
