import type { Reference } from '../expr/types';
import { readsOf } from './reads';
import type { StepIndex } from './step-index';
import type { ForEachStep, StepPlan } from './types';
import { allSteps } from './walk';

/**
 * Steps whose results a step reads, or the structures around it: the list of a map, the label of a route. The condition
 * of a loop is left out: a failed turn is a reason for the next one.
 */
export function directDependencies(index: StepIndex, step: StepPlan): StepPlan[] {
  return readsAround(index, step).flatMap(({ root }) => index.withKey(root) ?? []);
}

/**
 * The same with what a structure's result comes from: `{each.results}` and `{each.failed_count}` are of the steps in it. What
 * stays when one of these is repaired (`{each.count}`, `{route.label}`) is not.
 */
export function inmostDependencies(index: StepIndex, step: StepPlan): StepPlan[] {
  // Leaves out the structures around the step: their own result does not exist yet.
  const around = new Set(index.chain(step).map((position) => position.step.key));
  return readsAround(index, step).flatMap((ref) =>
    around.has(ref.root) ? (index.withKey(ref.root) ?? []) : sourcesOf(index, ref),
  );
}

/** An element of a list by itself: by its number, or by the list that goes through all results one by one. */
export type OneElement = { at: number } | { of: ForEachStep };

/** Elements of a list from which a step's data come; undefined: any of them. */
export function elementsRead(index: StepIndex, step: StepPlan, list: ForEachStep): OneElement[] | undefined {
  const around = new Set(index.chain(step).map((position) => position.step));
  const found: OneElement[] = [];
  const readers = new Set([step, ...dataDependencies(index, step, new Set(), inmostDependencies)]);
  for (const reader of new Set([...readers].flatMap((each) => index.chain(each).map((position) => position.step)))) {
    if (reader.kind === 'loop' || reader === list) continue;
    for (const ref of readsOf(reader)) {
      if (ref.root !== list.key || !restsOnInner(list, ref)) continue;
      const [first, second, third] = ref.path;
      const [field, element] = first?.kind === 'field' && first.name === 'result' ? [second, third] : [first, second];
      if (field?.kind !== 'field' || field.name !== 'results') return undefined;
      const whole = reader.kind === 'for_each' && around.has(reader) && reader.items === `{${ref.text}}`;
      if (element?.kind === 'index') found.push({ at: element.index });
      else if (element === undefined && whole) found.push({ of: reader });
      else return undefined;
    }
  }
  return found;
}

function readsAround(index: StepIndex, step: StepPlan): Reference[] {
  return index.chain(step).flatMap((position) => (position.step.kind === 'loop' ? [] : readsOf(position.step)));
}

/** Steps that a reference depends on: one, or a structure with the steps in it. */
function sourcesOf(index: StepIndex, ref: Reference): StepPlan[] {
  const source = index.withKey(ref.root);
  if (source === undefined) return [];
  const inner = allSteps([source]).slice(1);
  if (inner.length === 0 || !restsOnInner(source, ref)) return [source];
  // Adds the condition of a loop, which decides the number of its iterations.
  const decided = source.kind === 'loop' ? readsOf(source).flatMap(({ root }) => index.withKey(root) ?? []) : [];
  return [source, ...inner, ...decided];
}

/** Fields of structures that no step inside has a part in. */
const OF_THE_WHOLE: { [kind in StepPlan['kind']]?: string } = { for_each: 'count', parallel: 'count', route: 'label' };

function restsOnInner({ kind }: StepPlan, { path }: Reference): boolean {
  const names = path.flatMap((part) => (part.kind === 'field' ? [part.name] : []));
  const field = names[0] === 'result' ? names[1] : names[0];
  return field === undefined ? kind !== 'route' : field !== OF_THE_WHOLE[kind];
}

type Dependencies = (index: StepIndex, step: StepPlan) => StepPlan[];

/** Steps whose results reach a step, through whatever steps the data takes, and were not met before; nearest first. */
export function dataDependencies(
  index: StepIndex,
  sink: StepPlan,
  seen: Set<StepPlan>,
  direct: Dependencies = directDependencies,
): Generator<StepPlan> {
  return follow(index, direct(index, sink), seen, direct);
}

/** The same for references that are read at the end. */
export function dependenciesOfReads(
  index: StepIndex,
  reads: readonly Reference[],
  seen: Set<StepPlan>,
): Generator<StepPlan> {
  const first = reads.flatMap(({ root }) => index.withKey(root) ?? []);
  return follow(index, first, seen, directDependencies);
}

/** The same with what the results of structures come from. */
export function inmostOfReads(index: StepIndex, reads: readonly Reference[]): Generator<StepPlan> {
  const first = reads.flatMap((ref) => sourcesOf(index, ref));
  return follow(index, first, new Set(), inmostDependencies);
}

function* follow(
  index: StepIndex,
  first: readonly StepPlan[],
  seen: Set<StepPlan>,
  direct: Dependencies,
): Generator<StepPlan> {
  const open = [first];
  for (let sources = open.pop(); sources !== undefined; sources = open.pop()) {
    for (const source of sources) {
      if (seen.has(source)) continue;
      seen.add(source);
      open.push(direct(index, source));
      yield source;
    }
  }
}
