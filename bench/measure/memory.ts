import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { childrenOf } from './cpu';

/** Proportional memory (PSS) by process, in MB: pages that several share count once over all of them. */
export type MemoryMb = { [name: string]: number };

const READING_MS = 500;
const CALM_READINGS = 40;

function memoryNow(pids: { [name: string]: number | null }): MemoryMb {
  return Object.fromEntries(
    Object.entries(pids).flatMap(([name, pid]) => (pid === null ? [] : [[name, withChildren(name, pid)]])),
  );
}

/** Lowest reading of each process, once all together have not fallen for a while: V8 collects garbage when it is idle. */
export async function settledMemory(pids: { [name: string]: number | null }): Promise<MemoryMb> {
  let lowest = memoryNow(pids);
  for (let calm = 0; calm < CALM_READINGS; calm++) {
    await sleep(READING_MS);
    const now = memoryNow(pids);
    const next = Object.fromEntries(Object.entries(now).map(([name, mb]) => [name, Math.min(mb, lowest[name] ?? mb)]));
    if (sumOf(next) < sumOf(lowest) - 1) calm = 0;
    lowest = next;
  }
  return lowest;
}

export function addedMemory(before: MemoryMb, later: MemoryMb): MemoryMb {
  return Object.fromEntries(Object.entries(later).map(([name, mb]) => [name, mb - (before[name] ?? 0)]));
}

function sumOf(memory: MemoryMb): number {
  return Object.values(memory).reduce((sum, mb) => sum + mb, 0);
}

/** A server with its children: PostgreSQL has a process for each connection. Children of this process are measured by name. */
function withChildren(name: string, pid: number): number {
  const children = name === 'load' ? [] : childrenOf(pid);
  return [pid, ...children].reduce((sum, each) => sum + proportionalMb(each), 0);
}

function proportionalMb(pid: number): number {
  const found = /^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`));
  return Number(found?.[1] ?? 0) / 1024;
}

/** Empty where the process has ended. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
