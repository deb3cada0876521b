import { dependentsOf, isDag } from '../graph/dependencies';
import type { StepIndex, StepPosition } from './step-index';
import type { ForEachStep, LoopStep, StepPlan } from './types';
import { innerLists } from './walk';

/** A step that runs only after another is over, with the structures between it and the list that both share. */
export interface DownstreamStep {
  step: StepPlan;
  /**
   * Outermost first. A structure around both steps is included where the step belongs to another element, or to a next
   * turn that comes after the gate has asked again.
   */
  around: readonly StepPlan[];
}

/** A structure whose list is carried out more than once. */
type Repeating = LoopStep | ForEachStep;

export interface DownstreamRules {
  /** A barrier: where steps follow one another, the steps after it are left out. */
  closes?: (step: StepPlan) => boolean;
  /** True if the list of this structure may begin again after the step is over: another iteration, other elements. */
  comesAgain?: (structure: Repeating) => boolean;
}

/**
 * Replay-sensitive. Everything behind `gate` in the flow: later steps of its list (in a DAG those that depend on it), in a loop also
 * the earlier ones, which come again, in a `for_each` those of the elements that begin later, and the same for every
 * structure around it. Structures and their inner steps.
 */
export function* downstreamSteps(
  index: StepIndex,
  gate: StepPlan,
  { closes = () => false, comesAgain = mayComeAgain }: DownstreamRules = {},
): Generator<DownstreamStep> {
  for (const position of index.chain(gate).reverse()) {
    const { list, owner } = position;
    for (const follower of followersOf(position)) {
      yield* withInner(follower, []);
      if (!isDag(list) && closes(follower)) return;
    }
    if ((owner?.kind !== 'loop' && owner?.kind !== 'for_each') || !comesAgain(owner)) continue;
    for (const follower of againOf(position)) {
      const inSight = owner.kind === 'loop' && list.indexOf(follower) < position.index;
      yield* withInner(follower, inSight ? [] : [owner]);
      // The turn or element may be the last one, so the steps after the structure follow too.
      if (!isDag(list) && closes(follower)) break;
    }
  }
}

/** Rules by the text alone. Elements that all begin at once do not wait for each other's gates. */
export function mayComeAgain(structure: Repeating): boolean {
  if (structure.kind === 'loop') return structure.max_iterations > 1;
  const { items, max_parallel: room } = structure;
  return !Array.isArray(items) || items.length > room;
}

function followersOf({ list, step, index, owner }: StepPosition): StepPlan[] {
  if (owner?.kind === 'parallel') return [];
  if (!isDag(list)) return list.slice(index + 1);
  const behind = dependentsOf(step.name, list);
  return list.filter((other) => other !== step && behind.has(other.name));
}

/** A structure or a sub-playbook runs again with all steps in it. Steps after a gate wait for that gate again, unless it is skipped. */
function againOf({ list, step, index }: StepPosition): StepPlan[] {
  const before = isDag(list) ? list.filter((other) => other !== step) : list.slice(0, index);
  if (step.kind === 'approval' && step.condition === undefined) return before;
  const self = step.kind === 'approval' ? [] : [step];
  return isDag(list) ? [...before, ...self] : [...before, ...self, ...list.slice(index + 1)];
}

function* withInner(step: StepPlan, around: readonly StepPlan[]): Generator<DownstreamStep> {
  yield { step, around };
  for (const list of innerLists(step)) for (const inner of list) yield* withInner(inner, [...around, step]);
}
