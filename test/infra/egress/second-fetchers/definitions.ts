import { paging, restEndpoint, results } from '../../../connectors/http-definitions';
import { inAscii, type FetchSite } from './site';

// Connectors with one endpoint, `e`, as they are carried out: what checks a definition before does not help them.

const NO_AUTH = { type: 'none' };

function http(base_url: string, auth: object = NO_AUTH): object {
  return { base_url, headers: {}, auth, timeout_seconds: 5 };
}

export function rest(base_url: string, endpoint: object = {}, others: object = {}): object {
  return {
    type: 'rest_api',
    connection: http(base_url),
    endpoints: { e: { ...restEndpoint(), ...endpoint }, ...others },
  };
}

/** The credential of `site` is a token of that service. */
export function withTokensOf(token_url: string, site: FetchSite): object {
  const auth = { type: 'oauth2_client_credentials', token_url, in: 'header', secret: { secret: 'KEY' } };
  return { ...rest(site.url), connection: http(site.url, auth) };
}

export function graphql(base_url: string): object {
  const query = { query: 'query Q { a }', operation: 'query', parameters: [], effect: 'none', partial_data: 'refuse' };
  return { type: 'graphql', connection: http(base_url), endpoints: { e: query } };
}

export function scraper(base_url: string, endpoint: object = {}): object {
  const fields = [{ field: 'a', selector: 'p', multiple: false, type: 'string' }];
  return {
    type: 'web_scraper',
    connection: http(base_url),
    endpoints: { e: { path: '', parameters: [], fields, ...endpoint } },
  };
}

export function feed(url: string): object {
  return {
    type: 'rss_feed',
    connection: { feeds: [{ name: 'f', url }], headers: {}, auth: NO_AUTH, timeout_seconds: 5, max_items_per_poll: 10 },
    endpoints: { e: { parameters: [] } },
  };
}

export const FILES = {
  type: 'file_parser',
  connection: { sources: ['url'], accepted_formats: [], max_file_size_mb: 1, max_files: 10 },
  endpoints: { e: { parser: 'json', groups: {}, fields: [] } },
};

export function postgres(): object {
  const auth = { type: 'connection_string', secret: { secret: 'KEY' } };
  const statement = { sql: 'select 1 as a', free_sql: false, parameters: [], max_rows: 10, max_bytes: 10_000 };
  return {
    type: 'database',
    connection: { driver: 'postgresql', auth, timeout_seconds: 5 },
    endpoints: { e: statement },
  };
}

/** A document whose one answer is described elsewhere. */
export function openapi($ref: string): { text: string } {
  const answer = { content: { 'application/json': { schema: { $ref } } } };
  return {
    text: JSON.stringify({
      openapi: '3.0.0',
      info: { title: 'T' },
      servers: [{ url: 'https://api.example.org' }],
      paths: { '/t': { get: { responses: { 200: answer } } } },
    }),
  };
}

/** The source gives a first page whose next one is `next`; `named`: one more address of the definition. */
export function pages(site: FetchSite, by: Parameters<typeof paging>[0], next: string, named?: string): object {
  site.say('/first', {
    headers: { 'content-type': 'application/json', link: `<${inAscii(next)}>; rel="next"` },
    body: JSON.stringify({ items: [1], next }),
  });
  const endpoint = { path: '/first', pagination: paging(by), response_mapping: results('items') };
  return rest(site.url, endpoint, named === undefined ? {} : { other: { ...restEndpoint(), base_url: named } });
}
