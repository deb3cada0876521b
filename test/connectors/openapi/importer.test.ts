import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { RestConnector } from '../../../core/connector/types';
import { readConnector } from '../../../connectors/definition/read-connector';
import type { Egress } from '../../../infra/egress/egress';
import { testEgress } from '../../support/egress';
import { createImportHost } from '../../../connectors/openapi/import-host';
import { OpenapiImporter } from '../../../connectors/openapi/openapi-importer';
import { DATA_DIR, describeWithData } from '../../support/data';
import { startHttpSource, type HttpSource } from '../../support/http-source';
import { connectorDeps, testContext, callEndpoint } from '../../support/connector-deps';

/** Serves these texts by path; anything else is 404. */
const files = new Map<string, string>();
let source: HttpSource;
let decoy: HttpSource;
let egress: Egress;
let importer: OpenapiImporter;
beforeAll(async () => {
  source = await startHttpSource(({ url }, response) => {
    const [path = ''] = url.split('?');
    if (path === '/moved') response.writeHead(302, { location: `${decoy.url}/secret` }).end();
    else if (files.has(path)) response.writeHead(200).end(files.get(path));
    else response.writeHead(404).end();
  });
  decoy = await startHttpSource((_request, response) => response.end('{}'));
  egress = testEgress({ allow: [{ host: '127.0.0.1', port: source.port }] });
  importer = new OpenapiImporter({ egress, host: createImportHost() });
});
afterEach(() => {
  files.clear();
  source.seen.length = 0;
  expect(decoy.connections()).toBe(0);
});
afterAll(async () => {
  await egress.close();
  await Promise.all([source.close(), decoy.close()]);
});

const document = (ref: string): string =>
  JSON.stringify({
    openapi: '3.0.0',
    info: { title: 'T' },
    servers: [{ url: '/v1' }],
    paths: { '/t': { get: { responses: { 200: { content: { 'application/json': { schema: { $ref: ref } } } } } } } },
  });
const outputs = (text: string): unknown => {
  const definition = readConnector(text).definition as RestConnector;
  return Object.values(definition.endpoints)[0]?.output_schema?.fields.map(({ name }) => name);
};

describe('a document at an address', () => {
  it('is fetched with everything that it refers to, each once, and begins its addresses there', async () => {
    files.set('/docs/api.json', document('parts/things.yaml#/Thing'));
    files.set(
      '/docs/parts/things.yaml',
      'Thing:\n  type: object\n  properties:\n    id: {$ref: "ids.json#/Id"}\n    other: {$ref: "ids.json#/Other"}\n    up: {$ref: "../api.json#/info"}\n',
    );
    files.set('/docs/parts/ids.json', '{"Id": {"type": "integer"}, "Other": {"$ref": "things.yaml#/Thing"}}');
    const made = await importer.import({ url: `${source.url}/docs/api.json` }, {});
    expect(outputs(made.source)).toEqual(['id', 'other', 'up']);
    expect(made.source).toContain(`base_url: ${source.url}/v1`);
    expect(made.problems).toEqual([]);
    expect(source.seen.map(({ url }) => url)).toEqual([
      '/docs/api.json',
      '/docs/parts/things.yaml',
      '/docs/parts/ids.json',
    ]);
  });

  it('that is not there, or no document, is said', async () => {
    await expect(importer.import({ url: `${source.url}/none` }, {})).rejects.toMatchObject({
      code: 'upstream_rejected',
    });
    files.set('/page', '<html>\n<body>');
    await expect(importer.import({ url: `${source.url}/page` }, {})).rejects.toMatchObject({ code: 'invalid_openapi' });
  });
});

