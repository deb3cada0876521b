import type { Reference } from '../expr/types';
import { readsOf } from './reads';
import type { StepIndex } from './step-index';
import type { StepPlan } from './types';

/**
 * Steps whose results a step reads, or the structures around it: the list of a map, the label of a route. The condition
 * of a loop is left out: a failed turn is a reason for the next one.
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

/** The same for references that are read at the end. */
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
