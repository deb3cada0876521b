import { suggestionOr } from '../base/did-you-mean';
import { AppError } from '../errors/app-error';
import { ownerOf } from '../playbook/step-path';
import { allSteps, innerLists } from '../playbook/walk';
import type { Plan, StepPlan } from '../playbook/types';
import { calledStep } from './stand-in';
import type { DryRunRequest } from './types';

/** Refuses names that match no step: they would be ignored silently. Throws `invalid_samples`, `invalid_decisions`. */
export function checkNames(plan: Plan, { samples, decisions }: Pick<DryRunRequest, 'samples' | 'decisions'>): void {
  const places = placesOf(plan.steps);
  for (const name of Object.keys(samples)) checkSample(name, places);
  const gates = allSteps(plan.steps).filter(({ kind }) => kind === 'approval');
  for (const name of Object.keys(decisions))
    if (!gates.some((gate) => gate.name === name))
      throw refused(
        'decisions',
        name,
        'is no approval step of this playbook',
        gates.map((gate) => gate.name),
      );
}

function checkSample(given: string, places: Map<string, StepPlan>): void {
  // Removes indexes, as items are known in the run alone. The call of a router is shown under its own path.
  const path = ownerOf(given.replace(/\[\d+\]/g, ''));
  const step = places.get(path) ?? named(given, places);
  const usable = [...places].filter(([, each]) => takesSample(each));
  if (step === undefined) {
    const known = usable.flatMap(([place, { name }]) => (path.includes('/') ? [place] : [name]));
    throw refused('samples', given, 'is no step of this playbook, nor the path of one', known);
  }
  if (takesSample(step)) return;
  const way =
    step.kind === 'approval'
      ? '`decisions` says what a person would answer.'
      : 'Name a step inside it: its result is made of theirs.';
  throw invalid(
    'samples',
    `"${cut(given)}" in \`samples\` is ${KINDS[step.kind] ?? step.kind}, which takes no result. ${way}`,
  );
}

const KINDS: Partial<Record<StepPlan['kind'], string>> = {
  approval: 'an approval',
  for_each: 'a `for_each` step',
  loop: 'a loop',
  parallel: 'a parallel step',
  route: 'a route that no model chooses',
};

function takesSample(step: StepPlan): boolean {
  return step.kind === 'run_playbook' || calledStep(step) !== undefined;
}

function named(name: string, places: Map<string, StepPlan>): StepPlan | undefined {
  return [...places.values()].find((step) => step.name === name);
}

/** Steps by their paths without positions. */
function placesOf(steps: readonly StepPlan[], around = ''): Map<string, StepPlan> {
  return new Map(
    steps.flatMap((step): [string, StepPlan][] => {
      const path = `${around}${step.name}`;
      return [[path, step], ...innerLists(step).flatMap((inner) => [...placesOf(inner, `${path}/`)])];
    }),
  );
}

function refused(field: 'samples' | 'decisions', name: string, why: string, known: readonly string[]): AppError {
  const list = known.length === 0 ? 'It has none.' : `There are: ${known.slice(0, 50).join(', ')}.`;
  return invalid(field, `"${cut(name)}" in \`${field}\` ${why}. ${suggestionOr(name, known, list)}`);
}

function invalid(field: string, message: string): AppError {
  return new AppError(`invalid_${field}`, message, { category: 'validation' });
}

function cut(name: string): string {
  return name.slice(0, 100);
}
