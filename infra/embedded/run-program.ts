import { spawn } from 'node:child_process';

export interface ProgramResult {
  /** Exit code; null when it was not found, or was ended at the time limit. */
  code: number | null;
  output: string;
}

const MAX_OUTPUT = 100_000;

/** Runs a program to its end and collects what it says. Never throws. */
export function runProgram(
  command: string,
  args: readonly string[],
  timeoutMs: number,
  cwd?: string,
): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let output = '';
    const child = spawn(command, [...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
      cwd,
    });
    const collect = (chunk: Buffer) => (output = (output + chunk.toString('utf8')).slice(-MAX_OUTPUT));
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
  });
}
