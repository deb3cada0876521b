import {
  bareChain,
  bareFanOut,
  bareLarge,
  productChain,
  productFanOut,
  productLarge,
  type Implementation,
} from './implementations';
import type { Scenario } from './scenario';
import { CALLERS } from './claims';
import type { Stack } from './stack';
import { waitingBare, waitingProduct, type WaitingRun } from './waiting';

export interface Size {
  rounds: number;
  /** Multiplies the number of runs in each measurement. */
  scale: number;
}

export const FULL: Size = { rounds: 5, scale: 1 };
export const QUICK: Size = { rounds: 2, scale: 0.4 };

/** Runs of one measurement by callers: slow implementations and fast ones take about the same time. */
const SLOW = { 1: 10, 20: 60, 100: 150 };
const FAST = { 1: 30, 20: 150, 100: 300 };

export function scenarios(stack: Stack, size: Size): Scenario[] {
  const some = (count: number): number => Math.max(3, Math.round(count * size.scale));
  return [
    ...CALLERS.map((callers) => w1(stack, callers, some)),
    w2(stack, some(40)),
    w3(stack, some(12)),
    w4(stack, some(8)),
  ];
}

function w1(stack: Stack, callers: (typeof CALLERS)[number], some: (count: number) => number): Scenario {
  const slow = { callers, count: some(SLOW[callers]) };
  const fast = { callers, count: some(FAST[callers]) };
  return {
    name: `W1 c${callers}`,
    implementations: [
      { name: 'bare activities', ...slow, run: bareChain(stack, 'chainOfActivities') },
      { name: 'one activity a step', ...slow, run: productChain(stack, 'activity') },
      { name: 'segment', ...fast, run: productChain(stack, 'segment') },
      { name: 'pure', ...fast, run: productChain(stack, 'pure') },
      { name: 'bare inline', ...fast, run: bareChain(stack, 'chainInline') },
    ],
  };
}

function w2(stack: Stack, count: number): Scenario {
  const approve =
    (begin: (no: number) => Promise<WaitingRun>): Implementation =>
    async (no) =>
      (await begin(no)).approve();
  const common = { callers: 1, count };
  return {
    name: 'W2',
    implementations: [
      { name: 'bare inline, signal', ...common, run: approve((no) => waitingBare(stack, 'signal', no)) },
      { name: 'product', ...common, run: approve((no) => waitingProduct(stack, no)) },
      { name: 'bare inline, update', ...common, run: approve((no) => waitingBare(stack, 'update', no)) },
    ],
  };
}

function w3(stack: Stack, count: number): Scenario {
  const common = { callers: 1, count };
  return {
    name: 'W3',
    implementations: [
      { name: 'bare activities', ...common, run: bareFanOut(stack, 'fanOutActivities') },
      { name: 'activities', ...common, run: productFanOut(stack, 'activity') },
      { name: 'pure', ...common, run: productFanOut(stack, 'pure') },
      { name: 'bare inline', ...common, run: bareFanOut(stack, 'fanOutInline') },
    ],
  };
}

function w4(stack: Stack, count: number): Scenario {
  const common = { callers: 1, count };
  return {
    name: 'W4',
    implementations: [
      { name: 'bare activities', ...common, run: bareLarge(stack, 'largeByActivities') },
      { name: 'activities', ...common, run: productLarge(stack, 'activity') },
      { name: 'segment', ...common, run: productLarge(stack, 'segment') },
      { name: 'pure', ...common, run: productLarge(stack, 'pure') },
      { name: 'bare inline', ...common, run: bareLarge(stack, 'largeInline') },
    ],
  };
}
