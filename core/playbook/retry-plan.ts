import { suggestionOr } from '../base/did-you-mean';
import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { AppError } from '../errors/app-error';
import { dependentsOf } from '../graph/dependencies';
import { effectOf, type EffectLookup } from './effects';
import type { Decision } from './gate-effects';
import { editedPaths, editsThatLeft, inheritedInputs } from './retry-edits';
import { repeatsAnything, repeatsWhatItPermits, type Repeated } from './retry-gates';
import { feedsEffects, gatesBefore, nextOf } from './retry-places';
import { beforeFailures } from './retry-order';
import { Taint } from './retry-taint';
import { itemOf, nameOf, ownerOf, rootOf } from './step-path';
import { StepIndex } from './step-index';
import { ASKS_AGAIN, isMark } from './retry-marks';
import type { Plan, StepPlan } from './types';
import { allSteps } from './walk';

/** Facts about a step of the repeated run that a retry needs. */
export interface StepOutcome {
  step_path: string;
  ok: boolean;
  /** True when the step ended with the run: no failure of its own. */
  cancelled?: true;
}
export interface GateOutcome {
  step_path: string;
  status: string;
  on_reject: string;
  instructions: string | null;
  edits: JsonObject | null;
  decided_by: string | null;
  /** Time when the decision was received; absent where nobody sent one. */
  received_at?: string | null;
}

export interface RetryPlan {
  /** Paths of steps with an effect that the retry takes over: their calls are not sent again. */
  takenOver: string[];
  /** Path of the step that is carried out again first; null = the steps that the first run did not reach. */
  from: string | null;
  /** Paths of the results to take over. */
  keep: string[];
  /** Gate path → answer that holds again. */
  presets: { [path: string]: JsonObject };
  /** Step path → input override. */
  overrides: { [path: string]: JsonObject };
  /** Path of a gate → the edits with which the step behind it left, where it may leave with others now. */
  left?: { [path: string]: JsonObject };
  /** Paths whose steps, and those below them, have new effect keys: what they do is another thing than before. */
  renewed: string[];
  /** The new keys are those of every retry that says nothing but to go on: two of one run send nothing twice. */
  sharesKeys: boolean;
}

export interface RetryFacts {
  plan: Plan;
  outcomes: StepOutcome[];
  gates: GateOutcome[];
  /** Effects of the endpoints that the run has pinned. */
  lookup: EffectLookup;
  /** `name`, or `name[3]` for one item of a `for_each`. */
  fromStep?: string;
  /** Replaces the rendered inputs of that step. */
  inputOverride?: JsonObject;
  /** Inputs that the run was itself given as a retry: without them its steps would do something else. */
  overridden?: { [path: string]: JsonObject };
  /** Answers and marks that the run was given as a retry. */
  carried?: JsonObject;
  /** Paths of sub-playbooks in which the retry does something again or with other inputs. */
  repeating?: ReadonlySet<string>;
  /** Paths of sub-playbooks that asked for approval, at any depth. */
  asking?: ReadonlySet<string>;
  /** Paths of sub-playbooks whose gates the run, a retry itself, had to ask again, and which it did not begin. */
  unasked?: ReadonlySet<string>;
  /** What lies behind the whole run, in those that called it, is done again or with other inputs. */
  callerRepeats?: boolean;
}

/** Whether a retry does anything again, or with other inputs than before. */
export function repeatsSomething(
  facts: RetryFacts,
  { keep, overrides }: Pick<RetryPlan, 'keep' | 'overrides'>,
): boolean {
  return repeatsAnything(repeatedOf(facts, look(facts), { done: new Set(keep), overrides, answered: [] }));
}

const WHOLES: ReadonlySet<StepPlan['kind']> = new Set(['parallel', 'for_each', 'loop', 'route']);

/**
 * Which results and answers of a closed run hold again when it is carried out from a step on. A step that somebody names
 * although it succeeded, and all in it, begins anew, with all behind it, under new keys. Else the run goes on: what had an effect is
 * repeated only where it rests on what failed. Throws `unknown_step`.
 */
