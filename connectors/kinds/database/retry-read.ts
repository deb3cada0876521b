import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../core/errors/app-error';

const MOST_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 200;

/** One try with its own time, which never passes that of the step; `number` counts from 1. */
export type Attempt<T> = (timeoutMs: number, number: number) => Promise<T>;

/**
 * Reading can be repeated: a database that cannot be reached is asked up to four times, one that did not answer in time once more with
 * double the time. Nothing goes on past the time of the step, nor past a breaker that opens meanwhile: the failure before it is what counts.
 */
export async function retryRead<T>(
  use: { ownMs: number; stepMs: number; signal: AbortSignal },
  attempt: Attempt<T>,
): Promise<T> {
  const end = performance.now() + use.stepMs;
  const left = (): number => end - performance.now();
  let ownMs = use.ownMs;
  let hadTimeout = false;
  let last: { error: unknown } | undefined;
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(Math.min(ownMs, left()), number);
    } catch (error) {
      if (last !== undefined && isHeld(error)) throw last.error;
      last = { error };
      const code = error instanceof AppError ? error.code : '';
      const pauseMs = FIRST_PAUSE_MS * 2 ** number * (0.5 + Math.random() / 2);
      if (code === 'upstream_timeout' && !hadTimeout && left() > ownMs) {
        hadTimeout = true;
        ownMs *= 2;
      } else if (code === 'upstream_unavailable' && !isHeld(error) && number < MOST_ATTEMPTS && left() > pauseMs) {
        await sleep(pauseMs, undefined, { signal: use.signal }).catch(() => use.signal.throwIfAborted());
      } else {
        throw error;
      }
    }
  }
}

/** True when the breaker is open: nothing was sent. */
function isHeld(error: unknown): boolean {
  return error instanceof AppError && error.details['breaker'] === 'open';
}
