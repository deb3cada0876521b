import { spawn } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { SAMPLE_KEY } from '../../infra/crypto/master-keys';
import { newFolder } from '../support/run-folder';

const ROOT = path.resolve(__dirname, '../..');

/** A program from its sources, with the keys of `env` and nothing else. */
function start(program: string, env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(process.execPath, ['-r', path.join(ROOT, 'test/support/ts-hook.cjs'), path.join(ROOT, program)], {
    env: {
      PATH: process.env.PATH,
      AF_HOME: newFolder('keyless'),
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      ...env,
    },
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  child.stdout.on('data', (chunk) => (said += String(chunk)));
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code, said })));
}

describe.each([
  ['the API', 'src/main.ts', 'The API cannot start: '],
  ['the worker', 'worker/main.ts', 'The worker stopped: '],
])('%s', (_what, program, begin) => {
  it.each([
    ['F32b: no key', {}, /There is no master key/],
    ['A09: the sample of the repository', { AF_MASTER_KEYS: SAMPLE_KEY }, /no random value|sample value/],
  ])(
    'does not start with %s, and says so in one line',
    async (_keys, env, words) => {
      const { code, said } = await start(program, env);
      expect([code, said]).toEqual([1, expect.stringMatching(words)]);
      expect(said).toMatch(new RegExp(`^${begin}[^\\n]+\\n$`));
      for (const key of Object.values(env)) if (key.includes(':')) expect(said).not.toContain(key.split(':')[1]);
    },
    60_000,
  );
});
