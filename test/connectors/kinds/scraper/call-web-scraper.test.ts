import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import type { ScraperConnector, ScraperEndpoint } from '../../../../core/connector/types';
import type { Exchange, HttpTransport } from '../../../../connectors/http/exchange';
import { SourceWait } from '../../../../connectors/runtime/limits/source-wait';
import { startHttpSource } from '../../../support/http-source';
import type { Answer, HttpSource } from '../../../support/http-source';
import {
  connectorDeps,
  testContext,
  directTransport,
  callEndpoint,
  type CallContext,
} from '../../../support/connector-deps';
import type { TestDeps } from '../../../support/connector-deps';
import type { EndpointResult } from '../../../../connectors/call/connector-call';

let answer: Answer;
let source: HttpSource;
/** Every test has an origin of its own: robots.txt is kept for a day. */
beforeEach(async () => {
  answer = (request, response) => {
    const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
    response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(page, `?page=${page + 1}`));
  };
  source = await startHttpSource((request, response) =>
    request.url === '/robots.txt' && !robots.ours ? response.writeHead(404).end() : answer(request, response),
  );
});
const robots = { ours: false };
beforeAll(() => {
  robots.ours = false;
});
const opened: HttpSource[] = [];
beforeEach(() => {
  opened.push(source);
  robots.ours = false;
});
afterAll(() => Promise.all(opened.map((server) => server.close())));

const pageOf = (page: number, next: string): string =>
  `<ul><li>item ${page}a</li><li>item ${page}b</li></ul><a class="next" href="${next}">next</a>`;

interface Given extends TestDeps {
  endpoint?: Partial<ScraperEndpoint>;
  inputs?: JsonObject;
  context?: Partial<CallContext>;
}

async function scrape({ endpoint, inputs, context, ...deps }: Given = {}): Promise<EndpointResult> {
  const definition: ScraperConnector = {
    schema: 1,
    id: 'site',
    name: 'Site',
    type: 'web_scraper',
    connection: { base_url: source.url, headers: {}, auth: { type: 'none' }, timeout_seconds: 5 },
    endpoints: {
      list: {
        path: '/list',
        parameters: [],
        list_selector: 'li',
        fields: [{ field: 'text', selector: ':scope', multiple: false, type: 'string' }],
        ...endpoint,
      },
    },
  };
  const all = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }], ...deps });
  try {
    return await callEndpoint(all, {
      definition,
      endpoint: 'list',
      inputs: inputs ?? {},
      context: testContext(context),
    });
  } finally {
    await all.egress.close();
  }
}
const pages = (): string[] => source.seen.map((request) => request.url).filter((url) => url !== '/robots.txt');
const follow = (max: number): Partial<ScraperEndpoint> => ({ follow: { selector: 'a.next', max_pages: max } });

