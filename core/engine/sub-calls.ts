import type { RouteStep } from '../playbook/types';
import type { UnitOutcome } from './inbox';
import { nodeOf, stepOf, type Machine } from './machine';
import { researchAgain, researchOutcome } from './research';
import { askRouter, routeAnswered } from './route';
import type { StepNode } from './state';

/** Replay-sensitive. Calls that belong to a step but are none: its router's, and the calls of its research. */

/** Returns the frame when the step that the call belongs to closed. */
export function subOutcome(m: Machine, sub: StepNode, outcome: UnitOutcome): string | undefined {
  const node = nodeOf(m, sub.subOf ?? '');
  delete m.state.nodes[sub.path];
  delete m.state.quarantined[sub.path];
  return node.research ? researchOutcome(m, sub, outcome) : routeAnswered(m, node, outcome);
}

/** A call that has to be sent again under its old key, or the next model call of a research. */
export function callAgain(m: Machine, node: StepNode): undefined {
  const parent = node.subOf === undefined ? node : nodeOf(m, node.subOf);
  if (parent.research) return researchAgain(m, node);
  delete m.state.nodes[node.path];
  const { on } = stepOf(m, parent.name) as RouteStep;
  return typeof on === 'string' ? undefined : askRouter(m, parent, on);
}
