import { spawn } from 'node:child_process';
import { findTemporalProgram } from '../../infra/embedded/temporal-program';
import { programFolder } from './temporal';

export interface TemporalAnswer {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Temporal's own program, as an operator calls it: without our keys and our rules. */
export async function temporalCommand(address: string, args: readonly string[]): Promise<TemporalAnswer> {
  const { path: program } = await findTemporalProgram(programFolder());
  // Settings of the person who runs the tests are left out: a profile could name another server.
  const child = spawn(program, [...args, '--address', address, '--disable-config-file', '--disable-config-env'], {
    env: { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  return new Promise((done, failed) => {
    child.on('error', failed);
    child.on('close', (code) => done({ code, ...said }));
  });
}
