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
      return waitingOf(frame);
    case 'sequence':
      return nextOf(frame);
    case 'dag':
      return waitingOf(frame).filter((name) => needsClosed(m, frame, name));
  }
}

/** Steps of a list that had not begun when it was looked at last, in its order: each end of a step looks at the list. */
const waiting = new WeakMap<Frame, string[]>();

function waitingOf(frame: Frame): string[] {
  const names = (waiting.get(frame) ?? frame.steps).filter((name) => isWaiting(frame, name));
  waiting.set(frame, names);
  return names;
}

function isWaiting(frame: Frame, name: string): boolean {
  return !Object.hasOwn(frame.begun, name);
}

/** Started steps of a sequence are a prefix of its list: steps begin and close in order. */
function nextOf(frame: Frame): string[] {
  const next = frame.steps[frame.closed];
  return next !== undefined && isWaiting(frame, next) ? [next] : [];
}

function needsClosed(m: Machine, frame: Frame, name: string): boolean {
  const needs = m.index.steps.get(name)?.depends_on ?? [];
  // The last of them is likely to end last.
  for (let at = needs.length - 1; at >= 0; at--) if (frame.begun[needs[at] ?? ''] !== 'closed') return false;
  return true;
}

/** Takes a begun step back: it did not happen (a segment ended before it). */
export function undoBegin(m: Machine, frameId: string, name: string): void {
  const frame = frameOf(m, frameId);
  delete frame.begun[name];
  waiting.delete(frame);
  delete m.state.nodes[frame.prefix + name];
}
