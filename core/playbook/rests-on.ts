import type { Reference } from '../expr/types';
import { readsOf } from './reads';
import type { StepIndex } from './step-index';
import type { StepPlan } from './types';

/**
 * What a step reads, and what the structures around it read: the list of a map, the label of a route. Whether a loop turns
 * again is no data: a turn that failed is what it turns again for.
 */
export function sourcesOf(index: StepIndex, step: StepPlan): StepPlan[] {
  const references: Reference[] = index
    .chain(step)
    .flatMap((spot) => (spot.step.kind === 'loop' ? [] : readsOf(spot.step)));
  return references.flatMap(({ root }) => index.withKey(root) ?? []);
}

/** Steps whose results reach a step, through whatever steps the data takes, and were not met before; nearest first. */
export function* restsOn(index: StepIndex, sink: StepPlan, seen: Set<StepPlan>): Generator<StepPlan> {
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
