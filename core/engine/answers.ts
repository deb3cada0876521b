import type { StepError } from '../errors/app-error';
import { requeueStep, askPerson, waitsForContent } from './attention';
import { childClosed, childStarted } from './child';
import { cancelRun, holdRun } from './control';
import { failList, itemsLoaded, scheduleItems } from './each';
import { resultsStored } from './each-results';
import { destinationJudged, destinationUnread, outputAnswered, outputLost } from './finish';
import { launchFrame, undoBegin } from './frames';
import { gapsOf, type Gap } from './gaps';
import { settleGate } from './gate';
import type { EngineEvent, Loaded, UnitOutcome } from './inbox';
import { withUndefinedRefs } from './load';
import { loopTurn } from './loop';
import { frameAt, nodeAt, stepOf, type Machine } from './machine';
import { afterClosed } from './schedule-ready';
import { subOutcome } from './sub-calls';
import { settleFailed, settleOk, UNKNOWN, waitForSource } from './settle';
import type { OpenCommand, StepNode } from './state';
import { inputOverrideOf } from './units';
import type { StoredValue } from './values';

/** Replay-sensitive. Answers to commands. An answer to a command that is not open any more changes nothing. */

export type Answer = Exclude<EngineEvent, { type: 'pause' | 'resume' | 'cancel' | 'gate' | 'resolve' }>;

export function applyAnswer(m: Machine, event: Answer): void {
  const open = m.state.open[event.id];
  if (!open) return;
  if (event.type !== 'child_started') delete m.state.open[event.id];
  switch (event.type) {
    case 'outcomes':
      return applyOutcomes(m, open, event);
    case 'broken':
      return applyBroken(m, open, event.error);
    case 'lost':
      return applyLost(m, open, event);
    case 'timer':
      return applyTimer(m, open);
    case 'loaded':
      return applyLoaded(m, open, event);
    case 'stored':
      return applyStored(m, open, event.stored);
    case 'child_started':
      return withNode(m, pathOf(open), (node) => childStarted(node, event.runId));
    case 'child_closed':
      return withNode(m, pathOf(open), (node) => childClosed(m, node, event));
  }
}

function pathOf(open: OpenCommand): string {
  return 'path' in open ? open.path : '';
}

function withNode(m: Machine, path: string, act: (node: StepNode) => string | undefined | void): void {
  const node = nodeAt(m, path);
  if (!node) return;
  const closed = act(node);
  if (typeof closed === 'string') afterClosed(m, closed);
}

function applyOutcomes(m: Machine, open: OpenCommand, { outcomes, held }: EngineEvent & { type: 'outcomes' }): void {
  if (open.kind !== 'run' && open.kind !== 'output') return;
  if (held === 'cancel') cancelRun(m);
  // The activity read it before the run was resumed, so it is outdated.
  if (held === 'pause' && open.resumes === m.state.resumes) holdRun(m);
  if (open.kind === 'output') return outputAnswered(m, outcomes[0]);
  const answered = new Set(outcomes.map((outcome) => outcome.path));
  const frames = takeBack(
    m,
    open.paths.filter((path) => !answered.has(path)),
  );
  for (const outcome of outcomes) withNode(m, outcome.path, (node) => applyOutcome(m, node, outcome));
  relaunch(m, frames);
}

function relaunch(m: Machine, frames: Set<string>): void {
  for (const frame of frames) if (frameAt(m, frame)) launchFrame(m, frame);
}

function applyStored(m: Machine, open: OpenCommand, stored: StoredValue): void {
  if (open.kind !== 'store') return;
  withNode(m, open.path, (node) => {
    resultsStored(m, node, stored, open);
    return scheduleItems(m, node);
  });
}

/** Units that were not reached begin again later; returns their lists. */
function takeBack(m: Machine, paths: string[]): Set<string> {
  const frames = new Set<string>();
  for (const path of paths) {
    const node = nodeAt(m, path);
    if (!node) continue;
    frames.add(node.frame);
    if (node.subOf !== undefined || node.tryNo > 1 || goesOn(m, node)) requeueStep(m, node);
    else undoBegin(m, node.frame, node.name);
  }
  return frames;
}

