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

  /** Begins at once where a place is free. Rejects with the signal's reason when it aborts while waiting. */
  async pass<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.free > 0) this.free -= 1;
    else await this.turn(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.waiting.splice(this.waiting.indexOf(begin), 1);
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.push(begin);
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
