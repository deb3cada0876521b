import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ModelServer } from './model-server';

/** Tests of the stand-in itself, without the SDKs. */
let server: ModelServer;
beforeAll(async () => {
  server = await ModelServer.start({ autoFill: true });
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const CHAT = '/v1/chat/completions';
const MESSAGES = '/v1/messages';

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${server.anthropicUrl}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer k',
      'anthropic-version': '2026-10-21',
      ...headers,
    },
    body: JSON.stringify({
      model: 'm',
      max_completion_tokens: undefined,
      messages: [{ role: 'user', content: 'hi' }],
      ...body,
    }),
  });
}

describe('the stand-in for models', () => {
  it('answers whole bodies in both protocols', async () => {
    server.enqueue({ text: 'one' }, { text: 'two', tool_calls: [{ name: 't', arguments: { a: 1 } }] });
    expect(await (await post(CHAT, {})).json()).toMatchObject({
      object: 'chat.completion',
      choices: [{ message: { role: 'assistant', content: 'one', refusal: null }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    });
    expect(await (await post(MESSAGES, { max_tokens: 9 })).json()).toMatchObject({
      type: 'message',
      content: [
        { type: 'text', text: 'two' },
        { type: 'tool_use', name: 't', input: { a: 1 } },
      ],
      stop_reason: 'tool_use',
      usage: { input_tokens: 100, output_tokens: 20 },
    });
  });

  it('streams the events of each protocol in order', async () => {
    server.enqueue({ text: 'ab', piece: 1 }, { text: 'ab', piece: 1 });
    const chat = await (await post(CHAT, { stream: true, stream_options: { include_usage: true } })).text();
    const contents = [...chat.matchAll(/"content":"([ab]?)"/g)].map((match) => match[1]);
    expect(contents).toEqual(['', 'a', 'b']);
    expect(chat.trimEnd().endsWith('data: [DONE]')).toBe(true);
    const messages = await (await post(MESSAGES, { stream: true, max_tokens: 9 })).text();
    expect([...messages.matchAll(/^event: (\S+)$/gm)].map((match) => match[1])).toEqual([
      'message_start',
      'ping',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it.each<[string, string, object, number]>([
    ['a retired parameter', CHAT, { max_tokens: 5 }, 400],
    ['an unanswered tool call', CHAT, { messages: [{ role: 'assistant', tool_calls: [{ id: 'x' }] }] }, 400],
    [
      'a strict schema that is open',
      CHAT,
      { response_format: { json_schema: { strict: true, schema: { type: 'object', properties: { a: {} } } } } },
      400,
    ],
    ['no max_tokens', MESSAGES, {}, 400],
    ['forced tool use', MESSAGES, { max_tokens: 5, tool_choice: { type: 'any' } }, 400],
    [
      'an empty text block',
      MESSAGES,
      { max_tokens: 5, messages: [{ role: 'user', content: [{ type: 'text', text: '' }] }] },
      400,
    ],
    [
      'tool_use without tool_result',
      MESSAGES,
      { max_tokens: 5, tools: [], messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: 'x' }] }] },
      400,
    ],
    ['a path that does not exist', '/v2/else', {}, 404],
  ])('refuses %s as the real API would', async (_name, path, body, status) => {
    expect((await post(path, body)).status).toBe(status);
  });

  it('refuses a request without a key', async () => {
    expect((await post(CHAT, {}, { authorization: '' })).status).toBe(401);
    expect((await post(MESSAGES, { max_tokens: 5 }, { authorization: '' })).status).toBe(401);
  });

  it('fills in what fits the schema when the script is empty', async () => {
    const schema = {
      type: 'object',
      properties: {
        when: { type: 'string', format: 'date' },
        n: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        list: { type: 'array', items: { type: 'boolean' } },
      },
    };
    const answer = (await (await post(CHAT, { response_format: { json_schema: { schema } } })).json()) as {
      choices: { message: { content: string } }[];
    };
    expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ when: '2026-01-31', n: 1, list: [true] });
  });

  it('takes its script from another process and shows what it saw', async () => {
    await fetch(`${server.anthropicUrl}/_script`, { method: 'POST', body: JSON.stringify([{ text: 'scripted' }]) });
    expect(await (await post(CHAT, {})).json()).toMatchObject({
      choices: [{ message: { content: 'scripted' } }],
    });
    const seen = (await (await fetch(`${server.anthropicUrl}/_requests`)).json()) as { path: string }[];
    expect(seen.map((request) => request.path)).toEqual([CHAT]);
  });
});
