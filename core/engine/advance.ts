import type { Json } from '../base/json';
import type { StepError } from '../errors/app-error';
import { continueStep } from './begin';
import { childClosed, childStarted } from './child';
import type { Advance } from './commands';
import { itemsLoaded, resultsStored } from './each';
import { concludeRun, outputRouted } from './finish';
import { launchFrame, openFrame, unbegin } from './frames';
import { gateAnswerOf, settleGate } from './gate';
import type { EngineEvent, UnitOutcome } from './inbox';
import { loopTurn } from './loop';
import { emit, stepOf, type Machine, type PlanIndex } from './machine';
import { mergeItems } from './merge';
import { afterClosed, pump } from './pump';
import { researchOutcome } from './research';
import { routeAnswered } from './route';
import { settleFailed, settleOk } from './settle';
import type { EngineState, OpenCommand, RunFacts, StepNode } from './state';
import { statusPatch } from './status';

/**
 * Replay-sensitive. The one place where a run is decided: `start`, then `advance` for every event.
 * Both are pure: same state, event and time give the same commands, in the same order.
 */
const INLINE_BUDGET = 2_000_000;

export function start(index: PlanIndex, run: RunFacts, now: number): { state: EngineState } & Advance {
  const state: EngineState = {
    schema: 1,
    run,
    frames: {},
    nodes: {},
    scopes: { '': { vars: {}, entries: {} } },
    ready: [],
    open: {},
    commandNo: 0,
    eventNo: 0,
    patchNo: 0,
    partial: false,
    paused: false,
    finished: false,
    stepsDone: 0,
    lastStatus: '',
  };
  const m = machine(index, state, now, false);
  openFrame(m, { id: '', owner: '', prefix: '', scope: '', steps: index.plan.steps });
  launchFrame(m, '');
  return { state, ...settleUp(m) };
}

/** `draining`: begin no activity and no child (the driver wants to continue as new). */
export function advance(index: PlanIndex, state: EngineState, event: EngineEvent, at: { now: number; draining: boolean }): Advance {
  const m = machine(index, state, at.now, at.draining);
  if (!state.finished) apply(m, event);
  return settleUp(m);
}

/** Picks up after continue-as-new: timers are opened again from their absolute times. */
export function resume(index: PlanIndex, state: EngineState, now: number): Advance {
  const m = machine(index, state, now, false);
  for (const [id, open] of Object.entries(state.open)) {
    if (open.kind === 'timer') m.commands.push({ kind: 'timer', id, at: open.at, summary: `${open.purpose} ${open.path}`.trim() });
  }
  return settleUp(m);
}

/** A child in flight postpones continue-as-new: it would be ended with its parent's old run. */
export function hasChild(state: EngineState): boolean {
  return Object.values(state.open).some((open) => open.kind === 'child');
}

/** True when no activity and no child is in flight. */
export function isDrained(state: EngineState): boolean {
  return Object.values(state.open).every((open) => open.kind === 'timer');
}

function machine(index: PlanIndex, state: EngineState, now: number, draining: boolean): Machine {
  return { index, state, now, commands: [], events: [], inlineBudget: INLINE_BUDGET, draining };
}

function settleUp(m: Machine): Advance {
  pump(m);
  if (m.state.closing) wind(m);
  if (!m.state.finished && isIdle(m)) concludeRun(m);
  mergeItems(m);
  const patch = statusPatch(m);
  // `complete` stays the last event: the end itself says the status.
  if (patch && !m.state.finished) emit(m, 'run.status', undefined, { status: patch.status, waits: patch.waits, ...(patch.code ? { code: patch.code } : {}) });
  return patch ? { commands: m.commands, events: m.events, patch } : { commands: m.commands, events: m.events };
}

/** Nothing in flight, nothing to begin, and either all steps are closed or the run is ending. */
function isIdle(m: Machine): boolean {
  if (Object.keys(m.state.open).length > 0) return false;
  if (m.state.closing) return true;
  const root = m.state.frames[''];
  return root !== undefined && root.closed === root.steps.length;
}

