/** Work on the same key runs one after the other; work on different keys does not wait. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const quiet = mine.catch(() => undefined);
    this.last.set(key, quiet);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === quiet) this.last.delete(key);
    }
  }
}
