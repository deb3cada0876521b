const SAME_PRESS_MS = 1_000;

/**
 * Aborts at Ctrl-C or SIGTERM. A terminal sends the same signal to a launcher too, which passes it on: signals within
 * a second count once. A later second one ends the process at once; the next start cleans up.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  let first = 0;
  const onSignal = () => {
    if (first > 0 && Date.now() - first > SAME_PRESS_MS) process.exit(1);
    first ||= Date.now();
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, onSignal);
  return controller.signal;
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
