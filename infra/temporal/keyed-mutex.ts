/** Work on the same key runs one after the other; work on different keys does not wait. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  /** `work` is told whether other work on the key went before it. */
  async run<T>(key: string, work: (waited: boolean) => Promise<T>): Promise<T> {
    const before = this.last.get(key);
    const after = (): Promise<T> => work(true);
    const mine = before === undefined ? work(false) : before.then(after, after);
    const quiet = mine.catch(() => undefined);
    this.last.set(key, quiet);
    try {
      return await mine;
    } finally {
      if (this.last.get(key) === quiet) this.last.delete(key);
    }
  }
}
