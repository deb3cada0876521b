import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../core/errors/app-error';

const MOST_ATTEMPTS = 4;
const FIRST_PAUSE_MS = 200;

/** One try with its own time, which never passes that of the step. */
export type Attempt<T> = (timeoutMs: number) => Promise<T>;

/**
 * Reading can be repeated: a database that cannot be reached is asked up to four times, one that did not answer in time once more with
 * double the time. Nothing goes on past the time of the step.
 */
export async function attempts<T>(
  use: { ownMs: number; stepMs: number; signal: AbortSignal },
  attempt: Attempt<T>,
): Promise<T> {
  const end = performance.now() + use.stepMs;
  const left = (): number => end - performance.now();
  let ownMs = use.ownMs;
  let hadTimeout = false;
  for (let number = 1; ; number += 1) {
    try {
      return await attempt(Math.min(ownMs, left()));
    } catch (error) {
      const code = error instanceof AppError ? error.code : '';
      const pauseMs = FIRST_PAUSE_MS * 2 ** number * (0.5 + Math.random() / 2);
      if (code === 'upstream_timeout' && !hadTimeout && left() > ownMs) {
        hadTimeout = true;
        ownMs *= 2;
      } else if (code === 'upstream_unavailable' && number < MOST_ATTEMPTS && left() > pauseMs) {
        await sleep(pauseMs, undefined, { signal: use.signal }).catch(() => use.signal.throwIfAborted());
      } else {
        throw error;
      }
    }
  }
}
