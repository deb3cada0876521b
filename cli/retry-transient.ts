import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT } from './errors';

export const FIRST_WAIT_MS = 100;
export const LONGEST_WAIT_MS = 5_000;
/** Longest wait for an API that does not answer. */
export const WAIT_BUDGET_MS = 120_000;

/** True when no API answers, or not now: the same call may well succeed later. */
function isTransient(error: unknown): error is CliError {
  return error instanceof CliError && (error.exitCode === EXIT.unreachable || error.code === 'too_many_requests');
}

/** Repeats a call while its failure may pass; `onTrouble` is called once. Throws a failure that does not pass. */
export async function retryTransient<Result>(
  act: () => Promise<Result>,
  onTrouble: (error: CliError) => void,
  signal?: AbortSignal,
): Promise<Result> {
  let wait = FIRST_WAIT_MS;
  const since = Date.now();
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!isTransient(error) || Date.now() - since > WAIT_BUDGET_MS) throw error;
      if (wait === FIRST_WAIT_MS) onTrouble(error);
    }
    await sleep(wait, undefined, { signal });
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }
}
