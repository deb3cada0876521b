import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

export interface AfResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the command line from the sources, as a process of its own. */
export function af(args: readonly string[], { env = {}, input = '' } = {}): Promise<AfResult> {
  const hook = join(ROOT, 'test/support/ts-hook.cjs');
  const child = spawn(process.execPath, ['-r', hook, join(ROOT, 'cli/main.ts'), ...args], {
    env: { PATH: process.env.PATH, ...env },
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => done({ code, ...said }));
  });
}
