import type { Reference } from '../expr/types';
import { downstreamSteps } from './downstream-steps';
import { effectOf } from './effects';
import { readsOf, readsOfDestinations } from './reads';
import { resultDestinations, resultTargets } from './result-destinations';
import type { PlanContext } from './timeout-defaults';
import { StepIndex } from './step-index';
import type { ApprovalStep, EffectsBehind, Plan, StepPlan } from './types';
import { allSteps } from './walk';

/** Steps that a request names; how many more there are is said. */
const MAX_NAMED = 20;
/** Names whose gaps a gate looks up: a request shows less than that. */
const MAX_READS = 100;

/** Steps behind a gate, each with the structures between it and the list that it shares with the gate. */
type Behind = ReadonlyMap<StepPlan, readonly StepPlan[]>;

/** Notes on every gate what with an effect lies behind it, and what of before the gate that reads. Changes the plan. */
export function noteEffectsBehind(plan: Plan, context: PlanContext): void {
  const steps = allSteps(plan.steps);
  const gates = steps.filter((step) => step.kind === 'approval');
  if (gates.length === 0) return;
  const index = new StepIndex(plan);
  const effects = steps.filter((step) => effectOf(step, context.lookup) !== 'none');
  const atEnd = readsOfDestinations(plan);
  for (const gate of gates) {
    const behind = behindOf(index, gate);
    const sinks = effects.filter((step) => behind.has(step));
    gate.effects_behind = named(plan, context, behind, sinks);
    const reads = readsBehind(index, gate, { behind, sinks, atEnd });
    if (reads.length > 0) gate.reads_behind = reads;
  }
}

function behindOf(index: StepIndex, gate: StepPlan): Behind {
  const found = new Map<StepPlan, readonly StepPlan[]>();
  // A step of a loop is reached in several ways; the shortest one says how it lies to the gate.
  for (const { step, around } of downstreamSteps(index, gate)) if (!found.has(step)) found.set(step, around);
  return found;
}

function named(
  plan: Plan,
  { effectBehind = false }: PlanContext,
  behind: Behind,
  sinks: readonly StepPlan[],
): EffectsBehind {
  const steps = sinks.slice(0, MAX_NAMED).map((step) => {
    const inEach = behind.get(step)?.some(({ kind }) => kind === 'for_each') === true;
    return inEach ? { step: step.name, in_each: true as const } : { step: step.name };
  });
  const more = sinks.length - steps.length;
  const destinations = resultDestinations(plan);
  return {
    steps,
    ...(more > 0 ? { more } : {}),
    ...(destinations.length > 0 ? { destinations, targets: resultTargets(plan) } : {}),
    ...(effectBehind ? { caller: true } : {}),
  };
}

/**
 * Names that the effects behind a gate read, through whatever steps lie between, and that have their values when the gate
 * asks: what those lack was handed on to them by all that they rest on.
 */
function readsBehind(
  index: StepIndex,
  gate: ApprovalStep,
  { behind, sinks, atEnd }: { behind: Behind; sinks: readonly StepPlan[]; atEnd: readonly Reference[] },
): string[] {
  const found = new Set<string>();
  const seen = new Set<StepPlan>(sinks);
  const open = [...sinks];
  const follow = (references: readonly Reference[], reader?: StepPlan): void => {
    for (const { root } of references) {
      const source = index.withKey(root);
      if (source === undefined ? !isNearer(index, gate, reader, root) : !behind.has(source)) found.add(root);
      if (source === undefined || seen.has(source) || !behind.has(source)) continue;
      seen.add(source);
      open.push(source);
    }
  };
  follow(atEnd);
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    const around = (behind.get(step) ?? []).filter(({ kind }) => kind !== 'loop');
    follow([...around, step].flatMap(readsOf), step);
  }
  found.delete(gate.key);
  return [...found].slice(0, MAX_READS);
}

/** The element of a map that begins behind the gate: another than what the gate may know under the same name. */
function isNearer(index: StepIndex, gate: StepPlan, reader: StepPlan | undefined, root: string): boolean {
  if (reader === undefined) return false;
  const owner = index
    .chain(reader)
    .map(({ step }) => step)
    .findLast((step) => step.kind === 'for_each' && step.as === root);
  return owner !== undefined && !index.chain(gate).some(({ step }) => step === owner);
}
