import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020';
import { endpointEffect, endpointInputs, endpointOutputs } from '../../../core/connector/outputs';
import { entityRules } from '../../../core/connector/entity-rules';
import { parseConnector } from '../../../core/connector/parse';
import { CONNECTOR_TYPES, type ConnectorDefinition } from '../../../core/connector/types';
import { FIXTURES } from './fixtures';

function read(name: string): ConnectorDefinition {
  const { definition, problems } = parseConnector(FIXTURES[name] ?? '');
  expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
  return definition!;
}
const names = Object.keys(FIXTURES);
const typesOf = (fields: { name: string; type: string }[]): Record<string, string> =>
  Object.fromEntries(fields.map(({ name, type }) => [name, type]));

describe('definitions that use the whole language', () => {
  it('there is one of every type', () => {
    expect(new Set(names.map((name) => read(name).type))).toEqual(new Set(CONNECTOR_TYPES));
  });
  it.each(names)('%s: the compiled definition reads as itself', (name) => {
    const { schema, ...written } = read(name);
    expect(schema).toBe(1);
    const again = parseConnector(JSON.stringify(written));
    expect(again.problems.filter((problem) => problem.severity === 'error')).toEqual([]);
    expect(again.definition).toEqual(read(name));
  });
  it('every endpoint says what goes in and comes out', () => {
    for (const name of names) {
      const definition = read(name);
      for (const endpoint of Object.keys(definition.endpoints)) {
        expect(Array.isArray(endpointInputs(definition, endpoint))).toBe(true);
        const outputs = endpointOutputs(definition, endpoint).map((output) => output.name);
        expect(outputs.length).toBeGreaterThan(0);
        expect(new Set(outputs).size).toBe(outputs.length);
      }
    }
  });
});

it('the text of a playbook is told for what it is, not field by field', () => {
  const { definition, problems } = parseConnector('id: a\ninputs: []\nsteps: [{name: b, step_type: tool}]\noutput: {}');
  expect(definition).toBeUndefined();
  expect(problems).toEqual([expect.objectContaining({ code: 'not_a_connector', line: 1 })]);
});

