import { downstreamSteps } from './downstream-steps';
import { effectOf, type EffectLookup } from './effects';
import { writesResults } from './result-destinations';
import { StepIndex } from './step-index';
import type { Plan, StepPlan } from './types';
import { allSteps } from './walk';
import type { IsWritten } from './is-written';

export interface PlanContext {
  lookup: EffectLookup;
  /** An effect follows the whole playbook: it is a step of another one, which goes on afterwards. */
  effectBehind?: boolean;
  /** The same, when a gate has ended it. */
  effectAfterStop?: boolean;
}

/** Sets `on_timeout: stop` for a gate without it if an effect follows: a time-out never approves. Changes the plan. */
export function decideTimeouts(plan: Plan, isWritten: IsWritten, context: PlanContext): void {
  const gates = allSteps(plan.steps).filter((step) => step.kind === 'approval');
  if (gates.length === 0) return;
  const reaches = effectsBehind(plan, context);
  for (const gate of gates) if (!isWritten(gate, 'on_timeout')) gate.on_timeout = reaches(gate) ? 'stop' : 'skip';
}

/** Answers for each step whether something with an effect comes after it. */
export function effectsBehind(plan: Plan, { lookup, effectBehind = false }: PlanContext): (step: StepPlan) => boolean {
  const effects = new Set(allSteps(plan.steps).filter((step) => effectOf(step, lookup) !== 'none'));
  if (effectBehind || writesResults(plan)) return () => true;
  const index = new StepIndex(plan);
  return (step) => {
    if (effects.size === 0) return false;
    for (const behind of downstreamSteps(index, step)) if (effects.has(behind.step)) return true;
    return false;
  };
}
