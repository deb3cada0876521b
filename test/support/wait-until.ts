import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_MS = 20;
/** Limit of a hung test, not a measure: below jest's own limit, so that the failure names the condition. */
const LIMIT_MS = 300_000;

/** Waits for a condition; such a test never depends on how fast the machine is. */
export async function waitUntil(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + LIMIT_MS;
  while (!(await holds())) {
    if (Date.now() > end) throw new Error(`never came: ${what}`);
    await sleep(LOOK_MS);
  }
}
