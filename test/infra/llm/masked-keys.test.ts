import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { testEgress } from '../../support/egress';
import { createModelClient } from '../../../infra/llm/client';
import { llmSettings } from '../../../infra/llm/settings';
import type { ModelClient, ModelCompletion, ModelRequest } from '../../../infra/llm/types';
import { Redactor } from '../../../infra/secrets/redactor';
import { ModelServer, type Reply } from '../../support/model-server';

/** Key with characters that JSON, URLs and base64 each write differently. */
const KEY = 'sk-said/4f"+&=5b~0123456789';
const egress = testEgress();
const mask = new Redactor([KEY]).text;
let server: ModelServer;

beforeAll(async () => {
  server = await ModelServer.start({ keys: [KEY] });
});
afterAll(() => Promise.all([server.close(), egress.close()]));
beforeEach(() => server.reset());

function client(model: string): ModelClient {
  const { openaiUrl: openaiBaseUrl, anthropicUrl: anthropicBaseUrl } = server;
  const settings = { openaiApiKey: KEY, anthropicApiKey: KEY, openaiBaseUrl, anthropicBaseUrl };
  return createModelClient(llmSettings({ models: [model], ...settings }), egress);
}

const TOOLS = [{ name: 'look', description: 'Looks up.', parameters: { type: 'object' } }];
const request = (tools = true): ModelRequest => ({
  system: 'Be brief.',
  messages: [{ role: 'user', text: 'Hello' }],
  ...(tools ? { tools: TOOLS } : {}),
  deadline_ms: 120_000,
  signal: new AbortController().signal,
});

/** Whatever comes back: an answer, or the error. */
async function outcome(model: string, tools = true): Promise<string> {
  const got = await client(model)
    .complete(request(tools))
    .catch((error: Error & { details?: unknown }) => ({ message: error.message, details: error.details }));
  return JSON.stringify(got);
}

const SPELLINGS = [
  KEY,
  encodeURIComponent(KEY),
  Buffer.from(`Bearer ${KEY}`).toString('base64'),
  Buffer.from(KEY).toString('hex'),
  JSON.stringify(JSON.stringify({ KEY })),
  KEY.split('')
    .map((each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join(''),
  KEY.split('')
    .map((each) => `&#${each.charCodeAt(0)};`)
    .join(''),
];

/** Every field of an answer in which a provider can say something. */
const PLACES: [string, (said: string) => Reply][] = [
  ['the text', (said) => ({ text: `a ${said} b` })],
  ['a value of the result', (said) => ({ json: { note: said, list: [{ deep: said }] } })],
  ['a name in the result', (said) => ({ json: { [said]: 1 } })],
  ['a refusal', (said) => ({ refusal: `no ${said}` })],
  ['a text that was cut off', (said) => ({ text: `cut ${said}`, stop: 'length' })],
  ["a tool's arguments", (said) => ({ tool_calls: [{ name: 'look', arguments: { q: said } }] })],
  ["a tool's broken arguments", (said) => ({ tool_calls: [{ name: 'look', arguments: `{"q": "${said}` }] })],
  ["a tool's name", (said) => ({ tool_calls: [{ name: said, arguments: {} }] })],
  ["a call's id", (said) => ({ tool_calls: [{ id: said, name: 'look', arguments: {} }] })],
  ['the reasoning', (said) => ({ text: 'fine', thinking: `he said ${said}` })],
  ['an error', (said) => ({ status: 400, error: { type: 'invalid_request_error', message: said } })],
  ["an error's type", (said) => ({ status: 500, error: { type: said, message: 'oops' } })],
  ['an error in the stream', (said) => ({ text: 'ab', piece: 1, error_in_stream: { type: 'x', message: said } })],
  ['a body of no protocol', (said) => ({ body: JSON.stringify({ echo: said }) })],
  ['a page', (said) => ({ body: `<p>${said}</p>` })],
  ['what it calls the end', (said) => ({ text: 'ab', ends_as: said })],
  ['its count of tokens', (said) => ({ text: 'ab', usage: { input: said, output: said, cached: said, tier: said } })],
];

describe.each(['openai/gpt-4.1', 'openai/gpt-6.2-sol', 'anthropic/claude-sonnet-5-5'])('%s', (model) => {
  it.each(PLACES)('masks the key in %s, in every spelling', async (_place, reply) => {
    for (const whole of [false, true]) {
      server.enqueue({ ...reply(SPELLINGS.join(' ')), whole });
      const told = await outcome(model);
      expect(mask(told)).toBe(told);
      expect(server.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${KEY}`);
    }
  });

  it('is masked where the pieces of a stream cut it', async () => {
    for (const reply of [
      { text: `a ${KEY} b`, piece: 3 },
      { refusal: KEY, piece: 3 },
    ]) {
      server.enqueue(reply);
      expect(await outcome(model)).toContain('[masked]');
    }
  });

  it('leaves JSON that can be read, and numbers as they were', async () => {
    server.enqueue({ text: `{"note": "${encodeURIComponent(KEY)}", "sum": 12345678901234567.89, "n": 7}` });
    const { text } = await client(model).complete(request());
    expect(JSON.parse(text)).toEqual({ note: '[masked]', sum: '12345678901234567.89', n: 7 });
  });

  it('gives back reasoning as it came, or not at all', async () => {
    const native = async (reply: Reply): Promise<ModelCompletion['native']> => {
      server.enqueue(reply);
      return (await client(model).complete(request())).native;
    };
    expect(await native({ text: `fine ${KEY}`, thinking: 'so' })).toBeUndefined();
    const kept = JSON.stringify(await native({ text: 'fine', thinking: `so ${KEY}`, whole: true }));
    expect(kept ?? '').not.toContain('so ');
    if (model !== 'openai/gpt-4.1') expect(await native({ text: 'fine', thinking: 'so' })).toBeDefined();
  });
});

describe('what is masked', () => {
  it('is the password of an address, too', async () => {
    const address = new URL(server.openaiUrl);
    address.username = 'gateway';
    address.password = 'open-sesame-9';
    const settings = llmSettings({ models: ['openai/gpt-4.1'], openaiApiKey: KEY, openaiBaseUrl: address.href });
    server.enqueue({ text: 'via open-sesame-9' });
    const told = await createModelClient(settings, egress)
      .complete(request(false))
      .catch((error: unknown) => JSON.stringify(error));
    expect(JSON.stringify(told)).not.toContain('open-sesame-9');
  });

  it('is no part of a key that JSON.parse shows', async () => {
    const half = KEY.slice(3, 14);
    const body = `{"a": "b"} ${KEY}${KEY}`;
    for (const model of ['openai/gpt-4.1', 'anthropic/claude-sonnet-5-5']) {
      server.enqueue({ body });
      expect(await outcome(model, false)).not.toContain(half);
      server.enqueue({ body, headers: { 'content-type': 'text/event-stream' } });
      expect(await outcome(model, false)).not.toContain(half);
    }
  });
});
