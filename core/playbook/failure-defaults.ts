import type { Reference } from '../expr/types';
import { effectOf, type EffectLookup } from './effects';
import { keysAsked, readsOf } from './reads';
import { StepIndex } from './step-index';
import type { Plan, StepPlan } from './types';
import { allSteps } from './walk';
import type { Wrote } from './wrote';

/**
 * A step without `on_error` ends the run when it fails, where a gate or a step with an effect rests on its result, through
 * whatever steps the data takes: nobody is asked about, and nothing is done with, what is not there. A playbook that asks
 * for the step's `status` or `error` deals with its failure itself. Changes the plan.
 */
export function decideFailures(plan: Plan, wrote: Wrote, lookup: EffectLookup): void {
  const steps = allSteps(plan.steps);
  const index = new StepIndex(plan);
  const handled = keysAsked.forFailure(plan);
  const seen = new Set<StepPlan>();
  for (const sink of steps) {
    if (sink.kind !== 'approval' && effectOf(sink, lookup) === 'none') continue;
    for (const step of restsOn(index, sink, seen)) {
      if (wrote(step, 'on_error') || step.kind === 'approval' || handled.has(step.key)) continue;
      step.on_error = 'stop';
      step.stops_for = sink.name;
    }
  }
}

/** Steps whose results reach a step and were not met before, nearest first. */
function* restsOn(index: StepIndex, sink: StepPlan, seen: Set<StepPlan>): Generator<StepPlan> {
  const open = [sink];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    for (const source of sourcesOf(index, step)) {
      if (seen.has(source)) continue;
      seen.add(source);
      open.push(source);
      yield source;
    }
  }
}

/**
 * What a step reads, and what the structures around it read: the list of a map, the label of a route. Whether a loop turns
 * again is no data: a turn that failed is what it turns again for.
 */
function sourcesOf(index: StepIndex, step: StepPlan): StepPlan[] {
  const references: Reference[] = index
    .chain(step)
    .flatMap((spot) => (spot.step.kind === 'loop' ? [] : readsOf(spot.step)));
  return references.flatMap(({ root }) => index.withKey(root) ?? []);
}
