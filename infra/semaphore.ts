/**
 * Semaphore: admits so many at a time; the others wait in order. Not `p-limit`: there a waiter whose signal aborts keeps its place until its
 * turn, and nobody is told how many wait.
 */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor(places: number) {
    this.free = places;
  }

  get hasFreePlace(): boolean {
    return this.free > 0;
  }

  get waitingCount(): number {
    return this.waiting.length;
  }

  /** Rejects with the signal's reason when it aborts while waiting. */
  async pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.enter(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.free > 0) {
      this.free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.waiting.splice(this.waiting.indexOf(turn), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.push(turn);
    });
  }

  /** Gives the place directly to the one that has waited longest. */
  private leave(): void {
    const next = this.waiting.shift();
    if (next === undefined) {
      this.free += 1;
    } else {
      next();
    }
  }
}
