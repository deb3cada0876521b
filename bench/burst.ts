import type { Implementation } from './implementations';
import type { Followed, WaitingRun } from './waiting';

/** Approves many waiting runs at the same moment: each gives its own time, and all results are checked afterwards. */
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

/** A barrier: resolves for all callers when so many have arrived, again and again. */
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
