/** Most keys that are remembered; past it, those that have all their tokens are forgotten. */
const MOST_KEYS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** How much each key may do: `burst` at once, `perSecond` for ever. One process knows only what it let through itself. */
export class TokenBuckets {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
    private readonly now: () => number = () => performance.now() / 1000,
  ) {}

  /** Takes a token: 0. When there is none, it takes nothing and says in how many seconds there will be one. */
  take(key: string): number {
    const now = this.now();
    const tokens = this.tokensOf(this.buckets.get(key), now);
    if (tokens < 1) return (1 - tokens) / this.perSecond;
    if (this.buckets.size >= MOST_KEYS) this.forget(now);
    this.buckets.set(key, { tokens: tokens - 1, at: now });
    return 0;
  }

  private tokensOf(bucket: Bucket | undefined, now: number): number {
    return bucket === undefined ? this.burst : Math.min(this.burst, bucket.tokens + (now - bucket.at) * this.perSecond);
  }

  private forget(now: number): void {
    for (const [key, bucket] of this.buckets) {
      if (this.tokensOf(bucket, now) >= this.burst) this.buckets.delete(key);
    }
  }
}
