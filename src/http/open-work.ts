/** Requests that last, such as streams and waits. At shutdown all are aborted together, and their ends are awaited. */
export class OpenWork {
  private readonly open = new Map<AbortController, Promise<unknown>>();

  get size(): number {
    return this.open.size;
  }

  /** Counts one until `work` has ended; `stop` is aborted at shutdown. */
  async run<T>(stop: AbortController, work: () => Promise<T>): Promise<T> {
    const done = work();
    this.open.set(stop, done);
    try {
      return await done;
    } finally {
      this.open.delete(stop);
    }
  }

  async end(): Promise<void> {
    const open = [...this.open];
    open.forEach(([stop]) => stop.abort());
    await Promise.allSettled(open.map(([, done]) => done));
  }
}
