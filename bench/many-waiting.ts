import { addedMemory, settledMemory, type MemoryMb } from './measure/memory';
import { quantile } from './measure/stats';
import type { Pids, Stack } from './stack';
import { approveAlone, waitingBare, waitingProduct, type WaitingRun } from './waiting';

export interface ManyWaitingResult {
  waiting: number;
  product: ManyWaiting;
  bare: ManyWaiting;
}
interface ManyWaiting {
  /** Memory that the waiting runs added, by process. */
  added: MemoryMb;
  /** Time from the approval to the end with few and with all runs waiting, p50 in ms. */
  approveFew: number;
  approveAll: number;
}

const FEW = 100;
const STARTERS = 20;

/** Many runs that wait for a person: the memory they take, and whether an answer is still quick. Measured last, because the runs stay. */
export async function manyWaiting(stack: Stack, waiting: number, approvals: number): Promise<ManyWaitingResult> {
  const product = await measureManyWaiting({
    pids: stack.pids,
    begin: (no) => waitingProduct(stack, no),
    waiting,
    approvals,
  });
  const bare = await measureManyWaiting({
    pids: stack.pids,
    begin: (no) => waitingBare(stack, 'signal', no),
    waiting,
    approvals,
  });
  return { waiting, product, bare };
}

interface ManyWaitingPlan {
  pids: Pids;
  begin: (no: number) => Promise<WaitingRun>;
  waiting: number;
  approvals: number;
}

async function measureManyWaiting({ pids, begin, waiting, approvals }: ManyWaitingPlan): Promise<ManyWaiting> {
  // The memory that a worker takes for its very first runs is not caused by waiting.
  await inParallel(await beginMany(FEW, begin), approveAlone);
  const before = await settledMemory(pids);
  const runs = await beginMany(FEW + approvals, begin);
  const approveFew = await approveSome(runs, approvals);
  runs.push(...(await beginMany(waiting + approvals - runs.length, begin)));
  const added = addedMemory(before, await settledMemory(pids));
  const approveAll = await approveSome(runs, approvals);
  return { added, approveFew, approveAll };
}

async function beginMany(count: number, begin: (no: number) => Promise<WaitingRun>): Promise<WaitingRun[]> {
  const runs: WaitingRun[] = [];
  await inParallel(
    Array.from({ length: count }, (_each, no) => no),
    async (no) => runs.push(await begin(no)),
  );
  return runs;
}

/** Approves every n-th of the runs that wait, old ones and new ones. */
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