/** The run is ending: drop what waits; a cancelled run also stops what runs. Work in flight is awaited. */
function wind(m: Machine): void {
  m.state.ready = [];
  const cancelAll = m.state.closing?.status === 'cancelled';
  for (const [id, open] of Object.entries(m.state.open)) {
    if (open.kind === 'timer') {
      delete m.state.open[id];
      m.commands.push({ kind: 'cancel', id });
    } else if (open.cancelled !== true && (cancelAll || open.kind === 'child')) {
      open.cancelled = true;
      m.commands.push({ kind: 'cancel', id });
    }
  }
}

function apply(m: Machine, event: EngineEvent): void {
  switch (event.type) {
    case 'pause':
      m.state.paused = true;
      return;
    case 'resume':
      m.state.paused = false;
      return;
    case 'cancel':
      m.state.closing = { status: 'cancelled', code: 'cancelled', message: 'The run was cancelled.' };
      return;
    case 'gate':
      return applyGate(m, event);
    case 'resolve':
      return applyResolve(m, event.path, event.outcome);
    default:
      return applyAnswer(m, event);
  }
}

function applyGate(m: Machine, event: EngineEvent & { type: 'gate' }): void {
  const node = Object.values(m.state.nodes).find((candidate) => candidate.gate?.approvalId === event.approvalId);
  if (!node || m.state.closing) return;
  afterClosed(m, settleGate(m, node, gateAnswerOf(event.answer), event.answer.via ?? 'api'));
}

const DONE = { path: '', status: 'ok' as const, output: { value: { resolved: 'done' } } };
const NOT_DONE: StepError = {
  code: 'effect_not_done',
  message: 'A person says that the effect did not happen.',
  category: 'upstream',
  retryable: false,
};

function applyResolve(m: Machine, path: string, outcome: 'done' | 'not_done' | 'repeat'): void {
  const node = m.state.nodes[path];
  if (!node?.attention || m.state.closing) return;
  delete node.attention;
  if (outcome === 'repeat') return again(m, node);
  const answer = outcome === 'done' ? DONE : { path, status: 'failed' as const, error: NOT_DONE };
  if (node.researchOf !== undefined) afterClosed(m, researchOutcome(m, node, answer));
  else if (outcome === 'done') afterClosed(m, settleOk(m, node, DONE.output));
  else afterClosed(m, settleFailed(m, node, NOT_DONE));
}

type Answer = Exclude<EngineEvent, { type: 'pause' | 'resume' | 'cancel' | 'gate' | 'resolve' }>;

function applyAnswer(m: Machine, event: Answer): void {
  const open = m.state.open[event.id];
  if (!open) return;
  if (event.type !== 'child_started') delete m.state.open[event.id];
  switch (event.type) {
    case 'outcomes':
      return applyOutcomes(m, open, event.outcomes);
    case 'broken':
      return applyBroken(m, open, event.error);
    case 'lost':
      return applyLost(m, open, event);
    case 'timer':
      return applyTimer(m, open);
    case 'loaded':
      return applyLoaded(m, open, event.values, event.total ?? 0);
    case 'stored':
      return open.kind === 'store' ? withNode(m, open.path, (node) => resultsStored(m, node, event.stored, open.count)) : undefined;
    case 'child_started':
      return withNode(m, pathOf(open), (node) => void childStarted(m, node, event.runId));
    case 'child_closed':
      return withNode(m, pathOf(open), (node) => childClosed(m, node, event));
  }
}

function pathOf(open: OpenCommand): string {
  return 'path' in open ? open.path : '';
}

function withNode(m: Machine, path: string, act: (node: StepNode) => string | undefined | void): void {
  const node = m.state.nodes[path];
  if (!node) return;
  const closed = act(node);
  if (typeof closed === 'string') afterClosed(m, closed);
}

function applyOutcomes(m: Machine, open: OpenCommand, outcomes: UnitOutcome[]): void {
  if (open.kind === 'output') return outputRouted(m, outcomes[0]);
  if (open.kind !== 'run') return;
  const answered = new Set(outcomes.map((outcome) => outcome.path));
  const frames = takeBack(m, open.paths.filter((path) => !answered.has(path)));
  for (const outcome of outcomes) withNode(m, outcome.path, (node) => applyOutcome(m, node, outcome));
  for (const frame of frames) if (m.state.frames[frame]) launchFrame(m, frame);
}

