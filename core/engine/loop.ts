import type { LoopStep } from '../playbook/types';
import { launchFrame, openFrame } from './frames';
import type { Gap } from './gaps';
import { hindranceOf } from './hindrance';
import { judgeCondition, sendLoad } from './load';
import { frameOf, stepOf, type Machine } from './machine';
import { inlineValue, settleFailed, settleOk } from './settle';
import type { StepNode } from './state';

/** Replay-sensitive. A list that repeats until a condition holds, with a ceiling. */

export function beginLoop(m: Machine, node: StepNode, step: LoopStep): undefined {
  node.phase = 'container';
  node.loop = { iteration: 0 };
  openIteration(m, node, step);
}

function openIteration(m: Machine, node: StepNode, step: LoopStep): void {
  const iteration = node.loop?.iteration ?? 0;
  const { scope } = frameOf(m, node.frame);
  const id = `${node.path}[${iteration}]`;
  openFrame(m, { id, owner: node.path, prefix: `${id}/`, scope, steps: step.steps });
  launchFrame(m, id);
}

/** Continues a loop after an iteration, and again once `until` was judged outside. */
export function loopTurn(m: Machine, node: StepNode, verdict?: boolean): string | undefined {
  if (m.state.closing) return undefined;
  const step = stepOf(m, node.name) as LoopStep;
  const iterations = (node.loop?.iteration ?? 0) + 1;
  const done = verdict ?? judgeCondition(m, frameOf(m, node.frame).scope, step.until);
  if (typeof done === 'object' && 'fault' in done) return settleFailed(m, node, done.fault, { final: true });
  if (typeof done !== 'boolean') {
    sendLoad(m, { path: node.path, purpose: 'condition' }, { refs: done.ask, condition: step.until });
    return undefined;
  }
  if (done || iterations >= step.max_iterations) {
    return settleOk(m, node, inlineValue({ iterations, done }), { gaps: done ? [] : [notDone(m, node, step)] });
  }
  node.loop = { iteration: iterations };
  openIteration(m, node, step);
  return undefined;
}

/** The ceiling ended the loop, not its condition: the reader of the result decides whether that is enough. */
function notDone(m: Machine, node: StepNode, { until, max_iterations: turns }: LoopStep): Gap {
  const hindrance = hindranceOf(m, frameOf(m, node.frame).scope, until);
  const message = `after ${turns} ${turns === 1 ? 'turn' : 'turns'} \`until\` does not hold${hindrance}`;
  return { code: 'not_done', message, certain: false };
}
