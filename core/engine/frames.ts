import type { StepPlan } from '../playbook/types';
import { frameOf, type Machine } from './machine';
import type { Frame } from './state';

/** Replay-sensitive. Lists of steps: which may begin next, and when a list is done. */

export interface FrameSpec {
  id: string;
  owner: string;
  prefix: string;
  scope: string;
  steps: StepPlan[];
  parallel?: boolean;
}

export function openFrame(m: Machine, spec: FrameSpec): Frame {
  const dag = spec.steps.some((step) => step.depends_on !== undefined);
  const frame: Frame = {
    owner: spec.owner,
    prefix: spec.prefix,
    scope: spec.scope,
    mode: spec.parallel ? 'parallel' : dag ? 'dag' : 'sequence',
    steps: spec.steps.map((step) => step.name),
    begun: {},
    closed: 0,
    failed: 0,
  };
  m.state.frames[spec.id] = frame;
  return frame;
}

/** Puts the steps of a list that may begin now into the ready queue. */
export function launchFrame(m: Machine, id: string): void {
  if (m.state.closing) return;
  const frame = frameOf(m, id);
  for (const name of startable(m, frame)) {
    frame.begun[name] = 'open';
    m.state.ready.push({ frame: id, step: name });
  }
}

function startable(m: Machine, frame: Frame): string[] {
  switch (frame.mode) {
    case 'parallel':
      return frame.steps.filter((name) => isWaiting(frame, name));
    case 'sequence':
      return nextOf(frame);
    case 'dag':
      return frame.steps.filter((name) => isWaiting(frame, name) && needsClosed(m, frame, name));
  }
}

function isWaiting(frame: Frame, name: string): boolean {
  return !Object.hasOwn(frame.begun, name);
}

/** Steps of a sequence begin and close in order: what is begun is a beginning of the list. */
function nextOf(frame: Frame): string[] {
  const next = frame.steps[frame.closed];
  return next !== undefined && isWaiting(frame, next) ? [next] : [];
}

function needsClosed(m: Machine, frame: Frame, name: string): boolean {
  const needs = m.index.steps.get(name)?.depends_on ?? [];
  return needs.every((need) => !isWaiting(frame, need) && frame.begun[need] === 'closed');
}

/** Takes a begun step back: it did not happen (a segment ended before it). */
export function undoBegin(m: Machine, frameId: string, name: string): void {
  const frame = frameOf(m, frameId);
  delete frame.begun[name];
  delete m.state.nodes[frame.prefix + name];
}
