import { timeSpent, type CallFrame, type CpuProfile } from './cpu-profile';
import { placeOf, type Place } from './places';

interface GroupTime {
  name: string;
  us: number;
  /** Time with all functions called from here, in any group. */
  withCallees: number;
}
interface FunctionTime {
  name: string;
  /** File and line. */
  at: string;
  us: number;
}
export interface Summary {
  groups: GroupTime[];
  functions: FunctionTime[];
  us: number;
}

const GC = '(garbage collector)';
const PROGRAM = '(program)';
/** V8's names for time outside any function. */
const OUTSIDE = new Map([
  [GC, 'garbage collection'],
  [PROGRAM, 'native code outside of functions'],
]);

/** Times by group and by function. Native functions of V8 and Node (JSON.stringify, a write) count for their caller. */
export function summarize(profile: CpuProfile): Summary {
  const groups = new Map<string, GroupTime>();
  const functions = new Map<string, FunctionTime>();
  let total = 0;
  for (const { us, frames } of timeSpent(profile)) {
    total += us;
    const owner = ownerOf(frames);
    groupOf(groups, owner.group).us += us;
    for (const name of groupsOn(frames, owner.group)) groupOf(groups, name).withCallees += us;
    const key = `${owner.name} ${owner.at}`;
    const known = functions.get(key) ?? { name: owner.name, at: owner.at, us: 0 };
    functions.set(key, { ...known, us: known.us + us });
  }
  const most = (a: { us: number }, b: { us: number }): number => b.us - a.us;
  return { groups: [...groups.values()].sort(most), functions: [...functions.values()].sort(most), us: total };
}

function groupOf(groups: Map<string, GroupTime>, name: string): GroupTime {
  const known = groups.get(name) ?? { name, us: 0, withCallees: 0 };
  groups.set(name, known);
  return known;
}

/** The first function of the call stack that has a file, preceded by the native ones that it called. */
function ownerOf(frames: readonly CallFrame[]): { group: string; name: string; at: string } {
  const own = frames[0]?.functionName ?? '';
  const outside = OUTSIDE.get(own);
  if (outside !== undefined) return { group: outside, name: own, at: '' };
  const at = frames.findIndex((frame) => placeOf(frame) !== undefined);
  const place = at < 0 ? undefined : placeOf(frames[at] as CallFrame);
  const native = at === 0 || own === '' ? '' : ` (${own})`;
  if (!place) return { group: 'native functions', name: own, at: '' };
  const name = `${frames[at]?.functionName || '(anonymous)'}${native}`;
  return { group: place.group, name, at: text(place) };
}

function groupsOn(frames: readonly CallFrame[], own: string): Set<string> {
  const names = frames.flatMap((frame) => placeOf(frame)?.group ?? []);
  return new Set([own, ...names]);
}

function text({ file, line }: Place): string {
  return `${file}:${line}`;
}
