import type { StepError } from '../errors/app-error';
import { applyAnswer } from './answers';
import { requeueStep, giveUpList, readAgain } from './attention';
import type { Advance } from './commands';
import { cancelRun, holdRun } from './control';
import { keepDecision } from './decision-records';
import { concludeRun } from './finish';
import { launchFrame, openFrame } from './frames';
import { gateAnswerOf, settleGate } from './gate';
import type { EngineEvent } from './inbox';
import { emit, INLINE_BUDGET, nodeAt, type Machine, type Newer, type PlanIndex } from './machine';
import { mergeShort } from './merge';
import { afterClosed, scheduleReady } from './schedule-ready';
import { settleFailed, settleOk } from './settle';
import type { EngineState, RunFacts } from './state';
import { statusPatch } from './status';
import { subOutcome } from './sub-calls';

/**
 * Replay-sensitive. The one place where a run is decided: `start`, then `advance` for every event.
 * Both are pure: same state, event and time give the same commands, in the same order.
 */
export function start(
  index: PlanIndex,
  run: RunFacts,
  now: number,
  { newer = ALWAYS, paused = false }: { newer?: Newer; paused?: boolean } = {},
): { state: EngineState } & Advance {
  const state: EngineState = {
    schema: 1,
    run,
    frames: {},
    nodes: {},
    scopes: { '': { vars: {}, entries: {} } },
    ready: [],
    quarantined: {},
    open: {},
    commandNo: 0,
    eventNo: 0,
    patchNo: 0,
    partial: false,
    paused: false,
    resumes: 0,
    finished: false,
    stepsDone: 0,
    lastStatus: '',
  };
  const m = machine(index, state, { now, draining: false, newer });
  if (paused) holdRun(m);
  openFrame(m, { id: '', owner: '', prefix: '', scope: '', steps: index.plan.steps });
  launchFrame(m, '');
  return { state, ...finishActivation(m) };
}

export interface AdvanceContext {
  /** Epoch milliseconds, the driver's deterministic clock. */
  now: number;
  /** Begin no activity and no child (the driver wants to continue as new). */
  draining: boolean;
  /** Rest of the inline budget after earlier events of the same workflow task. */
  budget?: number;
  /** Rules of the run; absent = the newer ones. */
  newer?: Newer;
}

const ALWAYS: Newer = () => true;

export function advance(index: PlanIndex, state: EngineState, event: EngineEvent, at: AdvanceContext): Advance {
  const m = machine(index, state, at);
  if (!state.finished) apply(m, event);
  return finishActivation(m);
}

/** Picks up after continue-as-new: timers are opened again from their absolute times. */
export function resume(index: PlanIndex, state: EngineState, now: number, newer: Newer = ALWAYS): Advance {
  const m = machine(index, state, { now, draining: false, newer });
  for (const [id, open] of Object.entries(state.open)) {
    if (open.kind === 'timer')
      m.commands.push({ kind: 'timer', id, at: open.at, summary: `${open.purpose} ${open.path}`.trim() });
  }
  return finishActivation(m);
}

/** A child in flight postpones continue-as-new: it would be ended with its parent's old run. */
export function hasChild(state: EngineState): boolean {
  return Object.values(state.open).some((open) => open.kind === 'child');
}

/** True when no activity and no child is in flight. */
export function isDrained(state: EngineState): boolean {
  return Object.values(state.open).every((open) => open.kind === 'timer');
}

function machine(index: PlanIndex, state: EngineState, at: AdvanceContext): Machine {
  const { now, draining, budget = INLINE_BUDGET, newer = ALWAYS } = at;
  return { index, state, now, commands: [], events: [], inlineBudget: budget, draining, newer };
}

function finishActivation(m: Machine): Advance {
  scheduleReady(m);
  if (m.state.closing) wind(m);
  if (!m.state.finished && isIdle(m)) concludeRun(m);
  mergeShort(m);
  const patch = statusPatch(m);
  // `complete` stays the last event: the end itself says the status.
  if (patch && !m.state.finished)
    emit(m, 'run.status', undefined, {
      status: patch.status,
      waits: patch.waits,
      ...(patch.code ? { code: patch.code } : {}),
    });
  const { commands, events, inlineBudget } = m;
  return patch ? { commands, events, inlineBudget, patch } : { commands, events, inlineBudget };
}

/** True when nothing is in flight or ready, and either all steps are closed or the run is ending. */
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
      return holdRun(m);
    case 'resume':
      m.state.paused = false;
      m.state.resumes += 1;
      delete m.state.pausedAt;
      return;
    case 'cancel':
      return cancelRun(m);
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

/**
 * Keeps a person's statement about an effect, for reports that depend on it. The audit log has the name: a message
 * cannot prove it.
 */
function keepOutcome(m: Machine, path: string, outcome: string): void {
  if (!m.newer('told-outcomes')) return;
  const at = new Date(m.now).toISOString();
  keepDecision(m, { step: path, decision: outcome, by: null, at, instructions: null });
}

const DONE = { path: '', status: 'ok' as const, output: { value: { resolved: 'done' } } };
const NOT_DONE: StepError = {
  code: 'effect_not_done',
  message: 'A person says that the effect did not happen.',
  category: 'upstream',
  retryable: false,
};

function applyResolve(m: Machine, path: string, outcome: 'done' | 'not_done' | 'repeat'): void {
  const node = nodeAt(m, path);
  if (!node?.attention || m.state.closing) return;
  const { attention } = node;
  delete node.attention;
  keepOutcome(m, path, outcome);
  if (attention.reads !== undefined && outcome === 'repeat') return afterClosed(m, readAgain(m, node, attention));
  if (node.each) return afterClosed(m, giveUpList(m, node, attention));
  if (outcome === 'repeat') return requeueStep(m, node);
  const answer = outcome === 'done' ? DONE : { path, status: 'failed' as const, error: NOT_DONE };
  if (node.subOf !== undefined) afterClosed(m, subOutcome(m, node, answer));
  else if (outcome === 'done') afterClosed(m, settleOk(m, node, DONE.output));
  else afterClosed(m, settleFailed(m, node, NOT_DONE));
}
