import { dependenciesOf } from '../graph/dependencies';
import { dataDependencies, inmostDependencies } from './data-dependencies';
import { effectOf, type EffectLookup } from './effects';
import type { StepIndex } from './step-index';
import { nameOf } from './step-path';
import type { Plan, StepPlan } from './types';
import { allSteps } from './walk';

/** Names of the steps whose results reach an effect. */
export function feedsEffects({ plan, lookup }: { plan: Plan; lookup: EffectLookup }, index: StepIndex): Set<string> {
  const seen = new Set<StepPlan>();
  const sinks = allSteps(plan.steps).filter((step) => effectOf(step, lookup) !== 'none');
  return new Set(
    sinks.flatMap((sink) => [...dataDependencies(index, sink, seen, inmostDependencies)]).map(({ name }) => name),
  );
}

/** Path of the step that stands behind another in its list: what a gate allowed. */
export function nextOf(index: StepIndex, path: string): string | undefined {
  const step = index.withName(nameOf(path));
  const position = step && index.positions.get(step);
  const next = position?.list[position.index + 1];
  return next && path.slice(0, path.length - nameOf(path).length) + next.name;
}

/** Edited inputs were approved by nobody: gates right before the step ask again. */
export function gatesBefore(steps: StepPlan[], step: StepPlan): Set<string> {
  const direct = dependenciesOf(steps).get(step.name) ?? [];
  return new Set(direct.filter((name) => steps.some((each) => each.name === name && each.kind === 'approval')));
}
