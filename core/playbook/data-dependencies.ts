import type { Reference } from '../expr/types';
import { readsOf } from './reads';
import type { StepIndex } from './step-index';
import type { StepPlan } from './types';

/**
 * What a step reads, and what the structures around it read: the list of a map, the label of a route. Whether a loop turns
 * again is no data: a turn that failed is what it turns again for.
 */
export function directDependencies(index: StepIndex, step: StepPlan): StepPlan[] {
  const references: Reference[] = index
    .chain(step)
    .flatMap((position) => (position.step.kind === 'loop' ? [] : readsOf(position.step)));
  return references.flatMap(({ root }) => index.withKey(root) ?? []);
}

/** Steps whose results reach a step, through whatever steps the data takes, and were not met before; nearest first. */
export function dataDependencies(index: StepIndex, sink: StepPlan, seen: Set<StepPlan>): Generator<StepPlan> {
  return follow(index, directDependencies(index, sink), seen);
}

/** Likewise of what is read at the end. */
export function dependenciesOfReads(
  index: StepIndex,
  reads: readonly Reference[],
  seen: Set<StepPlan>,
): Generator<StepPlan> {
  return follow(
    index,
    reads.flatMap(({ root }) => index.withKey(root) ?? []),
    seen,
  );
}

function* follow(index: StepIndex, first: readonly StepPlan[], seen: Set<StepPlan>): Generator<StepPlan> {
  const open = [first];
  for (let sources = open.pop(); sources !== undefined; sources = open.pop()) {
    for (const source of sources) {
      if (seen.has(source)) continue;
      seen.add(source);
      open.push(directDependencies(index, source));
      yield source;
    }
  }
}
