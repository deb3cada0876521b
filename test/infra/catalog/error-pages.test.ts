import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { findEndpoint } from '../../../core/connector/find-endpoint';
import type { ConnectorDefinition, RestEndpoint } from '../../../core/connector/types';
import { answering, startRawServer } from '../../support/raw-server';
import { newFolder } from '../../support/run-folder';
import { SOURCE_SECRETS, SOURCES } from '../../support/sources/by-template';
import { type RunningSource, startSource } from '../../support/sources/serve';
import type { SourceAnswer } from '../../support/sources/source';
import { openDirectly } from '../../db/connector-database-fixture';
import { connectorDeps, testContext, callEndpoint, type ConnectorDeps, openedBy } from '../../support/connector-deps';
import { ROWS } from './endpoint-rows/all-rows';
import { templates } from './templates';
import type { EndpointResult } from '../../../connectors/call/connector-call';

/** Answers of sources with status 200 that mean an error. */
const PAGE =
  '<!doctype html><html><head><title>Error</title></head><body><h1>Undergoing maintenance</h1></body></html>';
const ERRORS: Record<string, [type: string, body: string]> = {
  'a web page': ['text/html; charset=utf-8', PAGE],
  'a web page under the type that was asked for': ['', PAGE],
  'an XML error': ['application/xml', '<?xml version="1.0"?><error><code>503</code><reason>busy</reason></error>'],
  'a JSON error': ['application/json', '{"error": {"code": "OVER_QUOTA", "info": "Come back tomorrow"}}'],
  'a list of JSON errors': ['application/json', '[{"error": "OVER_QUOTA"}]'],
  'a JSON text': ['application/json', '"busy"'],
  null: ['application/json', 'null'],
  'an empty map': ['application/json', '{}'],
  'an empty list': ['application/json', '[]'],
  nothing: ['', ''],
  'a blank line': ['', ' \r\n'],
};
/** Answers that are right for an endpoint: a list of agencies may be empty, and so may a record of items by their numbers. */
const RIGHT = new Set(['federal-register-api.agencies: an empty list', 'wikidata.entities: {} at its place']);
const ASKED_FOR: Record<string, string> = { json: 'application/json', xml: 'application/xml', csv: 'text/csv' };

const TEMPLATES = templates();
const IDS = Object.keys(ROWS).filter((id) => !['federal-register', 'state-warn-notices'].includes(id));

describe.each(IDS)('%s: no error in a 200 reads as an answer', (id) => {
  let source: RunningSource;
  let deps: ConnectorDeps;
  let definition: ConnectorDefinition;
  let answer: SourceAnswer;
  beforeAll(async () => {
    const { hosts, limited } = SOURCES[id]!;
    source = await startSource({ hosts, limited, missing: () => answer, routes: [] });
    deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }], secretValues: SOURCE_SECRETS });
    const { retired: _retired, ...template } = TEMPLATES.get(id)!.definition;
    definition = source.lead(template);
  });
  afterAll(async () => {
    await deps.egress.close();
    await source.close();
  });

  const call = (endpoint: string): Promise<EndpointResult> =>
    callEndpoint(deps, {
      definition,
      endpoint,
      inputs: ROWS[id]![endpoint]![0]!.inputs ?? {},
      context: testContext(),
    });

  it.each(Object.keys(ROWS[id]!))('%s', async (endpoint) => {
    const found = findEndpoint(definition, endpoint) as RestEndpoint;
    const asked = ASKED_FOR[found.response_format ?? 'json'] ?? '';
    const cases = [...Object.entries(ERRORS), ...wrongShapes(found)];
    const taken: string[] = [];
    for (const [name, [type, body]] of cases) {
      if (RIGHT.has(`${id}.${endpoint}: ${name}`)) continue;
      answer = { headers: { 'content-type': type === '' ? asked : type }, body };
      const outcome = await call(endpoint).catch((error: unknown) => error as { code: string });
      if (!('code' in outcome) || outcome.code !== 'bad_response') taken.push(`${name}: ${JSON.stringify(outcome)}`);
    }
    expect(taken).toEqual([]);
  });
});

/** The right place with something else in it: a map for a list, a list for one record. */
function wrongShapes({ response_mapping: mapping }: RestEndpoint): [string, [string, string]][] {
  const { results_path: path, results_are: kind } = mapping ?? {};
  if (path === undefined || kind === undefined) return [];
  const holding = (value: unknown): string =>
    JSON.stringify(path.split('.').reduceRight((inner: unknown, name) => ({ [name]: inner }), value));
  const others = kind === 'list' ? [{}, { error: 'busy' }, 'busy', 0] : [[], [{ error: 'busy' }], 'busy', {}];
  return others.map((value) => [`${JSON.stringify(value)} at its place`, ['application/json', holding(value)]]);
}

