import { jsonText } from '../base/json-text';
import { parseCondition } from '../expr/condition';
import { decideCondition, type Knowledge } from '../expr/decide';
import { collectReferences, parseTemplate, renderTemplate } from '../expr/template';
import type { Reference } from '../expr/types';
import { downstreamSteps, type DownstreamRules, type DownstreamStep } from './downstream-steps';
import { kindsOf, resultDestinations, targetsOf } from './result-destinations';
import type { StepIndex } from './step-index';
import type {
  ApprovalStep,
  EffectsBehind,
  EffectSet,
  ForEachStep,
  OutputDestination,
  Plan,
  RouteStep,
  StepPlan,
} from './types';

/**
 * Replay-sensitive. Effects that run after each decision of a gate. Computed at the start of a run from the text alone, and again
 * when the gate asks, from the values known by then.
 */

/** Steps that a request names; the others are counted. */
const MAX_NAMED = 20;

export type Decision = 'approved' | 'auto_approved' | 'rejected' | 'skipped';

/**
 * Paths from the gate to each later step, the nearest first: the structures between the step and the list that it
 * shares with the gate.
 */
export type Downstream = ReadonlyMap<StepPlan, readonly (readonly StepPlan[])[]>;

export interface Gate {
  plan: Plan;
  index: StepIndex;
  gate: StepPlan;
  behind: Downstream;
  /** Names of the steps with an effect. */
  sinks: ReadonlySet<string>;
  /** An effect follows in a playbook that calls this one. */
  caller: boolean;
  /** The same, when a gate has ended this one. */
  callerAfterStop: boolean;
  /** Values that cannot change any more, as the step would read them. */
  known?: (step: DownstreamStep) => Knowledge;
}

export function downstreamOf(index: StepIndex, gate: StepPlan, rules?: DownstreamRules): Downstream {
  const found = new Map<StepPlan, (readonly StepPlan[])[]>();
  for (const { step, around } of downstreamSteps(index, gate, rules)) {
    const ways = found.get(step);
    if (ways) ways.push(around);
    else found.set(step, [around]);
  }
  return found;
}

export function effectsAfterGate(
  of: Gate & { gate: ApprovalStep },
  yes: 'approved' | 'auto_approved' = 'approved',
): EffectsBehind {
  const { gate } = of;
  const no = effectsAfterChoice(of, gate.on_reject, 'rejected');
  const silence = gate.timeout_minutes === undefined ? undefined : effectsAfterChoice(of, gate.on_timeout, 'skipped');
  return {
    ...setOf(of, yes),
    ...(no === undefined ? {} : { on_reject: no }),
    ...(silence === undefined ? {} : { on_timeout: silence }),
  };
}

function effectsAfterChoice(of: Gate, choice: 'stop' | 'skip', decision: Decision): EffectSet | undefined {
  if (choice === 'skip') return setOf(of, decision);
  return of.callerAfterStop ? { steps: [], caller: true } : undefined;
}

function setOf(of: Gate, decision: Decision): EffectSet {
  const steps: EffectSet['steps'] = [];
  for (const [step, around] of leavingSteps(of, decision)) {
    const inEach = around.some(({ kind }) => kind === 'for_each');
    steps.push(inEach ? { step: step.name, in_each: true } : { step: step.name });
  }
  const destinations = destinationsAfter(of, decision);
  const more = steps.length - MAX_NAMED;
  return {
    steps: steps.slice(0, MAX_NAMED),
    ...(more > 0 ? { more } : {}),
    ...(destinations.length > 0 ? { destinations: kindsOf(destinations), targets: targetsOf(destinations) } : {}),
    ...(of.caller ? { caller: true } : {}),
  };
}

/** Steps with an effect that a decision lets run, in the order of the text, each with the structures of its nearest way. */
export function leavingSteps(of: Gate, decision: Decision): Map<StepPlan, readonly StepPlan[]> {
  const leaving = new Map<StepPlan, readonly StepPlan[]>();
  for (const step of of.index.positions.keys()) {
    if (!of.sinks.has(step.name)) continue;
    const around = of.behind.get(step)?.find((way) => mayRun(of, { step, around: way }, decision));
    if (around !== undefined) leaving.set(step, around);
  }
  return leaving;
}

