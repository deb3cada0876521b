import { STEPS } from './documents';
import { productChain } from './implementations';
import { measure } from './measure/callers';
import { settledMemory, type MemoryMb } from './measure/memory';
import { InspectedProcess } from './profile/inspected-process';
import { onlyOf, type Options } from './options';
import type { Stack } from './stack';

export const MEMORY_SCENARIO = 'memory';
/** Readings by the name of what went before, in order. */
export type MemoryReadings = Map<string, MemoryMb>;

export const IDLE = 'idle, after the start';
export const AFTER_SOME = 'after 1,000 pure runs';
export const AFTER_MANY = 'after 10,000 pure runs';
/** Readings by how many runs went before, from the start on. */
const AFTER_RUNS: readonly (readonly [count: number, name: string])[] = [
  [1_000, AFTER_SOME],
  [2_000, 'after 2,000 pure runs'],
  [5_000, 'after 5,000 pure runs'],
  [10_000, AFTER_MANY],
];
export const AFTER_ALL = 'after all runs';
export const WAITING_PRODUCT = 'added by 1,000 waiting runs';
export const WAITING_BARE = 'added by 1,000 waiting bare runs';

/** A second reading: V8 leaves garbage lie as long as it has room, so what a process really keeps shows once it has collected. */
export function collected(name: string): string {
  return `${name}, garbage collected`;
}

const CALLERS = 20;

/**
 * Measured first, while nothing else has run. Ten thousand runs take minutes: only where memory alone is asked for.
 * `inspectFolder`: through the inspectors that are named there API and worker are asked to collect.
 */
export async function readMemory(
  stack: Stack,
  options: Options,
  { readings, inspectFolder }: { readings: MemoryReadings; inspectFolder: string | undefined },
): Promise<void> {
  const read = async (name: string): Promise<void> => {
    readings.set(name, await settledMemory(stack.pids));
    if (inspectFolder === undefined) return;
    await collect(stack, inspectFolder);
    readings.set(collected(name), await settledMemory(stack.pids));
  };
  await read(IDLE);
  let done = 0;
  for (const [count, name] of asksForAll(options) ? AFTER_RUNS : AFTER_RUNS.slice(0, 1)) {
    await runs(stack, count - done);
    await read(name);
    done = count;
  }
}

/** True if all readings are taken, of ten thousand runs. */
export function asksForAll(options: Options): boolean {
  return !options.quick && onlyOf(options, MEMORY_SCENARIO);
}

async function collect({ pids }: Stack, folder: string): Promise<void> {
  for (const pid of new Set([pids.api, pids.worker ?? pids.api])) {
    const inspected = await InspectedProcess.connect(folder, pid);
    await inspected.collectGarbage();
    inspected.close();
  }
}

async function runs(stack: Stack, count: number): Promise<void> {
  await measure(stack.meter, { callers: CALLERS, count }, productChain(stack, 'pure', STEPS));
}
