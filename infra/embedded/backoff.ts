const FIRST_MS = 500;
const LONGEST_MS = 30_000;
const STABLE_MS = 60_000;

/** Waits between restarts: 0.5 s, doubled up to 30 s, and from the start again after a minute of peace. */
export class Backoff {
  private failures = 0;
  private startedAt = 0;

  started(now: number): void {
    this.startedAt = now;
  }

  /** Milliseconds to wait before the next start. */
  next(now: number): number {
    if (now - this.startedAt > STABLE_MS) this.failures = 0;
    const wait = Math.min(FIRST_MS * 2 ** this.failures, LONGEST_MS);
    this.failures += 1;
    return wait;
  }
}
