import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { FieldSpec } from '../../../core/actions/types';
import { endpointEditSchema } from '../../../core/connector/edit-schema';
import { connectorEntry } from '../../../core/connector/entry';
import { endpointInputs, endpointOutputs } from '../../../core/connector/outputs';
import { parseConnector } from '../../../core/connector/parse';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { FIXTURES } from './fixtures';

function read(definition: JsonObject | string): ConnectorDefinition {
  const text = typeof definition === 'string' ? definition : JSON.stringify(definition);
  const { definition: found, problems } = parseConnector(text);
  if (found === undefined) throw new Error(JSON.stringify(problems));
  return found;
}
const rest = (endpoint: JsonObject): ConnectorDefinition =>
  read({
    id: 'a',
    type: 'rest_api',
    connection: { base_url: 'https://a.example' },
    endpoints: { e: { path: '/a', ...endpoint } },
  });
const file = (endpoint: JsonObject): ConnectorDefinition =>
  read({ id: 'a', type: 'file_parser', connection: { source: 'upload' }, endpoints: { e: endpoint } });
const tool = (endpoint: JsonObject, name = 'search_web'): ConnectorDefinition =>
  read({ id: 'a', type: 'existing_tool', connection: { tool: name }, endpoints: { e: endpoint } });

const shown = (fields: readonly FieldSpec[] | undefined): Record<string, string> =>
  Object.fromEntries((fields ?? []).map(({ name, type }) => [name, type]));
const columns = (definition: ConnectorDefinition): Record<string, string> | undefined => {
  const [results] = endpointOutputs(definition, 'e');
  return results?.fields === undefined ? undefined : shown(results.fields);
};

describe('the columns that an endpoint gives', () => {
  const mapped = (rule: Json): string | undefined =>
    columns(rest({ response_mapping: { fields: { x: rule } } }))?.['x'];
  const map = (values: JsonObject, more: JsonObject = {}): Json => ({
    path: 'a',
    transforms: [{ op: 'map', values, ...more }],
  });
  it.each<[string, Json, string]>([
    ['a path', 'a.b', 'any'],
    ['a list of what lies in each', 'a[*].b', 'any[]'],
    ['a constant text', { constant: 'c' }, 'string'],
    ['a whole constant', { constant: 3 }, 'integer'],
    ['a constant with a fraction', { constant: 0.5 }, 'number'],
    ['a constant that is true', { constant: true }, 'boolean'],
    ['a constant list', { constant: [1] }, 'any[]'],
    ['a constant record', { constant: { a: 1 } }, 'object'],
    ['a number', { path: 'a', transforms: ['number'] }, 'number'],
    ['a date', { path: 'a', transforms: [{ op: 'date', format: 'YYYY-MM-DD' }] }, 'date'],
    ['a date with its time', { path: 'a', transforms: [{ op: 'date', format: 'unix' }] }, 'string'],
    ['a trimmed text', { path: 'a', transforms: ['trim'] }, 'string'],
    ['a changed text', { path: 'a', transforms: [{ op: 'replace', find: 'a', with: 'b' }] }, 'string'],
    ['the parts of a text', { path: 'a', transforms: [{ op: 'split', separator: ',' }] }, 'string[]'],
    ['numbers of the parts', { path: 'a', transforms: [{ op: 'split', separator: ',' }, 'number'] }, 'number[]'],
    ['numbers of each', { path: 'a[*].b', transforms: ['number'] }, 'number[]'],
    ['values that may be others', map({ a: 'b' }), 'any'],
    ['values that are texts', map({ a: 'b' }, { otherwise: 'c' }), 'string'],
    ['values or nothing', map({ a: 'b' }, { otherwise: null }), 'string'],
    ['values of several kinds', map({ a: 'b', c: 1 }, { otherwise: 'c' }), 'any'],
    ['nothing at all', map({ a: null }, { otherwise: null }), 'any'],
  ])('%s', (_what, rule, type) => {
    expect(mapped(rule)).toBe(type);
  });

  it('are those that are declared, before all others', () => {
    const schema = { type: 'record_set', fields: [{ name: 'y', type: 'integer' }] };
    expect(columns(rest({ output_schema: schema, response_mapping: { fields: { x: 'a' } } }))).toEqual({
      y: 'integer',
    });
    expect(columns(rest({}))).toBeUndefined();
  });

  it('of files come with the file they are from; mapped ones keep what the file said of them', () => {
    const fields: JsonObject[] = [
      { field: 'n', type: 'integer', description: 'A number' },
      { field: 'at', type: 'datetime' },
      { field: 'l', type: 'array' },
    ];
    expect(columns(file({ parser: 'csv', fields }))).toEqual({
      file: 'string',
      file_id: 'string',
      n: 'integer',
      at: 'string',
      l: 'any[]',
    });
    const mapping = {
      fields: { same: 'n', other: { path: 'n', transforms: ['trim'] }, each: { path: 'l', transforms: ['number'] } },
    };
    const [results] = endpointOutputs(file({ parser: 'csv', fields, response_mapping: mapping }), 'e');
    expect(results?.fields?.slice(2)).toEqual([
      { name: 'same', type: 'integer', description: 'A number' },
      { name: 'other', type: 'string' },
      { name: 'each', type: 'number[]' },
    ]);
  });

  it('of pages that come more than once are lists', () => {
    const page = read({
      id: 'a',
      type: 'web_scraper',
      connection: { base_url: 'https://a.example' },
      endpoints: {
        e: {
          path: '/a',
          fields: [
            { field: 'one', selector: 'a', type: 'integer', description: 'One' },
            { field: 'many', selector: 'a', multiple: true },
            { field: 'lists', selector: 'a', type: 'array', multiple: true },
          ],
        },
      },
    });
    expect(columns(page)).toEqual({ one: 'integer', many: 'string[]', lists: 'any[]' });
    expect(endpointOutputs(page, 'e')[0]?.fields?.[0]).toMatchObject({ description: 'One' });
  });

  it('of a tool are those of its action, where it gives records', () => {
    expect(Object.keys(columns(tool({ passthrough: false })) ?? {})).toContain('snippet');
    expect(columns(tool({ passthrough: false }, 'save_to_workspace'))).toBeUndefined();
    expect(endpointOutputs(tool({ passthrough: true }), 'e').map(({ name }) => name)).toEqual(['results', 'count']);
  });

  it('of a mapping of a tool know what the action says of them', () => {
    const mapping = { fields: { text: 'snippet', other: 'nowhere' } };
    const own = columns(tool({ passthrough: false }))?.['snippet'];
    expect(columns(tool({ passthrough: false, response_mapping: mapping }))).toEqual({ text: own, other: 'any' });
  });
});

