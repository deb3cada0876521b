import type { ReferenceScope } from '../playbook/expression-sites';
import { isDag } from '../graph/dependencies';
import type { StepPlan } from '../playbook/types';
import type { StepIndex, StepPosition } from '../playbook/step-index';

/** Reason and advice, as sentences; undefined = visible. */
export type VisibilityFault = { message: string; suggestion?: string } | undefined;

/** Tells why the result of `target` cannot be read in a scope; undefined = it can. */
export function visibilityFault(index: StepIndex, target: StepPlan, from: ReferenceScope): VisibilityFault {
  const there = index.chain(target);
  const here = from.step === undefined ? [] : index.chain(from.step);
  let level = 0;
  while (here[level] !== undefined && here[level]?.step === there[level]?.step) level += 1;
  const mine = here[level];
  const theirs = there[level];
  if (theirs === undefined) return mine === undefined ? itself(target, here) : insideOf(target);
  const inner = there.slice(level);
  if (mine === undefined) {
    if (from.step !== undefined && from.after !== true) return later(target, from.step);
    return hiddenInMap(inner, target);
  }
  if (mine.list !== theirs.list) return otherBranch(target);
  return siblings({ index, mine, theirs, here: here.slice(0, level + 1), target }) ?? hiddenInMap(inner, target);
}

interface SiblingPositions {
  index: StepIndex;
  mine: StepPosition;
  theirs: StepPosition;
  here: StepPosition[];
  target: StepPlan;
}

function siblings({ index, mine, theirs, here, target }: SiblingPositions): VisibilityFault {
  if (mine.owner?.kind === 'parallel') {
    return {
      message: `\`${target.key}\` runs at the same time, so its result is not there yet.`,
      suggestion: 'Move one of the two steps behind the parallel step.',
    };
  }
  if (index.isBefore(theirs, mine) || repeats(here)) return undefined;
  if (isDag(mine.list) && !index.isBefore(mine, theirs)) {
    return {
      message: `\`${target.key}\` need not be finished when this step begins.`,
      suggestion: `Add ${theirs.step.name} to depends_on of ${mine.step.name}.`,
    };
  }
  return later(target, mine.step);
}

/**
 * True if a later step has the result of the iteration before, in a loop. A map between starts afresh for each item.
 */
function repeats(here: StepPosition[]): boolean {
  for (let at = here.length - 1; at >= 0; at -= 1) {
    const kind = here[at]?.owner?.kind;
    if (kind === 'loop') return true;
    if (kind === 'for_each') return false;
  }
  return false;
}

function itself(target: StepPlan, here: StepPosition[]): VisibilityFault {
  if (repeats(here)) return undefined;
  return { message: `\`${target.key}\` is this step itself: it has no result yet.` };
}

function insideOf(target: StepPlan): VisibilityFault {
  return {
    message: `\`${target.key}\` is the step around this one: its result is not there before all inner steps are over.`,
    suggestion: 'Refer to an earlier step.',
  };
}

function later(target: StepPlan, step: StepPlan): VisibilityFault {
  return {
    message: `\`${target.key}\` runs after this step, so its result is not there yet.`,
    suggestion: `Move ${target.name} before ${step.name}.`,
  };
}

function otherBranch(target: StepPlan): VisibilityFault {
  return {
    message: `\`${target.key}\` lies in another branch of the route, which does not run together with this one.`,
    suggestion: 'Refer to a step before the route.',
  };
}

/** Results of steps inside a map exist once for each item; outside there is only the list of them. */
function hiddenInMap(inner: StepPosition[], target: StepPlan): VisibilityFault {
  const map = inner.slice(0, -1).find((position) => position.step.kind === 'for_each');
  if (map === undefined) return undefined;
  return {
    message: `\`${target.key}\` lies inside the for_each \`${map.step.name}\` and has one result for each item.`,
    suggestion: `Read {${map.step.key}.results}: the results of its last step, one an item.`,
  };
}
