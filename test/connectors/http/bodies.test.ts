import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { Parameter, RestEndpoint } from '../../../core/connector/types';
import { formText, type ArrayFormat, type Pair } from '../../../connectors/http/bodies/form';
import { multipartBody } from '../../../connectors/http/bodies/multipart';
import { readJson } from '../../../connectors/http/bodies/read-json';
import { sendJson, startHttpSource } from '../../support/http-source';
import type { HttpSource } from '../../support/http-source';
import { callRest, errorOf, parameter, restEndpoint } from '../http-definitions';

let source: HttpSource;
beforeAll(async () => {
  source = await startHttpSource((_request, response) => sendJson(response, []));
});
afterAll(() => source.close());
beforeEach(() => void source.seen.splice(0));

async function sent(endpoint: Partial<RestEndpoint>, inputs: JsonObject) {
  await callRest(restEndpoint(endpoint), { source, inputs });
  return source.seen.at(-1)!;
}

describe('lists in a query or a form', () => {
  const pairs: Pair[] = [
    ['a', ['x y', 'b,c', 3]],
    ['e', []],
    ['o', { k: 1 }],
  ];
  it.each<[ArrayFormat, string]>([
    ['repeat', 'a=x+y&a=b%2Cc&a=3&o=%7B%22k%22%3A1%7D'],
    ['brackets', 'a%5B%5D=x+y&a%5B%5D=b%2Cc&a%5B%5D=3&o=%7B%22k%22%3A1%7D'],
    ['comma', 'a=x+y,b%2Cc,3&o=%7B%22k%22%3A1%7D'],
  ])('%s', async (format, expected) => {
    expect(formText(pairs, format)).toBe(expected);
    const parameters = [parameter('a', { type: 'array' }), parameter('o', { type: 'object' })];
    const inputs = { a: ['x y', 'b,c', 3], o: { k: 1 } };
    expect((await sent({ parameters, array_format: format }, inputs)).url).toBe(`/rows?${expected}`);
  });
});

describe('values of parameters', () => {
  const cases: [Partial<Parameter>, Json, string | undefined][] = [
    [{ type: 'date' }, '2024-02-29', '2024-02-29'],
    [{ type: 'date' }, '2024-02-29T23:59:00-05:00', '2024-02-29'],
    [{ type: 'date' }, '2024-02-29 23:59', '2024-02-29'],
    [{ type: 'date' }, '2024-02-29Z', '2024-02-29'],
    [{ type: 'date' }, '2024-02-29 (est.)', undefined],
    [{ type: 'date' }, '2024-02-29T25:00', undefined],
    [{ type: 'date' }, '2024-02-29garbage', undefined],
    [{ type: 'date' }, '2023-02-29', undefined],
    [{ type: 'date' }, '2023-02-29T00:00:00Z', undefined],
    [{ type: 'date' }, '29.02.2024', undefined],
    [{ type: 'datetime' }, '2024-02-29', '2024-02-29T00:00:00Z'],
    [{ type: 'datetime' }, '2024-02-29T12:00:00+02:00', '2024-02-29T10:00:00Z'],
    [{ type: 'integer' }, '12', '12'],
    [{ type: 'integer' }, 1.5, undefined],
    [{ type: 'boolean' }, 'yes', 'true'],
    [{ type: 'string' }, 12, '12'],
    [{ type: 'string', default: 'd' }, null, 'd'],
    [{ type: 'integer', enum: [1, 2] }, '2', '2'],
    [{ type: 'integer', enum: [1, 2] }, 3, undefined],
    [{ type: 'array', enum: ['a', 'b'] }, ['a', 'b'], 'a'],
    [{ type: 'array', enum: ['a', 'b'] }, ['a', 'c'], undefined],
    [{ type: 'array' }, 'a', undefined],
  ];
  it.each(cases)('%j takes %j as %j', async (given, value, expected) => {
    const call = sent({ parameters: [parameter('v', given)] }, { v: value });
    if (expected === undefined) {
      expect(await errorOf(call)).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('`v`') });
      expect(source.seen).toEqual([]);
    } else {
      expect(new URL((await call).url, 'http://x').searchParams.get('v')).toBe(expected);
    }
  });
  it('a body where none can be is refused', async () => {
    const work = sent({ parameters: [parameter('b', { in: 'body' })] }, { b: 'x' });
    expect(await errorOf(work)).toMatchObject({ code: 'invalid_request' });
  });
  it('a header parameter takes the place of the connection header of that name', async () => {
    const endpoint = restEndpoint({ parameters: [parameter('Accept', { in: 'header' })] });
    const headers = { accept: 'a/b', 'User-Agent': 'me@example.org' };
    await callRest(endpoint, { source, inputs: { Accept: 'x/y' }, connection: { headers } });
    expect(source.seen[0]!.headers).toMatchObject({ accept: 'x/y', 'user-agent': 'me@example.org' });
  });
  it('the address of an endpoint goes before that of the connection', async () => {
    const endpoint = restEndpoint({ base_url: `${source.url}/v2` });
    await callRest(endpoint, { source, connection: { base_url: 'https://unreachable.example' } });
    expect(source.seen[0]!.url).toBe('/v2/rows');
  });
});

