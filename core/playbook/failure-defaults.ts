import { effectOf, type EffectLookup } from './effects';
import { keysAsked } from './reads';
import { restsOn } from './rests-on';
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
