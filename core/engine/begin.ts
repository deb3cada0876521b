import type { StepError } from '../errors/app-error';
import { END_ACTION } from '../transform/end-run';
import type { LlmStep, StepPlan, ToolStep } from '../playbook/types';
import { beginChild } from './child';
import { beginEach } from './each';
import { openFrame, launchFrame } from './frames';
import { gapsOf } from './gaps';
import { beginGate } from './gate';
import { runInline } from './inline';
import { judgeCondition, loadFirst, sendLoad } from './load';
import { frameOf, stepOf, type Machine } from './machine';
import { beginLoop } from './loop';
import { beginResearch, isResearch } from './research';
import { beginRoute } from './route';
import { inlineValue, settleFailed, settleOk, settleSkipped } from './settle';
import type { StepNode } from './state';
import { callAgain } from './sub-calls';
import { buildUnit, collectSegment, newNode, sendUnits, SEGMENT_LIMIT, traitsOf } from './units';

/** Replay-sensitive. The first moments of a step. Each function returns the frame to go on with, if the step closed. */
export type ClosedFrame = string | undefined;

export function beginStep(m: Machine, frameId: string, name: string): ClosedFrame {
  const node = newNode(m, frameId, name);
  return continueStep(m, node);
}

/** `verdict`: what the condition said, where it had to be judged outside. */
export function continueStep(m: Machine, node: StepNode, verdict?: boolean): ClosedFrame {
  const step = stepOf(m, node.name);
  const goes = verdict ?? checkCondition(m, node, step);
  if (goes === 'wait') return undefined;
  if (typeof goes === 'object') return settleFailed(m, node, goes.fault, { final: true });
  return goes ? dispatch(m, node, step) : settleSkipped(m, node, 'condition');
}

/** A retry or a quarantine: the condition was checked before, and the step goes out alone. */
export function rerunStep(m: Machine, node: StepNode): ClosedFrame {
  const step = stepOf(m, node.name);
  if (node.subOf !== undefined || node.research) return callAgain(m, node);
  if (step.kind === 'tool' || (step.kind === 'llm_task' && !isResearch(step))) {
    if (step.kind === 'tool') {
      const done = tryInline(m, node, step);
      if (done) return done.closed;
    }
    node.phase = 'running';
    sendUnits(m, [buildUnit(m, node, step)]);
    return undefined;
  }
  return dispatch(m, node, step);
}

function checkCondition(m: Machine, node: StepNode, step: StepPlan): boolean | 'wait' | { fault: StepError } {
  const { condition } = step;
  if (condition === undefined) return true;
  const verdict = judgeCondition(m, frameOf(m, node.frame).scope, condition);
  if (typeof verdict === 'boolean' || 'fault' in verdict) return verdict;
  sendLoad(m, { path: node.path, purpose: 'condition' }, { refs: verdict.ask, condition });
  return 'wait';
}

/** Goes on behind the condition; once more after references were loaded. */
export function dispatch(m: Machine, node: StepNode, step: StepPlan): ClosedFrame {
  switch (step.kind) {
    case 'tool':
      return beginTool(m, node, step);
    case 'llm_task':
      return beginLlm(m, node, step);
    case 'approval':
      return beginGate(m, node, step, loadFirst);
    case 'parallel':
      return beginParallel(m, node, step.steps);
    case 'for_each':
      return beginEach(m, node, step, loadFirst);
    case 'loop':
      return beginLoop(m, node, step);
    case 'route':
      return beginRoute(m, node, step, loadFirst);
    case 'run_playbook':
      return beginChild(m, node, step);
  }
}

function beginTool(m: Machine, node: StepNode, step: ToolStep): ClosedFrame {
  if (!traitsOf(m, step.action).available) return settleSkipped(m, node, 'not_available');
  const done = tryInline(m, node, step);
  if (done) return done.closed;
  // Sends an end alone: other steps beside it would have begun.
  const isEnd = step.action === END_ACTION;
  sendUnits(m, isEnd ? [buildUnit(m, node, step)] : collectSegment(m, node, SEGMENT_LIMIT));
  return undefined;
}

function tryInline(m: Machine, node: StepNode, step: ToolStep): { closed: ClosedFrame } | undefined {
  const result = runInline(m, node, step);
  if (!result) return undefined;
  if (!result.ok) return { closed: settleFailed(m, node, result.error) };
  const out = inlineValue(result.output);
  return { closed: settleOk(m, node, out, { gaps: gapsOf(step.action, out, {}) }) };
}

function beginLlm(m: Machine, node: StepNode, step: LlmStep): ClosedFrame {
  if (isResearch(step)) return beginResearch(m, node, step);
  node.phase = 'running';
  sendUnits(m, [buildUnit(m, node, step)]);
  return undefined;
}

function beginParallel(m: Machine, node: StepNode, steps: StepPlan[]): ClosedFrame {
  if (steps.length === 0) return settleOk(m, node, inlineValue({ count: 0, failed_count: 0 }));
  node.phase = 'container';
  const outer = frameOf(m, node.frame);
  openFrame(m, { id: node.path, owner: node.path, prefix: `${node.path}/`, scope: outer.scope, steps, parallel: true });
  launchFrame(m, node.path);
  return undefined;
}