/** True for a step that waited for its source: it stays begun and keeps its read data until it has a result. */
function goesOn(m: Machine, node: StepNode): boolean {
  return node.waited !== undefined && m.newer('waits-kept');
}

function gapsOfStep(m: Machine, node: StepNode, out: StoredValue): Gap[] {
  const step = stepOf(m, node.name);
  if (step.kind !== 'tool') return [];
  return gapsOf(step.action, out, { ...step.inputs, ...inputOverrideOf(m, node), ...node.approved?.edits });
}

function applyOutcome(m: Machine, node: StepNode, outcome: UnitOutcome): string | undefined {
  if (outcome.status === 'attention') return askPerson(m, node, outcome.error ?? UNKNOWN);
  if (outcome.status === 'waiting' && outcome.wait) return waitForSource(m, node, outcome.wait);
  if (node.subOf !== undefined) return subOutcome(m, node, outcome);
  if (outcome.status === 'failed') return settleFailed(m, node, outcome.error ?? UNKNOWN);
  const out = outcome.output ?? { value: null };
  return settleOk(m, node, out, { recorded: true, gaps: gapsOfStep(m, node, out) });
}

/** The activity could not do its work at all: that is a failure of its first step, decided as any other. */
function applyBroken(m: Machine, open: OpenCommand, error: StepError): void {
  if (open.kind === 'output') return outputAnswered(m, { path: '', status: 'failed', error });
  if (open.kind === 'run') {
    const [first, ...rest] = open.paths;
    const frames = takeBack(m, rest);
    if (first !== undefined)
      withNode(m, first, (node) => applyOutcome(m, node, { path: first, status: 'failed', error }));
    return relaunch(m, frames);
  }
  if (open.kind === 'load' && open.purpose === 'destination') return destinationUnread(m, open.path, error);
  if (m.state.closing) return;
  withNode(m, pathOf(open), (node) => {
    if (waitsForContent(m, node, open, error)) return undefined;
    if (open.kind === 'child') return settleFailed(m, node, error);
    return node.each ? failList(m, node, open, error) : settleFailed(m, node, error, { final: true });
  });
}

/** A worker died under the step too often: alone first, then a person. */
function applyLost(m: Machine, open: OpenCommand, event: EngineEvent & { type: 'lost' }): void {
  if (open.kind === 'output') return outputLost(m, event);
  if (open.kind !== 'run') return;
  const lost = nodeAt(m, event.path);
  if (lost && event.reason === 'worker_lost')
    askPerson(m, lost, { code: 'worker_lost', message: event.message, category: 'internal', retryable: false });
  else m.state.quarantined[event.path] = true;
  // The whole segment is sent again: steps that it recorded before the loss return their results, in order.
  relaunch(
    m,
    takeBack(
      m,
      open.paths.filter((path) => nodeAt(m, path)?.phase !== 'attention'),
    ),
  );
}

function applyTimer(m: Machine, open: OpenCommand): void {
  if (open.kind !== 'timer' || (open.purpose !== 'gate' && open.purpose !== 'retry')) return;
  withNode(m, open.path, (node) => {
    if (open.purpose === 'gate')
      return node.gate ? settleGate(m, node, { decision: 'skipped', decided_by: 'timeout' }, 'timeout') : undefined;
    delete node.retry;
    return requeueStep(m, node);
  });
}

function applyLoaded(m: Machine, open: OpenCommand, loaded: Loaded): void {
  if (open.kind !== 'load') return;
  if (open.purpose === 'destination') return destinationJudged(m, open.path, loaded.verdict === true);
  withNode(m, open.path, (node) => {
    const item = { frame: node.frame, step: node.name, path: node.path };
    if (open.purpose === 'items') return itemsLoaded(m, node, loaded.items);
    if (open.purpose === 'condition') {
      const verdict = loaded.verdict === true;
      return node.loop ? loopTurn(m, node, verdict) : void m.state.ready.push({ ...item, verdict });
    }
    node.loaded = { ...node.loaded, ...withUndefinedRefs(open.refs, loaded.values) };
    if (loaded.preview) node.preview = loaded.preview;
    m.state.ready.push({ ...item, loaded: true });
    return undefined;
  });
}
