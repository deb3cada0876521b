import { collectConditionReferences, parseCondition } from '../expr/condition';
import type { Reference } from '../expr/types';
import { dataDependencies } from './data-dependencies';
import { effectOf } from './effects';
import { downstreamOf, effectsAfterGate, type Downstream } from './gate-effects';
import { readsOf, readsOfDestinations } from './reads';
import { mayRead } from './retry-order';
import type { PlanContext } from './timeout-defaults';
import { StepIndex } from './step-index';
import type { Plan, StepPlan } from './types';
import { allSteps } from './walk';

/**
 * Notes on every gate the effects after it, and the earlier results that these depend on; the same results on every
 * call of a playbook, whose gates permit the steps after the call. Changes the plan.
 */
export function noteGateEffects(plan: Plan, context: PlanContext): void {
  const steps = allSteps(plan.steps);
  const gates = steps.filter((step) => step.kind === 'approval' || step.kind === 'run_playbook');
  if (gates.length === 0) return;
  const index = new StepIndex(plan);
  const effects = steps.filter((step) => effectOf(step, context.lookup) !== 'none');
  const atEnd = readsOfDestinations(plan);
  const { effectBehind: caller = false, effectAfterStop: callerAfterStop = false } = context;
  for (const gate of gates) {
    const behind = downstreamOf(index, gate);
    const sinks = effects.filter((step) => behind.has(step));
    const direct = downstreamOf(index, gate, { comesAgain: () => false });
    const reads = readsDownstream(index, gate, { behind, direct, sinks, atEnd });
    if (reads.length > 0) gate.reads_behind = reads;
    if (gate.kind !== 'approval') continue;
    gate.sinks_behind = sinks.map(({ name }) => name);
    const names = new Set(gate.sinks_behind);
    gate.effects_behind = effectsAfterGate({ plan, index, gate, behind, sinks: names, caller, callerAfterStop });
  }
}

interface Reached {
  behind: Downstream;
  /** The same without what comes in another turn or element alone. */
  direct: Downstream;
  sinks: readonly StepPlan[];
  atEnd: readonly Reference[];
}

/**
 * Names that the effects after a gate depend on, through any steps between, and whose values exist when the gate asks:
 * every reading step passes gaps on. Also the names that decided whether any of it ran: the gate's own condition, and
 * the labels and conditions of the structures around the gate and around what is read.
 */
function readsDownstream(index: StepIndex, gate: StepPlan, reached: Reached): string[] {
  const found = rootsBefore(index, gate, reached);
  const sources = [...found].flatMap((root) => index.withKey(root) ?? []);
  for (const root of decidingRoots(index, gate, sources)) {
    const source = index.withKey(root);
    if (source === undefined ? isInSight(index, gate, root) : !reached.behind.has(source)) found.add(root);
  }
  found.delete(gate.key);
  return [...found];
}

function rootsBefore(index: StepIndex, gate: StepPlan, { behind, direct, sinks, atEnd }: Reached): Set<string> {
  const found = new Set<string>();
  const seen = new Set<StepPlan>(sinks);
  const open = [...sinks];
  const follow = (references: readonly Reference[], reader?: StepPlan): void => {
    for (const { root } of references) {
      const source = index.withKey(root);
      const isBefore =
        source !== undefined && (!behind.has(source) || readsThisTurn(index, { reader, source, direct }));
      if (source === undefined ? !isNearer(index, gate, reader, root) : isBefore) found.add(root);
      if (source === undefined || seen.has(source) || !behind.has(source)) continue;
      seen.add(source);
      open.push(source);
    }
  };
  follow(atEnd);
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const around = (behind.get(step)?.[0] ?? []).filter(({ kind }) => kind !== 'loop');
    follow([...around, step].flatMap(readsOf), step);
  }
  return found;
}

/**
 * True if the reader sees the result from before the gate, of a source that comes before the gate and again after it.
 */
function readsThisTurn(
  index: StepIndex,
  { reader, source, direct }: { reader: StepPlan | undefined; source: StepPlan; direct: Downstream },
): boolean {
  if (direct.has(source)) return false;
  return reader === undefined || direct.has(reader) || !mayRead(index, reader, source, new Set(index.positions.keys()));
}

/** Conditions that decide whether the gate asks, and whether the steps read before it ran: a result hands on its own inputs, not these. */
function decidingRoots(index: StepIndex, gate: StepPlan, sources: readonly StepPlan[]): Set<string> {
  const seen = new Set<StepPlan>(sources);
  const before = [...sources, ...dataDependencies(index, gate, seen)];
  for (const source of sources) before.push(...dataDependencies(index, source, seen));
  const around = (step: StepPlan): StepPlan[] =>
    index
      .chain(step)
      .slice(0, -1)
      .map((position) => position.step);
  const deciding = new Set([gate, ...before].flatMap(around));
  return new Set([...[...deciding].flatMap(decidedBy), ...readsOf(gate)].map(({ root }) => root));
}

/** Left out: whether a loop turns again is no data, and the elements of a list count where they are read. */
function decidedBy(structure: StepPlan): readonly Reference[] {
  if (structure.kind === 'route' || structure.kind === 'parallel') return readsOf(structure);
  const parsed = structure.condition === undefined ? undefined : parseCondition(structure.condition);
  return parsed?.ok === true ? collectConditionReferences(parsed.value) : [];
}

/** An input, or the element of a map around the gate; the element of another map may have the same name and another value. */
function isInSight(index: StepIndex, gate: StepPlan, root: string): boolean {
  const around = index.chain(gate).map(({ step }) => step);
  return [...index.positions.keys()].every(
    (step) => step.kind !== 'for_each' || step.as !== root || around.includes(step),
  );
}

/** The element of a map behind the gate: not the one that the gate reads under the same name. */
function isNearer(index: StepIndex, gate: StepPlan, reader: StepPlan | undefined, root: string): boolean {
  if (reader === undefined) return false;
  const owner = index
    .chain(reader)
    .map(({ step }) => step)
    .findLast((step) => step.kind === 'for_each' && step.as === root);
  return owner !== undefined && !index.chain(gate).some(({ step }) => step === owner);
}
