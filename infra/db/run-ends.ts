import type { Database } from './database';
import { listenToRuns } from './run-announcement';

/** Tells waiting requests of this process that a run has ended: the database announces the last event of a watched run. */
export class RunEnds {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly stopListening: () => void;

  constructor(database: Database) {
    this.stopListening = listenToRuns(
      database,
      ({ runId, isEnd }) => {
        if (isEnd) this.wake(runId);
      },
      // Wakes all waiters: an end may have been missed, and they read the run.
      () => this.wakeAll(),
    );
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
    // A callback may remove itself from the set during the loop.
    for (const told of this.waiting.get(runId) ?? []) told();
  }

  private forget(runId: string, told: () => void): void {
    const all = this.waiting.get(runId);
    all?.delete(told);
    if (all?.size === 0) this.waiting.delete(runId);
  }
}
