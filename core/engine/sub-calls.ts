import type { RouteStep } from '../playbook/types';
import type { UnitOutcome } from './inbox';
import { emit, nodeOf, stepOf, type Machine } from './machine';
import { researchAgain, researchOutcome } from './research';
import { askRouter, routeAnswered } from './route';
import { UNKNOWN } from './settle';
import type { StepNode } from './state';

/** Replay-sensitive. Calls that belong to a step without being steps: its router's, and those of its research. */

/** Returns the frame when the step that the call belongs to closed. */
export function subOutcome(m: Machine, sub: StepNode, outcome: UnitOutcome): string | undefined {
  const node = nodeOf(m, sub.subOf ?? '');
  delete m.state.nodes[sub.path];
  delete m.state.quarantined[sub.path];
  if (outcome.status === 'failed' && m.newer('failed-calls')) tellFailed(m, sub, outcome);
  return node.research ? researchOutcome(m, sub, outcome) : routeAnswered(m, node, outcome);
}

/**
 * Reports a failed call at once: its step may go on for long, with an answer for the model or another try. By the older
 * rule such a call was open until the run ended.
 */
function tellFailed(m: Machine, sub: StepNode, { error }: UnitOutcome): void {
  const { code, message } = error ?? UNKNOWN;
  emit(m, 'step.finished', sub.path, {
    step: sub.name,
    status: 'failed',
    try_no: sub.tryNo,
    error: { code, message },
  });
}

/** A call that has to be sent again under its old key, or the next model call of a research. */
export function callAgain(m: Machine, node: StepNode): undefined {
  const parent = node.subOf === undefined ? node : nodeOf(m, node.subOf);
  if (parent.research) return researchAgain(m, node);
  delete m.state.nodes[node.path];
  const { on } = stepOf(m, parent.name) as RouteStep;
  return typeof on === 'string' ? undefined : askRouter(m, parent, on);
}
