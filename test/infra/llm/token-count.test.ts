import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testEgress } from '../../support/egress';
import { createModelClient } from '../../../infra/llm/client';
import { llmSettings } from '../../../infra/llm/settings';
import { sumOfCounts } from '../../../infra/llm/token-count';
import type { ModelCompletion } from '../../../infra/llm/types';
import { ModelServer } from '../../support/model-server';

const egress = testEgress();
const KEY = 'sk-canary-0123456789';
let server: ModelServer;

beforeAll(async () => {
  server = await ModelServer.start({ keys: [KEY] });
});
afterAll(() => Promise.all([server.close(), egress.close()]));

function ask(model: string): Promise<ModelCompletion> {
  const { openaiUrl: openaiBaseUrl, anthropicUrl: anthropicBaseUrl } = server;
  const keys = { openaiApiKey: KEY, anthropicApiKey: KEY };
  const settings = llmSettings({ models: [model], ...keys, openaiBaseUrl, anthropicBaseUrl });
  return createModelClient(settings, egress).complete({
    system: 'Be brief.',
    messages: [{ role: 'user', text: 'Hello' }],
    deadline_ms: 10_000,
    signal: new AbortController().signal,
  });
}

describe.each(['openai/gpt-6-sol', 'anthropic/claude-sonnet-5-5'])('%s', (model) => {
  it.each<[string, unknown]>([
    ['a fraction', 10.5],
    ['a number below zero', -1],
    ['more than a number holds', 2 ** 53],
    ['a text', '12'],
    ['a list', [12]],
    ['nothing', undefined],
    ['null', null],
  ])('takes %s for no count: the answer counts, its tokens are not known', async (_name, odd) => {
    for (const whole of [true, false]) {
      for (const usage of [
        { input: odd, output: 5 },
        { input: 11, output: odd },
        { input: odd, output: odd },
      ]) {
        server.enqueue({ text: 'good', whole, usage });
        const { text, usage: read } = await ask(model);
        const known = (told: unknown): number | null => (told === odd ? null : (told as number));
        const expected = { input_tokens: known(usage.input), output_tokens: known(usage.output) };
        expect([text, read]).toEqual(['good', { ...expected, cached_input_tokens: 0 }]);
      }
    }
    server.enqueue({ text: 'good', usage: { input: 11, output: 5, cached: odd } });
    expect((await ask(model)).usage).toMatchObject({
      cached_input_tokens: (odd ?? null) === null ? 0 : null,
      output_tokens: 5,
    });
  });

  it('takes more from the cache than the whole input for no count, where cache and input are told apart by us', async () => {
    server.enqueue({ text: 'good', usage: { input: 100, output: 5, cached: 500 } });
    const { usage } = await ask(model);
    // Anthropic's own input leaves the cache out: here it is below zero.
    const input = model.startsWith('anthropic') ? null : 100;
    expect(usage).toMatchObject({ input_tokens: input, cached_input_tokens: input === null ? 500 : null });
  });

  it.each(['flex', 'priority', 7])('knows no list price of the tier %s', async (tier) => {
    for (const whole of [true, false]) {
      server.enqueue({ text: 'good', whole, usage: { input: 11, output: 5, tier } });
      expect((await ask(model)).usage).toMatchObject({ input_tokens: 11, output_tokens: 5, unlisted: true });
    }
  });
});

it('a sum of counts is one only while all of them and the sum are', () => {
  expect(sumOfCounts([])).toBe(0);
  expect(sumOfCounts([1, 2, 3])).toBe(6);
  expect(sumOfCounts([1, undefined])).toBeNull();
  expect(sumOfCounts([Number.MAX_SAFE_INTEGER, 1, -1])).toBeNull();
});

describe('tokens that were written to a cache', () => {
  it.each([1_000_000, 1, 'many'])('count as input and have no list price (%s)', async (written) => {
    for (const whole of [true, false]) {
      server.enqueue({ text: 'good', whole, usage: { input: 10, output: 0, written } });
      const input_tokens = typeof written === 'number' ? 10 + written : null;
      expect((await ask('anthropic/claude-sonnet-5-5')).usage).toMatchObject({ input_tokens, unlisted: true });
    }
    server.enqueue({ text: 'good', usage: { input: 10, output: 0 } });
    expect((await ask('anthropic/claude-sonnet-5-5')).usage).not.toHaveProperty('unlisted');
  });
});
