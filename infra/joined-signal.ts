/**
 * Aborts with the first of several signals, until it is released. In place of AbortSignal.any: Node keeps a signal that was
 * joined that way, and whatever its listeners hold, for the life of the process when a listener is left on it.
 */
export class JoinedSignal {
  private readonly controller = new AbortController();
  private readonly ends: (() => void)[] = [];

  constructor(...signals: readonly AbortSignal[]) {
    for (const signal of signals) {
      const abort = (): void => {
        this.controller.abort(signal.reason);
        this.release();
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      this.ends.push(() => signal.removeEventListener('abort', abort));
    }
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  release(): void {
    for (const end of this.ends.splice(0)) end();
  }
}
