import { STEPS } from './documents';
import { productChain } from './implementations';
import { measure } from './measure/callers';
import { settledMemory, type MemoryMb } from './measure/memory';
import { onlyOf, type Options } from './options';
import type { Stack } from './stack';

export const MEMORY_SCENARIO = 'memory';
/** Readings by what went before, in order. */
export type MemoryReadings = Map<string, MemoryMb>;

export const IDLE = 'idle, after the start';
export const AFTER_SOME = 'after 1,000 pure runs';
export const AFTER_MANY = 'after 10,000 pure runs';
export const AFTER_ALL = 'after all runs';
export const WAITING_PRODUCT = 'added by 1,000 waiting runs';
export const WAITING_BARE = 'added by 1,000 waiting bare runs';

const SOME = 1_000;
const MANY = 10_000;
const CALLERS = 20;

/** Measured first, while nothing else has run. Ten thousand runs take minutes: only where memory alone is asked for. */
export async function readMemory(stack: Stack, options: Options, readings: MemoryReadings): Promise<void> {
  readings.set(IDLE, await settledMemory(stack.pids));
  await runs(stack, SOME);
  readings.set(AFTER_SOME, await settledMemory(stack.pids));
  if (options.quick || !onlyOf(options, MEMORY_SCENARIO)) return;
  await runs(stack, MANY - SOME);
  readings.set(AFTER_MANY, await settledMemory(stack.pids));
}

async function runs(stack: Stack, count: number): Promise<void> {
  await measure(stack.meter, { callers: CALLERS, count }, productChain(stack, 'pure', STEPS));
}
