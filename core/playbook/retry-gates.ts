import { inmostOfReads } from './data-dependencies';
import { mayComeAgain } from './downstream-steps';
import { downstreamOf, goesToDestinations, leavingSteps, type Decision, type Gate } from './gate-effects';
import { readsOfDestinations } from './reads';
import { writesResults } from './result-destinations';
import { isBehind } from './retry-order';
import { Taint } from './retry-taint';
import { nameOf, ownerOf, partsOf, textOf, type Part } from './step-path';
import type { StepIndex } from './step-index';
import type { Plan, StepPlan } from './types';

/** Step outcomes of the closed run, and what its retry does with each. */
export interface Repeated {
  plan: Plan;
  index: StepIndex;
  /** All known paths: of steps, and of their own calls. */
  outcomes: readonly { step_path: string; ok: boolean }[];
  keep: ReadonlySet<string>;
  /** Steps whose results may differ in the retry: failed, edited, or carried out again. */
  renewed: ReadonlySet<string>;
  /** Steps whose inputs differ from those of the closed run. */
  edited: ReadonlySet<string>;
  hasEffect: (path: string) => boolean;
  /** Paths of the answered gates. */
  gates: ReadonlySet<string>;
  /** Sub-playbooks in which something is repeated. */
  repeating: ReadonlySet<string>;
}

const OUTPUT = '$output';

/** True when a retry does anything again or with other inputs, approved by a gate or not. */
export function repeatsAnything(of: Repeated): boolean {
  const everything = new Taint(of.index, of.renewed);
  const effects = [...effectsOf(of).values()].flat();
  return effects.some((effect) => isRepeated(of, everything, effect)) || wasWritten(of);
}

function isRepeated({ edited }: Repeated, everything: Taint, { at, again, done }: Effect): boolean {
  return again || (!done && (edited.has(at) || everything.reaches(at)));
}

/**
 * Tells for an answered gate, or for a sub-playbook with such gates, whether anything that its answer permits would be done
 * again, or with other inputs than the approved ones. A step that was never tried, has the same inputs, and rests on
 * no new result from before the gate is still as approved.
 */
export function repeatsWhatItPermits(of: Repeated): (path: string, decision: Decision) => boolean {
  const effects = effectsOf(of);
  const everything = new Taint(of.index, of.renewed);
  const known = new Map<string, Permitted>();
  return (path, decision) => {
    const id = `${nameOf(path)} ${decision}`;
    const permitted = known.get(id) ?? permittedBy(of, path, decision);
    known.set(id, permitted);
    const isNew = newTo(of, path);
    const repeats = (step: StepPlan): boolean => {
      const tried = (effects.get(step.name) ?? []).filter((effect) => isHeldBy(of, permitted, { path, effect, step }));
      if (tried.length === 0) {
        const place = placeOf(of.index, step, path, permitted);
        return place !== undefined && (of.edited.has(place) || everything.reaches(place, isNew));
      }
      return tried.some((effect) => isRepeated(of, everything, effect));
    };
    return permitted.steps.some(repeats) || (permitted.destinations && repeatsOutputs(of, everything, isNew));
  };
}

interface Effect {
  /** Path of the step. */
  at: string;
  /** The step was done, and the retry does it again. */
  again: boolean;
  /** The step was done, and its result is taken over. */
  done: boolean;
}

/** By name of the step. A model with tools is done when all of its calls are taken over. */
function effectsOf({ outcomes, keep, hasEffect, repeating }: Repeated): Map<string, Effect[]> {
  const byPath = new Map<string, Effect>();
  for (const { step_path: path, ok } of outcomes) {
    const at = ownerOf(path);
    if (!hasEffect(at)) continue;
    const known = byPath.get(at) ?? { at, again: repeating.has(at), done: true };
    const kept = keep.has(path);
    byPath.set(at, { at, again: known.again || (ok && !kept), done: known.done && kept });
  }
  const byName = new Map<string, Effect[]>();
  for (const effect of byPath.values())
    byName.set(nameOf(effect.at), [...(byName.get(nameOf(effect.at)) ?? []), effect]);
  return byName;
}

interface Permitted {
  steps: readonly StepPlan[];
  /** Steps that follow in the same element and turn. */
  direct: ReadonlySet<StepPlan>;
  destinations: boolean;
}