describe('H01, H07, H09: what must not be fetched is not', () => {
  const forbidden = [
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:DECOY/x',
    'http://localhost:DECOY/x',
    'http://[::1]:DECOY/x',
    'http://[::ffff:127.0.0.1]:DECOY/x',
    'http://0.0.0.0:DECOY/x',
    'http://2130706433:DECOY/x',
    'http://0x7f.1:DECOY/x',
    'http://10.0.0.1/x',
    'http://172.16.0.1/x',
    'http://192.168.0.1/x',
    'http://100.64.0.1/x',
    'http://u:p@example.org/x',
    'file:///etc/passwd',
    'gopher://127.0.0.1/x',
    'ftp://127.0.0.1/x',
    'data:application/json,{}',
    'SOURCE/moved',
  ];
  const placed = (address: string): string =>
    address.replace('DECOY', String(decoy.port)).replace('SOURCE', source.url);

  it.each(forbidden)('the document at %s', async (address) => {
    const refused = importer.import({ url: placed(address) }, {});
    await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^(egress_denied|invalid_request)$/) });
  });

  it.each(forbidden)('a reference to %s ends the import', async (address) => {
    const refused = importer.import({ text: document(`${placed(address)}#/A`) }, {});
    await expect(refused).rejects.toMatchObject({
      code: 'invalid_openapi',
      problems: [
        { severity: 'error', code: expect.stringMatching(/^(egress_denied|invalid_request)$/), field: '$ref' },
      ],
    });
  });

  it('an address in an example is no reference', async () => {
    const text = JSON.stringify({
      openapi: '3.0.0',
      paths: { '/t': { get: { example: { $ref: `${decoy.url}/x#/A` } } } },
    });
    expect((await importer.import({ text }, {})).operations).toBe(1);
  });
});

describe('what merely cannot be had', () => {
  it('leaves a gap that is named', async () => {
    files.set('/broken.yaml', 'a: [\n');
    const gaps = [
      ['other.yaml#/A', 'reference_without_base'],
      [`${source.url}/none.json#/A`, 'upstream_rejected'],
      [`${source.url}/broken.yaml#/A`, 'invalid_yaml'],
    ] as const;
    for (const [ref, code] of gaps) {
      const made = await importer.import({ text: document(ref) }, {});
      expect(made.problems).toContainEqual(expect.objectContaining({ severity: 'warning', code }));
      expect(made.problems.map((problem) => problem.code)).toContain('reference_not_loaded');
      expect(outputs(made.source)).toBeUndefined();
    }
  });

  it('has an end: of documents that never end so many are fetched', async () => {
    for (let at = 0; at < 40; at += 1)
      files.set(`/chain${at}.json`, JSON.stringify({ A: { $ref: `chain${at + 1}.json#/A` } }));
    const made = await importer.import({ text: document(`${source.url}/chain0.json#/A`) }, {});
    expect(source.seen.length).toBeLessThanOrEqual(20);
    expect(made.problems.map(({ code }) => code)).toContain('too_many_documents');
  });

  it('is cut where it is too large', async () => {
    files.set('/large.json', `{"a": "${'x'.repeat(5_000_100)}"}`);
    const refused = importer.import({ url: `${source.url}/large.json` }, {});
    await expect(refused).rejects.toMatchObject({ code: 'response_too_large' });
  });
});

describeWithData('openapi', 'an operation of a recorded description', () => {
  it('returns the recorded rows', async () => {
    const recorded = readFileSync(resolve(DATA_DIR, 'fec/openfec_candidates_party_DEM.json'), 'utf8');
    files.set('/v1/candidates/', recorded);
    const text = readFileSync(resolve(DATA_DIR, 'openapi/openfec_subset_dev.json'), 'utf8');
    const made = await importer.import({ text }, { base_url: source.url, id: 'fec' });
    const { definition } = readConnector(made.source);
    const deps = connectorDeps({ egress, secretValues: { fec_api_key_header_auth: 'a-key-of-ours' } });
    const inputs = { party: ['DEM'], per_page: 20 };
    const context = testContext();
    const result = await callEndpoint(deps, {
      definition: definition!,
      endpoint: 'get_v1_candidates',
      inputs,
      context,
    });
    const { results } = JSON.parse(recorded) as { results: unknown[] };
    expect(result).toMatchObject({ results, count: results.length });
    expect(source.seen[0]?.url).toContain('party=DEM');
    expect(source.seen[0]?.headers['x-api-key']).toBe('a-key-of-ours');
  });
});
