import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { projectFolder } from '../infra/embedded/home';
import { apiScenarios } from './api/scenarios';
import { LIVE_SCENARIO } from './api/floors';
import { scenarios } from './scenarios';
import type { Scenario } from './scenario';
import type { Samples } from './claims';
import { connectorScenarios } from './connectors/scenarios';
import { manyWaiting } from './many-waiting';
import { measureAll } from './measure/rounds';
import { chosenOf, isWanted, parseOptions, type Options } from './options';
import { profileScenarios, withInspectors } from './profile/profile-scenarios';
import { allPlaybooks } from './product/playbooks';
import { report } from './report';
import { startStack, type Stack } from './stack';
import { dated, merged } from './tables';

/** Where nothing is chosen: a run's price, and where it goes. */
const PROFILED = ['W1 c20', 'W4'];

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (!options.profile) return onStack(undefined, (stack) => bench(stack, options));
  return withInspectors((folder) => onStack(folder, (stack) => profile(stack, options, folder)));
}

/** Starts everything, does the work, and stops everything; a signal ends the work. */
async function onStack(inspectFolder: string | undefined, work: (stack: Stack) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const stack = await startStack(say, inspectFolder);
  process.on('SIGINT', () => stop.abort());
  process.on('SIGTERM', () => stop.abort());
  try {
    say(`Measured on ${stack.server}; ${availableParallelism()} cores.`);
    await savePlaybooks(stack);
    return await Promise.race([work(stack), aborted(stop.signal)]);
  } finally {
    await stack.stop();
  }
}

async function savePlaybooks({ product }: Stack): Promise<void> {
  for (const playbook of allPlaybooks()) await product.save(playbook);
}

async function bench(stack: Stack, options: Options): Promise<number> {
  const samples: Samples = new Map();
  const rounds = { meter: stack.meter, rounds: options.size.rounds, samples, say };
  await measureAll(rounds, chosenOf(options, ofRuns(stack, options)));
  const waiting = isWanted(options, 'waiting') ? await manyWaiting(stack, 1_000, options.quick ? 15 : 40) : undefined;
  // Last of all: the rows and runs of the API's scenarios stay behind.
  const ofApi = apiScenarios(stack, options.size);
  const asked = chosenOf(options, ofApi);
  // Whatever is measured of the API is compared with its cheapest answer.
  const live = ofApi.filter(({ name }) => name === LIVE_SCENARIO && !asked.some((each) => each.name === name));
  await measureAll(rounds, asked.length === 0 ? [] : [...asked, ...live]);
  const { text, failed } = report(samples, waiting);
  say(`\n${text}\n`);
  for (const miss of failed) say(`BELOW THE FLOOR  ${miss}`);
  if (options.write) writeTable(stack, options, text);
  return failed.length === 0 ? 0 : 1;
}

function ofRuns(stack: Stack, { size }: Options): Scenario[] {
  return [...scenarios(stack, size), ...connectorScenarios(stack, size)];
}

/** Judges nothing: a profile costs time of its own. */
async function profile(stack: Stack, options: Options, folder: string): Promise<number> {
  const all = [...ofRuns(stack, options), ...apiScenarios(stack, options.size)];
  const asked = options.only.length === 0 ? { ...options, only: PROFILED } : options;
  await profileScenarios(stack, folder, chosenOf(asked, all), say);
  return 0;
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
