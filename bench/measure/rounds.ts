import type { Samples } from '../claims';
import type { Scenario } from '../scenario';
import { cpuOf, measure, type Meter, type Sample } from './callers';

type Implementation = Scenario['implementations'][number];

export interface Rounds {
  meter: Meter;
  rounds: number;
  samples: Samples;
  say: (line: string) => void;
}

/** Runs all rounds of these scenarios; each round has every scenario, in another order. */
export async function measureAll(at: Rounds, chosen: readonly Scenario[]): Promise<void> {
  await prepared(at, chosen, async (scenarios) => {
    for (let round = 0; round < at.rounds; round++) {
      for (const scenario of scenarios) await measureScenario(at, scenario, round);
    }
  });
}

/** Prepares the scenarios, makes their first runs, does the work with those that could be prepared, and ends them. */
export async function prepared(
  { meter, say }: Pick<Rounds, 'meter' | 'say'>,
  chosen: readonly Scenario[],
  work: (scenarios: readonly Scenario[]) => Promise<void>,
): Promise<void> {
  for (const scenario of chosen) await scenario.prepare?.();
  const able: Scenario[] = [];
  for (const scenario of chosen) able.push(await warmedUp(meter, scenario, say));
  await work(able);
  for (const scenario of chosen) await scenario.close?.();
}

async function warmedUp(meter: Meter, scenario: Scenario, say: Rounds['say']): Promise<Scenario> {
  const implementations: Implementation[] = [];
  for (const implementation of scenario.implementations) {
    const { name, count, callers, run, after, mayBeRefused } = implementation;
    try {
      await measure(meter, { callers, count: Math.max(callers, Math.ceil(count / 4)) }, run);
      implementations.push(implementation);
    } catch (error) {
      if (mayBeRefused !== true) throw error;
      say(`${scenario.name}/${name} cannot be measured: ${reasonOf(error)}`);
    }
    await after?.();
  }
  return { ...scenario, implementations };
}

/** Message of the innermost cause: a library's own message says less. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? cause.message : String(error);
}

/** Implementations one after the other; each round begins with the next one. */
async function measureScenario({ meter, samples, say }: Rounds, scenario: Scenario, round: number): Promise<void> {
  const turn = round % scenario.implementations.length;
  for (const implementation of [...scenario.implementations.slice(turn), ...scenario.implementations.slice(0, turn)]) {
    const sample = await measureOne(meter, scenario, implementation);
    const key = `${scenario.name}/${implementation.name}`;
    samples.set(key, [...(samples.get(key) ?? []), sample]);
    say(`round ${round + 1}  ${key}: ${shown(sample)}`);
  }
}

export async function measureOne(meter: Meter, { steps }: Scenario, implementation: Implementation): Promise<Sample> {
  const sample = byParts(await measure(meter, implementation, implementation.run), implementation.parts ?? 1);
  await implementation.after?.();
  return { ...sample, ...(steps === undefined ? {} : { steps }) };
}

/** Rate and CPU of each part; the times are those of the whole run. */
function byParts(sample: Sample, parts: number): Sample {
  const cpu = Object.fromEntries(Object.entries(sample.cpu).map(([name, ms]) => [name, ms / parts]));
  return { ...sample, rate: sample.rate * parts, cpu };
}

export function shown(sample: Sample): string {
  const { rate, p50, p95, steps } = sample;
  const cpu = cpuOf(sample);
  const each = steps === undefined ? '' : `, ${(cpu / steps).toFixed(2)} ms a step`;
  return `${rate.toFixed(1)}/s, p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, CPU ${cpu.toFixed(1)} ms each${each}`;
}
