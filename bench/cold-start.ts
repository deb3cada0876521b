import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectFolder, resolveHome } from '../infra/embedded/home';
import { resetHome } from '../infra/embedded/reset';
import { median } from './measure/stats';

export const START_OF_ALL = 'start';
/** Seconds from the command to its exit. */
const FLOOR = 8;
const AIM = 5;
const RAN = /The run took/;

/** One `quickstart --once`: seconds until its run had ended, and until all processes had stopped. */
interface Start {
  run: number;
  exit: number;
}
export interface Starts {
  /** Starts with a new folder: the database and its schema are created. */
  first: Start;
  warm: Start[];
}

/** Measured before anything else runs. Caches are warm: packages, build and servers exist already. */
export async function coldStarts(rounds: number, signal: AbortSignal, say: (line: string) => void): Promise<Starts> {
  const root = mkdtempSync(path.join(tmpdir(), 'af-bench-start-'));
  const bin = process.env['AF_CACHE_DIR'] ?? path.join(projectFolder(), '.af/bin');
  const env = { ...process.env, AF_HOME: root, AF_CACHE_DIR: bin };
  try {
    const first = await start(env, signal);
    say(`start  new folder: ${shown(first)}`);
    const warm: Start[] = [];
    for (let round = 0; round < rounds; round++) {
      const one = await start(env, signal);
      say(`round ${round + 1}  start: ${shown(one)}`);
      warm.push(one);
    }
    return { first, warm };
  } finally {
    await resetHome({ ...resolveHome(env), bin: root });
  }
}

/** The exit code of the command is that of its run. */
function start(env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Start> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1_000;
  const child = spawn('npm', ['run', 'quickstart', '--', '--once'], { cwd: projectFolder(), env });
  const stop = (): void => void child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  let said = '';
  let run = Number.NaN;
  const take = (chunk: Buffer): void => {
    said += chunk.toString('utf8');
    if (Number.isNaN(run) && RAN.test(said)) run = seconds();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  return new Promise<Start>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0 && !Number.isNaN(run)) resolve({ run, exit: seconds() });
      else reject(new Error(`quickstart --once ended with ${code}: ${said.trim().slice(-1_000)}`));
    });
  }).finally(() => signal.removeEventListener('abort', stop));
}

function shown({ run, exit }: Start): string {
  return `${run.toFixed(1)} s to the end of the run, ${exit.toFixed(1)} s to the exit`;
}

/** Rows of the table of comparisons. */
export function startReport({ first, warm }: Starts): { lines: string[]; failed: string[] } {
  const exit = median(warm.map((each) => each.exit));
  const verdict = exit > FLOOR ? 'below the floor' : exit > AIM ? 'ok' : 'aim reached';
  const rounds = warm.map((each) => each.exit.toFixed(1)).join(' ');
  const run = median(warm.map((each) => each.run));
  return {
    lines: [
      `| quickstart --once after a stop of everything, to its exit | ${exit.toFixed(1)} s | | (${rounds}) | ${FLOOR} s | ${AIM} s | ${verdict} |`,
      `| the same, to the end of its run | ${run.toFixed(1)} s | | with a new folder: ${first.run.toFixed(1)} s, exit ${first.exit.toFixed(1)} s | | | |`,
    ],
    failed: exit > FLOOR ? [`quickstart --once: ${exit.toFixed(1)} s, floor ${FLOOR} s`] : [],
  };
}