export function planRetry(facts: RetryFacts): RetryPlan {
  const seen = look(facts);
  const from = facts.fromStep ?? firstUnsuccessful(facts, seen);
  if (from === undefined) {
    if (facts.inputOverride !== undefined) {
      throw invalid(
        'from_step_required',
        'Every step that was reached succeeded: name the step that the inputs are for in `from_step`.',
      );
    }
    return goOn(facts, seen, { from: null, touches: () => false });
  }
  const step = stepOf(facts.plan, from);
  if (
    facts.inputOverride !== undefined &&
    step.kind !== 'tool' &&
    step.kind !== 'llm_task' &&
    step.kind !== 'run_playbook'
  ) {
    throw invalid('inputs_not_editable', `The step "${step.name}" is a ${step.kind}: it has no inputs to edit.`);
  }
  const goesOn = facts.fromStep === undefined || isUnfinished(facts, seen, { step, from });
  const touches = touchedBy(facts.plan, seen, { step, from, goesOn });
  if (goesOn) return goOn(facts, seen, { from, touches });
  const behind = [...dependentsOf(step.name, facts.plan.steps)];
  const asked = facts.inputOverride === undefined ? new Set<string>() : gatesBefore(facts.plan.steps, step);
  const keep = succeeded(facts).filter((path) => !touches(path));
  const kept = (path: string): boolean => !touches(path) && !asked.has(rootOf(path));
  const overrides = facts.inputOverride === undefined ? {} : { [from]: facts.inputOverride };
  return {
    from,
    keep,
    takenOver: effectsTakenOver(facts, seen, keep),
    ...answersOf(facts, seen, { kept, done: new Set(keep), overrides }),
    overrides,
    renewed: [from, ...behind],
    sharesKeys: false,
  };
}

/** Facts that are read once. `bad`: steps that failed and gates whose answer does not hold, wherever they lie. */
interface Seen {
  index: StepIndex;
  bad: ReadonlySet<string>;
  /** What rests on those. */
  taint: Taint;
  /** What rests on steps that failed, by the turns that there were. */
  failures: Taint;
  /** The same of steps that are still open: the turn that they begin with may be another. */
  open: Taint;
  hasEffect: (path: string) => boolean;
}

function look(facts: RetryFacts): Seen {
  const index = new StepIndex(facts.plan);
  const failed = failedSteps(facts, index);
  const bad = new Set([...failed, ...facts.gates.filter((gate) => !holdsAgain(gate)).map((gate) => gate.step_path)]);
  const effects = new Map<string, boolean>();
  const hasEffect = (path: string): boolean => {
    const name = nameOf(ownerOf(path));
    const step = index.withName(name);
    const known = effects.get(name) ?? (step !== undefined && effectOf(step, facts.lookup) !== 'none');
    effects.set(name, known);
    return known;
  };
  // A loop that goes on may end with another turn: what is not done yet rests on all of them.
  const failures = new Taint(index, new Set(failed), new Set(succeeded(facts)));
  return { index, bad, taint: new Taint(index, bad), failures, open: new Taint(index, new Set(failed)), hasEffect };
}

/** A failed tool call is an answer for the model: the step fails only by its own calls of the model. */
function failedSteps({ outcomes }: RetryFacts, index: StepIndex): string[] {
  const ended = new Set(outcomes.filter(({ ok }) => ok).map(({ step_path }) => callOf(step_path)));
  return outcomes
    .filter(
      ({ ok, cancelled, step_path }) =>
        !ok && cancelled === undefined && !ended.has(callOf(step_path)) && !/\/~tool[^/]*$/.test(step_path),
    )
    .filter(({ step_path: path }) => path.includes('/~') || !WHOLES.has(index.withName(nameOf(path))?.kind ?? 'tool'))
    .map(({ step_path }) => ownerOf(step_path));
}

/** `w/~model1~t2` is the second try of `w/~model1`. */
function callOf(path: string): string {
  return path.replace(/(\/~[^/]*?)~t\d+$/, '$1');
}

interface Beginning {
  from: string | null;
  /** Is the step the one to begin with, or behind it? */
  touches: (path: string) => boolean;
}

