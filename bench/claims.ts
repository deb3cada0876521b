import type { Sample } from './measure/callers';

/** Samples by `<scenario>/<implementation>`, one for each round. */
export type Samples = Map<string, Sample[]>;

/**
 * What is compared: a ratio within each round, of which the median counts. `rate`: product / bare, more is better.
 * `p50`: product / bare, less is better. Missing the floor fails the benchmark; the aim is what we want to reach.
 */
export interface Claim {
  title: string;
  scenario: string;
  product: string;
  bare: string;
  measure: 'rate' | 'p50';
  /** Of a rate; runs/s unless it says so. */
  unit?: string;
  floor?: number;
  aim?: number;
}

export const CALLERS = [1, 20, 100] as const;

function w1(callers: number): Claim[] {
  const scenario = `W1 c${callers}`;
  const bare = 'bare activities';
  const common = { scenario, measure: 'rate' as const };
  return [
    {
      ...common,
      title: `W1, one activity a step, ${callers} callers`,
      product: 'one activity a step',
      bare,
      floor: 0.75,
      aim: 0.9,
    },
    { ...common, title: `W1, segment, ${callers} callers`, product: 'segment', bare, floor: 2, aim: 2.8 },
    { ...common, title: `W1, pure, ${callers} callers`, product: 'pure', bare, floor: 3, aim: 5 },
    { ...common, title: `W1, pure, ${callers} callers`, product: 'pure', bare: 'bare inline' },
  ];
}

export const CLAIMS: readonly Claim[] = [
  ...CALLERS.flatMap(w1),
  {
    title: 'W2, approve to complete',
    scenario: 'W2',
    product: 'product',
    bare: 'bare inline, signal',
    measure: 'p50',
    floor: 1.5,
    aim: 1.2,
  },
  { title: 'W2, approve to complete', scenario: 'W2', product: 'product', bare: 'bare inline, update', measure: 'p50' },
  {
    title: 'W3, 100 activities and a join',
    scenario: 'W3',
    product: 'activities',
    bare: 'bare activities',
    measure: 'p50',
  },
  { title: 'W3, 100 pure steps and a join', scenario: 'W3', product: 'pure', bare: 'bare inline', measure: 'p50' },
  {
    title: 'W4, 1 MB through 10 activities',
    scenario: 'W4',
    product: 'activities',
    bare: 'bare activities',
    measure: 'p50',
  },
  {
    title: 'W4, 1 MB through 10 short steps',
    scenario: 'W4',
    product: 'segment',
    bare: 'bare activities',
    measure: 'p50',
  },
  { title: 'W4, 1 MB through 10 pure steps', scenario: 'W4', product: 'pure', bare: 'bare inline', measure: 'p50' },
];

/** Most memory that a thousand waiting runs may add to the worker. */
export const WAITING_MB = 80;
