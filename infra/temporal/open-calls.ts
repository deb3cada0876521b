/** Counts running calls, so that what they use is closed after the last one. */
export class OpenCalls {
  private readonly open = new Set<Promise<unknown>>();

  run<T>(send: () => Promise<T>): Promise<T> {
    const call = send();
    this.open.add(call);
    const done = (): void => void this.open.delete(call);
    call.then(done, done);
    return call;
  }

  /** Resolves when no call is running any more, calls that began meanwhile included. */
  async settled(): Promise<void> {
    while (this.open.size > 0) await Promise.allSettled(this.open);
  }
}
