import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../core/base/json';
import { endpointOutputs } from '../../core/connector/outputs';
import type { ConnectorDefinition } from '../../core/connector/types';
import { readConnector } from '../../connectors/definition/read-connector';
import { startHttpSource } from '../support/http-source';
import type { HttpSource } from '../support/http-source';
import { connectorDeps, testContext, callEndpoint } from '../support/connector-deps';
import type { DocumentSource } from '../../connectors/kinds/files/sources/document-source';
import type { EndpointResult } from '../../connectors/call/connector-call';

const DOC = '11111111-1111-4111-8111-111111111111';
let source: HttpSource;
beforeAll(async () => {
  source = await startHttpSource((request, response) => {
    if (request.url === '/robots.txt') {
      response.writeHead(404).end();
    } else if (request.url.startsWith('/feed')) {
      response.end(
        '<rss><channel><item><title>One</title><pubDate>10 Jan 2020 12:00:00 GMT</pubDate></item></channel></rss>',
      );
    } else {
      response.setHeader('content-type', 'text/html');
      response.end(
        `<table><tr><td>A</td><td><a href="/a">more</a></td></tr></table><i>${request.headers['authorization'] ?? ''}</i>`,
      );
    }
  });
});
afterAll(() => source.close());

const document = (name: string, text: string): DocumentSource => ({
  find: () => Promise.resolve({ name, size: text.length, read: () => Promise.resolve(Buffer.from(text)) }),
});

async function run(
  text: string,
  inputs: JsonObject = {},
  documents?: DocumentSource,
): Promise<{ definition: ConnectorDefinition; result: EndpointResult }> {
  const { definition, problems } = readConnector(text);
  expect(problems).toEqual([]);
  const deps = connectorDeps({
    allow: [{ host: '127.0.0.1', port: source.port }],
    secretValues: { K: 'user:secret-password' },
    ...(documents === undefined ? {} : { documents }),
  });
  try {
    const context = testContext({ clock: { now: '2020-01-10T13:00:00Z' } });
    return {
      definition: definition!,
      result: await callEndpoint(deps, { definition: definition!, endpoint: 'e', inputs, context }),
    };
  } finally {
    await deps.egress.close();
  }
}

/** Compares the groups beside the records with the endpoint's contract. */
function expectDeclared({ definition, result }: { definition: ConnectorDefinition; result: EndpointResult }): void {
  const declared = endpointOutputs(definition, 'e').map((output) => output.name);
  expect(Object.keys(result).filter((name) => !declared.includes(name))).toEqual([]);
}

describe('definitions as people write them', () => {
  it('rss_feed', async () => {
    const outcome = await run(
      `{id: f, type: rss_feed, connection: {feeds: [{name: news, url: '${source.url}/feed?a=1'}]},
        endpoints: {e: {response_mapping: {fields: {headline: title, published: {path: pubDate, transforms: [{op: date, format: 'YYYY-MM-DD'}]}}}}}}`,
      { since_hours: 2 },
    );
    expect(outcome.result['results']).toEqual([{ headline: 'One', published: '2020-01-10' }]);
    expectDeclared(outcome);
  });

  it('web_scraper, with a password that the page gives back', async () => {
    const outcome = await run(
      `{id: s, type: web_scraper, connection: {base_url: '${source.url}', auth: {type: basic, secret: {secret: K}}},
        endpoints: {e: {path: /list, list_selector: tr, fields: [{field: name, selector: td}, {field: url, selector: a, attribute: href}, {field: seen, xpath: //i}],
          follow: {selector: a.next, max_pages: 3}}}}`,
    );
    expect(outcome.result['results']).toMatchObject([{ name: 'A', url: `${source.url}/a` }]);
    expect(JSON.stringify(outcome.result)).not.toContain(Buffer.from('user:secret-password').toString('base64'));
    expectDeclared(outcome);
  });

  it.each([
    [
      'fec',
      'x.fec',
      'record_types: [SA], fields: [{field: who, column: contributor_last_name}]',
      'HDR\x1cFEC\x1c8.3\nF3XN\x1cC1\nSA11\x1cC1\x1cT\x1c\x1c\x1cIND\x1c\x1cDoe\n',
      { who: 'Doe' },
    ],
    [
      'fixed_width',
      'x.txt',
      'skip_lines: 1, fields: [{field: n, start: 1, length: 2, type: integer}]',
      'head\n42x\n',
      { n: 42 },
    ],
    ['csv', 'x.psv', 'delimiter: "|", skip_lines: 1, fields: [{field: n, column: N}]', 'title\nN|M\n1|2\n', { n: '1' }],
    ['json', 'x.jsonl', 'fields: [{field: n, paths: [a.b]}]', '{"a":{"b":"x"}}\n{"a":{}}', { n: 'x' }],
  ])('file_parser: %s', async (parser, name, more, text, record) => {
    const outcome = await run(
      `{id: p, type: file_parser, connection: {source: upload, accepted_formats: [fec, txt, psv, jsonl, ods, xls]}, endpoints: {e: {parser: ${parser}, ${more}}}}`,
      { documents: [DOC] },
      document(name, text),
    );
    expect((outcome.result['results'] as JsonObject[])[0]).toEqual({ file: name, file_id: DOC, ...record });
    expectDeclared(outcome);
  });

  it('a selector that is none is a problem with its place', () => {
    const { problems } = readConnector(
      `{id: s, type: web_scraper, connection: {base_url: 'https://x.org'}, endpoints: {e: {path: /, fields: [{field: a, selector: 'td['}]}}}`,
    );
    expect(problems).toMatchObject([{ code: 'invalid_path', line: 1 }]);
  });
});
