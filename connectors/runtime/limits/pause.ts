import { setTimeout as sleep } from 'node:timers/promises';

/** Sleeps, or throws the signal's reason as soon as it aborts. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** Adds up to 10 %, so that waiting calls do not start together. */
export function jittered(ms: number): number {
  return ms * (1 + Math.random() * 0.1);
}

const FIRST_RETRY_MS = 400;

/** Delay before the repeat of a request that failed `failures` times: doubles, and half of it is random. */
export function retryDelay(failures: number): number {
  const full = FIRST_RETRY_MS * 2 ** failures;
  return full / 2 + (Math.random() * full) / 2;
}

const FIRST_REFUSAL_MS = 1000;
const LONGEST_REFUSAL_MS = 300_000;

/** Delay after a refusal for too many requests without a stated time. */
export function refusalDelay(refusals: number): number {
  return Math.min(FIRST_REFUSAL_MS * 2 ** refusals, LONGEST_REFUSAL_MS);
}
