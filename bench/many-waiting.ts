import { setTimeout as sleep } from 'node:timers/promises';
import { residentMb } from './measure/cpu';
import { quantile } from './measure/stats';
import type { Stack } from './stack';
import { approveAlone, waitingBare, waitingProduct, type WaitingRun } from './waiting';

export interface ManyWaitingResult {
  waiting: number;
  product: ManyWaiting;
  bare: ManyWaiting;
}
interface ManyWaiting {
  /** Resident memory of the worker that the waiting runs added. */
  addedMb: number;
  /** Approve to the end with few and with all runs waiting, p50 in ms. */
  approveFew: number;
  approveAll: number;
}

const FEW = 100;
const STARTERS = 20;
const READING_MS = 500;
const CALM_READINGS = 40;

/** Measured last: the runs stay behind, waiting. Many runs that wait for a person: what they cost the worker, and whether an answer is still quick. */
export async function manyWaiting(stack: Stack, waiting: number, approvals: number): Promise<ManyWaitingResult> {
  const product = await measureManyWaiting({
    pid: stack.pids.worker,
    begin: (no) => waitingProduct(stack, no),
    waiting,
    approvals,
  });
  const bare = await measureManyWaiting({
    pid: stack.pids.bare,
    begin: (no) => waitingBare(stack, 'signal', no),
    waiting,
    approvals,
  });
  return { waiting, product, bare };
}

interface ManyWaitingPlan {
  pid: number;
  begin: (no: number) => Promise<WaitingRun>;
  waiting: number;
  approvals: number;
}

async function measureManyWaiting({ pid, begin, waiting, approvals }: ManyWaitingPlan): Promise<ManyWaiting> {
  // What a worker takes for its first runs of all is not the price of waiting.
  await inParallel(await beginMany(FEW, begin), approveAlone);
  const before = await memory(pid);
  const runs = await beginMany(FEW + approvals, begin);
  const approveFew = await approveSome(runs, approvals);
  runs.push(...(await beginMany(waiting + approvals - runs.length, begin)));
  const addedMb = (await memory(pid)) - before;
  const approveAll = await approveSome(runs, approvals);
  return { addedMb, approveFew, approveAll };
}

/** What the process keeps: the lowest reading, once it has not fallen for a while. V8 collects garbage when it is idle. */
async function memory(pid: number): Promise<number> {
  let lowest = residentMb(pid);
  for (let calm = 0; calm < CALM_READINGS; calm++) {
    await sleep(READING_MS);
    const now = residentMb(pid);
    if (now < lowest - 1) calm = 0;
    lowest = Math.min(lowest, now);
  }
  return lowest;
}

async function beginMany(count: number, begin: (no: number) => Promise<WaitingRun>): Promise<WaitingRun[]> {
  const runs: WaitingRun[] = [];
  await inParallel(
    Array.from({ length: count }, (_each, no) => no),
    async (no) => runs.push(await begin(no)),
  );
  return runs;
}

/** Every n-th of those that wait, old ones and new ones. */
async function approveSome(runs: WaitingRun[], count: number): Promise<number> {
  const times: number[] = [];
  for (let done = 0; done < count; done++) {
    const at = Math.floor(((done + 0.5) / count) * runs.length);
    const [run] = runs.splice(at, 1);
    if (run) times.push(await approveAlone(run));
  }
  return quantile(times, 0.5);
}

async function inParallel<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: STARTERS }, one));
}