/**
 * True if a step after the gate may run after this decision. False if a condition or the label of a route excludes it.
 */
export function mayRun(of: Gate, found: DownstreamStep, decision: Decision): boolean {
  const known = knowledgeOf(of, found, decision);
  const parts = [...found.around, found.step];
  return parts.every((part, at) => {
    if (part.condition !== undefined && conditionSays(part.condition, known) === false) return false;
    const inner = parts[at + 1];
    if (inner === undefined) return true;
    return part.kind === 'route' ? leadsTo(part, inner, known) : part.kind !== 'for_each' || !isEmpty(part, known);
  });
}

function conditionSays(condition: string, known: Knowledge): boolean | undefined {
  const parsed = parseCondition(condition);
  return parsed.ok ? decideCondition(parsed.value, known) : undefined;
}

function leadsTo(route: RouteStep, inner: StepPlan, known: Knowledge): boolean {
  const label = typeof route.on === 'string' ? labelOf(route.on, known) : undefined;
  if (label === undefined) return true;
  const chosen =
    route.routes.find((each) => each.label === label) ?? route.routes.find((each) => each.label === route.default);
  return chosen?.steps.includes(inner) === true;
}

/** A value that is no list has no elements either. */
function isEmpty({ items }: ForEachStep, known: Knowledge): boolean {
  const [ref] = typeof items === 'string' ? collectReferences(items) : [];
  const found = ref === undefined ? { value: items } : known(ref);
  return found !== undefined && (!Array.isArray(found.value) || found.value.length === 0);
}

function labelOf(on: string, known: Knowledge): string | undefined {
  const template = parseTemplate(on);
  if (!template.ok || collectReferences(on).some((ref) => known(ref) === undefined)) return undefined;
  try {
    return jsonText(renderTemplate(template.value, (ref) => known(ref)?.value));
  } catch {
    return undefined;
  }
}

function knowledgeOf({ index, gate, known }: Gate, found: DownstreamStep, decision: Decision): Knowledge {
  const own = seesAnswer(index, gate, found);
  const other = known?.(found);
  return (ref) => {
    if (ref.root !== gate.key) return other?.(ref);
    return own ? answerOf(gate, ref, decision) : undefined;
  };
}

/** True when the step reads this very answer: another element, or the next turn after its own gate, reads another one. */
function seesAnswer(index: StepIndex, gate: StepPlan, { step, around }: DownstreamStep): boolean {
  const shared = new Set(index.chain(step).map((position) => position.step));
  return index
    .chain(gate)
    .slice(0, -1)
    .every(({ step: owner }) => !around.includes(owner) && (owner.kind !== 'for_each' || shared.has(owner)));
}

function answerOf({ kind }: StepPlan, { path }: Reference, decision: Decision): ReturnType<Knowledge> {
  const names = path.map((part) => (part.kind === 'field' ? part.name : ''));
  const fields = names[0] === 'result' ? names.slice(1) : names;
  if (fields.length !== 1 || kind !== 'approval') return undefined;
  if (fields[0] === 'decision') return { value: decision };
  return names[0] === 'status' ? { value: 'ok' } : undefined;
}

export function goesToDestinations(of: Gate, decision: Decision): boolean {
  return destinationsAfter(of, decision).length > 0;
}

/** Destinations that a condition does not exclude yet. The output cannot read the answer of a gate inside a list. */
function destinationsAfter(of: Gate, decision: Decision): OutputDestination[] {
  const inList = of.index.chain(of.gate).some(({ step }) => step.kind === 'for_each');
  const atEnd = of.known?.({ step: of.gate, around: [] });
  const known: Knowledge = (ref) => {
    if (inList) return undefined;
    return ref.root === of.gate.key ? answerOf(of.gate, ref, decision) : atEnd?.(ref);
  };
  return resultDestinations(of.plan).filter(
    ({ condition }) => condition === undefined || conditionSays(condition, known) !== false,
  );
}
