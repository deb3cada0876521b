import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readDocument } from '../../../core/connector/openapi/read-document';
import { DATA_DIR, describeWithData } from '../../support/data';
import { definitionOf, importText } from './openapi-fixture';

const read = (name: string): string => readFileSync(resolve(DATA_DIR, 'openapi', name), 'utf8');

/** Operations, address and authentication as the descriptions of the files say. */
const KNOWN = [
  ['bundestag_lobbyregister.yaml', 1, 'https://www.lobbyregister.bundestag.de', 'none'],
  ['link-example.yaml', 6, 'https://replace-me.invalid', 'none'],
  ['openfec_subset_dev.json', 7, 'https://replace-me.invalid', 'api_key'],
  ['uber_v2.json', 5, 'https://api.uber.com/v1', 'none'],
  ['uspto.yaml', 3, 'https://developer.uspto.gov/ds-api', 'none'],
] as const;
const BROKEN = 'as-found-broken_federal_register.yml';

describeWithData('openapi', 'the recorded descriptions', () => {
  it('are all read here', () => {
    expect(readdirSync(resolve(DATA_DIR, 'openapi')).toSorted()).toEqual(
      [...KNOWN.map(([name]) => name), BROKEN].toSorted(),
    );
  });

  it.each(KNOWN)('%s has %d operations, each an endpoint', (name, count, address, auth) => {
    const made = importText(read(name));
    const definition = definitionOf(made);
    expect({ operations: made.operations, endpoints: Object.keys(definition.endpoints).length }).toEqual({
      operations: count,
      endpoints: count,
    });
    expect(definition.connection).toMatchObject({ base_url: address, auth: { type: auth } });
    expect(made.endpoints.map((endpoint) => endpoint.name)).toEqual(Object.keys(definition.endpoints));
    expect(made.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('name their lines where they are broken', () => {
    const result = readDocument(read(BROKEN));
    const lines = 'problems' in result ? result.problems.map(({ line }) => line ?? 0) : [];
    expect(lines.some((line) => line >= 620 && line <= 623)).toBe(true);
  });

  it('keep parameters, lists, envelopes and bodies', () => {
    const fec = definitionOf(importText(read('openfec_subset_dev.json'))).endpoints['get_v1_candidates'];
    expect(fec).toMatchObject({
      method: 'GET',
      path: '/v1/candidates/',
      response_mapping: { results_path: 'results' },
    });
    const named = new Map(fec?.parameters.map((parameter) => [parameter.name, parameter]));
    expect(named.get('party')).toMatchObject({ in: 'query', type: 'array' });
    expect(named.get('per_page')).toMatchObject({ type: 'integer', default: 20 });
    expect(named.has('api_key')).toBe(false);
    expect(fec?.output_schema?.fields.map(({ name }) => name)).toContain('candidate_id');
    const search = definitionOf(importText(read('uspto.yaml'))).endpoints['perform-search'];
    expect(search).toMatchObject({ method: 'POST', body_format: 'form', effect: 'unsafe' });
    expect(search?.parameters.find(({ name }) => name === 'criteria')).toMatchObject({
      in: 'body',
      required: true,
      default: '*:*',
    });
  });
});

describe('the description of this API', () => {
  it('imports, every operation of it', () => {
    const text = readFileSync(resolve(__dirname, '../../../openapi.json'), 'utf8');
    const paths = (JSON.parse(text) as { paths: Record<string, object> }).paths;
    const count = Object.values(paths).reduce((sum, operations) => sum + Object.keys(operations).length, 0);
    const made = importText(text, { base_url: 'http://127.0.0.1:3000' });
    const definition = definitionOf(made);
    expect(made.operations).toBe(count);
    expect(Object.keys(definition.endpoints)).toHaveLength(Math.min(count, 200));
    expect(definition.connection.auth).toMatchObject({ type: 'api_key', in: 'header', key_param: 'X-API-Key' });
    expect(definition.endpoints['connectors_save']).toMatchObject({ effect: 'keyed' });
  });
});
