/** A `.cpuprofile` as V8 writes it. */
export interface CpuProfile {
  nodes: ProfileNode[];
  /** Node of each sample. */
  samples: number[];
  /** Microseconds since the sample before, for each sample. */
  timeDeltas: number[];
}

export interface CallFrame {
  functionName: string;
  url: string;
  /** Line of the function's beginning, from 0; -1 for V8's own functions. */
  lineNumber: number;
  columnNumber: number;
}

interface ProfileNode {
  id: number;
  callFrame: CallFrame;
  children?: number[];
}

/** Time of one function on one call stack, with the stack: the function itself first. */
export interface Spent {
  us: number;
  frames: CallFrame[];
}

const IDLE = '(idle)';
const ROOT = '(root)';

/** Time by call stack, without idling. */
export function timeSpent({ nodes, samples, timeDeltas }: CpuProfile): Spent[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)));
  const times = new Map<number, number>();
  samples.forEach((id, at) => times.set(id, (times.get(id) ?? 0) + Math.max(0, timeDeltas[at + 1] ?? 0)));
  return [...times].flatMap(([id, us]) => {
    const frames: CallFrame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const frame = byId.get(at)?.callFrame;
      if (frame && frame.functionName !== ROOT) frames.push(frame);
    }
    return frames.length === 0 || frames[0]?.functionName === IDLE ? [] : [{ us, frames }];
  });
}
