import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFaultBench } from '../support/fault-bench';
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
  /** Everything that is wrong; empty = all is well. */
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
export async function soak({
  minutes,
  faultEverySeconds,
  startEveryMs,
  say = () => {},
}: SoakOptions): Promise<SoakResult> {
  const bench = await startFaultBench({ workers: 0, env: { AF_LOG_LEVEL: 'warn' } });
  const { stack, witness } = bench;
  try {
    const watched = await stack.startWorker({ nodeOptions: COLLECT });
    await stack.startWorker();
    const random = seeded('soak');
    const load = new Load(stack.api, seeded('soak-load'), { everyMs: startEveryMs, atOnce: 60, waitMs: WAIT_MS });
    await load.save();
    witness.respond(() => ({ delayMs: random.int(0, 200) }));
    const memory = new MemoryWatch(watched.pid, SAMPLE_MS);
    const starting = load.start();
    const faults: Record<string, number> = {};
    for (const end = Date.now() + minutes * 60_000; Date.now() + faultEverySeconds * 1_000 <= end;) {
      await sleep(faultEverySeconds * 1_000);
      const name = random.pick(Object.keys(FAULTS));
      say(`${load.runs.length} runs, ${memory.samples.at(-1)?.mb.toFixed(0) ?? '–'} MB; ${name}`);
      await FAULTS[name]?.(bench, random);
      faults[name] = (faults[name] ?? 0) + 1;
    }
    await Promise.all([load.stop(), starting]);
    memory.stop();
    if (!watched.alive()) load.problems.push('the worker that nobody touched has ended');
    const ledger = await checkLedger(stack, {
      witness,
      runs: load.runs.map(({ runId }) => runId),
      effects: expectedEffects(load.runs),
    });
    return {
      runs: load.runs.length,
      requests: witness.seen.length,
      faults,
      problems: [...load.problems, ...ledger],
      slowest: await slowestRun(stack),
      memory: memory.samples,
      growth: growth(memory.samples, WARM_UP_MINUTES),
    };
  } finally {
    await bench.close();
  }
}

async function slowestRun({ admin }: Stack): Promise<SoakResult['slowest']> {
  const [row] = await admin.query<{ id: string; seconds: number }>(
    `select id, extract(epoch from finished_at - created_at)::float8 as seconds from runs
      where finished_at is not null order by 2 desc limit 1`,
  );
  return row;
}
