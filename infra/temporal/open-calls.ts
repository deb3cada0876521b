/** Counts calls that are under way, so that what they use is closed behind the last one. */
export class OpenCalls {
  private readonly open = new Set<Promise<unknown>>();

  run<T>(send: () => Promise<T>): Promise<T> {
    const call = send();
    this.open.add(call);
    const done = (): void => void this.open.delete(call);
    call.then(done, done);
    return call;
  }

  /** Until nothing is under way any more, calls that began meanwhile included. */
  async settled(): Promise<void> {
    while (this.open.size > 0) await Promise.allSettled(this.open);
  }
}
