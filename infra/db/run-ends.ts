import type { Database } from './database';

/** Tells when runs end, of one process: what the database announces behind the last event of a run that is watched. */
export class RunEnds {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly stopListening: () => void;

  constructor(database: Database) {
    const announced = (payload: string): void => {
      const [runId = '', end] = payload.split(' ');
      if (end !== undefined) this.wake(runId);
    };
    // What was announced while the connection was away is not repeated: whoever waits looks.
    this.stopListening = database.listen('af_run', announced, () => this.wakeAll());
  }

  /** Resolves when the run has ended or that may have been missed, and when `stop` is aborted. */
  next(runId: string, stop: AbortSignal): Promise<void> {
    if (stop.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const told = (): void => {
        stop.removeEventListener('abort', told);
        this.forget(runId, told);
        resolve();
      };
      const all = this.waiting.get(runId) ?? new Set();
      this.waiting.set(runId, all.add(told));
      stop.addEventListener('abort', told, { once: true });
    });
  }

  close(): void {
    this.stopListening();
    this.wakeAll();
  }

  private wakeAll(): void {
    for (const runId of this.waiting.keys()) this.wake(runId);
  }

  private wake(runId: string): void {
    // Each takes itself out of the set, which a loop over it allows.
    for (const told of this.waiting.get(runId) ?? []) told();
  }

  private forget(runId: string, told: () => void): void {
    const all = this.waiting.get(runId);
    all?.delete(told);
    if (all?.size === 0) this.waiting.delete(runId);
  }
}
