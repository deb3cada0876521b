import { downstreamSteps } from './downstream-steps';
import { effectOf, type EffectLookup } from './effects';
import { fieldsReadByStep, readsOfDestinations } from './reads';
import { dataDependencies, dependenciesOfReads } from './data-dependencies';
import { StepIndex } from './step-index';
import type { Plan, StepPlan } from './types';
import { allSteps } from './walk';
import type { IsWritten } from './is-written';

/** Fields of a step that report its failure: a playbook that reads one deals with the failure itself. */
const OF_FAILURES = ['status', 'error'];

/** Destinations that receive results, as the reason for which a failure stops the run. */
const RESULTS = 'output';

/**
 * Sets `on_error: stop` for a step without `on_error` if a gate or a step with an effect depends on its result,
 * directly or through other steps: nobody approves missing data, and no effect uses it. Results of steps before a gate
 * that are written after it count too. A playbook that reads the step's `status` or `error` handles the failure itself.
 * Changes the plan.
 */
export function decideFailures(plan: Plan, isWritten: IsWritten, lookup: EffectLookup): void {
  const steps = allSteps(plan.steps);
  const index = new StepIndex(plan);
  const asked = fieldsReadByStep(plan);
  const seen = new Set<StepPlan>();
  const stop = (step: StepPlan, reader: string): void => {
    const handled = OF_FAILURES.some((field) => asked.get(step.key)?.has(field));
    if (isWritten(step, 'on_error') || step.kind === 'approval' || handled) return;
    step.on_error = 'stop';
    step.stops_for = reader;
  };
  for (const sink of steps) {
    if (sink.kind !== 'approval' && effectOf(sink, lookup) === 'none') continue;
    for (const step of dataDependencies(index, sink, seen)) stop(step, sink.name);
  }
  if (!steps.some(({ kind }) => kind === 'approval')) return;
  for (const step of dependenciesOfReads(index, readsOfDestinations(plan), seen)) {
    if (isAsked(index, step)) stop(step, RESULTS);
  }
}

/** True when a gate follows. Elements of a list ask about their own data: one that fails does not stop the others. */
function isAsked(index: StepIndex, step: StepPlan): boolean {
  const rules = { comesAgain: (structure: StepPlan) => structure.kind === 'loop' };
  for (const behind of downstreamSteps(index, step, rules)) if (behind.step.kind === 'approval') return true;
  return false;
}
