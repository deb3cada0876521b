/** Replay-sensitive. `from` must be done before `to` begins. */
export interface Edge {
  from: string;
  to: string;
}

/**
 * Layers of a graph by Kahn's algorithm (CACM 5(11), 1962): every node lies in the first layer after all
 * that it depends on. Inside a layer nodes keep the order of `nodes`. Edges of unknown nodes are ignored.
 * Nodes on a cycle, or behind one, are in no layer: `rest`.
 */
export function layers(nodes: readonly string[], edges: readonly Edge[]): { layers: string[][]; rest: string[] } {
  const waiting = new Map<string, number>(nodes.map((node) => [node, 0]));
  const followers = new Map<string, string[]>(nodes.map((node) => [node, []]));
  for (const { from, to } of edges) {
    const count = waiting.get(to);
    const list = followers.get(from);
    if (count === undefined || list === undefined) continue;
    waiting.set(to, count + 1);
    list.push(to);
  }
  const order = new Map(nodes.map((node, index) => [node, index]));
  const done: string[][] = [];
  let current = nodes.filter((node) => waiting.get(node) === 0);
  while (current.length > 0) {
    done.push(current);
    current = release(current, followers, waiting).sort((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0));
  }
  return { layers: done, rest: nodes.filter((node) => (waiting.get(node) ?? 0) > 0) };
}

/** Takes a finished layer out of the graph and returns what is free now. */
function release(finished: string[], followers: Map<string, string[]>, waiting: Map<string, number>): string[] {
  const free: string[] = [];
  for (const node of finished) {
    for (const next of followers.get(node) ?? []) {
      const count = (waiting.get(next) ?? 0) - 1;
      waiting.set(next, count);
      if (count === 0) free.push(next);
    }
  }
  return free;
}
