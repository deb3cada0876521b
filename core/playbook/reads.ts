import type { Reference } from '../expr/types';
import { parseSite } from './parse-expression-site';
import { writesResults } from './result-destinations';
import { outputSites, stepSites } from './expression-sites';
import type { OutputPlan, Plan, StepPlan } from './types';
import { allSteps } from './walk';

const readsKnown = new WeakMap<StepPlan, readonly Reference[]>();

/** Replay-sensitive. What a step itself reads while it runs; its inner steps read for themselves. Kept: a plan never changes. */
export function readsOf(step: StepPlan): readonly Reference[] {
  const reads = readsKnown.get(step) ?? findReads(step);
  readsKnown.set(step, reads);
  return reads;
}

function findReads(step: StepPlan): Reference[] {
  return stepSites(step)
    .filter((site) => site.path[0] !== 'undo')
    .flatMap((site) => parseSite(site).references);
}

/** References of the output. */
export function readsOfOutput(output: OutputPlan): Reference[] {
  const sections = output.sections.map((section) => ({ section, path: [] }));
  const destinations = output.destinations.map((destination) => ({ destination, path: [] }));
  return outputSites(output, sections, destinations).flatMap((site) => parseSite(site).references);
}

/** References of the results that destinations receive. */
export function readsOfDestinations(plan: Plan): Reference[] {
  if (plan.output === undefined || !writesResults(plan)) return [];
  // The summary goes to no destination.
  const { summary: _summary, ...written } = plan.output;
  return readsOfOutput(written);
}

/** Fields of a result that the playbook reads. */
export type FieldsRead = ReadonlySet<string>;

const asked = new WeakMap<Plan, ReadonlyMap<string, FieldsRead>>();

/** Fields read, by key of the step. A plan never changes, so the answer is kept. */
export function fieldsReadByStep(plan: Plan): ReadonlyMap<string, FieldsRead> {
  const fields = asked.get(plan) ?? findFields(plan);
  asked.set(plan, fields);
  return fields;
}

function findFields(plan: Plan): Map<string, FieldsRead> {
  const found = new Map<string, Set<string>>();
  const reads = [
    ...allSteps(plan.steps).flatMap(readsOf),
    ...(plan.output === undefined ? [] : readsOfOutput(plan.output)),
  ];
  for (const { root, path } of reads) {
    const names = path.flatMap((part) => (part.kind === 'field' ? [part.name] : []));
    const first = names[0] === 'result' ? names[1] : names[0];
    if (first === undefined) continue;
    const known = found.get(root);
    if (known) known.add(first);
    else found.set(root, new Set([first]));
  }
  return found;
}