describe('what is compiled', () => {
  it('rest_api: rules, paging, cache, hooks', () => {
    const definition = read('rest-api');
    expect(definition.hooks).toEqual({ before: ['rate_limit', 'auth_check'], after: ['audit'] });
    expect(definition.endpoints['grants_of']).not.toHaveProperty('docs');
    expect(definition.endpoints['grants_of']).not.toHaveProperty('tested');
    expect(definition.endpoints['grants_of']).toMatchObject({
      base_url: 'https://bulk.example.org',
      array_format: 'brackets',
      hooks: { before: ['audit'], after: [] },
      pagination: { type: 'cursor', param: 'after', in: 'query', start: 0, size: 50, max_pages: 20, max_items: 900 },
      cache: { ttl_seconds: 600, stale_if_error_seconds: 0 },
      response_mapping: {
        fields: {
          recipient: 'to.name',
          amount: { path: 'amount', transforms: [{ op: 'trim' }, { op: 'number', decimal: ',' }], default: 0 },
          paid_on: { path: 'paid', transforms: [{ op: 'date', format: 'MM/DD/YYYY' }] },
          source: { constant: 'example', transforms: [] },
        },
      },
    });
    expect(definition.endpoints['pages']).toMatchObject({
      pagination: { start: 0, max_pages: 100, max_items: 10_000, max_bytes: 50_000_000, max_seconds: 300 },
    });
    expect(definition.endpoints['search']).toMatchObject({ effect: 'none', pagination: { in: 'body', start: 1 } });
    expect(definition.endpoints['upload']).toMatchObject({ effect: 'idempotent', body_format: 'multipart' });
    expect(entityRules(definition, 'grants_of')).toEqual([
      { field: 'recipient', entity_type: 'ORG', relationship_type: 'FUNDED_BY' },
    ]);
    expect(entityRules(definition, 'nowhere')).toEqual([]);
  });

  it.each([
    ['rest-api', { type: 'api_key', in: 'query', key_param: 'api_key', secret: { secret: 'EXAMPLE_KEY' } }],
    ['auth-basic', { type: 'basic', username: 'me', secret: { secret: 'PASSWORD' } }],
    [
      'auth-oauth2',
      {
        type: 'oauth2_client_credentials',
        token_url: 'https://login.example.org/token',
        scope: 'read write',
        client_id: 'me',
        in: 'body',
        secret: { secret: 'CLIENT' },
      },
    ],
    [
      'auth-hmac',
      {
        type: 'hmac',
        algorithm: 'sha512',
        key_param: 'X-Sign',
        prefix: 'sha512=',
        encoding: 'base64',
        timestamp_header: 'X-Time',
        template: '{timestamp}.{body}',
        secret: { secret: 'SIGNING' },
      },
    ],
    ['auth-connection', { type: 'connection', connection: 'my-crm' }],
    ['graphql', { type: 'bearer_token', secret: { secret: 'GITHUB_TOKEN' } }],
    ['database', { type: 'connection_string', secret: { secret: 'EXTERNAL_DB_URL' } }],
  ])('auth of %s', (name, auth) => {
    expect(read(name).connection).toHaveProperty('auth', auth);
  });

  it('hmac: what is signed when nothing is said', () => {
    const text = (more: string): string =>
      `id: a\ntype: rest_api\nconnection: {base_url: "https://a.example", auth: {type: hmac, ${more}secret: {secret: S}}}\nendpoints: {e: {path: /a}}\n`;
    expect(parseConnector(text('')).definition?.connection).toMatchObject({
      auth: { key_param: 'X-Signature', prefix: '', template: '{method}\n{path}\n{query}\n{body_sha256}' },
    });
    expect(parseConnector(text('timestamp_header: X-T, ')).definition?.connection).toMatchObject({
      auth: { template: '{method}\n{path}\n{query}\n{timestamp}\n{body_sha256}' },
    });
  });

  it('graphql: the older spellings, and what the text says', () => {
    const definition = read('graphql');
    expect(definition.connection).toMatchObject({ base_url: 'https://api.github.com/graphql', timeout_seconds: 15 });
    expect(definition.endpoints['search_repos']).toMatchObject({
      operation: 'query',
      effect: 'none',
      partial_data: 'refuse',
      parameters: [{ name: 'query', in: 'body', required: true }, { name: 'first', default: 10 }, { name: 'after' }],
      pagination: { in: 'body' },
    });
    expect(definition.endpoints['star']).toMatchObject({ operation: 'mutation', effect: 'idempotent' });
    expect(definition.endpoints['anonymous']).toMatchObject({ operation: 'query', partial_data: 'accept' });
  });

  it('a mutation is unsafe unless it says otherwise', () => {
    const text = (FIXTURES['graphql'] ?? '').replace('    effect: idempotent\n', '');
    const { definition } = parseConnector(text);
    expect(endpointEffect(definition!, 'star')).toBe('unsafe');
    expect(endpointEffect(definition!, 'search_repos')).toBe('none');
    expect(endpointEffect(definition!, 'toString')).toBe('none');
  });

  it('database: free statements and prepared ones', () => {
    const { endpoints } = read('database');
    expect(endpoints['query']).toMatchObject({ free_sql: true, max_rows: 1000, max_bytes: 10_000_000 });
    expect(endpoints['query']).not.toHaveProperty('sql');
    expect(endpointInputs(read('database'), 'query')).toMatchObject([
      { name: 'sql', required: true },
      { name: 'params', type: 'object', required: false },
    ]);
    expect(endpointInputs(read('database'), 'donors_of').map((input) => input.name)).toEqual(['state', 'since']);
    expect(typesOf(endpointOutputs(read('database'), 'query'))).toMatchObject({ truncated: 'boolean' });
  });

  it('rss_feed: its questions and its items', () => {
    const definition = read('rss-feed');
    expect(endpointInputs(definition, 'everything')).toMatchObject([
      { name: 'feed_name', default: 'all' },
      { name: 'since_hours', type: 'integer' },
    ]);
    expect(endpointInputs(definition, 'get_recent')[1]).toMatchObject({ default: 24 });
    const [results] = endpointOutputs(definition, 'everything');
    expect(results?.fields?.map((field) => field.name)).toContain('pubDate');
  });

  it('existing_tool: contract, effect and passthrough are those of the action', () => {
    const definition = read('existing-tool');
    expect(endpointInputs(definition, 'search').map((input) => input.name)).toEqual(['query', 'max_results']);
    expect(endpointInputs(definition, 'compare').map((input) => input.name)).toEqual(
      expect.arrayContaining(['dataset_a', 'dataset_b', 'match_strategy']),
    );
    expect(endpointOutputs(definition, 'search').map((output) => output.name)).toEqual(['results', 'count']);
    expect(endpointOutputs(definition, 'search')[0]?.fields?.map((field) => field.name)).toContain('snippet');
    expect(endpointEffect(definition, 'compare')).toBe('none');
    const writer = parseConnector(
      'id: w\ntype: existing_tool\nconnection: {tool: save_to_workspace}\nendpoints: {e: {}}\n',
    );
    expect(endpointEffect(writer.definition!, 'e')).not.toBe('none');
  });

  it('file_parser: every kind of file', () => {
    const { endpoints } = read('file-tables');
    expect(endpoints).toMatchObject({
      csv: { delimiter: '|', header: false, encoding: 'windows-1252' },
      xlsx: { sheet: 'Donations', fields: [{ paths: ['Donor', 'Name'] }] },
      second_sheet: { sheet: 2 },
      index: {
        fields: [
          { start: 1, length: 12 },
          { start: 75, length: 10, type: 'date' },
        ],
      },
      contributions: { record_types: ['SA', 'SB17'] },
      pdf: { parser: 'pdf', fields: [] },
    });
  });
});

