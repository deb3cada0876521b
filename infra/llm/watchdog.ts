import type { LiveCall } from './types';

type Verdict = 'running' | 'silent' | 'deadline' | 'caller';

export interface Watchdog extends LiveCall {
  /** Reason of the call's end, or `running`. */
  verdict(): Verdict;
  stop(): void;
}

interface WatchOptions {
  /** The caller's own signal. */
  signal: AbortSignal;
  idleMs: number;
  deadlineMs: number;
  onProgress?: (() => void) | undefined;
}

/**
 * Ends a call that says nothing for `idleMs`, or is not done after `deadlineMs`. The SDKs' own timeout
 * covers neither: it stops at the response headers.
 */
export function startWatchdog(options: WatchOptions): Watchdog {
  const controller = new AbortController();
  let verdict: Verdict = 'running';
  const end = (cause: Verdict): void => {
    if (verdict === 'running') {
      verdict = cause;
      controller.abort();
    }
  };
  const onCaller = (): void => end('caller');
  options.signal.addEventListener('abort', onCaller, { once: true });
  const deadline = setTimeout(() => end('deadline'), Math.max(0, options.deadlineMs));
  const idle = setTimeout(() => end('silent'), options.idleMs);
  if (options.signal.aborted) {
    onCaller();
  }
  return {
    signal: controller.signal,
    usage: null,
    beat() {
      idle.refresh();
      options.onProgress?.();
    },
    verdict: () => verdict,
    stop() {
      clearTimeout(deadline);
      clearTimeout(idle);
      options.signal.removeEventListener('abort', onCaller);
    },
  };
}