describe('pages', () => {
  it('one page by path and parameters, mapped', async () => {
    const result = await scrape({
      endpoint: {
        path: '/list/{kind}',
        parameters: [
          { name: 'kind', in: 'path', type: 'string', required: true },
          { name: 'q', in: 'query', type: 'string', required: false },
        ],
        response_mapping: { fields: { name: 'text' }, entity_extraction: [] },
      },
      inputs: { kind: 'a b', q: 'ü' },
    });
    expect(result).toMatchObject({ count: 2, status: 200, pages: 1, stopped_by: 'end', truncated: false });
    expect(result['results']).toEqual([{ name: 'item 1a' }, { name: 'item 1b' }]);
    expect(pages()).toEqual(['/list/a%20b?q=%C3%BC']);
  });

  it.each(['javascript:more()', 'mailto:a@example.org', 'http://['])(
    'a link that nobody can follow is no end: %s',
    async (next) => {
      answer = (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(1, next));
      expect(await scrape({ endpoint: follow(3) })).toMatchObject({
        count: 2,
        pages: 1,
        stopped_by: 'invalid_link',
        truncated: 'unknown',
      });
    },
  );

  it('follows links up to the cap and says so', async () => {
    const result = await scrape({ endpoint: follow(3) });
    expect(result).toMatchObject({ count: 6, pages: 3, stopped_by: 'max_pages', truncated: true });
    expect(pages()).toEqual(['/list', '/list?page=2', '/list?page=3']);
  });

  it.each([
    ['a loop of addresses', (page: number) => pageOf(page, '/list'), 1, 'repeated_page', 2],
    ['the same content under new addresses', () => pageOf(1, `?page=${Math.random()}`), 2, 'repeated_page', 2],
    ['a link to another origin', () => pageOf(1, 'http://169.254.169.254/'), 1, 'other_origin', 2],
    ['no further link', () => '<li>x</li>', 1, 'end', 1],
  ])('%s ends it', async (_name, html, count, stoppedBy, items) => {
    answer = (request, response) => {
      const page = Number(new URL(request.url, 'http://x').searchParams.get('page') ?? 1);
      response.writeHead(200, { 'content-type': 'text/html' }).end(html(page));
    };
    const result = await scrape({ endpoint: follow(10) });
    expect(result).toMatchObject({ pages: count, stopped_by: stoppedBy, count: items });
    expect(pages()).toHaveLength(count);
  });

  it.each([
    [
      'a status',
      (response: { writeHead: (status: number) => { end: (body?: string) => void } }) =>
        response.writeHead(503).end('x'),
      'upstream_unavailable',
    ],
    [
      'nothing',
      (response: { writeHead: (status: number) => { end: (body?: string) => void } }) => response.writeHead(200).end(),
      'bad_response',
    ],
  ])('%s is an error, never an empty result', async (_name, send, code) => {
    answer = (_request, response) => send(response);
    await expect(scrape()).rejects.toMatchObject({ code });
  });
  it('a file in place of a page is refused with an excerpt', async () => {
    answer = (_request, response) => response.writeHead(200, { 'content-type': 'application/pdf' }).end('%PDF');
    await expect(scrape()).rejects.toMatchObject({ code: 'bad_response', details: { excerpt: '%PDF' } });
  });

  it('masks its secret in what comes back', async () => {
    answer = (request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<li>${request.headers['x-key'] as string}</li>`);
    const definition: ScraperConnector = {
      schema: 1,
      id: 'site',
      name: 'Site',
      type: 'web_scraper',
      connection: {
        base_url: source.url,
        headers: {},
        auth: { type: 'api_key', in: 'header', key_param: 'X-Key', secret: { secret: 'K' } },
        timeout_seconds: 5,
      },
      endpoints: {
        list: {
          path: '/',
          parameters: [],
          list_selector: 'li',
          fields: [{ field: 't', selector: ':scope', multiple: false, type: 'string' }],
        },
      },
    };
    const deps = connectorDeps({
      allow: [{ host: '127.0.0.1', port: source.port }],
      secretValues: { K: 'secret-value-123' },
    });
    const result = await callEndpoint(deps, { definition, endpoint: 'list', inputs: {}, context: testContext() });
    expect(JSON.stringify(result)).not.toContain('secret-value-123');
    expect(source.seen.find((request) => request.url === '/robots.txt')?.headers['x-key']).toBeUndefined();
    await deps.egress.close();
  });

  it('a wait in the middle takes along what was read, and the call goes on there', async () => {
    const wait = (after: number): HttpTransport => {
      const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
      const direct = directTransport(deps.egress);
      return (exchange: Exchange) =>
        exchange.page === after ? Promise.reject(new SourceWait(0, 'rate_limited', source.url)) : direct(exchange);
    };
    const stopped = await scrape({ endpoint: follow(3), exchange: wait(2) }).catch(
      (error: unknown) => error as SourceWait,
    );
    expect(stopped).toBeInstanceOf(SourceWait);
    const resume = JSON.parse(JSON.stringify((stopped as SourceWait).resume)) as JsonObject;
    const result = await scrape({ endpoint: follow(3), context: { resume } });
    expect(result).toMatchObject({ count: 6, pages: 3, stopped_by: 'max_pages' });
    expect(pages()).toEqual(['/list', '/list?page=2', '/list?page=3']);
  });

  it('pages out of a cache say so, and how old the oldest is', async () => {
    const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
    const direct = directTransport(deps.egress);
    const ages = new Map([
      [2, 90],
      [3, 5],
    ]);
    const exchange: HttpTransport = async (asked) => {
      const ageSeconds = ages.get(asked.page ?? 0);
      const answered = await direct(asked);
      return ageSeconds === undefined ? answered : { ...answered, from: 'cache', ageSeconds };
    };
    expect(await scrape({ exchange })).not.toHaveProperty('cache');
    const some = await scrape({ endpoint: follow(3), exchange });
    expect(some).toMatchObject({ pages: 3, cache: 'fresh', age_seconds: 90 });
    const stopping: HttpTransport = (asked) =>
      asked.page === 3 ? Promise.reject(new SourceWait(0, 'rate_limited', source.url)) : exchange(asked);
    const wait = (await scrape({ endpoint: follow(3), exchange: stopping }).catch(
      (error: unknown) => error,
    )) as SourceWait;
    const resumed = await scrape({ endpoint: follow(3), exchange, context: { resume: wait.resume! } });
    expect(resumed).toMatchObject({ pages: 3, cache: 'fresh', age_seconds: 90 });
    await deps.egress.close();
  });
});

describe('robots.txt', () => {
  const withRobots = (status: number, body = ''): void => {
    robots.ours = true;
    const site = answer;
    answer = (request, response) =>
      request.url === '/robots.txt' ? void response.writeHead(status).end(body) : site(request, response);
  };
  const DENY = 'User-agent: *\nDisallow: /list';

  it('what it disallows is not read; the operator alone overrides it', async () => {
    withRobots(200, DENY);
    await expect(scrape()).rejects.toMatchObject({ code: 'robots_disallowed', category: 'forbidden' });
    expect(pages()).toEqual([]);
    const override = [`127.0.0.1:${source.port}`];
    expect(await scrape({ robotsOverride: override })).toMatchObject({ count: 2 });
  });
  it.each([
    [401, 2],
    [404, 2],
    [429, 2],
  ])('%d means that there is none', async (status, count) => {
    withRobots(status, DENY);
    expect(await scrape()).toMatchObject({ count });
  });
  it.each([500, 503])('%d means that nothing is read', async (status) => {
    withRobots(status);
    await expect(scrape()).rejects.toMatchObject({ code: 'robots_unavailable', retryable: true });
    expect(pages()).toEqual([]);
  });
  it('is asked for once a day, and again where it failed', async () => {
    withRobots(503);
    await scrape().catch(() => undefined);
    withRobots(200, 'User-agent: *\nDisallow: /other');
    await scrape();
    await scrape({ endpoint: follow(3) });
    expect(source.seen.filter((request) => request.url === '/robots.txt')).toHaveLength(2);
  });
  it('a followed page that is disallowed ends the reading', async () => {
    withRobots(200, 'User-agent: AgentFactory\nDisallow: /*page=3');
    expect(await scrape({ endpoint: follow(5) })).toMatchObject({ pages: 2, stopped_by: 'robots', truncated: true });
  });
  it('a redirect to what is disallowed is not taken', async () => {
    withRobots(200, 'User-agent: *\nDisallow: /private');
    const site = answer;
    answer = (request, response) =>
      request.url === '/list' ? void response.writeHead(302, { location: '/private' }).end() : site(request, response);
    await expect(scrape()).rejects.toMatchObject({ code: 'robots_disallowed' });
  });
  it('an origin that cannot be reached is not read', async () => {
    await source.close();
    await expect(scrape()).rejects.toMatchObject({ code: 'robots_unavailable' });
  });
});

describe('a page of two bytes a character', () => {
  const page = '<meta charset="utf-8"><ul><li>one</li><li>two</li></ul>';
  it.each(['text/html; charset=utf-8', 'text/html; charset=iso-8859-1', 'text/html'])(
    'is refused under %s: its list would be empty',
    async (type) => {
      answer = (_request, response) =>
        response.writeHead(200, { 'content-type': type }).end(Buffer.from(page, 'utf16le'));
      await expect(scrape()).rejects.toMatchObject({
        code: 'bad_response',
        message: expect.stringContaining('utf-16le'),
        details: { cause: 'wrong_encoding' },
      });
    },
  );
  it.each<[string, Buffer]>([
    ['text/html; charset=utf-16le', Buffer.from(page, 'utf16le')],
    ['text/html; charset=utf-8', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(page, 'utf16le')])],
    ['text/html; charset=utf-8', Buffer.from(page)],
  ])('is read where that is said: %s', async (type, bytes) => {
    answer = (_request, response) => response.writeHead(200, { 'content-type': type }).end(bytes);
    expect(await scrape()).toMatchObject({ results: [{ text: 'one' }, { text: 'two' }] });
  });
});
