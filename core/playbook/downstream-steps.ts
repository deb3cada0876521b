import { dependentsOf, isDag } from '../graph/dependencies';
import type { StepIndex, StepPosition } from './step-index';
import type { StepPlan } from './types';
import { innerLists } from './walk';

/** A step that runs only after another is over, with the structures between it and the list they share. */
export interface DownstreamStep {
  step: StepPlan;
  /** Outermost first. */
  around: readonly StepPlan[];
}

/**
 * Everything behind `gate` in the flow: later steps of its list (in a DAG those that depend on it), in a loop also
 * the earlier ones, which come again, and the same for every structure around it. Structures and their inner steps.
 *
 * @param closes a step that nothing passes: where steps follow one another, what comes after it is left out
 */
export function* downstreamSteps(
  index: StepIndex,
  gate: StepPlan,
  closes: (step: StepPlan) => boolean = () => false,
): Generator<DownstreamStep> {
  for (const position of index.chain(gate).reverse()) {
    for (const follower of followersOf(position)) {
      yield* withInner(follower, []);
      if (!isDag(position.list) && closes(follower)) return;
    }
  }
}

function followersOf(position: StepPosition): StepPlan[] {
  const { list, step, index, owner } = position;
  if (owner?.kind === 'parallel') return [];
  if (owner?.kind === 'loop') {
    // A structure or a sub-playbook comes again with all that it has.
    const again = step.kind === 'approval' ? [] : [step];
    return [...list.slice(index + 1), ...list.slice(0, index), ...again];
  }
  if (!isDag(list)) return list.slice(index + 1);
  const behind = dependentsOf(step.name, list);
  return list.filter((other) => other !== step && behind.has(other.name));
}

function* withInner(step: StepPlan, around: readonly StepPlan[]): Generator<DownstreamStep> {
  yield { step, around };
  for (const list of innerLists(step)) for (const inner of list) yield* withInner(inner, [...around, step]);
}
