import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '../../../core/errors/app-error';
import { testEgress } from '../../support/egress';
import { parseJsonText } from '../../../infra/llm/json-text';
import { createModelClient } from '../../../infra/llm/client';
import { llmSettings, type LlmConfig } from '../../../infra/llm/settings';
import type { ModelAttempt, ModelClient, ModelRequest } from '../../../infra/llm/types';
import { ModelServer, type Reply } from '../../support/model-server';
import { waitUntil } from '../../support/wait-until';

const egress = testEgress();
const KEY = 'sk-canary-0123456789';
let server: ModelServer;
let attempts: ModelAttempt[];

beforeAll(async () => {
  server = await ModelServer.start({ keys: [KEY] });
});
afterAll(() => Promise.all([server.close(), egress.close()]));
beforeEach(() => {
  server.reset();
  attempts = [];
});

function client(models: string[], more: Partial<LlmConfig> = {}): ModelClient {
  return createModelClient(
    llmSettings({
      models,
      openaiApiKey: KEY,
      openaiBaseUrl: server.openaiUrl,
      anthropicApiKey: KEY,
      anthropicBaseUrl: server.anthropicUrl,
      ...more,
    }),
    egress,
  );
}

function request(more: Partial<ModelRequest> = {}): ModelRequest {
  return {
    system: 'Be brief.',
    messages: [{ role: 'user', text: 'Hello' }],
    deadline_ms: 10_000,
    signal: new AbortController().signal,
    onSend: async () => async (attempt) => void attempts.push(attempt),
    ...more,
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
  it('streams an answer and its usage', async () => {
    server.enqueue({ text: 'Good day to you', piece: 4, usage: { input: 11, output: 5, cached: 3 } });
    let beats = 0;
    const answer = await client([model]).complete(request({ onProgress: () => (beats += 1) }));
    expect(answer).toMatchObject({ text: 'Good day to you', tool_calls: [], stop_reason: 'end' });
    expect(answer.usage).toEqual({ input_tokens: 11, output_tokens: 5, cached_input_tokens: 3 });
    expect(beats).toBeGreaterThan(1);
    expect(attempts).toEqual([expect.objectContaining({ outcome: 'ok', usage: answer.usage })]);
  });

  it('is not available where its stream is cut off late, or its whole answer', async () => {
    server.enqueue({ text: 'abcdef', piece: 1, piece_delay_ms: 20, broken: 'cut' });
    expect(await errorOf(client([model]).complete(request()))).toMatchObject({ code: 'llm_unavailable' });
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['llm_unavailable']);
  });

  it('reads an answer that comes whole although a stream was asked for', async () => {
    server.enqueue({ text: 'whole', whole: true });
    expect(await client([model]).complete(request())).toMatchObject({
      text: 'whole',
      usage: { input_tokens: 100, output_tokens: 20 },
    });
  });

  it.each([true, false])("keeps the digits of a tool's arguments (whole: %s)", async (whole) => {
    const tool = { name: 'get', description: 'Gets one.', parameters: { type: 'object' } };
    const written = '{"id":9007199254740993,"sum":12345678901234567.89,"n":7}';
    server.enqueue({ whole, tool_calls: [{ name: 'get', arguments: written }] });
    const { tool_calls: calls } = await client([model]).complete(request({ tools: [tool] }));
    const given = parseJsonText(calls[0]?.arguments ?? '');
    const kept = { id: '9007199254740993', sum: '12345678901234567.89', n: 7 };
    expect(given).toEqual({ ok: true, value: kept });
  });

  it('F12c takes 3 MB of text, whole and streamed', async () => {
    const text = 'é<x>'.repeat(750_000);
    server.enqueue({ text, whole: true }, { text, piece: 5000 });
    expect((await client([model]).complete(request())).text).toBe(text);
    expect((await client([model]).complete(request())).text).toBe(text);
  });

  it('gives tool calls with their arguments as text, and takes the results back', async () => {
    const tool = { name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } };
    server.enqueue(
      {
        text: 'Let me see.',
        tool_calls: [
          { id: 'a', name: 'lookup', arguments: { q: 'x' } },
          { id: 'b', name: 'lookup', arguments: '{"q":' },
        ],
      },
      { text: 'done' },
    );
    const models = client([model]);
    const first = await models.complete(request({ tools: [tool] }));
    expect(first.stop_reason).toBe('tool_calls');
    expect(first.tool_calls).toEqual([
      { id: 'a', name: 'lookup', arguments: '{"q":"x"}' },
      { id: 'b', name: 'lookup', arguments: '{"q":' },
    ]);
    const messages: ModelRequest['messages'] = [
      { role: 'user', text: 'Hello' },
      {
        role: 'assistant',
        text: first.text,
        tool_calls: first.tool_calls,
        ...(first.native ? { native: first.native } : {}),
      },
      { role: 'tool', tool_call_id: 'a', text: 'found' },
      { role: 'tool', tool_call_id: 'b', text: 'bad arguments', is_error: true },
    ];
    expect((await models.complete(request({ tools: [tool], messages }))).text).toBe('done');
  });

  it('F19b tells a refusal and a cut-off apart from an answer', async () => {
    server.enqueue({ refusal: 'I cannot help with that.' }, { text: 'half', stop: 'length' });
    expect(await client([model]).complete(request())).toMatchObject({
      stop_reason: 'refusal',
      text: 'I cannot help with that.',
    });
    expect(await client([model]).complete(request())).toMatchObject({ stop_reason: 'length' });
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['refused', 'truncated']);
  });

  it.each<[string, Reply, string, boolean]>([
    ['401', { status: 401, error: { type: 'authentication_error', message: 'no' } }, 'llm_auth_failed', false],
    [
      '404',
      { status: 404, error: { type: 'not_found_error', message: 'no such model' } },
      'llm_model_not_found',
      false,
    ],
    ['400', { status: 400, error: { type: 'invalid_request_error', message: 'bad' } }, 'llm_bad_request', false],
    [
      'too long',
      { status: 400, error: { type: 'invalid_request_error', message: 'prompt is too long: 9 tokens' } },
      'llm_input_too_long',
      false,
    ],
    ['413', { status: 413, error: { type: 'request_too_large', message: 'too large' } }, 'llm_input_too_long', false],
    [
      'no money',
      { status: 429, error: { type: 'insufficient_quota', message: 'check your plan', code: 'insufficient_quota' } },
      'llm_quota_exceeded',
      false,
    ],
    ['500', { status: 500 }, 'llm_unavailable', true],
    ['503', { status: 503 }, 'llm_unavailable', true],
    ['529', { status: 529 }, 'rate_limited', true],
    ['a page instead of JSON', { broken: 'html' }, 'llm_bad_response', true],
    ['a broken event', { text: 'abc', broken: 'sse' }, 'llm_bad_response', true],
    ['a stream cut off', { text: 'abc', piece: 1, broken: 'cut' }, 'llm_unavailable', true],
    [
      'overloaded in mid-stream',
      { text: 'abc', error_in_stream: { type: 'overloaded_error', message: 'busy' } },
      'rate_limited',
      true,
    ],
    [
      'an error in mid-stream',
      { text: 'abc', error_in_stream: { type: 'server_error', message: 'oops' } },
      'llm_unavailable',
      true,
    ],
  ])('has a code for: %s', async (_name, reply, code, retryable) => {
    server.enqueue(reply);
    const error = await errorOf(client([model]).complete(request()));
    expect(error).toMatchObject({ code, retryable });
    expect(server.requests).toHaveLength(1);
    expect(attempts.map((attempt) => attempt.outcome)).toEqual([code]);
  });

  it('F19f passes on how long a 429 wants us to wait, and does not call again before', async () => {
    server.enqueue({
      status: 429,
      headers: { 'retry-after': '3600' },
      error: { type: 'rate_limit_error', message: 'slow down' },
    });
    const models = client([model]);
    const error = await errorOf(models.complete(request()));
    expect(error).toMatchObject({
      code: 'rate_limited',
      retryable: true,
      details: { retry_after_ms: 3_600_000, status: 429 },
    });
    const again = await errorOf(models.complete(request()));
    expect(again.code).toBe('rate_limited');
    // Rest of the pause.
    expect(again.details['retry_after_ms']).toEqual(expect.any(Number));
    expect(server.requests).toHaveLength(1);
  });

  it('F19f a 429 without Retry-After names no time', async () => {
    server.enqueue({ status: 429, error: { type: 'rate_limit_error', message: 'slow down' } });
    const error = await errorOf(client([model]).complete(request()));
    expect(error).toMatchObject({ code: 'rate_limited', retryable: true });
    expect(error.details).not.toHaveProperty('retry_after_ms');
  });

  it('F19d ends at the deadline when the model stays silent, also after a first piece', async () => {
    for (const reply of [{ silent: true }, { text: 'abcdef', piece: 1, stall: true }]) {
      server.enqueue(reply);
      const error = await errorOf(client([model]).complete(request({ deadline_ms: 300 })));
      expect(error).toMatchObject({ code: 'llm_timeout', category: 'timeout', retryable: true });
    }
    await waitUntil('the end of both calls at the model', () => server.requests.every((seen) => seen.aborted));
    expect(server.requests).toHaveLength(2);
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['llm_timeout', 'llm_timeout']);
    // Cost of a broken-off answer is known if the provider names it at the start.
    const known = { input_tokens: 100, output_tokens: null };
    expect(attempts[1]?.usage ?? null).toEqual(model.startsWith('anthropic') ? expect.objectContaining(known) : null);
  });

  it('never shows the key, whatever the provider quotes', async () => {
    const wrong = 'sk-proj-notTheRightOne99';
    const error = await errorOf(client([model], { openaiApiKey: wrong, anthropicApiKey: wrong }).complete(request()));
    expect(error.code).toBe('llm_auth_failed');
    expect(JSON.stringify([error.message, error.details])).not.toContain('notTheRightOne');
    expect(error.message).toContain('_API_KEY');
  });

  it('a cancel of the caller goes on as it is', async () => {
    server.enqueue({ silent: true });
    const controller = new AbortController();
    const reason = new Error('run cancelled');
    setTimeout(() => controller.abort(reason), 100);
    await expect(client([model]).complete(request({ signal: controller.signal }))).rejects.toBe(reason);
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['cancelled']);
  });

  it('asks again without the schema where the server does not know it', async () => {
    server.enqueue(
      {
        status: 400,
        error: { type: 'invalid_request_error', message: 'response_format / output_config is unavailable now' },
      },
      { text: '{}' },
    );
    const schema = {
      name: 'result',
      strict: true,
      schema: { type: 'object', properties: {}, required: [], additionalProperties: false },
    };
    expect((await client([model]).complete(request({ json_schema: schema }))).text).toBe('{}');
    expect(server.requests[1]?.body).not.toHaveProperty('response_format');
    expect(server.requests[1]?.body).not.toHaveProperty('output_config');
  });
});

