import { readFileSync } from 'node:fs';

/** CPU time of processes from /proc, in milliseconds; nothing where there is no /proc. */
const MS_PER_TICK = 10;
const UTIME = 11;

export type CpuTimes = { [name: string]: number };

export function cpuTimes(pids: { [name: string]: number | null }): CpuTimes {
  const times: CpuTimes = {};
  for (const [name, pid] of Object.entries(pids)) if (pid !== null) times[name] = timeOf(pid);
  return times;
}

export function cpuBetween(before: CpuTimes, later: CpuTimes): CpuTimes {
  return Object.fromEntries(Object.entries(later).map(([name, ms]) => [name, ms - (before[name] ?? ms)]));
}

/** CPU of a process; for a server also its living children (PostgreSQL has one for each connection) and those that it has collected. */
function timeOf(pid: number): number {
  const [own, collected] = ticks(pid);
  // Children of this process are measured by name.
  if (pid === process.pid) return own * MS_PER_TICK;
  const living = childrenOf(pid).reduce((sum, child) => sum + ticks(child)[0], 0);
  return (own + collected + living) * MS_PER_TICK;
}

function ticks(pid: number): [number, number] {
  const text = read(`/proc/${pid}/stat`);
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .slice(UTIME, UTIME + 4)
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields;
  return [user + system, childUser + childSystem];
}

export function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).trim().split(/\s+/).filter(Boolean).map(Number);
}

/** Resident memory in MB. */
export function residentMb(pid: number): number {
  const found = /VmRSS:\s+(\d+) kB/.exec(read(`/proc/${pid}/status`));
  return Number(found?.[1] ?? 0) / 1024;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
