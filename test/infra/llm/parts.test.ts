import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Egress } from '../../../infra/egress/egress';
import { testEgress } from '../../support/egress';
import { guardedFetch, type Fetch, type GuardedFetchOptions } from '../../../infra/llm/guarded-fetch';
import { parseJsonText } from '../../../infra/llm/json-text';
import { providerEgress } from '../../../infra/llm/provider-egress';
import { providerWaitMs } from '../../../infra/llm/retry-after';
import { llmSettings, parseModelRef } from '../../../infra/llm/settings';

describe('providerWaitMs', () => {
  const now = Date.parse('2026-11-28T10:00:00Z');
  it.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '30' }, 30_000],
    ['a fraction', { 'retry-after': '0.5' }, 500],
    ['a date', { 'retry-after': 'Sat, 28 Nov 2026 10:00:20 GMT' }, 20_000],
    ['a date gone by', { 'retry-after': 'Sat, 28 Nov 2026 09:00:00 GMT' }, 0],
    ['milliseconds first', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    ['nothing', {}, undefined],
    ['what nobody can read', { 'retry-after': 'soon' }, 60_000],
    ['a list', { 'retry-after': '4, 5' }, 5000],
    ['a duration', { 'retry-after': 'PT4S' }, 4000],
    ['a negative number', { 'retry-after': '-5' }, 0],
    ['years', { 'retry-after': '99999999' }, 86_400_000],
  ])('%s', (_name, headers, expected) => {
    expect(providerWaitMs(new Headers(headers), now)).toBe(expected);
  });
  it('no headers at all', () => expect(providerWaitMs(undefined, now)).toBeUndefined());
});

describe('parseJsonText', () => {
  it.each<[string, unknown]>([
    ['{"a":1}', { a: 1 }],
    [' \n[1]\n', [1]],
    ['```json\n{"a":"```"}\n```', { a: '```' }],
    ['```\r\n"x"\r\n```\n', 'x'],
    ['null', null],
  ])('reads %j', (text, value) => {
    expect(parseJsonText(text)).toEqual({ ok: true, value });
  });
  it.each(['', 'Sure: {"a":1}', '{"a":1} Done.', '```js\n{}\n```', '{"a":1', "{'a':1}"])('refuses %j', (text) => {
    expect(parseJsonText(text)).toMatchObject({ ok: false, message: expect.any(String) });
  });
  it.each(['\n', ' ', '`', '\r\n', '```\n'])('comes back from a long answer that only looks fenced, of %j', (text) => {
    // Reads so many characters that a reader which goes back over them would not return; nothing is measured.
    expect(parseJsonText(`\`\`\`json\n${text.repeat(3_000_000)}x`).ok).toBe(false);
  });
});

describe('settings', () => {
  it('keeps the order, and slashes inside a model name', () => {
    const { models } = llmSettings({ models: ['openai/meta/llama-9', 'anthropic/claude-opus-5-5'] });
    expect(models).toEqual([
      { provider: 'openai', model: 'meta/llama-9' },
      { provider: 'anthropic', model: 'claude-opus-5-5' },
    ]);
  });
  it.each(['gpt-6', 'google/gemini', 'openai/', '/x', ''])('refuses the model name %j', (text) => {
    expect(() => parseModelRef(text, 'params.model')).toThrow(expect.objectContaining({ code: 'invalid_model_name' }));
  });
});

describe('guardedFetch', () => {
  let server: Server;
  let origin: string;
  let egress: Egress;
  const hits: string[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      hits.push(`${request.url} ${request.headers.authorization ?? ''}`);
      if (request.url === '/v1/away') {
        response.writeHead(302, { location: '/elsewhere' }).end();
      } else if (request.url === '/v1/held') {
        response.write('first');
      } else if (request.url === '/v1/stream') {
        response.write('x'.repeat(400));
        response.end('x'.repeat(600));
      } else if (request.url?.startsWith('/v1/echo') === true) {
        const { method, url, headers } = request;
        const { authorization, 'content-type': type } = headers;
        request.setEncoding('utf8').once('data', (body: string) => {
          const text = JSON.stringify({ method, url, authorization, type, body });
          response.writeHead(201, { 'content-encoding': 'gzip' }).end(gzipSync(text));
        });
      } else {
        response.end('x'.repeat(1000));
      }
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    origin = `http://127.0.0.1:${port}`;
    egress = testEgress({ allow: [{ host: '127.0.0.1', port }] });
  });
  afterAll(async () => {
    await egress.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const through = (more: Partial<GuardedFetchOptions> = {}): Fetch =>
    guardedFetch({ egress, baseUrl: `${origin}/v1`, onBytes: () => undefined, ...more });

  it('hears every chunk', async () => {
    let beats = 0;
    const response = await through({ onBytes: () => (beats += 1) })(`${origin}/v1/models`);
    expect(await response.text()).toHaveLength(1000);
    expect(beats).toBeGreaterThanOrEqual(2);
  });

  it('hands on what the SDK sends and what the server answers, unpacked', async () => {
    const response = await through()(`${origin}/v1/echo?a=1`, {
      method: 'POST',
      body: '{}',
      headers: new Headers({ 'content-type': 'application/json', authorization: 'Bearer canary' }),
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.json()).toMatchObject({
      method: 'POST',
      url: '/v1/echo?a=1',
      authorization: 'Bearer canary',
      type: 'application/json',
      body: '{}',
    });
  });

  it.each(['https://example.org/v1/models', '/v2/models', '/v1evil/x', '/v1/../admin'])(
    'never leaves for %s',
    async (path) => {
      const address = path.startsWith('http') ? path : `${origin}${path}`;
      await expect(through()(address)).rejects.toMatchObject({ code: 'llm_wrong_address' });
    },
  );

  it('stops reading at the cap', async () => {
    const response = await through({ maxBytes: 500 })(`${origin}/v1/stream`);
    await expect(response.text()).rejects.toMatchObject({ code: 'response_too_large' });
  });

  it('follows no redirect: the key stays', async () => {
    const going = through()(`${origin}/v1/away`, { headers: { authorization: 'Bearer canary' } });
    await expect(going).rejects.toMatchObject({ code: 'redirect_refused' });
    expect(hits.filter((hit) => hit.startsWith('/elsewhere'))).toEqual([]);
  });

  it('ends with the signal of the SDK', async () => {
    const abort = new AbortController();
    const response = await through()(`${origin}/v1/held`, { signal: abort.signal });
    abort.abort();
    await expect(response.text()).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('the way to a provider', () => {
  const own = testEgress();
  const settings = (openaiBaseUrl?: string) => llmSettings({ models: [], openaiBaseUrl }).openai;

  it('leads inside where the operator named a server of their own, and for models alone', async () => {
    const server = createServer((_request, response) => response.end('inside'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const request = { method: 'GET', url: baseUrl, timeoutMs: 5_000 };
    await expect(providerEgress(own, settings(baseUrl)).fetch(request)).resolves.toMatchObject({ status: 200 });
    await expect(own.fetch(request)).rejects.toMatchObject({ code: 'egress_denied' });
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('is the same as everybody’s where nothing was named', () => {
    expect(providerEgress(own, settings())).toBe(own);
  });
});
