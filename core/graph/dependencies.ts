import type { Edge } from './layers';

/** Replay-sensitive. What is known of a step of one list. */
export interface ListedStep {
  name: string;
  depends_on?: string[];
}

/** One `depends_on` makes the whole list a DAG. */
export function isDag(steps: readonly ListedStep[]): boolean {
  return steps.some((step) => step.depends_on !== undefined);
}

/**
 * Steps that each step of a list waits for. In a DAG: its `depends_on` (a step without waits for nothing); else the
 * step before it. The result has every step, in declaration order.
 */
export function dependenciesOf(steps: readonly ListedStep[]): Map<string, string[]> {
  const dag = isDag(steps);
  return new Map(
    steps.map((step, index) => {
      const previous = steps[index - 1];
      if (dag) return [step.name, [...(step.depends_on ?? [])]];
      return [step.name, previous === undefined ? [] : [previous.name]];
    }),
  );
}

export function dependencyEdges(steps: readonly ListedStep[]): Edge[] {
  return [...dependenciesOf(steps)].flatMap(([to, needs]) => needs.map((from) => ({ from, to })));
}

/** Finds all steps that a step waits for, directly or not; includes the step itself only on a cycle. */
export function ancestorsOf(name: string, dependencies: ReadonlyMap<string, readonly string[]>): Set<string> {
  const found = new Set<string>();
  const open = [...(dependencies.get(name) ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(dependencies.get(next) ?? []));
  }
  return found;
}

/** Finds all steps that wait for a step, directly or not: the other direction of `ancestorsOf`. */
export function dependentsOf(name: string, steps: readonly ListedStep[]): Set<string> {
  const reverse = new Map<string, string[]>(steps.map((step) => [step.name, []]));
  for (const { from, to } of dependencyEdges(steps)) reverse.get(from)?.push(to);
  return ancestorsOf(name, reverse);
}
