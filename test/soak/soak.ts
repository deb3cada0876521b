import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFaultBench, type FaultBench } from '../support/fault-bench';
import { seeded } from '../support/fault-size';
import { checkLedger } from '../support/ledger';
import type { Stack } from '../support/stack';
import { FAULTS } from './faults';
import { expectedEffects, Load } from './load';
import { growth, MemoryWatch, type Sample } from './memory';

export interface SoakOptions {
  minutes: number;
  /** Time from one fault to the next. */
  faultEverySeconds: number;
  /** Time from one start to the next. */
  startEveryMs: number;
  say?: (line: string) => void;
}

export interface SoakResult {
  runs: number;
  requests: number;
  faults: Record<string, number>;
  /** List of all faults; empty = none. */
  problems: string[];
  /** The run that took longest, in seconds from its start to its end. */
  slowest: { id: string; seconds: number } | undefined;
  memory: Sample[];
  /** MB an hour after the first ten minutes; undefined where there were none. */
  growth: number | undefined;
}

const SAMPLE_MS = 15_000;
const WARM_UP_MINUTES = 10;
const WAIT_MS = 600_000;
const COLLECT = ['--expose-gc', '-r', path.join(__dirname, '../support/gc-on-signal.cjs')];

/** Load with one fault after the other, then the ledger. AF_FAULT_SEED draws the faults and their lengths. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const bench = await startFaultBench({ workers: 0, env: { AF_LOG_LEVEL: 'warn' } });
  const samples: Sample[] = [];
  let early = false;
  try {
    return await carryOut(bench, options, samples);
  } catch (error) {
    // Cause of the early end is the finding; faults of the shutdown are reported separately.
    early = true;
    options.say?.(`ended early: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    options.say?.(`growth until then: ${growth(samples, WARM_UP_MINUTES)?.toFixed(1) ?? '–'} MB an hour`);
    throw error;
  } finally {
    await bench.close().catch((error: unknown) => {
      if (!early) throw error;
      options.say?.(`the way down: ${String(error)}`);
    });
  }
}

async function carryOut(
  bench: FaultBench,
  { minutes, faultEverySeconds, startEveryMs, say = () => {} }: SoakOptions,
  samples: Sample[],
): Promise<SoakResult> {
  const { stack, witness } = bench;
  const watched = await stack.startWorker({ nodeOptions: COLLECT });
  await stack.startWorker();
  const random = seeded('soak');
  const load = new Load(stack.api, seeded('soak-load'), { everyMs: startEveryMs, atOnce: 60, waitMs: WAIT_MS });
  await load.save();
  witness.respond(() => ({ delayMs: random.int(0, 200) }));
  const memory = new MemoryWatch(watched.pid, SAMPLE_MS, samples);
  const starting = load.start();
  const faults: Record<string, number> = {};
  for (const end = Date.now() + minutes * 60_000; Date.now() + faultEverySeconds * 1_000 <= end;) {
    await sleep(faultEverySeconds * 1_000);
    const name = random.pick(Object.keys(FAULTS));
    say(`${load.runs.length} runs, ${samples.at(-1)?.mb.toFixed(0) ?? '–'} MB; ${name}`);
    await FAULTS[name]?.(bench, random);
    faults[name] = (faults[name] ?? 0) + 1;
  }
  await Promise.all([load.stop(), starting]);
  memory.stop();
  if (!watched.alive()) load.problems.push('the worker that nobody touched has ended');
  const runs = load.runs.map(({ runId }) => runId);
  const ledger = await checkLedger(stack, { witness, runs, effects: expectedEffects(load.runs) });
  return {
    runs: runs.length,
    requests: witness.seen.length,
    faults,
    problems: [...load.problems, ...ledger],
    slowest: await slowestRun(stack),
    memory: samples,
    growth: growth(samples, WARM_UP_MINUTES),
  };
}

async function slowestRun({ admin }: Stack): Promise<SoakResult['slowest']> {
  const [row] = await admin.query<{ id: string; seconds: number }>(
    `select id, extract(epoch from finished_at - created_at)::float8 as seconds from runs
      where finished_at is not null order by 2 desc limit 1`,
  );
  return row;
}
