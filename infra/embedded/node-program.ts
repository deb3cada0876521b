import { type ChildProcess } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { embeddedError } from './errors';
import { projectFolder } from './home';
import { killGroup, lastLines, outFileOf, spawnLogged, waitUntil } from './process';

export interface NodeProgram {
  /** Shown to people: `API`, `worker`. */
  title: string;
  /** The script and its arguments. */
  script: readonly string[];
  nodeOptions?: readonly string[];
  env: NodeJS.ProcessEnv;
  logFile: string;
  /** Line that says the program is ready; its first group is returned. */
  readyLine: RegExp;
  /** Called as soon as the process exists, long before it is ready. */
  onSpawn: (pid: number) => void;
}

const START_TIMEOUT_MS = 120_000;

/** Starts one of our own programs from `dist/` and waits for the line that says that it is ready. */
export async function startNodeProgram(program: NodeProgram): Promise<{ pid: number; said: string }> {
  const [file = ''] = program.script;
  if (!existsSync(file)) {
    throw embeddedError('not_built', `${file} is missing. Run "npm run build" and start again.`);
  }
  const child = spawnLogged({
    command: process.execPath,
    args: [...(program.nodeOptions ?? []), ...program.script],
    env: program.env,
    cwd: projectFolder(),
    logFile: program.logFile,
    outFile: outFileOf(program.logFile),
  });
  const pid = child.pid ?? 0;
  const failed = watchStart(program, child);
  child.unref();
  if (pid > 0) program.onSpawn(pid);
  try {
    const said = await waitForLine(program, failed);
    return { pid, said };
  } catch (error) {
    killGroup(pid);
    throw error;
  }
}

function watchStart(program: NodeProgram, child: ChildProcess): () => string | undefined {
  let failure: string | undefined;
  child.once('error', (error) => (failure = `${program.title} could not be started: ${error.message}`));
  child.once('exit', (code, signal) => (failure ??= explain(program, code, signal)));
  return () => failure;
}

async function waitForLine(program: NodeProgram, failed: () => string | undefined): Promise<string> {
  let said: string | undefined;
  await waitUntil(() => (said = readyLine(program)) !== undefined, {
    what: `${program.title} (log ${program.logFile})`,
    timeoutMs: START_TIMEOUT_MS,
    failed,
  });
  return said ?? '';
}

function readyLine(program: NodeProgram): string | undefined {
  const found = program.readyLine.exec(readFileSync(outFileOf(program.logFile), 'utf8'));
  return found === null ? undefined : (found[1] ?? '');
}

function explain(program: NodeProgram, code: number | null, signal: NodeJS.Signals | null): string {
  const how = signal === null ? `with code ${code}` : `by ${signal}`;
  return `${program.title} ended ${how} while it was starting. The end of ${program.logFile} says:\n${lastLines(program.logFile)}`;
}
