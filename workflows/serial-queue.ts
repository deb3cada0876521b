/**
 * Replay-sensitive. Runs local activities of one workflow strictly one after the other. Two in flight may be
 * resolved in two activations live and in one at replay; what their callers do next would then come in another order,
 * and the run would be stuck with a determinism error.
 */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  /** True if nothing runs or waits. */
  idle(): boolean {
    return this.waiting === 0;
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.waiting += 1;
    const mine = this.last.then(work).finally(() => {
      this.waiting -= 1;
    });
    this.last = mine.catch(() => undefined);
    return mine;
  }
}