/** Tells whether a source is new to a gate: edited, or not of behind it. */
function newTo({ index, edited }: Repeated, path: string): (source: readonly Part[]) => boolean {
  const gate = partsOf(path);
  return (source) => edited.has(textOf(source)) || !isBehind(index, source, gate, mayComeAgain);
}

function permittedBy(of: Repeated, path: string, decision: Decision): Permitted {
  const { plan, index } = of;
  const gate = index.withName(nameOf(path)) as StepPlan;
  const behind = downstreamOf(index, gate);
  const sinks = new Set([...behind.keys()].filter(({ name }) => of.hasEffect(name)).map(({ name }) => name));
  const whole: Gate = { plan, index, gate, behind, sinks, caller: false, callerAfterStop: false };
  return {
    steps: [...leavingSteps(whole, decision).keys()],
    direct: new Set(downstreamOf(index, gate, { comesAgain: () => false }).keys()),
    destinations: goesToDestinations(whole, decision),
  };
}

/**
 * Where the step would lie that was not tried: in the elements and the turn of the gate or, where it comes before the gate, in the
 * next turn; undefined: there is none.
 */
function placeOf(index: StepIndex, step: StepPlan, path: string, { direct }: Permitted): string | undefined {
  const own = partsOf(path);
  const parts = index.chain(step).map(({ step: { name } }, depth): Part => {
    const shared = own[depth];
    return shared?.name === name ? shared : { name };
  });
  const around = parts.map((part) => (part.at === undefined ? undefined : index.withName(part.name)));
  if (direct.has(step) || around.some((each) => each?.kind === 'for_each')) return textOf(parts);
  const comesAgain = (part: Part, depth: number): boolean => {
    const loop = around[depth];
    return loop?.kind === 'loop' && (part.at ?? 0) + 1 < loop.max_iterations;
  };
  const turn = parts.findLastIndex(comesAgain);
  if (turn < 0) return undefined;
  const next = parts.map(({ name, at }, depth): Part => {
    if (depth > turn || at === undefined) return { name };
    return { name, at: depth === turn ? at + 1 : at };
  });
  return textOf(next);
}

/**
 * Did this very gate let the effect run? In its own element and turn: what follows it; in a later turn: the gate's
 * last answer before; in an element that had to wait for others: the gates of all before.
 */
function isHeldBy(
  of: Repeated,
  { direct }: Permitted,
  { path, effect: { at }, step }: { path: string; effect: Effect; step: StepPlan },
): boolean {
  const [own, others] = [partsOf(path), partsOf(at)];
  const depth = own.findIndex((part, no) => part.name !== others[no]?.name || part.at !== others[no]?.at);
  const [here, there] = [own[depth], others[depth]];
  if (here?.name !== there?.name || here?.at === undefined || there?.at === undefined) return direct.has(step);
  if (there.at < here.at) return false;
  const askedAt = (no: number): boolean => of.gates.has(pathOf(own, depth, no));
  // False: this element has a gate of its own.
  if (direct.has(step) && askedAt(there.at)) return false;
  const structure = of.index.withName(here.name);
  if (structure?.kind === 'for_each') return there.at >= structure.max_parallel;
  for (let no = here.at + 1; no < there.at; no += 1) if (askedAt(no)) return false;
  return true;
}

function pathOf(parts: readonly Part[], depth: number, no: number): string {
  return textOf(parts.map((part, place) => (place === depth ? { ...part, at: no } : part)));
}

/** Results are written once more by every retry. */
function repeatsOutputs(of: Repeated, everything: Taint, isNew: (source: readonly Part[]) => boolean): boolean {
  if (wasWritten(of)) return true;
  const { plan, index, outcomes } = of;
  const counts = outcomes.some(({ step_path: path }) => path === OUTPUT) ? undefined : isNew;
  const sources = inmostOfReads(index, readsOfDestinations(plan));
  return [...sources].some(({ name }) => everything.hasSource(name, counts));
}

function wasWritten({ plan, outcomes }: Repeated): boolean {
  return writesResults(plan) && outcomes.some(({ step_path: path, ok }) => path === OUTPUT && ok);
}
