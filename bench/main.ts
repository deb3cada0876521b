import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { projectFolder } from '../infra/embedded/home';
import { apiScenarios } from './api/scenarios';
import { LIVE_SCENARIO } from './api/floors';
import type { Scenario } from './scenario';
import { scenarios, FULL, QUICK, type Size } from './scenarios';
import type { Samples } from './claims';
import { connectorScenarios } from './connectors/scenarios';
import { manyWaiting } from './many-waiting';
import { measure, type Sample } from './measure/callers';
import { w1, w2, w3, w4 } from './product/playbooks';
import { report } from './report';
import { startStack, type Stack } from './stack';
import { dated, merged } from './tables';

interface Options {
  size: Size;
  quick: boolean;
  write: boolean;
  /** Only these scenarios; `W1` stands for all of W1, `waiting`, `parse`, `paging`, `start-run` and `lists` are some. */
  only: string[];
}

function parse(args: string[]): Options {
  const flag = { type: 'boolean', default: false } as const;
  const { quick, write, rounds, only } = parseArgs({
    args,
    options: { quick: flag, write: flag, rounds: { type: 'string' }, only: { type: 'string' } },
  }).values;
  const size = quick ? QUICK : FULL;
  return { size: { ...size, rounds: Number(rounds ?? size.rounds) }, quick, write, only: only?.split(',') ?? [] };
}

async function main(): Promise<number> {
  const options = parse(process.argv.slice(2));
  const stop = new AbortController();
  const stack = await startStack(say);
  process.on('SIGINT', () => stop.abort());
  process.on('SIGTERM', () => stop.abort());
  try {
    const result = await Promise.race([bench(stack, options), aborted(stop.signal)]);
    return result;
  } finally {
    await stack.stop();
  }
}

async function bench(stack: Stack, options: Options): Promise<number> {
  say(`Measured on ${stack.server}; ${availableParallelism()} cores.`);
  for (const playbook of [
    w1('pure'),
    w1('activity'),
    w1('segment'),
    w2(),
    w3('pure'),
    w3('activity'),
    w4('pure'),
    w4('activity'),
    w4('segment'),
  ]) {
    await stack.product.save(playbook);
  }
  const wanted = (name: string): boolean =>
    options.only.length === 0 || options.only.some((only) => name === only || name.startsWith(`${only} `));
  const all = [...scenarios(stack, options.size), ...connectorScenarios(stack, options.size)];
  const chosen = all.filter((scenario) => wanted(scenario.name));
  const samples: Samples = new Map();
  await measureAll(stack, chosen, options.size.rounds, samples);
  const waiting = wanted('waiting') ? await manyWaiting(stack, 1_000, options.quick ? 15 : 40) : undefined;
  // Last of all: the rows and runs of the API's scenarios stay behind.
  const ofApi = apiScenarios(stack, options.size);
  const asked = ofApi.filter((scenario) => wanted(scenario.name));
  // Whatever is measured of the API is compared with its cheapest answer.
  const compared =
    asked.length === 0 ? [] : ofApi.filter((scenario) => asked.includes(scenario) || scenario.name === LIVE_SCENARIO);
  await measureAll(stack, compared, options.size.rounds, samples);
  const { text, failed } = report(samples, waiting);
  say(`\n${text}\n`);
  for (const miss of failed) say(`BELOW THE FLOOR  ${miss}`);
  if (options.write) writeTable(stack, options, text);
  return failed.length === 0 ? 0 : 1;
}

async function measureAll(stack: Stack, chosen: Scenario[], rounds: number, samples: Samples): Promise<void> {
  for (const scenario of chosen) await scenario.prepare?.();
  for (const scenario of chosen) await warmUp(stack, scenario);
  for (let round = 0; round < rounds; round++) {
    for (const scenario of chosen) await measureScenario(stack, scenario, round, samples);
  }
  for (const scenario of chosen) await scenario.close?.();
}

async function warmUp(stack: Stack, scenario: Scenario): Promise<void> {
  for (const { count, callers, run, after } of scenario.implementations) {
    await measure(stack.meter, { callers, count: Math.ceil(count / 4) }, run);
    await after?.();
  }
}

/** Rate and CPU of each part; the times stay those of a whole run. */
function byParts(sample: Sample, parts: number): Sample {
  const cpu = Object.fromEntries(Object.entries(sample.cpu).map(([name, ms]) => [name, ms / parts]));
  return { ...sample, rate: sample.rate * parts, cpu };
}

/** Implementations one after the other; the order is turned by one each round. */
async function measureScenario(stack: Stack, scenario: Scenario, round: number, samples: Samples): Promise<void> {
  const turn = round % scenario.implementations.length;
  for (const implementation of [...scenario.implementations.slice(turn), ...scenario.implementations.slice(0, turn)]) {
    const sample = byParts(await measure(stack.meter, implementation, implementation.run), implementation.parts ?? 1);
    await implementation.after?.();
    const key = `${scenario.name}/${implementation.name}`;
    samples.set(key, [...(samples.get(key) ?? []), sample]);
    const cpu = Object.values(sample.cpu).reduce((sum, ms) => sum + ms, 0);
    say(
      `round ${round + 1}  ${key}: ${sample.rate.toFixed(1)}/s, p50 ${sample.p50.toFixed(1)} ms, p95 ${sample.p95.toFixed(1)} ms, CPU ${cpu.toFixed(1)} ms each`,
    );
  }
}

const BEGIN = '<!-- table: written by npm run bench -- --write -->';
const END = '<!-- end of the table -->';

/** Of some scenarios alone: the rows of the others stay, each with its time. */
function writeTable(stack: Stack, { size, only }: Options, text: string): void {
  const file = path.join(projectFolder(), 'docs/performance.md');
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
  const fresh = dated(text, new Date().toISOString().slice(0, 16).replace('T', ' '));
  const tables = only.length === 0 ? fresh : merged(page.slice(begin, end), fresh);
  const about = `Measured with \`npm run bench -- --write\` on ${availableParallelism()} cores, ${size.rounds} rounds, on ${stack.server}. Rows of another time (UTC) were measured before, with the code of that time.`;
  writeFileSync(file, `${page.slice(0, begin)}\n${about}\n\n${tables}\n${page.slice(end)}`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The benchmark was interrupted.')), { once: true });
  });
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  },
);
