import type { Edge } from './layers';

/** Replay-sensitive. */
interface Visit {
  node: string;
  next: number;
}

/**
 * The first cycle met by a depth-first search in the order of `nodes`, as the path `[a, b, a]`;
 * undefined when there is none. Iterative: a chain of any length does not use up the stack.
 */
export function findCycle(nodes: readonly string[], edges: readonly Edge[]): string[] | undefined {
  const followers = new Map<string, string[]>(nodes.map((node) => [node, []]));
  // A node that is unknown has no followers: no cycle leads through it.
  for (const { from, to } of edges) followers.get(from)?.push(to);
  const done = new Set<string>();
  for (const start of nodes) {
    const cycle = done.has(start) ? undefined : searchFrom(start, followers, done);
    if (cycle) return cycle;
  }
  return undefined;
}

function searchFrom(start: string, followers: Map<string, string[]>, done: Set<string>): string[] | undefined {
  const stack: Visit[] = [{ node: start, next: 0 }];
  const onStack = new Map<string, number>([[start, 0]]);
  for (let top = stack[0]; top !== undefined; top = stack[stack.length - 1]) {
    const next = followers.get(top.node)?.[top.next];
    top.next += 1;
    if (next === undefined) {
      done.add(top.node);
      onStack.delete(top.node);
      stack.pop();
      continue;
    }
    const index = onStack.get(next);
    if (index !== undefined) return [...stack.slice(index).map((visit) => visit.node), next];
    if (done.has(next)) continue;
    onStack.set(next, stack.length);
    stack.push({ node: next, next: 0 });
  }
  return undefined;
}
