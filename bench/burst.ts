import type { Implementation } from './implementations';
import type { Followed, WaitingRun } from './waiting';

/** So many runs that wait are approved at the same moment: each gives its own time, all of them are checked afterwards. */
export function burst(size: number, begin: (no: number) => Promise<WaitingRun>): Implementation {
  const ready = meetings(size);
  const done = meetings(size);
  return async (no) => {
    const followed: Followed = await (await begin(no)).follow();
    await ready();
    const took = await followed.approve();
    await done();
    await followed.check();
    return took;
  };
}

/** Resolves for all when so many have come, again and again. */
function meetings(size: number): () => Promise<void> {
  let waiting: (() => void)[] = [];
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length < size) return;
      for (const each of waiting) each();
      waiting = [];
    });
}
