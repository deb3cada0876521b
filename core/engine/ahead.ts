import { ownField, type JsonObject } from '../base/json';
import type { Knowledge } from '../expr/decide';
import type { DownstreamStep } from '../playbook/downstream-steps';
import { downstreamOf, effectsAfterGate, mayRun, type Gate } from '../playbook/gate-effects';
import { readsOf } from '../playbook/reads';
import { indexOf, type StepIndex } from '../playbook/step-index';
import { isTakenOver } from '../playbook/retry-marks';
import type { ApprovalStep, EffectsBehind, ForEachStep, LoopStep, StepPlan } from '../playbook/types';
import { allSteps } from '../playbook/walk';
import { editsAhead } from './edits-ahead';
import { eachOf, frameOf, nodeOf, stepOf, type Machine } from './machine';
import { resolveRef } from './scope';
import type { StepNode } from './state';
import type { CallStep } from './units';

/** Replay-sensitive. Effects that a gate's decision lets run, as known when the gate asks: from the plan, and from values that cannot change any more. */

export interface Ahead {
  /** Step whose call the request shows, and that an approval permits. */
  gated?: CallStep;
  effects_behind?: EffectsBehind;
}

export function aheadOf(m: Machine, node: StepNode, step: ApprovalStep, yes: 'approved' | 'auto_approved'): Ahead {
  // Older plans list the effects behind the gate once, without conditions; the next step is the one that they show.
  if (step.sinks_behind === undefined) {
    const [next] = followersOf(m, node);
    const effects = step.effects_behind === undefined ? {} : { effects_behind: step.effects_behind };
    return { ...(next && isCall(next) ? { gated: next } : {}), ...effects };
  }
  const gate = gateAt(m, node, step, step.sinks_behind);
  const { prefix } = frameOf(m, node.frame);
  const isKept = ({ name }: StepPlan): boolean => isKeptAt(m, prefix + name);
  const gated = firstThatMayRun(gate, { followers: followersOf(m, node), isKept }, yes);
  const effects = { ...effectsAfterGate(gate, yes), ...editsAhead(m, node, step, gate.behind) };
  return { ...(gated === undefined ? {} : { gated }), effects_behind: effects };
}

function followersOf(m: Machine, node: StepNode): StepPlan[] {
  const { mode, steps } = frameOf(m, node.frame);
  return mode === 'sequence' ? steps.slice(steps.indexOf(node.name) + 1).map((name) => stepOf(m, name)) : [];
}

function isCall(step: StepPlan): step is CallStep {
  return step.kind === 'tool' || step.kind === 'llm_task';
}

/**
 * Finds the first step that runs after an approval. Steps that do not run, and those that a retry has taken over, are
 * skipped, unless the step found reads their result.
 */
function firstThatMayRun(
  gate: Gate,
  { followers, isKept }: { followers: readonly StepPlan[]; isKept: (step: StepPlan) => boolean },
  yes: 'approved' | 'auto_approved',
): CallStep | undefined {
  const leftOut = new Set<string>();
  for (const step of followers) {
    if (!isKept(step) && mayRun(gate, { step, around: [] }, yes))
      return isCall(step) && !readsOf(step).some(({ root }) => leftOut.has(root)) ? step : undefined;
    for (const { key } of allSteps([step])) leftOut.add(key);
  }
  return undefined;
}

function gateAt(
  m: Machine,
  node: StepNode,
  step: ApprovalStep,
  sinks: readonly string[],
): Gate & { gate: ApprovalStep } {
  const { plan } = m.index;
  const index = indexOf(plan);
  const around = structuresAround(m, node);
  const behind = downstreamOf(index, step, { comesAgain: (structure) => comesAgain(around, structure) });
  const noted = step.effects_behind;
  const leaves = (name: string): boolean => !isKeptAt(m, pathOf(index, name));
  const of = { plan, index, gate: step, behind, sinks: new Set(sinks.filter(leaves)), caller: noted?.caller === true };
  return {
    ...of,
    callerAfterStop:
      (step.on_reject === 'stop' && noted?.on_reject !== undefined) ||
      (step.on_timeout === 'stop' && noted?.on_timeout !== undefined),
    known: (found) => knowledgeAt(m, node, of, found),
  };
}

/** True when a retry has taken over the step's effect. */
function isKeptAt(m: Machine, path: string): boolean {
  return isTakenOver(ownField(m.state.run.presets as unknown as JsonObject, path));
}

/** Path of a step outside lists and loops. */
function pathOf(index: StepIndex, name: string): string {
  const step = index.withName(name);
  return step === undefined
    ? name
    : index
        .chain(step)
        .map((position) => position.step.name)
        .join('/');
}

function structuresAround(m: Machine, node: StepNode): Map<string, StepNode> {
  const around = new Map<string, StepNode>();
  for (let { owner } = frameOf(m, node.frame); owner !== '';) {
    const structure = nodeOf(m, owner);
    around.set(structure.name, structure);
    ({ owner } = frameOf(m, structure.frame));
  }
  return around;
}

/** False for the last turn of a loop, which no other follows, and for a list whose elements have all begun: none waits for another's gate. */
function comesAgain(around: ReadonlyMap<string, StepNode>, structure: LoopStep | ForEachStep): boolean {
  const node = around.get(structure.name);
  if (node === undefined) return true;
  if (structure.kind === 'loop') return (node.loop?.iteration ?? 0) + 1 < structure.max_iterations;
  const { next, total } = eachOf(node);
  return next < total;
}

/** Values that a step behind the gate reads and that cannot change any more: inputs, elements that it shares with the gate, results of steps that are over. */
function knowledgeAt(m: Machine, node: StepNode, of: Omit<Gate, 'callerAfterStop'>, found: DownstreamStep): Knowledge {
  const { scope } = frameOf(m, node.frame);
  return (ref) => {
    const source = of.index.withKey(ref.root);
    if (source === undefined ? !isShared(of, found, ref.root) : !isOver(of, source)) return undefined;
    const value = resolveRef(m, scope, ref);
    if (value.kind === 'stored') return undefined;
    return { value: value.kind === 'value' ? value.value : undefined };
  };
}

/** True when the step runs before the gate and not again after it. */
function isOver({ index, gate, behind }: Omit<Gate, 'callerAfterStop'>, source: StepPlan): boolean {
  return !behind.has(source) && index.runsBefore(source, gate);
}

/** True when both steps read the same element under this name: other maps, and other elements, use the same name for other values. */
function isShared({ index, gate }: Omit<Gate, 'callerAfterStop'>, found: DownstreamStep, root: string): boolean {
  const names = (step: StepPlan): boolean =>
    step.kind === 'for_each' && (step.as === root || `${step.as}_index` === root);
  const ownerOf = (step: StepPlan): StepPlan | undefined =>
    index
      .chain(step)
      .slice(0, -1)
      .findLast((position) => names(position.step))?.step;
  const owner = ownerOf(found.step);
  return owner === ownerOf(gate) && (owner === undefined || !found.around.includes(owner));
}
