import type { StepIndex, StepPosition } from './step-index';
import { itemOf, partsOf, rootOf, type Part } from './step-path';
import type { ForEachStep, StepPlan } from './types';

/**
 * Does a step begin only after another, or a structure that it lies in, is over? Turn by turn; `elements`: also where they lie in
 * two elements of this list.
 */
export function isBehind(
  index: StepIndex,
  path: readonly Part[],
  other: readonly Part[],
  elements: (list: ForEachStep) => boolean,
): boolean {
  const depth = other.findIndex((part, no) => part.name !== path[no]?.name || part.at !== path[no]?.at);
  if (depth < 0) return path.length > other.length;
  const [here, there] = [path[depth], other[depth]];
  const step = here && index.withName(here.name);
  const before = there && index.withName(there.name);
  if (step === undefined || before === undefined) return false;
  if (step !== before) return follows(index, index.positions.get(step), index.positions.get(before));
  return step.kind === 'for_each' ? elements(step) : step.kind === 'loop' && (there?.at ?? 0) < (here?.at ?? 0);
}

/**
 * Can a step read a result of another in the same turns of these loops? What comes later in a loop's list is read by the next
 * turn of it.
 */
export function mayRead(index: StepIndex, reader: StepPlan, source: StepPlan, turns: ReadonlySet<StepPlan>): boolean {
  const [readers, sources] = [index.chain(reader), index.chain(source)];
  const differ = sources.findIndex(({ step }, no) => step !== readers[no]?.step);
  const depth = differ < 0 ? sources.length : differ;
  if (!follows(index, sources[depth], readers[depth])) return true;
  return sources.slice(0, depth).some(({ step }) => step.kind === 'loop' && !turns.has(step));
}

function follows(index: StepIndex, own: StepPosition | undefined, before: StepPosition | undefined): boolean {
  if (own === undefined || before?.list !== own.list || own.owner?.kind === 'parallel') return false;
  return index.isBefore(before, own);
}

/**
 * Tells of a gate inside of the structure that a retry goes on in whether it had its answer before anything failed there.
 * Elements of a list go on for themselves.
 */
export function beforeFailures(
  index: StepIndex,
  bad: ReadonlySet<string>,
  from: string | null,
): (path: string) => boolean {
  const root = from === null ? undefined : rootOf(from);
  const partOf = root !== undefined && index.withName(root)?.kind === 'for_each' ? itemOf : rootOf;
  const failed = new Map<string, Part[][]>();
  for (const path of bad) {
    const known = failed.get(partOf(path));
    if (known) known.push(partsOf(path));
    else failed.set(partOf(path), [partsOf(path)]);
  }
  return (path) => {
    if (path === root || rootOf(path) !== root) return false;
    const [parts, others] = [partsOf(path), failed.get(partOf(path)) ?? []];
    return !others.some((other) => isBehind(index, parts, other, () => false));
  };
}
