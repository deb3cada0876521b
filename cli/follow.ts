import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT } from './errors';
import type { Api } from './http/api';
import type { ServerEvent } from './http/server-events';
import { FIRST_WAIT_MS, LONGEST_WAIT_MS, WAIT_BUDGET_MS } from './retry-transient';

/**
 * Gives every event of a run once, in order, up to its `complete`. A broken connection, or an API that restarts, is
 * taken up again after the last event seen.
 */
export async function followRun(
  api: Api,
  runId: string,
  onEvent: (event: ServerEvent) => void,
  signal?: AbortSignal,
): Promise<void> {
  let lastId: string | undefined;
  let wait = FIRST_WAIT_MS;
  let lostSince = 0;
  for (;;) {
    try {
      for await (const event of api.events(runId, lastId, signal)) {
        lastId = event.id ?? lastId;
        wait = FIRST_WAIT_MS;
        lostSince = 0;
        onEvent(event);
        if (event.event === 'complete') return;
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof CliError && error.exitCode !== EXIT.unreachable) throw error;
      lostSince ||= Date.now();
      if (Date.now() - lostSince > WAIT_BUDGET_MS) throw error;
    }
    await sleep(wait, undefined, { signal }).catch(() => undefined);
    if (signal?.aborted) return;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}
