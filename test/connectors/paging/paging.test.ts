import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { Pagination } from '../../../core/connector/types';
import { nextLink } from '../../../connectors/paging/link-header';
import { nextUrl } from '../../../connectors/paging/next-url';
import { SourceWait } from '../../../connectors/runtime/limits/source-wait';
import { testEgress } from '../../support/egress';
import { sendJson, startHttpSource } from '../../support/http-source';
import type { Answer, HttpSource } from '../../support/http-source';
import {
  callGraph,
  callRest,
  errorOf,
  graphqlEndpoint,
  paging,
  parameter,
  restEndpoint,
  results,
  SECRET,
  type OneCall,
} from '../http-definitions';
import { directTransport } from '../../support/connector-deps';

let source: HttpSource;
let answer: Answer;
beforeAll(async () => {
  source = await startHttpSource((request, response) => answer(request, response));
});
afterAll(() => source.close());
beforeEach(() => void source.seen.splice(0));

const urls = (): string[] => source.seen.map(({ url }) => url);
const query = (url: string): URLSearchParams => new URL(url, 'http://x').searchParams;
const rows = (from: number, count: number): JsonObject[] => Array.from({ length: count }, (_, i) => ({ id: from + i }));
const page = (from: number, to: number): JsonObject[] => rows(from, Math.max(0, to - from));

function read(given: Partial<Pagination> & Pick<Pagination, 'type'>, use: Partial<OneCall> = {}) {
  const endpoint = restEndpoint({
    pagination: paging(given),
    response_mapping: results('items', { n: 'id' }),
    parameters: [parameter('q'), parameter('page', { type: 'integer' }), parameter('size', { type: 'integer' })],
  });
  return callRest(endpoint, { source, ...use });
}
const ids = (result: { [field: string]: Json }): unknown[] =>
  (result['results'] as JsonObject[]).map((record) => record['n']);

describe('pages of an endpoint that changes something', () => {
  it.each(['unsafe', 'keyed', 'idempotent'] as const)(
    'are not asked for, also where the definition was saved: %s',
    async (effect) => {
      answer = (_request, response) => sendJson(response, { items: rows(0, 3) });
      const announced: unknown[] = [];
      const context = { beforeEffect: (target: unknown) => Promise.resolve(void announced.push(target)) };
      const pagination = paging({ type: 'page', param: 'page' });
      const rest = restEndpoint({ method: 'POST', effect, pagination, response_mapping: results('items') });
      const graph = graphqlEndpoint({ operation: 'mutation', effect, pagination, response_mapping: results('items') });
      for (const call of [callRest(rest, { source, context }), callGraph(graph, { source, context })]) {
        expect(await errorOf(call)).toMatchObject({
          code: 'paginated_effect',
          category: 'bad_request',
          retryable: false,
          message: expect.stringContaining(`\`wire.e\` has an effect (${effect})`),
          details: { endpoint: 'wire.e', effect },
        });
      }
      expect([source.seen, announced]).toEqual([[], []]);
    },
  );
});