/** Units that were not reached begin again later; returns their lists. */
function takeBack(m: Machine, paths: string[]): Set<string> {
  const frames = new Set<string>();
  for (const path of paths) {
    const node = m.state.nodes[path];
    if (!node) continue;
    frames.add(node.frame);
    if (node.researchOf !== undefined || node.tryNo > 1) again(m, node);
    else unbegin(m, node.frame, node.name);
  }
  return frames;
}

function applyOutcome(m: Machine, node: StepNode, outcome: UnitOutcome): string | undefined {
  if (outcome.status === 'attention') return askPerson(m, node, outcome.error);
  if (node.researchOf !== undefined) return researchOutcome(m, node, outcome);
  if (outcome.status === 'failed') return settleFailed(m, node, outcome.error ?? UNKNOWN);
  if (stepOf(m, node.name).kind === 'route') return routeAnswered(m, node, outcome);
  return settleOk(m, node, outcome.output ?? { value: null }, { recorded: true });
}

const UNKNOWN: StepError = { code: 'internal_error', message: 'The step failed without a reason.', category: 'internal', retryable: false };

function askPerson(m: Machine, node: StepNode, error: StepError | undefined): undefined {
  node.phase = 'attention';
  const { code, message } = error ?? UNKNOWN;
  node.attention = { code, message, since: m.now };
  emit(m, 'step.waiting', node.path, { step: node.name, reason: 'attention', since: new Date(m.now).toISOString(), code, message });
}

/** The activity could not do its work at all: that is a failure of each of its steps, decided as any other. */
function applyBroken(m: Machine, open: OpenCommand, error: StepError): void {
  if (open.kind === 'output') return outputRouted(m, { path: '', status: 'failed', error });
  if (open.kind === 'run') {
    const [first, ...rest] = open.paths;
    const frames = takeBack(m, rest);
    if (first !== undefined) withNode(m, first, (node) => applyOutcome(m, node, { path: first, status: 'failed', error }));
    for (const frame of frames) if (m.state.frames[frame]) launchFrame(m, frame);
    return;
  }
  withNode(m, pathOf(open), (node) => settleFailed(m, node, error));
}

/** A worker died under the step too often: alone first, then a person. */
function applyLost(m: Machine, open: OpenCommand, event: EngineEvent & { type: 'lost' }): void {
  if (open.kind !== 'run') return;
  const frames = takeBack(m, open.paths.filter((path) => path !== event.path));
  withNode(m, event.path, (node) => {
    if (event.reason === 'quarantine') return again(m, node, 'quarantine');
    return askPerson(m, node, { code: 'worker_lost', message: event.message, category: 'internal', retryable: false });
  });
  for (const frame of frames) if (m.state.frames[frame]) launchFrame(m, frame);
}

/** An open step is carried out again, when the run may begin things. */
function again(m: Machine, node: StepNode, queue?: 'quarantine'): void {
  node.phase = 'preparing';
  const item = { frame: node.frame, step: node.name, path: node.path };
  m.state.ready.push(queue === undefined ? item : { ...item, queue });
}

function applyTimer(m: Machine, open: OpenCommand): void {
  if (open.kind !== 'timer' || open.purpose === 'yield') return;
  withNode(m, open.path, (node) => {
    if (open.purpose === 'retry') return again(m, node);
    return node.gate ? settleGate(m, node, { decision: 'skipped', decided_by: 'timeout' }, 'timeout') : undefined;
  });
}

function applyLoaded(m: Machine, open: OpenCommand, values: { [ref: string]: Json }, total: number): void {
  if (open.kind !== 'load') return;
  withNode(m, open.path, (node) => {
    if (open.purpose === 'items') return itemsLoaded(m, node, values['items'], total);
    node.loaded = { ...node.loaded, ...values };
    return stepOf(m, node.name).kind === 'loop' && node.loop ? loopTurn(m, node) : continueStep(m, node);
  });
}

