/**
 * What a thread says when it begins with a job: it was started and its parser is loaded. On a busy machine both take longer
 * than many a file, and no file is to pay for them.
 */
export type StartFlag = Int32Array<SharedArrayBuffer>;

export function newStartFlag(): StartFlag {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

export function sayStarted(flag: StartFlag): void {
  Atomics.store(flag, 0, 1);
  Atomics.notify(flag, 0);
}

/** Aborts so long after the start, never before. `stop` ends the wait for a thread that will not begin any more. */
export function limitFromStart(flag: StartFlag, limitMs: number): { signal: AbortSignal; stop: () => void } {
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  void Promise.resolve(Atomics.waitAsync(flag, 0, 0).value).then(() => {
    if (!stopped) timer = setTimeout(() => limit.abort(), limitMs);
  });
  const stop = (): void => {
    stopped = true;
    clearTimeout(timer);
    sayStarted(flag);
  };
  return { signal: limit.signal, stop };
}
