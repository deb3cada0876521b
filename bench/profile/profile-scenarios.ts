import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectFolder } from '../../infra/embedded/home';
import { measureOne, prepared } from '../measure/rounds';
import { threadTimes, type ThreadTimes } from '../measure/threads';
import type { Scenario } from '../scenario';
import type { Stack } from '../stack';
import { InspectedProcess, type ThreadReading } from './inspected-process';
import { profileText, type ProcessProfile } from './report';

type Implementation = Scenario['implementations'][number];
type Say = (line: string) => void;

const PROCESSES = ['api', 'worker', 'bare'] as const;

/** A folder for the addresses of inspectors, which exists while the work runs. */
export async function withInspectors<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'af-bench-inspectors-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs each implementation once, with a CPU profile of every JavaScript thread of the product and of the bare worker. */
export async function profileScenarios(
  stack: Stack,
  inspectFolder: string,
  chosen: readonly Scenario[],
  say: Say,
): Promise<void> {
  const folder = path.join(projectFolder(), '.af/profiles', new Date().toISOString().slice(0, 19).replaceAll(':', ''));
  mkdirSync(folder, { recursive: true });
  const opened: Opened[] = [];
  for (const name of PROCESSES) {
    const pid = stack.pids[name];
    if (pid !== null) opened.push({ name, pid, inspected: await InspectedProcess.connect(inspectFolder, pid) });
  }
  const texts: string[] = [];
  await prepared({ meter: stack.meter, say }, chosen, async (scenarios) => {
    for (const scenario of scenarios) {
      for (const implementation of scenario.implementations) {
        const text = await profileOne({ stack, opened, folder }, scenario, implementation);
        say(`\n${text}`);
        texts.push(text);
      }
    }
  });
  opened.forEach(({ inspected }) => inspected.close());
  writeFileSync(path.join(folder, 'summary.md'), `${texts.join('\n\n')}\n`);
  say(`\nProfiles (.cpuprofile) and these tables: ${folder}`);
}

interface Opened {
  name: string;
  pid: number;
  inspected: InspectedProcess;
}

async function profileOne(
  { stack, opened, folder }: { stack: Stack; opened: readonly Opened[]; folder: string },
  scenario: Scenario,
  implementation: Implementation,
): Promise<string> {
  const part = takingPart(implementation.name);
  const measured = opened.filter(({ name }) => part.includes(name));
  for (const { inspected } of measured) await inspected.start();
  const before = measured.map(({ pid }) => threadTimes(pid));
  const sample = await measureOne(stack.meter, scenario, implementation);
  const profiles: ProcessProfile[] = [];
  for (const [at, { name, pid, inspected }] of measured.entries()) {
    const after = threadTimes(pid);
    profiles.push({ name, threads: await inspected.stop(), kinds: between(before[at] ?? new Map(), after) });
  }
  const key = `${scenario.name}/${implementation.name}`;
  for (const { name, threads } of profiles) write(folder, `${key}.${name}`, threads);
  return profileText({ key, sample, runs: implementation.count * (implementation.parts ?? 1), profiles });
}

/** Other processes are not profiled: it would cost time and show nothing. */
function takingPart(implementation: string): string[] {
  return implementation.startsWith('bare') ? ['bare'] : ['api', 'worker'];
}

function write(folder: string, name: string, threads: readonly ThreadReading[]): void {
  for (const { name: thread, profile } of threads) {
    const file = `${name}.${thread}.cpuprofile`.replaceAll(/[^\w.]+/g, '-');
    writeFileSync(path.join(folder, file), JSON.stringify(profile));
  }
}

function between(before: ThreadTimes, after: ThreadTimes): ThreadTimes {
  return new Map([...after].map(([kind, ms]) => [kind, ms - (before.get(kind) ?? 0)]));
}