describe('every way of paging reads all records once', () => {
  /** A list of 7 records; what a page is told follows from the way of paging. */
  const ALL = 7;
  const sources: Record<Pagination['type'], Answer> = {
    page: ({ url }, response) => {
      const at = (Number(query(url).get('page')) - 1) * 3;
      sendJson(response, { items: page(at, Math.min(at + 3, ALL)) });
    },
    offset: ({ url }, response) => {
      const at = Number(query(url).get('skip'));
      sendJson(response, { items: page(at, Math.min(at + 3, ALL)) });
    },
    cursor: ({ url }, response) => {
      const at = Number(query(url).get('after') ?? 0);
      sendJson(response, { items: page(at, Math.min(at + 3, ALL)), next: at + 3 < ALL ? String(at + 3) : null });
    },
    keyset: ({ url }, response) => {
      const at = Number(query(url).get('last_index') ?? 0);
      const items = page(at, Math.min(at + 3, ALL));
      const last = items.length === 0 ? null : { index: at + items.length, date: '2024-01-01' };
      sendJson(response, { items, last });
    },
    link_header: ({ url }, response) => {
      const at = Number(query(url).get('at') ?? 0);
      const links = [`<${source.url}/rows?at=0>; rel="first"`, `</rows?at=${at + 3}&q=a>; rel="prev next"`];
      response.setHeader('link', at + 3 < ALL ? links.join(', ') : links[0]!);
      sendJson(response, { items: page(at, Math.min(at + 3, ALL)) });
    },
    next_url: ({ url }, response) => {
      const at = Number(query(url).get('at') ?? 0);
      sendJson(response, { items: page(at, Math.min(at + 3, ALL)), next: at + 3 < ALL ? `rows?at=${at + 3}` : '' });
    },
  };
  const cases: [Partial<Pagination> & Pick<Pagination, 'type'>, string[]][] = [
    [
      { type: 'page', param: 'page', size_param: 'size', size: 3, ends_with: ['short_page'] },
      ['/rows?q=a&size=3&page=1', '/rows?q=a&size=3&page=2', '/rows?q=a&size=3&page=3'],
    ],
    [
      { type: 'offset', param: 'skip' },
      ['/rows?q=a&skip=0', '/rows?q=a&skip=3', '/rows?q=a&skip=6', '/rows?q=a&skip=7'],
    ],
    [{ type: 'cursor', param: 'after', cursor_path: 'next' }, ['/rows?q=a', '/rows?q=a&after=3', '/rows?q=a&after=6']],
    [
      { type: 'keyset', keys: { last_index: 'last.index', last_date: 'last.date' } },
      [
        '/rows?q=a',
        '/rows?q=a&last_index=3&last_date=2024-01-01',
        '/rows?q=a&last_index=6&last_date=2024-01-01',
        '/rows?q=a&last_index=7&last_date=2024-01-01',
      ],
    ],
    [{ type: 'link_header' }, ['/rows?q=a', '/rows?at=3&q=a', '/rows?at=6&q=a']],
    [{ type: 'next_url', next_path: 'next' }, ['/rows?q=a', '/rows?at=3', '/rows?at=6']],
  ];
  it.each(cases)('%j', async (given, expected) => {
    answer = sources[given.type];
    const result = await read(given, { inputs: { q: 'a' } });
    expect(ids(result)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(urls()).toEqual(expected);
    expect(result).toMatchObject({
      count: 7,
      status: 200,
      pages: expected.length,
      stopped_by: 'end',
      truncated: false,
    });
  });
  it('a keyset of the last record, and a cursor in the body', async () => {
    answer = ({ url }, response) => {
      const at = Number(query(url).get('starting_after') ?? -1) + 1;
      sendJson(response, { items: page(at, Math.min(at + 2, 3)) });
    };
    expect(ids(await read({ type: 'keyset', keys: { starting_after: 'id' } }))).toEqual([0, 1, 2]);
    answer = ({ body }, response) => {
      const at = Number((JSON.parse(body) as JsonObject)['cursor'] ?? 0);
      sendJson(response, { items: page(at, at + 1), next: at < 2 ? at + 1 : undefined });
    };
    const endpoint = restEndpoint({
      method: 'POST',
      parameters: [parameter('q', { in: 'body', default: 'x' })],
      pagination: paging({ type: 'cursor', in: 'body', param: 'cursor', cursor_path: 'next', results_path: 'items' }),
    });
    expect(await callRest(endpoint, { source })).toMatchObject({ count: 3, stopped_by: 'end' });
    expect(source.seen.slice(-3).map(({ body }) => body)).toEqual([
      '{"q":"x"}',
      '{"q":"x","cursor":1}',
      '{"q":"x","cursor":2}',
    ]);
  });
  it('a source that gives fewer records than it was asked for loses none', async () => {
    answer = ({ url }, response) => {
      const at = Number(query(url).get('o'));
      sendJson(response, { items: page(at, Math.min(at + 2, 5)) });
    };
    const result = await read({ type: 'offset', param: 'o', size_param: 'size', size: 100 });
    expect(ids(result)).toEqual([0, 1, 2, 3, 4]);
  });
  it('a caller may say where to begin and how much at once', async () => {
    answer = sources.page;
    const given = { type: 'page' as const, param: 'page', size_param: 'size', size: 3 };
    expect(ids(await read(given, { inputs: { page: 2, size: 50 } }))).toEqual([3, 4, 5, 6]);
    expect(urls()[0]).toBe('/rows?size=50&page=2');
  });
  it('404 behind the last page is taken for the end, and is it where the definition says so; on the first page it is a failure', async () => {
    answer = ({ url }, response) => {
      const at = Number(query(url).get('page'));
      sendJson(response, at === 1 ? { items: rows(0, 2) } : { detail: 'Invalid page.' }, at === 1 ? 200 : 404);
    };
    const guessed = { count: 2, pages: 1, stopped_by: 'not_found', truncated: 'unknown' };
    expect(await read({ type: 'page', param: 'page' })).toMatchObject(guessed);
    const known = await read({ type: 'page', param: 'page', ends_with: ['not_found'] });
    expect(known).toMatchObject({ count: 2, stopped_by: 'end', truncated: false });
    const error = await errorOf(read({ type: 'page', param: 'page', start: 5 }));
    expect(error).toMatchObject({ code: 'upstream_not_found' });
  });
  it('a page that cannot be read ends the call: what was read before is no result', async () => {
    answer = ({ url }, response) => {
      sendJson(response, Number(query(url).get('page')) === 1 ? { items: rows(0, 2) } : { error: 'oops' });
    };
    expect(await errorOf(read({ type: 'page', param: 'page' }))).toMatchObject({ code: 'bad_response' });
  });
});

describe('a next page elsewhere', () => {
  const auth = { type: 'api_key' as const, in: 'query' as const, key_param: 'key', secret: { secret: 'KEY' } };
  it('is refused with what to do, and nothing is sent there', async () => {
    const other = await startHttpSource((_request, response) => sendJson(response, { items: [] }));
    try {
      answer = (_request, response) => sendJson(response, { items: rows(0, 1), next: `${other.url}/rows?page=2` });
      const error = await errorOf(read({ type: 'next_url', next_path: 'next' }, { auth }));
      expect(error).toMatchObject({
        code: 'bad_response',
        category: 'upstream',
        message: expect.stringContaining('`base_url`'),
      });
      expect(other.connections()).toBe(0);
    } finally {
      await other.close();
    }
  });
  it('the key that a source writes into its links is ours again, and in no result', async () => {
    answer = ({ url }, response) => {
      const at = Number(query(url).get('at') ?? 0);
      const next = `${source.url}/rows?key=${encodeURIComponent(SECRET)}&at=${at + 1}`;
      sendJson(response, { items: [{ id: at, link: next }], next: at < 1 ? next : null });
    };
    const endpoint = restEndpoint({
      pagination: paging({ type: 'next_url', next_path: 'next', results_path: 'items' }),
    });
    const result = await callRest(endpoint, { source, auth });
    const key = encodeURIComponent(SECRET);
    expect(urls()).toEqual([`/rows?key=${key}`, `/rows?at=1&key=${key}`]);
    expect(JSON.stringify(result)).not.toContain('canary');
  });
  const origins = ['https://api.example.org', 'https://files.example.org:8443'];
  it.each([
    ['/a?b=1#c', 'https://api.example.org/a?b=1'],
    ['?key=x&p=2', 'https://api.example.org/v1/list?p=2'],
    ['https://files.example.org:8443/x', 'https://files.example.org:8443/x'],
    ['http://api.example.org/x', 'https://api.example.org/x'],
    ['//api.example.org/x', 'https://api.example.org/x'],
    ['/a?b=c%20d', 'https://api.example.org/a?b=c%20d'],
    ['http://files.example.org/x', undefined],
    ['http://files.example.org:8443/x', undefined],
    ['ftp://api.example.org/x', undefined],
    ['http://api.example.org:8080/x', undefined],
    ['https://evil.example/x', undefined],
    ['//evil.example/x', undefined],
    ['https://api.example.org@evil.example/x', undefined],
    ['https://api.example.org.evil.example/x', undefined],
    ['file:///etc/passwd', undefined],
    ['javascript:alert(1)', undefined],
    ['http://', undefined],
  ])('%j leads to %j', (link, expected) => {
    const from = 'https://api.example.org/v1/list?p=1';
    const follow = (): string => nextUrl(link, { from, origins, secretParam: 'key' });
    if (expected === undefined) expect(follow).toThrow('is not followed');
    else expect(follow()).toBe(expected);
  });
});

describe('a next page of the same host', () => {
  const from = 'https://api.example.org/v1';
  it('stays http where the connector names that, and keeps all that it asks for without a credential in it', () => {
    const origins = ['https://api.example.org', 'http://api.example.org'];
    const follow = (link: string): string => nextUrl(link, { from, origins, secretParam: undefined });
    expect(follow('http://api.example.org/x')).toBe('http://api.example.org/x');
    expect(follow('?key=1&undefined=2')).toBe('https://api.example.org/v1?key=1&undefined=2');
  });
});

describe('links (RFC 8288)', () => {
  it.each([
    ['<a>; rel=next', 'a'],
    ['<a>; rel="next"', 'a'],
    ['<a>; REL="prev NEXT"', 'a'],
    ['<a>; nofollow; rel=next', 'a'],
    ['<x>; rel="prev", <a?b,c;d>; title="x, <y>; rel=next"; rel="next"', 'a?b,c;d'],
    ['<x>; title="quoted \\" , <z>; rel=next", <a>;rel=next', 'a'],
    ['<x>; rel=first,<a>;rel=next,<b>;rel=next', 'a'],
    ['<x>; rel="nextish"', undefined],
    ['<x>; rel=next; anchor="#y"', undefined],
    ['<x>; rel=prev; rel=next', undefined],
    ['nonsense, <a>; rel=next', 'a'],
    ['<unclosed', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%j', (header, expected) => expect(nextLink(header)).toBe(expected));
  it('a long hostile header is read in time', () => {
    expect(nextLink(`<${'<'.repeat(200_000)}`)).toBeUndefined();
    expect(nextLink('<a>; x="'.repeat(20_000))).toBeUndefined();
  });
});

describe('a wait in the middle', () => {
  it('carries along what was read, and the call goes on behind it', async () => {
    answer = ({ url }, response) => {
      const at = Number(query(url).get('page'));
      sendJson(response, { items: at > 4 ? [] : rows(at * 10, 2), next: null });
    };
    const egress = testEgress({ allow: [{ host: '127.0.0.1', port: source.port }] });
    const direct = directTransport(egress);
    let budget = 2;
    const exchange: typeof direct = (one) => {
      budget -= 1;
      if (budget < 0) throw new SourceWait(Date.now() + 60_000, 'rate_limited', 'x');
      return direct(one);
    };
    const given = { type: 'page' as const, param: 'page' };
    const wait = (await errorOf(read(given, { deps: { exchange } }))) as unknown as SourceWait;
    expect(wait).toBeInstanceOf(SourceWait);
    const resume = JSON.parse(JSON.stringify(wait.resume)) as Json;
    budget = 100;
    const result = await read(given, { deps: { exchange }, context: { resume } });
    await egress.close();
    expect(urls().map((url) => query(url).get('page'))).toEqual(['1', '2', '3', '4', '5']);
    expect(ids(result)).toEqual([10, 11, 20, 21, 30, 31, 40, 41]);
    expect(result).toMatchObject({ pages: 5, stopped_by: 'end', truncated: false });
  });
  it('caps count over all parts, and a resume that cannot be read begins anew', async () => {
    answer = ({ url }, response) => sendJson(response, { items: rows(Number(query(url).get('page')) * 10, 2) });
    const given = { type: 'page' as const, param: 'page', max_pages: 3 };
    const resume = { position: { at: 'number', value: 3 }, pages: 2, mapped: { records: [{ n: 1 }] } };
    expect(await read(given, { context: { resume } })).toMatchObject({ pages: 3, count: 3, stopped_by: 'max_pages' });
    expect(await read(given, { context: { resume: 'nonsense' } })).toMatchObject({ pages: 3, count: 6 });
  });
});

it('an endpoint without paging reads one page and says nothing of pages', async () => {
  answer = (_request, response) => sendJson(response, { items: rows(0, 1), next: 'more' });
  const result = await callRest(restEndpoint({ response_mapping: results('items') }), { source });
  expect(result).toEqual({ results: [{ id: 0 }], count: 1, status: 200 });
});
