import { spawn } from 'node:child_process';
import path from 'node:path';
import { newFolder } from './run-folder';

const ROOT = path.resolve(__dirname, '../..');

export interface Ended {
  code: number | null;
  /** Text of both outputs. */
  said: string;
}

/** Starts a program from its sources, with a home of its own and `env` alone; for programs that end by themselves. */
export function endOf(program: string, env: Record<string, string>): Promise<Ended> {
  const child = spawn(process.execPath, ['-r', path.join(ROOT, 'test/support/ts-hook.cjs'), path.join(ROOT, program)], {
    env: {
      PATH: process.env.PATH,
      AF_HOME: newFolder('program'),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ...env,
    },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, said })));
}