describe('what stands beside the records', () => {
  const names = (definition: ConnectorDefinition): string[] => endpointOutputs(definition, 'e').map(({ name }) => name);
  const of = (type: string, connection: JsonObject, endpoint: JsonObject): string[] =>
    names(read({ id: 'a', type, connection, endpoints: { e: endpoint } }));
  const http = { base_url: 'https://a.example' };
  it.each<[string, string[], string[]]>([
    ['rest_api', of('rest_api', http, { path: '/a' }), ['results', 'count', 'status', 'left_out']],
    ['graphql', of('graphql', http, { query: '{ a }' }), ['results', 'count', 'status', 'errors']],
    [
      'web_scraper',
      of('web_scraper', http, { path: '/a', fields: [{ field: 'a', selector: 'a' }] }),
      ['results', 'count', 'status', 'pages', 'stopped_by', 'truncated', 'warnings'],
    ],
    [
      'database',
      of('database', { auth: { type: 'connection_string', secret: { secret: 'D' } } }, { sql: 'SELECT 1' }),
      ['results', 'count', 'truncated', 'warnings'],
    ],
    [
      'rss_feed',
      of('rss_feed', { feeds: [{ name: 'f', url: 'https://a.example' }] }, {}),
      ['results', 'count', 'errors', 'error_count', 'feeds', 'duplicates', 'truncated', 'warnings'],
    ],
    [
      'file_parser',
      of('file_parser', { source: 'upload' }, { parser: 'csv' }),
      ['results', 'count', 'files', 'errors', 'error_count', 'warnings'],
    ],
    ['existing_tool', of('existing_tool', { tool: 'search_web' }, { passthrough: false }), ['results', 'count']],
  ])('of %s', (_type, found, expected) => {
    expect(found).toEqual(expected);
  });

  it('pages and mappings add their own, and so does what is declared of a single record', () => {
    const paging = { pagination: { type: 'page', param: 'p' } };
    const mapping = { response_mapping: { fields: { x: 'a' } } };
    expect(names(rest(paging))).toEqual(['results', 'count', 'status', 'left_out', 'pages', 'stopped_by', 'truncated']);
    expect(names(rest(mapping))).toEqual(['results', 'count', 'status', 'left_out', 'missing', 'warnings']);
    const schema = (type: string): JsonObject => ({
      output_schema: {
        type,
        fields: [{ name: 'y' }, { name: 'count' }],
        metadata_fields: [{ name: 'total' }, { name: 'status' }],
      },
    });
    expect(names(rest(schema('object')))).toEqual(['results', 'count', 'y', 'status', 'left_out', 'total']);
    expect(names(rest(schema('record_set')))).toEqual(['results', 'count', 'status', 'left_out', 'total']);
    expect(
      names(file({ parser: 'csv', fields: [{ field: 'x' }], response_mapping: { fields: { x: 'x' } } })),
    ).toContain('missing');
  });

  it('the records are described as the endpoint is', () => {
    expect(endpointOutputs(rest({ description: 'All things' }), 'e')[0]).toMatchObject({
      name: 'results',
      description: 'All things',
    });
    expect(endpointOutputs(rest({}), 'e')[0]?.description).toMatch(/records/i);
  });

  it('groups of a file repeat what their record carries, and say which edition counts', () => {
    const definition = file({
      parser: 'xml',
      list_element: '/r/a',
      fields: [
        { field: 'id', xpath: 'id' },
        { field: 'no', xpath: 'no', type: 'integer' },
      ],
      replaces: { same: 'id', latest: 'no' },
      groups: {
        lines: {
          list_element: 'l',
          carry: ['id'],
          fields: [
            { field: 'id', xpath: '@id' },
            { field: 'sum', xpath: 's', type: 'number' },
          ],
        },
      },
    });
    expect(columns(definition)).toEqual({
      file: 'string',
      file_id: 'string',
      id: 'string',
      no: 'integer',
      is_current: 'boolean',
      replaced_by: 'string',
    });
    const lines = endpointOutputs(definition, 'e').find(({ name }) => name === 'lines');
    expect(shown(lines?.fields)).toEqual({
      file: 'string',
      file_id: 'string',
      id: 'string',
      sum: 'number',
      is_current: 'boolean',
      replaced_by: 'string',
    });
  });
});

