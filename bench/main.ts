import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { projectFolder } from '../infra/embedded/home';
import { apiScenarios } from './api/scenarios';
import { LIVE_SCENARIO } from './api/floors';
import { scenarios } from './scenarios';
import type { Scenario } from './scenario';
import { coldStarts, START_OF_ALL } from './cold-start';
import { connectorScenarios } from './connectors/scenarios';
import { manyWaiting } from './many-waiting';
import { settledMemory } from './measure/memory';
import { measureAll } from './measure/rounds';
import { AFTER_ALL, asksForAll, MEMORY_SCENARIO, readMemory, WAITING_BARE, WAITING_PRODUCT } from './memory';
import { chosenOf, isWanted, onlyOf, parseOptions, type Options } from './options';
import { profileScenarios, withInspectors } from './profile/profile-scenarios';
import { allPlaybooks } from './product/playbooks';
import { report, type Measured } from './report';
import { startStack, type Stack, type StackOptions } from './stack';
import { dated, merged } from './tables';

/** Scenarios by default: the price of a run, and its parts. */
const PROFILED = ['W1 c20', 'W4'];

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  const { processes } = options;
  const stop = new AbortController();
  process.on('SIGINT', () => stop.abort());
  process.on('SIGTERM', () => stop.abort());
  if (options.profile)
    return withInspectors((folder) =>
      onStack({ signal: stop.signal, inspectFolder: folder, processes }, (stack) => profile(stack, options, folder)),
    );
  const measured: Measured = { samples: new Map(), memory: new Map() };
  // Memory is read before the first run of the benchmark.
  if (isWanted(options, START_OF_ALL)) measured.starts = await coldStarts(options.size.rounds, stop.signal, say);
  const server = onlyOf(options, START_OF_ALL)
    ? 'the embedded profile'
    : await withInspectors((folder) => {
        // An inspector costs a process some memory and time, so that only what asks for collection has one.
        const inspectFolder = asksForAll(options) ? folder : undefined;
        return onStack({ signal: stop.signal, inspectFolder, processes }, (stack) =>
          bench(stack, options, { measured, inspectFolder }),
        );
      });
  return told(server, options, measured);
}

/** Starts all processes, does the work, and stops them; a signal ends the work. */
async function onStack<T>(
  { signal, ...options }: Omit<StackOptions, 'say'> & { signal: AbortSignal },
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  const stack = await startStack({ say, ...options });
  try {
    say(`Measured on ${stack.server}; ${availableParallelism()} cores.`);
    await savePlaybooks(stack);
    return await Promise.race([work(stack), aborted(signal)]);
  } finally {
    await stack.stop();
  }
}

async function savePlaybooks({ product }: Stack): Promise<void> {
  for (const playbook of allPlaybooks()) await product.save(playbook);
}

/** Measures all that needs the product, and says on which server. */
async function bench(
  stack: Stack,
  options: Options,
  { measured, inspectFolder }: { measured: Measured; inspectFolder: string | undefined },
): Promise<string> {
  const { samples, memory } = measured;
  const ofMemory = isWanted(options, MEMORY_SCENARIO);
  if (ofMemory) await readMemory(stack, options, { readings: memory, inspectFolder });
  const rounds = { meter: stack.meter, rounds: options.size.rounds, samples, say };
  await measureAll(rounds, chosenOf(options, ofRuns(stack, options)));
  if (ofMemory && samples.size > 0) memory.set(AFTER_ALL, await settledMemory(stack.pids));
  if (isWanted(options, 'waiting')) {
    const waiting = await manyWaiting(stack, 1_000, options.quick ? 15 : 40);
    memory.set(WAITING_PRODUCT, waiting.product.added).set(WAITING_BARE, waiting.bare.added);
    measured.waiting = waiting;
  }
  // The scenarios of the API come last: their rows and runs stay.
  const ofApi = apiScenarios(stack, options.size);
  const asked = chosenOf(options, ofApi);
  // Each kind of request is compared with the API's cheapest answer.
  const live = ofApi.filter(({ name }) => name === LIVE_SCENARIO && !asked.some((each) => each.name === name));
  await measureAll(rounds, asked.length === 0 ? [] : [...asked, ...live]);
  return stack.server;
}

function told(server: string, options: Options, measured: Measured): number {
  const { text, failed } = report(measured);
  say(`\nMeasured on ${server}.\n\n${text}\n`);
  for (const miss of failed) say(`BELOW THE FLOOR  ${miss}`);
  if (options.write) writeTable(server, options, text);
  return failed.length === 0 ? 0 : 1;
}

function ofRuns(stack: Stack, { size }: Options): Scenario[] {
  return [...scenarios(stack, size), ...connectorScenarios(stack, size)];
}

/** Gives no verdict: profiling takes time of its own. */
async function profile(stack: Stack, options: Options, folder: string): Promise<number> {
  const all = [...ofRuns(stack, options), ...apiScenarios(stack, options.size)];
  const asked = options.only.length === 0 ? { ...options, only: PROFILED } : options;
  await profileScenarios(stack, folder, chosenOf(asked, all), say);
  return 0;
}

const BEGIN = '<!-- table: written by npm run bench -- --write -->';
const END = '<!-- end of the table -->';

/** Keeps the rows of the scenarios that were not asked for, each with its time. */
function writeTable(server: string, { size, only }: Options, text: string): void {
  const file = path.join(projectFolder(), 'docs/performance.md');
  const page = readFileSync(file, 'utf8');
  const [begin, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)];
  const fresh = dated(text, new Date().toISOString().slice(0, 16).replace('T', ' '));
  const tables = only.length === 0 ? fresh : merged(page.slice(begin, end), fresh);
  const about = `Measured with \`npm run bench -- --write\` on ${availableParallelism()} cores, ${size.rounds} rounds, on ${server}. Rows of another time (UTC) were measured before, with the code of that time.`;
  writeFileSync(file, `${page.slice(0, begin)}\n${about}\n\n${tables}\n${page.slice(end)}`);
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const end = (): void => reject(new Error('The benchmark was interrupted.'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
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
