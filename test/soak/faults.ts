import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../support/fault-size';
import type { FaultBench } from '../support/fault-bench';

/** Fault that happens once; resolves when everything works again. */
type Fault = (bench: FaultBench, random: Random) => Promise<void>;

/** The first worker is never touched: its memory is what is watched. */
const victim = ({ stack }: FaultBench) => stack.workers.slice(1).find((worker) => worker.alive());

async function again(bench: FaultBench, random: Random): Promise<void> {
  await sleep(random.int(0, 3_000));
  await bench.stack.startWorker();
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  'worker killed': async (bench, random) => {
    await victim(bench)?.kill();
    await again(bench, random);
  },
  'worker stopped': async (bench, random) => {
    await victim(bench)?.stop();
    await again(bench, random);
  },
  'worker frozen': async (bench, random) => {
    const worker = victim(bench);
    worker?.signal('SIGSTOP');
    await sleep(random.int(2_000, 8_000));
    worker?.signal('SIGCONT');
    // One that was taken over from may leave by itself.
    await sleep(2_000);
    if (worker?.alive() !== true) await again(bench, random);
  },
  'API killed': async ({ stack }, random) => {
    await stack.apiProcess.kill();
    await sleep(random.int(0, 3_000));
    await stack.startApi();
  },
  'Temporal killed': async ({ stack }, random) => {
    await stack.temporal.kill();
    await sleep(random.int(0, 5_000));
    await stack.temporal.start();
  },
  'PostgreSQL stopped at once': async ({ stack }, random) => {
    await stack.postgres.stop('immediate');
    await sleep(random.int(0, 3_000));
    await stack.postgres.start();
  },
  'workers cut off from the database': async ({ toDatabase }, random) => {
    toDatabase.cut();
    await sleep(random.int(1_000, 8_000));
    toDatabase.mend();
  },
  'workers cut off from Temporal': async ({ toTemporal }, random) => {
    toTemporal.cut();
    await sleep(random.int(1_000, 8_000));
    toTemporal.mend();
  },
};
