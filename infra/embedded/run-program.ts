import { spawn } from 'node:child_process';
import { JoinedSignal } from '../joined-signal';

export interface ProgramOptions {
  timeoutMs: number;
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Ends the program. */
  signal?: AbortSignal;
}

export interface ProgramResult {
  /** Exit code; null when it was not found, or was ended by the time limit or the signal. */
  code: number | null;
  output: string;
}

const MAX_OUTPUT = 100_000;

/** Runs a program to its end and collects what it says. Never throws. */
export function runProgram(command: string, args: readonly string[], options: ProgramOptions): Promise<ProgramResult> {
  const { timeoutMs, cwd, env, signal } = options;
  // The timer of spawn's own `timeout` would keep our process alive where the program is not found.
  const limit = new JoinedSignal(AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : []));
  const ended = new Promise<ProgramResult>((resolve) => {
    let output = '';
    const child = spawn(command, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      killSignal: 'SIGKILL',
      cwd,
      env,
      signal: limit.signal,
    });
    const collect = (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
  return ended.finally(() => limit.release());
}
