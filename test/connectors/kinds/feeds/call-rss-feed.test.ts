import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import type { FeedConnector } from '../../../../core/connector/types';
import { SourceWait } from '../../../../connectors/runtime/limits/source-wait';
import { startHttpSource } from '../../../support/http-source';
import type { HttpSource } from '../../../support/http-source';
import {
  connectorDeps,
  testContext,
  callEndpoint,
  directTransport,
  type CallContext,
  type ConnectorDeps,
} from '../../../support/connector-deps';
import type { EndpointResult } from '../../../../connectors/call/connector-call';

const NOW = '2020-01-10T12:00:00Z';
const item = (id: string, day: string | undefined): string =>
  `<item><guid isPermaLink="false">${id}</guid><title>${id}</title><link>/${id}</link>${day === undefined ? '' : `<pubDate>${day} Jan 2020 12:00:00 GMT</pubDate>`}</item>`;
const rss = (...items: string[]): string =>
  `<rss version="2.0"><channel><title>F</title>${items.join('')}</channel></rss>`;
const FEEDS: Record<string, [status: number, body: string]> = {
  '/rules?type=RULE': [
    200,
    rss(item('old', '01'), item('new', '10'), item('mid', '09'), item('new', '10'), item('undated', undefined)),
  ],
  '/notices': [200, rss(item('n1', '10'), item('new', '10'))],
  '/gone': [404, 'x'],
  '/page': [200, '<html>no feed</html>'],
};
let source: HttpSource;
beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    const [status, body] = FEEDS[request.url] ?? [500, ''];
    response.writeHead(status, { 'content-type': 'application/rss+xml' }).end(body);
  });
});
afterAll(() => source.close());

interface Given extends Partial<ConnectorDeps> {
  feeds?: Record<string, string>;
  inputs?: JsonObject;
  most?: number;
  context?: Partial<CallContext>;
  mapping?: Record<string, string>;
}

async function poll({ feeds, inputs, most, context, mapping, ...more }: Given = {}): Promise<EndpointResult> {
  const definition: FeedConnector = {
    schema: 1,
    id: 'register',
    name: 'Register',
    type: 'rss_feed',
    connection: {
      feeds: Object.entries(feeds ?? { rules: '/rules?type=RULE', notices: '/notices' }).map(([name, path]) => ({
        name,
        url: `${source.url}${path}`,
      })),
      headers: { 'x-app': 'test' },
      auth: { type: 'none' },
      timeout_seconds: 5,
      max_items_per_poll: most ?? 50,
    },
    endpoints: {
      get_recent: {
        parameters: [
          { name: 'feed_name', in: 'body', type: 'string', required: false, default: 'all' },
          { name: 'since_hours', in: 'body', type: 'integer', required: false },
        ],
        ...(mapping === undefined ? {} : { response_mapping: { fields: mapping, entity_extraction: [] } }),
      },
    },
  };
  const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }], ...more });
  try {
    return await callEndpoint(deps, {
      definition,
      endpoint: 'get_recent',
      inputs: inputs ?? {},
      context: testContext({ clock: { now: NOW }, ...context }),
    });
  } finally {
    await deps.egress.close();
  }
}
const titles = (result: EndpointResult): unknown[] => (result['results'] as JsonObject[]).map((row) => row['title']);

describe('rss_feed', () => {
  it('all feeds: newest first in each, every item once, undated ones last', async () => {
    const result = await poll();
    expect(titles(result)).toEqual(['new', 'mid', 'old', 'undated', 'n1']);
    expect(result).toMatchObject({ count: 5, duplicates: 2, truncated: false, errors: [], error_count: 0 });
    expect(result['feeds']).toMatchObject([
      { feed_name: 'rules', items: 4, duplicates: 1, format: 'rss' },
      { feed_name: 'notices', items: 2, duplicates: 0 },
    ]);
    expect((result['results'] as JsonObject[])[0]).toMatchObject({
      feed_name: 'rules',
      pubDate: '2020-01-10T12:00:00Z',
      link: `${source.url}/new`,
    });
    expect(source.seen[0]).toMatchObject({ headers: { 'x-app': 'test' } });
  });

  it('since_hours counts from the clock of the run; without a date an item always counts', async () => {
    expect(titles(await poll({ inputs: { feed_name: 'rules', since_hours: 24 } }))).toEqual(['new', 'mid', 'undated']);
    expect(titles(await poll({ inputs: { feed_name: 'rules', since_hours: '23' } }))).toEqual(['new', 'undated']);
  });

  it('max_items_per_poll keeps the newest of each feed and says that there are more', async () => {
    const result = await poll({ most: 1 });
    expect(titles(result)).toEqual(['new', 'n1']);
    expect(result).toMatchObject({ truncated: true });
  });

  it('mapping by name', async () => {
    const result = await poll({
      inputs: { feed_name: 'notices' },
      mapping: { headline: 'title', published: 'pubDate' },
    });
    expect(result['results']).toEqual([
      { headline: 'n1', published: '2020-01-10T12:00:00Z' },
      { headline: 'new', published: '2020-01-10T12:00:00Z' },
    ]);
  });

  it('one feed that fails breaks no other; when all fail, so does the call', async () => {
    const result = await poll({ feeds: { gone: '/gone', rules: '/rules?type=RULE', page: '/page' } });
    expect(titles(result)).toHaveLength(4);
    expect(result['errors']).toMatchObject([
      { feed_name: 'gone', code: 'upstream_not_found' },
      { feed_name: 'page', code: 'bad_response' },
    ]);
    expect(result['error_count']).toBe(2);
    await expect(poll({ feeds: { gone: '/gone', page: '/page' } })).rejects.toMatchObject({
      code: 'no_feed_readable',
      details: { errors: [{ feed_name: 'gone' }, { feed_name: 'page' }] },
    });
    await expect(poll({ feeds: { gone: '/gone' } })).rejects.toMatchObject({ code: 'upstream_not_found' });
  });

  it.each([
    [{ feed_name: 'rule' }, 'feed_not_found', 'Did you mean `rules`?'],
    [{ feed_name: 3 }, 'feed_not_found', 'rules, notices'],
    [{ since_hours: -1 }, 'invalid_input', 'since_hours'],
    [{ since_hours: 'soon' }, 'invalid_input', 'since_hours'],
    [{ hours: 3 }, 'invalid_input', 'hours'],
  ] as [JsonObject, string, string][])('%j is refused', async (inputs, code, say) => {
    await expect(poll({ inputs })).rejects.toMatchObject({ code, message: expect.stringContaining(say) });
  });

  it('a feed that asks for a wait ends the call, which goes on with the rest', async () => {
    const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
    const direct = directTransport(deps.egress);
    const before = source.seen.length;
    const stopped = await poll({
      exchange: (exchange) =>
        exchange.request.url.endsWith('/notices')
          ? Promise.reject(new SourceWait(5, 'rate_limited', source.url))
          : direct(exchange),
    }).catch((error: unknown) => error as SourceWait);
    expect(stopped).toBeInstanceOf(SourceWait);
    const resume = JSON.parse(JSON.stringify((stopped as SourceWait).resume)) as JsonObject;
    expect(titles(await poll({ context: { resume } }))).toEqual(['new', 'mid', 'old', 'undated', 'n1']);
    expect(source.seen.slice(before).map((request) => request.url)).toEqual(['/rules?type=RULE', '/notices']);
    await deps.egress.close();
  });
});
