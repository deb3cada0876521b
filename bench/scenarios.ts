import {
  bareChain,
  bareFanOut,
  bareLarge,
  productChain,
  productFanOut,
  productHuge,
  productLarge,
  type Implementation,
} from './implementations';
import type { Scenario } from './scenario';
import { burst } from './burst';
import { BURST, CALLERS } from './claims';
import { BRANCHES, HUGE_RECORDS, LARGE_RECORDS, MANY_STEPS, STEPS } from './documents';
import type { Stack } from './stack';
import { approveAlone, waitingBare, waitingProduct, WAITING_STEPS, type WaitingRun } from './waiting';

export interface Size {
  rounds: number;
  /** Multiplies the number of runs in each measurement. */
  scale: number;
}

export const FULL: Size = { rounds: 5, scale: 1 };
export const QUICK: Size = { rounds: 2, scale: 0.4 };

/** Runs of one measurement by number of callers, chosen so that slow and fast implementations take about the same time. */
const SLOW = { 1: 10, 20: 60, 100: 150 };
const FAST = { 1: 30, 20: 150, 100: 300 };

export function scenarios(stack: Stack, size: Size): Scenario[] {
  const some = (count: number): number => Math.max(3, Math.round(count * size.scale));
  return [
    ...CALLERS.map((callers) => w1(stack, callers, some)),
    manySteps(stack, some(FAST[20])),
    w2(stack, some(40)),
    w2Burst(stack),
    w3(stack, some(12)),
    w4(stack, some(8)),
    w5(stack, some(3)),
  ];
}

function w1(stack: Stack, callers: (typeof CALLERS)[number], some: (count: number) => number): Scenario {
  const slow = { callers, count: some(SLOW[callers]) };
  const fast = { callers, count: some(FAST[callers]) };
  return {
    name: `W1 c${callers}`,
    steps: STEPS,
    implementations: [
      { name: 'bare activities', ...slow, run: bareChain(stack, 'chainOfActivities', STEPS) },
      { name: 'one activity a step', ...slow, run: productChain(stack, 'activity', STEPS) },
      ...chainsOf(stack, fast, STEPS),
    ],
  };
}

/** The same work with more steps: the price of the run counts less, that of a step more. */
function manySteps(stack: Stack, count: number): Scenario {
  const common = { callers: 20, count };
  return {
    name: `W1x${MANY_STEPS} c20`,
    steps: MANY_STEPS,
    implementations: chainsOf(stack, common, MANY_STEPS),
  };
}

function chainsOf(
  stack: Stack,
  common: { callers: number; count: number },
  steps: number,
): Scenario['implementations'] {
  return [
    { name: 'segment', ...common, run: productChain(stack, 'segment', steps) },
    { name: 'bare segment', ...common, run: bareChain(stack, 'chainInSegment', steps) },
    { name: 'pure', ...common, run: productChain(stack, 'pure', steps) },
    { name: 'bare inline', ...common, run: bareChain(stack, 'chainInline', steps) },
  ];
}

function w2(stack: Stack, count: number): Scenario {
  const approve =
    (begin: (no: number) => Promise<WaitingRun>): Implementation =>
    async (no) =>
      approveAlone(await begin(no));
  const common = { callers: 1, count };
  return {
    name: 'W2',
    steps: WAITING_STEPS,
    implementations: [
      { name: 'bare inline, signal', ...common, run: approve((no) => waitingBare(stack, 'signal', no)) },
      { name: 'product', ...common, run: approve((no) => waitingProduct(stack, no)) },
      { name: 'bare inline, update', ...common, run: approve((no) => waitingBare(stack, 'update', no)) },
    ],
  };
}

/** All approvals come at the same moment. */
function w2Burst(stack: Stack): Scenario {
  const common = { callers: BURST, count: BURST };
  return {
    name: 'W2 burst',
    steps: WAITING_STEPS,
    implementations: [
      { name: 'product', ...common, run: burst(BURST, (no) => waitingProduct(stack, no)) },
      { name: 'bare inline, update', ...common, run: burst(BURST, (no) => waitingBare(stack, 'update', no)) },
    ],
  };
}

function w3(stack: Stack, count: number): Scenario {
  const common = { callers: 1, count };
  return {
    name: 'W3',
    steps: BRANCHES + 1,
    implementations: [
      { name: 'bare activities', ...common, run: bareFanOut(stack, 'fanOutActivities') },
      { name: 'activities', ...common, run: productFanOut(stack, 'activity') },
      { name: 'short steps', ...common, run: productFanOut(stack, 'segment') },
      { name: 'bare segment', ...common, run: bareFanOut(stack, 'fanOutInSegment') },
      { name: 'pure', ...common, run: productFanOut(stack, 'pure') },
      { name: 'bare inline', ...common, run: bareFanOut(stack, 'fanOutInline') },
    ],
  };
}

function w4(stack: Stack, count: number): Scenario {
  const common = { callers: 1, count };
  return {
    name: 'W4',
    steps: STEPS,
    implementations: [
      { name: 'bare activities', ...common, run: bareLarge(stack, 'largeByActivities', LARGE_RECORDS) },
      { name: 'activities', ...common, run: productLarge(stack, 'activity') },
      { name: 'segment', ...common, run: productLarge(stack, 'segment') },
      { name: 'bare segment', ...common, run: bareLarge(stack, 'largeInSegment', LARGE_RECORDS) },
      { name: 'pure', ...common, run: productLarge(stack, 'pure') },
      { name: 'bare inline', ...common, run: bareLarge(stack, 'largeInline', LARGE_RECORDS) },
    ],
  };
}

function w5(stack: Stack, count: number): Scenario {
  const common = { callers: 1, count };
  return {
    name: 'W5',
    steps: STEPS,
    implementations: [
      { name: 'pure', ...common, run: productHuge(stack) },
      { name: 'bare inline', ...common, run: bareLarge(stack, 'largeInline', HUGE_RECORDS), mayBeRefused: true },
    ],
  };
}