describe('multipart', () => {
  const read = async (body: Uint8Array, type: string): Promise<FormData> =>
    new Response(Uint8Array.from(body), { headers: { 'content-type': type } }).formData();

  it('is what a form reader expects: texts, lists, records and files', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 45, 45]);
    const pairs: Pair[] = [
      ['t', 'ä\r\nb'],
      ['l', ['1', 2]],
      ['o', { k: 1 }],
      ['f', { filename: 'a"\r\nb.bin', base64: bytes.toString('base64'), content_type: 'image/png' }],
      ['g', { filename: 'g.txt', text: 'plain', content_type: 'a\r\nx-evil: 1' }],
    ];
    const { body, type } = multipartBody(pairs, 'repeat');
    const form = await read(body, type);
    expect(form.get('t')).toBe('ä\r\nb');
    expect(form.getAll('l')).toEqual(['1', '2']);
    expect(JSON.parse(await textOf(form.get('o')))).toEqual({ k: 1 });
    const file = form.get('f') as File;
    expect([file.name, file.type]).toEqual(['a"\r\nb.bin', 'image/png']);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(bytes);
    expect((form.get('g') as File).type).toBe('application/octet-stream');
    expect(multipartBody(pairs, 'repeat')).toEqual({ body, type });
    expect(multipartBody(pairs, 'brackets').type).not.toBe(type);
  });
  it('reaches the source with its type', async () => {
    const endpoint = { method: 'POST' as const, body_format: 'multipart' as const, effect: 'none' as const };
    const { headers, body } = await sent({ ...endpoint, parameters: [parameter('t', { in: 'body' })] }, { t: 'x' });
    expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=af-[0-9a-f]{40}$/);
    expect(body).toContain('name="t"\r\n\r\nx\r\n');
  });
});

async function textOf(value: unknown): Promise<string> {
  return typeof value === 'string' ? value : (value as File).text();
}

describe('JSON', () => {
  const parse = (text: string): Json => readJson(Buffer.from(text), 'auto').data;
  it.each([
    ['{"a": 1, "a": 2}', { a: 2 }],
    ['[9007199254740991, -9007199254740991]', [9007199254740991, -9007199254740991]],
    ['{"id": 12345678901234567890}', { id: '12345678901234567890' }],
    ['[-9007199254740993,1]', ['-9007199254740993', 1]],
    ['12345678901234567890', '12345678901234567890'],
    [
      '["12345678901234567890", "a\\"b, 12345678901234567890 "]',
      ['12345678901234567890', 'a"b, 12345678901234567890 '],
    ],
    [
      '[0.12345678901234567890, 1e300, 12345678901234567890]',
      ['0.12345678901234567890', 1e300, '12345678901234567890'],
    ],
    ['[1e400, -1e400, 1e-400, -0.5]', ['1e400', '-1e400', '1e-400', -0.5]],
    [`[${'9'.repeat(400)}]`, ['9'.repeat(400)]],
    ['{"12345678901234567890": 12345678901234567890}', { '12345678901234567890': '12345678901234567890' }],
    ['\ufeff[1]', [1]],
    ['{"__proto__": {"x": 1}, "constructor": 1}', JSON.parse('{"__proto__": {"x": 1}, "constructor": 1}')],
  ])('%j', (text, expected) => expect(parse(text)).toEqual(expected));
  it.each(['', '{', '[1,]', '[NaN]', '{"a": undefined}', "['a']", '[1] x'])('%j is none', (text) =>
    expect(() => parse(text)).toThrow(),
  );
  it('F18d: 100,000 levels are refused and crash nothing', () => {
    expect(() => parse('['.repeat(100_000) + ']'.repeat(100_000))).toThrow();
    expect(() => parse('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))).toThrow();
  });
});
