import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { findEndpoint } from '../../../core/connector/find-endpoint';
import type { ConnectorDefinition, RestEndpoint } from '../../../core/connector/types';
import { callEndpoint } from '../../../infra/connectors/call-endpoint';
import type { ConnectorDeps, EndpointResult } from '../../../infra/connectors/types';
import { SOURCE_SECRETS, SOURCES } from '../../support/sources/by-template';
import { type RunningSource, startSource } from '../../support/sources/serve';
import type { SourceAnswer } from '../../support/sources/source';
import { connectorDeps, testContext } from '../connectors/connector-deps';
import { ROWS } from './endpoint-rows/all-rows';
import { templates } from './templates';

/** What sources say with status 200 when they mean something else. */
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

  it('a list of a page that is not there is told, since it may be empty', async () => {
    const { hosts, limited } = SOURCES['state-warn-notices']!;
    const source = await startSource({
      hosts,
      limited,
      missing: () => ({ headers: { 'content-type': 'text/html' }, body: PAGE }),
      routes: [robots(hosts)],
    });
    const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
    try {
      const definition = source.lead(TEMPLATES.get('state-warn-notices')!.definition);
      const result = await callEndpoint(deps, { definition, endpoint: 'search', inputs: {}, context: testContext() });
      expect(result).toMatchObject({
        count: 0,
        warnings: [{ message: expect.stringContaining('found nothing on the page') }],
      });
    } finally {
      await deps.egress.close();
      await source.close();
    }
  });
});

function robots(hosts: readonly string[]): { at: string; answer: () => SourceAnswer } {
  return { at: `${hosts[0]}/robots.txt`, answer: () => ({ status: 404, body: 'Not found' }) };
}
