import { describe, expect, it } from '@jest/globals';
import { SAMPLE_KEY } from '../../infra/crypto/master-keys';
import { endOf } from '../support/start-program';

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
      const { code, said } = await endOf(program, env);
      expect([code, said]).toEqual([1, expect.stringMatching(words)]);
      expect(said).toMatch(/^\{[^\n]+\}\n$/);
      expect(JSON.parse(said)).toMatchObject({ level: 'fatal', msg: expect.stringMatching(`^${begin}`) });
      for (const key of Object.values(env)) if (key.includes(':')) expect(said).not.toContain(key.split(':')[1]);
    },
    60_000,
  );
});
