import { readdirSync, readFileSync } from 'node:fs';

/** CPU of a process by kind of thread, in ms. The system cuts names at 15 characters. */
export type ThreadTimes = Map<string, number>;

const KINDS: readonly [RegExp, string][] = [
  [/^V8Worker|^DelayedTask/, 'V8 (collection, compilation)'],
  [/^libuv/, 'libuv pool'],
  [/^(MainThread|WorkerThread|node)$/, 'JavaScript'],
  [/^SignalInspector|^v8:Prof/, 'the profiler'],
  [/tokio|temporal|^workflow-proces/i, 'Temporal core'],
];

export function threadTimes(pid: number): ThreadTimes {
  const times: ThreadTimes = new Map();
  for (const id of readdirSync(`/proc/${pid}/task`)) {
    const name = read(pid, id, 'comm').trim();
    const [ns = '0'] = read(pid, id, 'schedstat').split(' ');
    const kind = KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? name;
    times.set(kind, (times.get(kind) ?? 0) + Number(ns) / 1e6);
  }
  return times;
}

function read(pid: number, id: string, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/task/${id}/${what}`, 'utf8');
  } catch {
    return '';
  }
}
