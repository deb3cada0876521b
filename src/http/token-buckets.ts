/** Limit of remembered keys; above it the one unused for longest is dropped. */
const MOST_KEYS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** Token buckets by key: `burst` at once, `perSecond` for ever. Each process counts its own requests alone. */
export class TokenBuckets {
  /** Buckets in the order of their last use. */
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
    this.buckets.delete(key);
    this.buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at: now });
    if (this.buckets.size > MOST_KEYS) this.forgetOne();
    return tokens < 1 ? (1 - tokens) / this.perSecond : 0;
  }

  private tokensOf(bucket: Bucket | undefined, now: number): number {
    return bucket === undefined ? this.burst : Math.min(this.burst, bucket.tokens + (now - bucket.at) * this.perSecond);
  }

  private forgetOne(): void {
    const [oldest] = this.buckets.keys();
    if (oldest !== undefined) this.buckets.delete(oldest);
  }
}