describe('OpenAI models that take tools at the responses API only', () => {
  const tools = [{ name: 'lookup', description: 'Looks up.', parameters: { type: 'object' } }];

  it('are asked there from the first refusal on', async () => {
    server.enqueue({ text: 'one' }, { text: 'two' });
    const models = client(['openai/gpt-6.2-sol']);
    expect((await models.complete(request({ tools }))).text).toBe('one');
    expect((await models.complete(request({ tools }))).text).toBe('two');
    expect(server.requests.map((seen) => seen.protocol)).toEqual(['openai', 'openai-responses', 'openai-responses']);
    expect(server.requests[1]?.body).toMatchObject({ store: false, stream: true });
    expect(attempts).toHaveLength(2);
  });

  it.each<[string, Reply, object]>([
    ['a refusal', { refusal: 'No.' }, { stop_reason: 'refusal', text: 'No.' }],
    ['a cut-off', { text: 'ha', stop: 'length' }, { stop_reason: 'length' }],
    [
      'a whole body',
      { text: 'all', whole: true },
      { stop_reason: 'end', text: 'all', usage: { input_tokens: 100, output_tokens: 20, cached_input_tokens: 0 } },
    ],
    [
      'an odd count',
      { text: 'all', usage: { input: 10.5, output: '7' } },
      { text: 'all', usage: { input_tokens: null, output_tokens: null, cached_input_tokens: 0 } },
    ],
  ])('tell %s', async (_name, reply, expected) => {
    server.enqueue(reply);
    expect(await client(['openai/gpt-6.2-sol']).complete(request({ tools }))).toMatchObject(expected);
  });

  it.each<[string, Reply, string]>([
    ['429', { status: 429, error: { type: 'rate_limit_error', message: 'slow' } }, 'rate_limited'],
    [
      'an error in mid-stream',
      { text: 'abc', error_in_stream: { type: 'server_error', message: 'oops' } },
      'llm_unavailable',
    ],
    ['a stream cut off', { text: 'abc', piece: 1, broken: 'cut' }, 'llm_unavailable'],
    ['a stream cut off late', { text: 'abcdef', piece: 1, piece_delay_ms: 20, broken: 'cut' }, 'llm_unavailable'],
  ])('have a code for %s', async (_name, reply, code) => {
    server.enqueue(reply);
    expect((await errorOf(client(['openai/gpt-6.2-sol']).complete(request({ tools })))).code).toBe(code);
  });

  it('a placeholder for a key masks no words', async () => {
    const error = await errorOf(client(['openai/x'], { openaiApiKey: 'none' }).complete(request()));
    expect(error.details['provider_message']).toBe('Incorrect API key provided: none.');
  });
});

