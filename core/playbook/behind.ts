import { dependentsOf } from '../graph/dependencies';
import { innerLists } from './walk';
import type { StepPlan } from './types';

/** The steps that run only after a step is over, with the steps around each one inside its list. */
export interface BehindStep {
  step: StepPlan;
  /** Structures between the common list and the step, outermost first. */
  around: StepPlan[];
}

/**
 * Everything behind `gate` in the flow: later steps of its list (in a DAG those that depend on it), in a loop also
 * the earlier ones, which come again, and the same for every structure around it. Structures and their inner steps.
 */
export function stepsBehind(steps: readonly StepPlan[], gate: StepPlan): BehindStep[] {
  const chain = chainTo(steps, gate);
  const found: BehindStep[] = [];
  for (const { list, step, repeats, parallel } of chain ?? []) {
    const followers = parallel ? [] : repeats ? list.filter((other) => other !== step) : followersOf(list, step);
    for (const follower of followers) collect(follower, [], found);
  }
  return found;
}

interface Level {
  list: readonly StepPlan[];
  step: StepPlan;
  repeats: boolean;
  parallel: boolean;
}

/** The lists from the innermost that holds the step to the outermost. */
function chainTo(list: readonly StepPlan[], wanted: StepPlan, owner?: StepPlan): Level[] | undefined {
  for (const step of list) {
    const level: Level = { list, step, repeats: owner?.kind === 'loop', parallel: owner?.kind === 'parallel' };
    if (step === wanted) return [level];
    for (const inner of innerLists(step)) {
      const chain = chainTo(inner, wanted, step);
      if (chain) return [...chain, level];
    }
  }
  return undefined;
}

function followersOf(list: readonly StepPlan[], step: StepPlan): StepPlan[] {
  const behind = dependentsOf(step.name, list);
  return list.filter((other) => other !== step && behind.has(other.name));
}

function collect(step: StepPlan, around: StepPlan[], found: BehindStep[]): void {
  found.push({ step, around });
  for (const list of innerLists(step)) for (const inner of list) collect(inner, [...around, step], found);
}
