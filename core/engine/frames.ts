import type { StepPlan } from '../playbook/types';
import { frameOf, type Machine } from './machine';
import type { Frame, ScopeEntry } from './state';

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

export function scopeEntry(m: Machine, frame: Frame, step: StepPlan): ScopeEntry | undefined {
  const entries = m.state.scopes[frame.scope]?.entries;
  return entries && Object.hasOwn(entries, step.key) ? entries[step.key] : undefined;
}

/** Puts the steps of a list that may begin now into the ready queue. */
export function launchFrame(m: Machine, id: string): void {
  if (m.state.closing) return;
  const frame = frameOf(m, id);
  for (const name of startable(m, frame)) {
    frame.begun[name] = true;
    m.state.ready.push({ frame: id, step: name });
  }
}

function startable(m: Machine, frame: Frame): string[] {
  const waiting = frame.steps.filter((name) => frame.begun[name] !== true);
  switch (frame.mode) {
    case 'parallel':
      return waiting;
    case 'sequence':
      return Object.keys(frame.begun).length === frame.closed ? waiting.slice(0, 1) : [];
    case 'dag':
      return waiting.filter((name) => dependenciesClosed(m, frame, name));
  }
}

function dependenciesClosed(m: Machine, frame: Frame, name: string): boolean {
  const needs = m.index.steps.get(name)?.depends_on ?? [];
  return needs.every((need) => frame.begun[need] === true && m.state.nodes[frame.prefix + need] === undefined && !queued(m, frame, need));
}

function queued(m: Machine, frame: Frame, name: string): boolean {
  return m.state.ready.some((item) => item.step === name && m.state.frames[item.frame] === frame);
}

/** Takes a begun step back: it did not happen (a segment ended before it). */
export function unbegin(m: Machine, frameId: string, name: string): void {
  const frame = frameOf(m, frameId);
  delete frame.begun[name];
  delete m.state.nodes[frame.prefix + name];
}