describe('the list of models', () => {
  it.each<[string, Reply]>([
    ['500', { status: 500 }],
    ['429', { status: 429, headers: { 'retry-after': '60' } }],
    ['a broken answer', { broken: 'html' }],
  ])('takes the next one after %s, each once', async (_name, reply) => {
    server.enqueue(reply, { text: 'from the second' });
    const answer = await client(BOTH).complete(request());
    expect(answer).toMatchObject({ provider: 'anthropic', model: 'claude-sonnet-5-5', text: 'from the second' });
    expect(server.requests.map((seen) => seen.protocol)).toEqual(['openai', 'anthropic']);
    expect(attempts).toHaveLength(2);
  });

  it('takes the next one when the first is silent', async () => {
    server.enqueue({ silent: true }, { text: 'second' });
    const answer = await client(BOTH, { llmIdleSeconds: 3 }).complete(request());
    expect(answer.text).toBe('second');
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['llm_timeout', 'ok']);
  });

  it('takes the next one when nobody listens at the first', async () => {
    const gone = await ModelServer.start();
    const url = gone.openaiUrl;
    await gone.close();
    server.enqueue({ text: 'second' });
    expect((await client(BOTH, { openaiBaseUrl: url }).complete(request())).text).toBe('second');
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['llm_unavailable', 'ok']);
  });

  it('stops at what another model cannot cure', async () => {
    server.enqueue({ status: 400, error: { type: 'invalid_request_error', message: 'bad' } });
    expect((await errorOf(client(BOTH).complete(request()))).code).toBe('llm_bad_request');
    expect(server.requests).toHaveLength(1);
  });

  it('tells of all when all fail, with the shortest wait', async () => {
    server.enqueue(
      { status: 429, headers: { 'retry-after': '90' } },
      { status: 529, headers: { 'retry-after': '20' } },
    );
    const error = await errorOf(client(BOTH).complete(request()));
    expect(error).toMatchObject({ code: 'rate_limited', retryable: true, details: { retry_after_ms: 20_000 } });
    expect(error.details['tried']).toHaveLength(2);
  });

  it('tries the preferred model first', async () => {
    server.enqueue({ text: 'preferred' });
    expect(await client(BOTH).complete(request({ prefer: 'anthropic/claude-opus-5-5' }))).toMatchObject({
      model: 'claude-opus-5-5',
    });
    expect((await errorOf(client(BOTH).complete(request({ prefer: 'gpt-5' })))).code).toBe('invalid_model_name');
  });

  it('names the settings when there is no model or no key', async () => {
    const none = await errorOf(client([]).complete(request()));
    expect(none).toMatchObject({ code: 'model_not_configured', retryable: false });
    expect(none.message).toContain('AF_MODELS');
    expect(none.message).toContain('OPENAI_API_KEY');
    const noKey = await errorOf(
      client(['anthropic/claude-opus-5-5'], { anthropicApiKey: undefined }).complete(request()),
    );
    expect(noKey.message).toContain('ANTHROPIC_API_KEY');
    expect(noKey.message).not.toContain('OPENAI_API_KEY');
    expect(server.requests).toHaveLength(0);
  });

  it('passes over models whose provider has no key', async () => {
    server.enqueue({ text: 'second' });
    expect((await client(BOTH, { openaiApiKey: undefined }).complete(request())).provider).toBe('anthropic');
  });
});