describe('what an endpoint takes', () => {
  it('is nothing where there is no such endpoint', () => {
    for (const definition of [rest({}), tool({})]) {
      expect([endpointInputs(definition, 'none'), endpointOutputs(definition, 'none')]).toEqual([[], []]);
      expect(endpointEditSchema(definition, 'none')).toEqual({
        type: 'object',
        additionalProperties: false,
        properties: {},
      });
    }
  });

  it('knows the type, what must be given, and which texts may be', () => {
    const definition = rest({
      method: 'POST',
      parameters: [
        { name: 'a', in: 'query', required: true, enum: ['x', 'y'], description: 'An a' },
        { name: 'b', in: 'query', required: true, type: 'integer', default: 3, enum: [3, 4] },
        { name: 'c', in: 'body', type: 'datetime' },
        { name: 'd', in: 'body', type: 'array', required: true, enum: ['x', 'y'] },
      ],
    });
    expect(endpointInputs(definition, 'e')).toEqual([
      { name: 'a', type: 'string', required: true, description: 'An a', enum: ['x', 'y'], nullable: false },
      { name: 'b', type: 'integer', required: false, default: 3, nullable: false },
      { name: 'c', type: 'string', required: false, nullable: true },
      { name: 'd', type: 'any[]', required: true, enum: ['x', 'y'], nullable: false },
    ]);
  });

  it.each<[string, string[]]>([
    ['directory', ['directory', 'files']],
    ['upload', ['documents']],
    ['url', ['urls']],
  ])('of files from %s', (source, names) => {
    const definition = read({
      id: 'a',
      type: 'file_parser',
      connection: { source },
      endpoints: { e: { parser: 'csv' } },
    });
    expect(endpointInputs(definition, 'e').map(({ name }) => name)).toEqual(names);
  });

  it('of a tool is what its action takes, each name once, unless it is declared', () => {
    const all = endpointInputs(tool({}), 'e').map(({ name }) => name);
    expect(all).toContain('query');
    expect(new Set(all).size).toBe(all.length);
    const parameters = [{ name: 'query', required: true }];
    expect(endpointInputs(tool({ parameters }), 'e').map(({ name }) => name)).toEqual(['query']);
  });

  it('is what a person may change before a call: each by its own name and rules', () => {
    const definition = rest({
      method: 'POST',
      parameters: [
        { name: 'a', in: 'query', required: true },
        { name: 'b', in: 'query', type: 'integer', default: 3 },
        { name: 'c', in: 'body', type: 'integer', enum: [1, 2] },
        { name: 'd', in: 'body', required: true, type: 'boolean' },
        { name: 'e', in: 'body', type: 'any', enum: ['x', null] },
        { name: 'f', in: 'body', type: 'any' },
        { name: 'g', in: 'body', type: 'array', enum: ['x', 3] },
      ],
    });
    const { properties } = endpointEditSchema(definition, 'e') as { properties: JsonObject };
    expect(properties).toEqual({
      a: { type: 'string' },
      b: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
      c: { type: 'integer', enum: [1, 2] },
      d: { type: 'boolean' },
      e: { anyOf: [{ enum: ['x', null] }, { type: 'null' }] },
      f: {},
      // Null is no element: options of a list say nothing of it.
      g: { anyOf: [{ type: 'array', items: { enum: ['x', 3] } }, { type: 'null' }] },
    });
  });
});

it('the validator of playbooks knows each endpoint with what goes in, comes out and changes', () => {
  for (const text of Object.values(FIXTURES)) {
    const definition = read(text);
    const entry = connectorEntry(definition);
    expect(entry).toMatchObject({ slug: definition.id, type: definition.type });
    expect(Object.keys(entry.endpoints)).toEqual(Object.keys(definition.endpoints));
    for (const [name, { parameters, outputs }] of Object.entries(entry.endpoints)) {
      expect([parameters, outputs]).toEqual([endpointInputs(definition, name), endpointOutputs(definition, name)]);
    }
  }
  expect(connectorEntry(rest({ method: 'POST' })).endpoints['e']?.effect).toBe('unsafe');
  expect(connectorEntry(rest({})).endpoints['e']?.effect).toBe('none');
});
