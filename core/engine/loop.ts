import { collectConditionReferences, evaluateCondition, parseCondition } from '../expr/condition';
import type { LoopStep } from '../playbook/types';
import { launchFrame, openFrame } from './frames';
import { frameOf, openCommand, stepOf, type Machine } from './machine';
import { deferredRefs, inlineLookup, refTable } from './scope';
import { inline, settleOk } from './settle';
import type { StepNode } from './state';

/** Replay-sensitive. A list that repeats until a condition holds, with a ceiling. */

export function beginLoop(m: Machine, node: StepNode, step: LoopStep): undefined {
  node.phase = 'container';
  node.loop = { iteration: 0 };
  openIteration(m, node, step);
}

function openIteration(m: Machine, node: StepNode, step: LoopStep): void {
  const iteration = node.loop?.iteration ?? 0;
  const scope = frameOf(m, node.frame).scope;
  const id = `${node.path}[${iteration}]`;
  openFrame(m, { id, owner: node.path, prefix: `${id}/`, scope, steps: step.steps });
  launchFrame(m, id);
}

/** After an iteration, and again once the references of `until` were loaded. */
export function loopTurn(m: Machine, node: StepNode): string | undefined {
  const step = stepOf(m, node.name) as LoopStep;
  const iterations = (node.loop?.iteration ?? 0) + 1;
  const parsed = parseCondition(step.until);
  const scope = frameOf(m, node.frame).scope;
  if (parsed.ok) {
    const missing = deferredRefs(refTable(m, scope, collectConditionReferences(parsed.value)), node.loaded);
    if (missing) {
      const id = openCommand(m, { kind: 'load', path: node.path, purpose: 'step' });
      m.commands.push({ kind: 'load', id, summary: `load for ${node.path}`, refs: missing });
      return undefined;
    }
  }
  const done = parsed.ok && evaluateCondition(parsed.value, inlineLookup(m, scope, node.loaded));
  delete node.loaded;
  if (done || iterations >= step.max_iterations) return settleOk(m, node, inline({ iterations, done }));
  node.loop = { iteration: iterations };
  openIteration(m, node, step);
  return undefined;
}
