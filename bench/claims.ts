import { cpuOf, type Sample } from './measure/callers';
import { MANY_STEPS } from './documents';

/** Samples by `<scenario>/<implementation>`, one for each round. */
export type Samples = Map<string, Sample[]>;

/**
 * A comparison is the median of the ratios within each round. `rate`: product / bare, more is better. Times
 * and CPU (of a run, of all processes): product / bare, less is better. Missing the floor fails the benchmark; the aim
 * is what we want to reach.
 */
export interface Claim {
  title: string;
  scenario: string;
  product: string;
  bare: string;
  measure: Measure;
  /** Unit of a rate; runs/s by default. */
  unit?: string;
  floor?: number;
  aim?: number;
}
type Measure = 'rate' | 'p50' | 'p99' | 'cpu';
interface Goal {
  floor?: number;
  aim?: number;
}

export const CALLERS = [1, 20, 100] as const;
/** Runs that are approved at the same moment. */
export const BURST = 100;
/** Number of callers at which a comparison varies least: the goals hold for these. */
const JUDGED = 20;

export function valueOf(sample: Sample, measure: Measure): number {
  return measure === 'cpu' ? cpuOf(sample) : sample[measure];
}

function w1(callers: number): Claim[] {
  const scenario = `W1 c${callers}`;
  const goal = (floor: number, aim: number): Goal => (callers === JUDGED ? { floor, aim } : {});
  const claim = (kind: string, bare: string, goals: Goal, measure: Measure = 'rate'): Claim => ({
    title: `W1, ${kind}, ${callers} callers${measure === 'cpu' ? ', CPU' : ''}`,
    scenario,
    product: kind,
    bare,
    measure,
    ...goals,
  });
  return [
    claim('one activity a step', 'bare activities', goal(0.85, 0.95)),
    claim('segment', 'bare activities', { floor: 2, aim: 2.8 }),
    claim('segment', 'bare segment', goal(0.8, 0.95)),
    claim('segment', 'bare segment', {}, 'cpu'),
    claim('pure', 'bare activities', { floor: 3, aim: 5 }),
    claim('pure', 'bare inline', goal(0.8, 0.95)),
    claim('pure', 'bare inline', goal(1.4, 1.15), 'cpu'),
  ];
}

function manySteps(): Claim[] {
  const common = { scenario: `W1x${MANY_STEPS} c20`, measure: 'rate', floor: 0.8, aim: 0.95 } as const;
  const title = (kind: string): string => `W1 with ${MANY_STEPS} steps, ${kind}, 20 callers`;
  return [
    { ...common, title: title('segment'), product: 'segment', bare: 'bare segment' },
    { ...common, title: title('pure'), product: 'pure', bare: 'bare inline' },
  ];
}

const UPDATE = 'bare inline, update';

function w2(): Claim[] {
  const one = { title: 'W2, approve to complete', scenario: 'W2', product: 'product', measure: 'p50' } as const;
  return [
    { ...one, bare: 'bare inline, signal' },
    { ...one, bare: UPDATE, floor: 1.4, aim: 1.1 },
    {
      title: `W2, a burst of ${BURST} approvals, p99`,
      scenario: 'W2 burst',
      product: 'product',
      bare: UPDATE,
      measure: 'p99',
      floor: 1.2,
      aim: 1,
    },
  ];
}

function w3(): Claim[] {
  const claim = (title: string, product: string, bare: string, goal: Goal): Claim => ({
    title: `W3, ${title} and a join`,
    scenario: 'W3',
    product,
    bare,
    measure: 'p50',
    ...goal,
  });
  return [
    claim('100 activities', 'activities', 'bare activities', {}),
    claim('100 short steps', 'short steps', 'bare segment', { floor: 3, aim: 1.5 }),
    claim('100 pure steps', 'pure', 'bare inline', { floor: 1.4, aim: 1.1 }),
  ];
}

function w4(): Claim[] {
  const claim = (title: string, product: string, bare: string, goal: Goal): Claim => ({
    title: `W4, 1 MB through ${title}`,
    scenario: 'W4',
    product,
    bare,
    measure: 'p50',
    ...goal,
  });
  return [
    claim('10 activities', 'activities', 'bare activities', {}),
    claim('10 short steps', 'segment', 'bare activities', {}),
    claim('10 short steps', 'segment', 'bare segment', { floor: 1.5, aim: 1.1 }),
    claim('10 pure steps', 'pure', 'bare inline', { floor: 2.5, aim: 1.3 }),
  ];
}

export const CLAIMS: readonly Claim[] = [...CALLERS.flatMap(w1), ...manySteps(), ...w2(), ...w3(), ...w4()];
