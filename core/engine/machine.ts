import type { ExactNumbers } from '../base/exact-numbers';
import type { JsonObject } from '../base/json';
import type { ApprovalStep, Plan, StepPlan } from '../playbook/types';
import { innerLists } from '../playbook/walk';
import type { Command, RunEvent } from './commands';
import type { EachState, EngineState, Frame, OpenCommand, StepNode, TimerPurpose } from './state';

/** Replay-sensitive. One activation of the engine: the state, what is known about the plan, what came out. */
export interface Machine {
  index: PlanIndex;
  state: EngineState;
  /** Epoch milliseconds, the driver's deterministic clock. */
  now: number;
  commands: Command[];
  events: RunEvent[];
  /** Bytes of inline work left in this activation; below zero the engine asks for a pause of one tick. */
  inlineBudget: number;
  /** True when no activity and no child may begin: the driver wants to continue as new. */
  draining: boolean;
  newer: Newer;
}

/** Rules that changed. A run whose history knows the old one keeps it. */
export type RuleChange =
  | 'waits-kept'
  | 'final-failures'
  | 'child-errors'
  | 'incomplete-results'
  | 'exact-numbers'
  | 'missing-lists'
  | 'lost-content'
  | 'transform-warnings'
  | 'known-warnings'
  | 'preview-rows'
  | 'failed-calls'
  | 'gaps-by-field'
  | 'tool-gaps'
  | 'stopped-early'
  | 'kept-apart'
  | 'empty-projections'
  | 'told-outcomes'
  | 'parallel-segments'
  | 'rounded-quotients'
  | 'shown-edits'
  | 'nearest-results'
  | 'caller-reads';

/** True if this run follows the newer rule. Called only if both rules differ: the answer is an entry of the history. */
export type Newer = (change: RuleChange) => boolean;

/** Rule by which the run counts and compares numbers. */
export function exactNumbersOf(m: Machine): ExactNumbers {
  return Object.assign(() => m.newer('exact-numbers'), {
    keptApart: () => m.newer('kept-apart'),
    roundedQuotients: () => m.newer('rounded-quotients'),
    nearestResults: () => m.newer('nearest-results'),
  });
}

/** Bytes of data that pure steps may read in one workflow task: about a second of work at most. */
export const INLINE_BUDGET = 2_000_000;

export interface PlanIndex {
  plan: Plan;
  steps: Map<string, StepPlan>;
  /** Place of each step in the text, by its name. */
  order: ReadonlyMap<string, number>;
  /** Gates by key. */
  gates: Map<string, ApprovalStep>;
  /** Steps outside maps and loops: the run's progress is counted in these. */
  counted: number;
}

export function indexPlan(plan: Plan): PlanIndex {
  const steps = new Map<string, StepPlan>();
  const gates = new Map<string, ApprovalStep>();
  let counted = 0;
  const visit = (list: StepPlan[], repeated: boolean): void => {
    for (const step of list) {
      steps.set(step.name, step);
      if (step.kind === 'approval') gates.set(step.key, step);
      if (!repeated) counted += 1;
      const inside = repeated || step.kind === 'for_each' || step.kind === 'loop';
      for (const children of innerLists(step)) visit(children, inside);
    }
  };
  visit(plan.steps, false);
  const order = new Map([...steps.keys()].map((name, place) => [name, place]));
  return { plan, steps, order, gates, counted };
}

export function stepOf(m: Machine, name: string): StepPlan {
  const step = m.index.steps.get(name);
  if (!step) throw new Error(`the plan has no step ${name}`);
  return step;
}

export function eachOf(node: StepNode): EachState {
  if (!node.each) throw new Error(`${node.path} is not a for_each`);
  return node.each;
}

/** Keys are names that a person wrote: only own fields count. */
export function nodeAt(m: Machine, path: string): StepNode | undefined {
  return Object.hasOwn(m.state.nodes, path) ? m.state.nodes[path] : undefined;
}

export function frameAt(m: Machine, id: string): Frame | undefined {
  return Object.hasOwn(m.state.frames, id) ? m.state.frames[id] : undefined;
}

export function frameOf(m: Machine, id: string): Frame {
  const frame = frameAt(m, id);
  if (!frame) throw new Error(`no open list ${id}`);
  return frame;
}

export function nodeOf(m: Machine, path: string): StepNode {
  const node = nodeAt(m, path);
  if (!node) throw new Error(`no open step ${path}`);
  return node;
}

export function emit(m: Machine, type: string, stepPath: string | undefined, payload: JsonObject): void {
  m.state.eventNo += 1;
  const event = { id: `e${m.state.eventNo}`, type, payload: { at: new Date(m.now).toISOString(), ...payload } };
  m.events.push(stepPath === undefined ? event : { ...event, step_path: stepPath });
}

/** Registers a command that will be answered and returns its id. */
export function openCommand(m: Machine, open: OpenCommand): string {
  m.state.commandNo += 1;
  const id = `c${m.state.commandNo}`;
  m.state.open[id] = open;
  return id;
}

export function openTimer(m: Machine, timer: { purpose: TimerPurpose; path: string; at: number }): void {
  const id = openCommand(m, { kind: 'timer', ...timer });
  m.commands.push({ kind: 'timer', id, at: timer.at, summary: `${timer.purpose} ${timer.path}`.trim() });
}

/** Cancels the open timer of a step, if there is one. */
export function dropTimers(m: Machine, path: string): void {
  for (const [id, open] of Object.entries(m.state.open)) {
    if (open.kind === 'timer' && open.path === path) {
      delete m.state.open[id];
      m.commands.push({ kind: 'cancel', id });
    }
  }
}
