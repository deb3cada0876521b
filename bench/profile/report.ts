import { shown } from '../measure/rounds';
import type { Sample } from '../measure/callers';
import type { ThreadTimes } from '../measure/threads';
import { summarize } from './by-group';
import type { ThreadReading } from './inspected-process';

export interface ProcessProfile {
  name: string;
  threads: readonly ThreadReading[];
  /** CPU by kind of thread, of all threads of the process. */
  kinds: ThreadTimes;
}

export interface Profiled {
  key: string;
  sample: Sample;
  runs: number;
  profiles: readonly ProcessProfile[];
}

const TOP = 15;
/** Share of a thread's CPU below which groups are shown together. */
const SMALL = 0.005;
/** CPU a run below which a thread is shown in one line. */
const QUIET_MS = 0.1;

/** Tables in Markdown: processes, then for each JavaScript thread its groups and its most expensive functions. */
export function profileText({ key, sample, runs, profiles }: Profiled): string {
  const parts = [`## ${key}`, `${runs} runs; ${shown(sample)}, with profiling`, processTable(sample)];
  for (const { name, threads, kinds } of profiles) {
    parts.push(`### ${name}: threads`, kindTable(kinds, runs));
    for (const thread of threads) parts.push(...threadTables(`${name}, ${thread.name}`, thread, runs));
  }
  return parts.join('\n\n');
}

function processTable({ cpu }: Sample): string {
  const total = Object.values(cpu).reduce((sum, ms) => sum + ms, 0);
  const rows = Object.entries(cpu).map(([name, ms]) => [name, ms.toFixed(2), percent(ms, total)]);
  return table(['process', 'CPU ms a run', '%'], [...rows, ['all', total.toFixed(2), '100.0']]);
}

function kindTable(kinds: ThreadTimes, runs: number): string {
  const total = [...kinds.values()].reduce((sum, ms) => sum + ms, 0);
  const rows = [...kinds]
    .filter(([, ms]) => ms / total > SMALL)
    .sort((a, b) => b[1] - a[1])
    .map(([kind, ms]) => [kind, (ms / runs).toFixed(2), percent(ms, total)]);
  return table(['threads', 'CPU ms a run', '%'], rows);
}

/** Samples give the shares, the thread's CPU time the sum: a thread that waits for a core is sampled too. */
function threadTables(title: string, { profile, cpuMs }: ThreadReading, runs: number): string[] {
  const each = cpuMs / runs;
  if (each < QUIET_MS) return [`### ${title}: ${each.toFixed(2)} ms a run`];
  const { groups, functions, us } = summarize(profile);
  const ms = (part: number): string => ((part / us) * each).toFixed(2);
  const large = groups.filter((group) => group.us / us > SMALL || group.withCallees / us > SMALL * 2);
  const rest = us - large.reduce((sum, group) => sum + group.us, 0);
  const rows = large.map((group) => [group.name, ms(group.us), percent(group.us, us), ms(group.withCallees)]);
  const top = functions.slice(0, TOP).map((one) => [one.name, one.at, ms(one.us), percent(one.us, us)]);
  return [
    `### ${title}: ${each.toFixed(2)} ms a run`,
    table(
      ['group', 'ms a run', '%', 'ms a run with what it calls'],
      [...rows, ['others', ms(rest), percent(rest, us), '']],
    ),
    table(['function', 'place', 'ms a run', '%'], top),
  ];
}

function percent(part: number, whole: number): string {
  return ((part / whole) * 100).toFixed(1);
}

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