/** Takes over an effect's dependencies with it, so that a repeated effect is the same as before. */
function goOn(facts: RetryFacts, seen: Seen, { from, touches }: Beginning): RetryPlan {
  const { bad, taint, failures, open, index, hasEffect } = seen;
  const feeds = feedsEffects(facts, index);
  const well = new Set(succeeded(facts));
  const rests = (path: string): boolean => taint.reaches(ownerOf(path));
  // What was done under an answer, or under none, is done: the gate asks for what has not been.
  // Its keys are those of before, unless it rests on what failed: what may have left must not leave under others.
  const lapses = (path: string): boolean => {
    if (!hasEffect(path)) return rests(path);
    return (well.has(ownerOf(path)) ? failures : open).reaches(ownerOf(path));
  };
  const stays = (path: string): boolean =>
    !touches(path) || hasEffect(path) || feeds.has(nameOf(ownerOf(path))) || path.endsWith('/~router');
  // Calls that a step made for other inputs than it has now say nothing of these.
  const edited = facts.inputOverride === undefined || from === null ? undefined : { [from]: facts.inputOverride };
  const { overridden = {} } = facts;
  const others = editedPaths(edited ?? {}, overridden);
  const isEdited = (path: string): boolean =>
    (edited !== undefined && ownerOf(path) === from) || (others.has(ownerOf(path)) && !well.has(ownerOf(path)));
  const keep = [...well].filter((path) => stays(path) && !lapses(path) && !isEdited(path));
  const done = new Set(keep);
  const goesOn = (path: string): boolean => !done.has(path) && !lapses(path);
  const overrides = { ...inheritedInputs(index, overridden, goesOn), ...edited };
  const changed = editedPaths(overrides, overridden);
  const asked =
    edited === undefined ? new Set<string>() : gatesBefore(facts.plan.steps, stepOf(facts.plan, from ?? ''));
  const known = new Set([...facts.outcomes.map(({ step_path }) => ownerOf(step_path)), ...bad, ...changed]);
  const renewed = [...known].filter(
    (path) => hasEffect(path) && (lapses(path) || (changed.has(path) && !done.has(path))),
  );
  // What was shown at a gate, and is read again, is not what was approved.
  const anew = new Taint(
    index,
    new Set([...bad, ...[...well].flatMap((path) => (done.has(path) ? [] : [ownerOf(path)]))]),
  );
  const isBeforeFailures = beforeFailures(index, bad, from);
  const kept = (path: string): boolean =>
    (!touches(path) || isBeforeFailures(path)) &&
    !anew.reaches(path) &&
    !rests(nextOf(index, path) ?? '') &&
    !asked.has(path);
  const takenOver = effectsTakenOver(facts, seen, keep);
  return {
    from,
    keep,
    takenOver,
    ...answersOf(facts, seen, { kept, done, overrides }),
    overrides,
    renewed,
    sharesKeys: edited === undefined,
  };
}

