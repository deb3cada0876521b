import { type ChildProcess, execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../infra/embedded/home';
import { isAlive, lastLines, sendSignal, spawnLogged, waitUntil } from '../../infra/embedded/process';
import { compileCache, registerServer, sharedOnce } from './run-folder';

interface Exit {
  /** Exit code; null: a signal ended the process. */
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** One process of the product, to be killed, frozen and stopped by its pid. */
export interface ProductProcess {
  readonly pid: number;
  readonly logFile: string;
  /** Rest of the ready line. */
  readonly said: string;
  readonly exited: Promise<Exit>;
  alive(): boolean;
  /** SIGKILL; resolves when the process is gone. */
  kill(): Promise<Exit>;
  /** SIGTERM; resolves when the process is gone. */
  stop(): Promise<Exit>;
  signal(name: NodeJS.Signals): void;
}

export interface ProductProgram {
  /** Path of the program below dist/. */
  script: string;
  env: NodeJS.ProcessEnv;
  logFile: string;
  readyLine: RegExp;
  nodeOptions?: readonly string[];
  /** Receives the pid before the program has done much, for example to put it into a control group. */
  onSpawn?: (pid: number) => void;
}

const READY_MS = 300_000;
const KEEP_COMPILED = path.join(__dirname, 'keep-compiled.cjs');
const dist = (script: string): string => path.join(projectFolder(), 'dist', script);

/** Output of `npm run build` for these sources: cases about real processes run it. */
export function builtProduct(): Promise<boolean> {
  return sharedOnce('build', async () => {
    execFileSync(process.execPath, [path.join(projectFolder(), 'scripts/build.cjs')], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return true;
  });
}

export async function startProduct(program: ProductProgram): Promise<ProductProcess> {
  const { logFile } = program;
  const from = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const child = spawnLogged({
    command: process.execPath,
    args: ['-r', KEEP_COMPILED, ...(program.nodeOptions ?? []), dist(program.script)],
    env: { ...program.env, NODE_COMPILE_CACHE: compileCache() },
    cwd: projectFolder(),
    logFile,
  });
  const pid = child.pid ?? 0;
  registerServer(pid);
  program.onSpawn?.(pid);
  const exited = exitOf(child);
  let ended: Exit | undefined;
  void exited.then((exit) => (ended = exit));
  let said: string | undefined;
  await waitUntil(() => (said = readyText(program, from)) !== undefined, {
    what: `${program.script} (log ${logFile})`,
    timeoutMs: READY_MS,
    failed: () => ended && `${program.script} ended (${ended.code ?? ended.signal}):\n${lastLines(logFile)}`,
  });
  const end = (name: NodeJS.Signals) => {
    sendSignal(pid, name);
    return exited;
  };
  return {
    pid,
    logFile,
    said: said ?? '',
    exited,
    alive: () => isAlive(pid),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    signal: (name) => sendSignal(pid, name),
  };
}

function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }));
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Reads only the output of this start. */
function readyText({ logFile, readyLine }: ProductProgram, from: number): string | undefined {
  if (!existsSync(logFile)) return undefined;
  return readyLine.exec(readFileSync(logFile).subarray(from).toString('utf8'))?.[1];
}