describe('feeds and pages', () => {
  it.each([
    ['federal-register', 'get_recent'],
    ['state-warn-notices', 'notice'],
    ['state-warn-notices', 'search'],
  ])('%s.%s', async (id, endpoint) => {
    let answer: SourceAnswer = { body: '' };
    const { hosts, limited } = SOURCES[id]!;
    const source = await startSource({ hosts, limited, missing: () => answer, routes: [robots(hosts)] });
    const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
    try {
      const definition = source.lead(TEMPLATES.get(id)!.definition);
      const inputs = ROWS[id]![endpoint]![0]!.inputs ?? {};
      for (const [name, [type, body]] of Object.entries(ERRORS)) {
        answer = { headers: { 'content-type': type === '' ? 'text/html' : type }, body };
        const error = await callEndpoint(deps, { definition, endpoint, inputs, context: testContext() }).catch(
          (caught: unknown) => caught as JsonObject,
        );
        expect([name, error]).toEqual([
          name,
          expect.objectContaining({ code: expect.stringMatching(/^(bad_response|.*feed.*)$/) }),
        ]);
      }
    } finally {
      await deps.egress.close();
      await source.close();
    }
  });

  it('a list without a row is an empty list, where it is the page that was meant', async () => {
    const { hosts, limited } = SOURCES['state-warn-notices']!;
    const source = await startSource({
      hosts,
      limited,
      missing: () => ({
        headers: { 'content-type': 'text/html' },
        body: '<html><body><div id="primaryContent"><p>No records found.</p></div></body></html>',
      }),
      routes: [robots(hosts)],
    });
    const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
    try {
      const definition = source.lead(TEMPLATES.get('state-warn-notices')!.definition);
      const result = await callEndpoint(deps, { definition, endpoint: 'search', inputs: {}, context: testContext() });
      expect(result).toMatchObject({ count: 0, stopped_by: 'end', truncated: false, warnings: [] });
    } finally {
      await deps.egress.close();
      await source.close();
    }
  });
});

function robots(hosts: readonly string[]): { at: string; answer: () => SourceAnswer } {
  return { at: `${hosts[0]}/robots.txt`, answer: () => ({ status: 404, body: 'Not found' }) };
}

describe('files and databases', () => {
  const FILING = '201521819349301247_public.xml';
  const QUESTIONS: Record<string, JsonObject> = {
    tables: {},
    columns: { schema: 'public', table: 't' },
    query: { sql: 'select 1' },
  };

  it('a file that is an error page is named, alone and beside a filing', async () => {
    const { definition } = TEMPLATES.get('irs-990-xml')!;
    const folder = newFolder('error-pages');
    const deps = connectorDeps({ importRoots: [folder] });
    const inputs = { directory: folder };
    const read = (): Promise<EndpointResult> =>
      callEndpoint(deps, { definition, endpoint: 'parse_filings', inputs, context: testContext() });
    for (const [name, [, body]] of Object.entries(ERRORS)) {
      rmSync(join(folder, FILING), { force: true });
      writeFileSync(join(folder, 'answer.xml'), body);
      const error = await read().catch((caught: unknown) => caught as JsonObject);
      expect([name, error]).toEqual([name, expect.objectContaining({ code: expect.any(String) })]);
      copyFileSync(resolve(__dirname, '../../../catalog/examples/filings', FILING), join(folder, FILING));
      expect([name, await read()]).toEqual([
        name,
        expect.objectContaining({
          count: 1,
          error_count: 1,
          errors: [expect.objectContaining({ file: 'answer.xml', code: expect.any(String) })],
        }),
      ]);
    }
    await deps.egress.close();
  });

  it('a peer that is no PostgreSQL is no empty table', async () => {
    const { definition } = TEMPLATES.get('external-postgres')!;
    const head = `HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: ${PAGE.length}\r\n\r\n`;
    const peer = await startRawServer(answering(`${head}${PAGE}`, (socket) => socket.end()));
    const secretValues = { EXTERNAL_DB_URL: `postgresql://u:p@127.0.0.1:${peer.port}/d?sslmode=disable` };
    const deps = connectorDeps({ secretValues, database: openedBy(openDirectly) });
    for (const [endpoint, inputs] of Object.entries(QUESTIONS)) {
      await expect(callEndpoint(deps, { definition, endpoint, inputs, context: testContext() })).rejects.toMatchObject({
        code: expect.any(String),
        category: 'upstream',
      });
    }
    await deps.egress.close();
    await peer.close();
  });
});

describe('the feed of what was just filed', () => {
  const UA = { 'User-Agent': 'Example Research jane@example.org' };
  const feed = (from: number): SourceAnswer => ({
    headers: { 'content-type': 'application/atom+xml' },
    body: `<feed xmlns="http://www.w3.org/2005/Atom">${Array.from({ length: 100 }, (_, at) => `<entry><id>${from + at}</id><title>t</title></entry>`).join('')}</feed>`,
  });

  it('ends with the web page behind the last full one, and with nothing else', async () => {
    const { hosts, limited } = SOURCES['sec-edgar']!;
    let full = 200;
    let behind: SourceAnswer = { headers: { 'content-type': 'text/html' }, body: PAGE };
    const source = await startSource({
      hosts,
      limited,
      missing: () => ({ status: 404, body: '' }),
      routes: [
        {
          at: 'www.sec.gov/cgi-bin/browse-edgar',
          answer: ({ query }) => (Number(query.get('start')) < full ? feed(Number(query.get('start'))) : behind),
        },
      ],
    });
    const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
    const definition = source.lead(TEMPLATES.get('sec-edgar')!.definition);
    const read = (): Promise<EndpointResult> =>
      callEndpoint(deps, { definition, endpoint: 'latest_filings', inputs: UA, context: testContext() });
    try {
      expect(await read()).toMatchObject({ count: 200, pages: 2, stopped_by: 'end', truncated: false });
      full = 0;
      await expect(read()).rejects.toMatchObject({ code: 'bad_response', details: { is_html: true } });
      full = 200;
      behind = { headers: { 'content-type': 'application/xml' }, body: '<error>busy</error>' };
      await expect(read()).rejects.toMatchObject({ code: 'bad_response' });
    } finally {
      await deps.egress.close();
      await source.close();
    }
  });
});