/** Steps outside lists and loops, in playbooks with a gate: the gate asks about effects that are really sent. */
function effectsTakenOver({ plan, repeating }: RetryFacts, { hasEffect }: Seen, keep: readonly string[]): string[] {
  if (!allSteps(plan.steps).some(({ kind }) => kind === 'approval')) return [];
  return keep.filter((path) => !/[[~]/.test(path) && hasEffect(path) && repeating?.has(path) !== true);
}

function invalid(code: string, message: string): AppError {
  return new AppError(code, message, { category: 'validation' });
}

function stepOf(plan: Plan, from: string): StepPlan {
  const step = plan.steps.find((each) => each.name === rootOf(from));
  const item = /^[^[/]*\[\d+\]$/.test(from);
  if (step === undefined || (from !== step.name && !(item && step.kind === 'for_each'))) {
    const names = plan.steps.map((each) => each.name);
    const way =
      step?.kind === 'run_playbook'
        ? `What is inside a sub-playbook goes on with it: name "${step.name}".`
        : suggestionOr(rootOf(from), names, `Steps: ${names.join(', ')}.`);
    throw invalid(
      'unknown_step',
      `"${from}" is not a step of the playbook's own list, nor an item of one of its for_each steps. ${way}`,
    );
  }
  return step;
}

function succeeded(facts: RetryFacts): string[] {
  return facts.outcomes.filter((outcome) => outcome.ok).map((outcome) => outcome.step_path);
}

/**
 * The first step of the list that failed, or the gate that ended the run. A failed parallel, list or loop may
 * hold steps that succeeded, so the steps inside it count.
 */
function firstUnsuccessful({ plan }: RetryFacts, { bad }: Seen): string | undefined {
  const roots = new Set([...bad].map(rootOf));
  return plan.steps.find((step) => roots.has(step.name))?.name;
}

/** Did the step, the item or something inside of it fail, or end with the run? */
function isUnfinished(
  { outcomes }: RetryFacts,
  { bad }: Seen,
  { step, from }: { step: StepPlan; from: string },
): boolean {
  const wholeOf = from === step.name ? rootOf : itemOf;
  if ([...bad].some((path) => wholeOf(path) === from)) return true;
  const own = outcomes.filter(({ step_path: path }) => path === from);
  return own.length > 0 && !own.some(({ ok }) => ok);
}

/**
 * The step and everything that lies behind it. Of a `for_each` that goes on the items that are well hold; one that begins anew is
 * carried out as a whole.
 */
function touchedBy(
  plan: Plan,
  { bad }: Seen,
  { step, from, goesOn }: { step: StepPlan; from: string; goesOn: boolean },
): (path: string) => boolean {
  const behind = dependentsOf(step.name, plan.steps);
  const failed = (): string[] => [...bad].filter((path) => rootOf(path) === step.name).map(itemOf);
  const wanted = from !== step.name ? [from] : goesOn ? failed() : undefined;
  const items = step.kind === 'for_each' && wanted !== undefined ? new Set(wanted) : undefined;
  return (path) => {
    const root = rootOf(path);
    return root === step.name ? items === undefined || items.has(itemOf(path)) : behind.has(root);
  };
}

function holdsAgain(gate: GateOutcome): boolean {
  return (
    gate.status === 'approved' ||
    gate.status === 'auto_approved' ||
    (gate.status === 'rejected' && gate.on_reject === 'skip')
  );
}

interface Going {
  kept: (path: string) => boolean;
  done: ReadonlySet<string>;
  overrides: RetryPlan['overrides'];
}

function answersOf(facts: RetryFacts, seen: Seen, retry: Going): Pick<RetryPlan, 'presets' | 'left'> {
  const holding = presets(facts, seen, retry);
  const left = editsThatLeft(facts, holding);
  return { presets: holding, ...(Object.keys(left).length === 0 ? {} : { left }) };
}

/**
 * An answer holds for what was approved: not for steps that would be done again or have changed. People other than the
 * run's owner are asked again, unless the next step is done.
 */
function presets(facts: RetryFacts, seen: Seen, retry: Going): RetryPlan['presets'] {
  const { index } = seen;
  const { asking = new Set<string>(), unasked = new Set<string>(), callerRepeats = false } = facts;
  const answered = facts.gates.filter(holdsAgain);
  if (answered.length === 0 && asking.size === 0 && unasked.size === 0) return {};
  const repeated = repeatedOf(facts, seen, { ...retry, answered });
  const isRepeated = repeatsWhatItPermits(repeated);
  const repeats = (path: string, decision: Decision): boolean => callerRepeats || isRepeated(path, decision);
  const behindCall = repeatsWhatItPermits({ ...repeated, gates: asking });
  const calls = [...unasked, ...[...asking].filter((path) => callerRepeats || behindCall(path, 'approved'))];
  const holds = ({ step_path: path, status }: GateOutcome): boolean => {
    if (repeats(path, status as Decision)) return false;
    if (retry.done.has(nextOf(index, path) ?? '')) return true;
    const step = index.withName(nameOf(path));
    return retry.kept(path) && !(step?.kind === 'approval' && step.rules?.approvers !== undefined);
  };
  const answers = answered.filter(holds);
  return Object.fromEntries([
    ...calls.map((path) => [path, ASKS_AGAIN] as const),
    ...answers.map((gate) => [gate.step_path, answerOf(gate)] as const),
  ]);
}

function answerOf({ status, instructions, edits, decided_by, received_at }: GateOutcome): JsonObject {
  return {
    decision: status,
    ...(instructions === null ? {} : { instructions }),
    ...(edits === null ? {} : { edits }),
    ...(decided_by === null ? {} : { decided_by }),
    ...(received_at ? { at: new Date(received_at).toISOString() } : {}),
  };
}

/** Answers that a retry was given itself: the person who retries it takes them over again. */
export function answersTakenOver(presets: RetryPlan['presets']): GateOutcome[] {
  const text = (value: Json | undefined): string | null => (typeof value === 'string' ? value : null);
  return Object.entries(presets)
    .filter(([, answer]) => !isMark(answer))
    .map(([step_path, { decision, instructions, edits, decided_by, at }]) => ({
      step_path,
      status: text(decision) ?? '',
      // The answer was taken over once already.
      on_reject: 'skip',
      instructions: text(instructions),
      edits: isJsonObject(edits) ? edits : null,
      decided_by: text(decided_by),
      received_at: text(at),
    }));
}

function repeatedOf(
  { plan, outcomes, overridden = {}, repeating = new Set() }: RetryFacts,
  { index, bad, hasEffect }: Seen,
  { done: keep, overrides, answered }: Pick<Going, 'done' | 'overrides'> & { answered: readonly GateOutcome[] },
): Repeated {
  const edited = new Set([...editedPaths(overrides, overridden)].filter((at) => !keep.has(at)));
  const again = outcomes.filter(({ ok, step_path: path }) => ok && !keep.has(path));
  const renewed = new Set([...bad, ...edited, ...again.map(({ step_path: path }) => ownerOf(path))]);
  const gates = new Set(answered.map(({ step_path: path }) => path));
  return { plan, index, outcomes, keep, renewed, edited, hasEffect, gates, repeating };
}
