import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../../core/errors/app-error';
import { testEgress } from '../../support/egress';
import { createModelClient } from '../../../infra/llm/client';
import { llmSettings } from '../../../infra/llm/settings';
import type { ModelClient, ModelRequest } from '../../../infra/llm/types';
import { ModelServer, type Reply } from '../../support/model-server';

const egress = testEgress();
const KEY = 'sk-canary-0123456789';
let server: ModelServer;

beforeAll(async () => {
  server = await ModelServer.start({ keys: [KEY] });
});
afterAll(() => Promise.all([server.close(), egress.close()]));
beforeEach(() => server.reset());

function client(models: string[]): ModelClient {
  return createModelClient(
    llmSettings({
      models,
      openaiApiKey: KEY,
      openaiBaseUrl: server.openaiUrl,
      anthropicApiKey: KEY,
      anthropicBaseUrl: server.anthropicUrl,
    }),
    egress,
  );
}

function request(): ModelRequest {
  return {
    system: 'Be brief.',
    messages: [{ role: 'user', text: 'Hello' }],
    deadline_ms: 120_000,
    signal: new AbortController().signal,
  };
}

async function errorOf(promise: Promise<unknown>): Promise<AppError> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(AppError);
  return thrown as AppError;
}

const BOTH = ['openai/gpt-6-sol', 'anthropic/claude-sonnet-5-5'];

describe.each(BOTH)('%s', (model) => {
  it.each<[string, Reply]>([
    ['JSON of another protocol', { body: '{"object":"list","data":[]}' }],
    ['no object', { body: 'null' }],
    ['another shape', { body: '{"content":"text","choices":"text","stop_reason":"end_turn"}' }],
    ['no end', { text: 'abc', ends_as: null }],
    ['no end of a whole answer', { text: 'abc', ends_as: null, whole: true }],
    ['a turn that goes on', { text: 'abc', ends_as: 'pause_turn' }],
    ['an error for its end', { text: 'abc', ends_as: 'error', whole: true }],
  ])('gave a bad response: %s', async (_name, reply) => {
    server.enqueue(reply);
    const error = await errorOf(client([model]).complete(request()));
    expect(error).toMatchObject({ code: 'llm_bad_response', retryable: true });
  });

  it('F19f an empty retry-after-ms names no time', async () => {
    const headers = { 'retry-after-ms': ' ', 'retry-after': '7' };
    server.enqueue({ status: 429, headers, error: { type: 'rate_limit_error', message: 'slow down' } });
    expect((await errorOf(client([model]).complete(request()))).details['retry_after_ms']).toBe(7_000);
  });

  it('says in its message what the provider says', async () => {
    const said = 'max_tokens: 99999 > 64000, which is the limit';
    server.enqueue({ status: 400, error: { type: 'invalid_request_error', message: said } });
    const error = await errorOf(client([model]).complete(request()));
    expect(error.message).toBe(`${model} refuses the request: ${said}.`);
    expect(error.details['provider_message']).toBe(said);
  });

  it('a redirect names the setting to change, and the next model is tried', async () => {
    server.enqueue({ status: 307, headers: { location: '/elsewhere' }, body: '' });
    const error = await errorOf(client([model]).complete(request()));
    const setting = model.startsWith('openai') ? 'OPENAI_BASE_URL' : 'ANTHROPIC_BASE_URL';
    expect(error).toMatchObject({ code: 'redirect_refused', message: expect.stringContaining(setting) });
    expect(error.message).not.toContain('connector');
    server.enqueue({ status: 307, headers: { location: '/elsewhere' }, body: '' }, { text: 'second' });
    const next = BOTH.filter((name) => name !== model);
    expect((await client([model, ...next]).complete(request())).text).toBe('second');
  });
});