describe('types of outputs follow from the mapping', () => {
  it('transforms and constants', () => {
    const text = (FIXTURES['rest-api'] ?? '').replace(/    output_schema:[\s\S]*?metadata_fields: .*\n/, '');
    const [results] = endpointOutputs(parseConnector(text).definition!, 'grants_of');
    expect(typesOf(results?.fields ?? [])).toEqual({
      recipient: 'any',
      amount: 'number',
      paid_on: 'date',
      tags: 'string[]',
      clean: 'string',
      kind: 'string',
      source: 'string',
    });
  });
  it('fields of a page', () => {
    const text = (FIXTURES['web-scraper'] ?? '').replace('first_officer: "officers[0]"', 'all: officers');
    const [results] = endpointOutputs(parseConnector(text).definition!, 'search');
    expect(typesOf(results?.fields ?? [])).toEqual({ name: 'string', all: 'string[]', employees: 'integer' });
  });
  it('pages add what they say about themselves', () => {
    const outputs = endpointOutputs(read('rest-api'), 'grants_of').map((output) => output.name);
    expect(outputs).toEqual(expect.arrayContaining(['pages', 'stopped_by', 'truncated', 'total', 'missing']));
  });
});

describe('the audit entry after a call', () => {
  const at = (hooks: string): string =>
    `{id: c, type: rest_api, hooks: ${hooks}, connection: {base_url: "https://a.example"}, endpoints: {e: {path: /e}}}`;
  it('is not left out by `after`: whoever tries is told so', () => {
    const { definition, problems } = parseConnector(at('{before: [auth_check], after: []}'));
    expect(definition).toBeDefined();
    expect(problems).toMatchObject([
      { code: 'ignored_field', severity: 'warning', message: expect.stringMatching(/audit/) },
    ]);
  });
  it.each(['{}', '{before: []}', '{after: [audit]}'])('is not spoken of by %s', (hooks) => {
    expect(parseConnector(at(hooks)).problems).toEqual([]);
  });
});

it('the schema library is the one that the schema is written for', () => {
  expect(() =>
    new Ajv2020({ strict: false }).compile({ $schema: 'https://json-schema.org/draft/2020-12/schema' }),
  ).not.toThrow();
});
