import type { Database } from '../database';

/** Whose limit it is: without a credential the origin's own, for everybody (`common`). */
export interface Bucket {
  /** Digest of what it belongs to. */
  key: string;
  ownerId: string;
  common: boolean;
  origin: string;
}

export type Period = 'second' | 'minute' | 'hour' | 'day' | 'month';

export interface RequestLease {
  granted: number;
  /** How long the granted requests may be used. */
  usable_ms: number;
  /** When nothing was granted: ask again then, because of `reason`. */
  wait_ms: number;
  reason: string | null;
}

/** Limits that all workers share: one round trip for a batch of requests. */
export class ConnectorLimitsStore {
  constructor(private readonly database: Database) {}

  async lease(bucket: Bucket, limits: readonly (readonly [Period, number])[], want: number): Promise<RequestLease> {
    const [row] = await this.database.hot<RequestLease>('select * from af_lease_requests($1, $2, $3, $4, $5, $6, $7)', [
      ...paramsOf(bucket),
      limits.map(([period]) => period),
      limits.map(([, cap]) => cap),
      want,
    ]);
    return row as RequestLease;
  }

  /** How many calls in flight this worker may have now: at most `want`, 0 gives all back. They end after `seconds`. */
  async hold(bucket: Bucket, slots: { worker: string; want: number; cap: number; seconds: number }): Promise<number> {
    const [row] = await this.database.hot<{ held: number }>(
      'select af_hold_slots($1, $2, $3, $4, $5, $6, $7, $8) as held',
      [...paramsOf(bucket), slots.worker, slots.want, slots.cap, slots.seconds],
    );
    return row?.held ?? 0;
  }

  /** The source asked for silence: nobody calls it meanwhile. */
  async block(bucket: Bucket, ms: number, reason: string): Promise<void> {
    await this.database.hot('select af_block_bucket($1, $2, $3, $4, $5, $6)', [
      ...paramsOf(bucket),
      Math.ceil(ms),
      reason,
    ]);
  }
}

function paramsOf({ key, ownerId, common, origin }: Bucket): unknown[] {
  return [key, ownerId, common, origin];
}
