import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, dictionary, jsonValue, property } from 'fast-check';
import { endpointInputs, endpointOutputs, findEndpoint } from '../../../core/connector/outputs';
import { parseConnector } from '../../../core/connector/parse';
import type { ConnectorDefinition, FileConnector, RestConnector } from '../../../core/connector/types';
import { CONNECTOR_TYPES } from '../../../core/connector/types';
import type { Problem } from '../../../core/errors/problem';

const REST = `id: fec
name: FEC
type: rest_api
version: 1.0
connection:
  base_url: https://api.example.org/v1/
  headers: {Accept-Language: en}
  auth: {type: api_key, in: query, key_param: api_key, secret: {secret: FEC_KEY}}
  timeout_seconds: 12
endpoints:
  search:
    path: /search/{kind}
    parameters:
      - {name: kind, type: string, enum: [a, b]}
      - {name: q, type: string, required: true, description: Words}
      - {name: page, type: integer, default: 1}
    response_mapping:
      entity_type: donation
      results_path: data.results
      fields: {donor: who.name, amount: 'amounts[0]'}
      entity_extraction: [{field: donor, entity_type: PERSON, relationship_type: DONOR_OF}]
  create: {method: POST, path: /things, parameters: [{name: body, type: object}]}
  replace: {method: PUT, path: /things}
  find: {method: POST, path: /find, effect: none}
`;
const FILE = `id: rows
type: file_parser
connection: {source: upload, accepted_formats: [CSV]}
endpoints:
  read: {parser: csv, delimiter: tab, fields: [{field: a, column: A, type: number}]}
`;

const CONNECTION_KEYS =
  'base_url endpoint headers auth rate_limit timeout_seconds source accepted_formats driver feeds tool'.split(' ');
const ENDPOINT_KEYS =
  'parameters variables path method pagination cache response_mapping output_schema hooks query sql free_sql fields groups follow list_selector parser sheet record_types tool passthrough'.split(
    ' ',
  );

function definitionOf(text: string): ConnectorDefinition {
  const { definition, problems } = parseConnector(text);
  expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
  return definition!;
}
const problemsOf = (text: string): Problem[] => parseConnector(text).problems;

describe('rest_api', () => {
  const definition = definitionOf(REST) as RestConnector;
  it('fills in defaults', () => {
    expect(definition).toMatchObject({
      schema: 1,
      id: 'fec',
      version: '1.0',
      connection: { base_url: 'https://api.example.org/v1', timeout_seconds: 12 },
    });
    expect(definition.endpoints['search']).toMatchObject({
      method: 'GET',
      effect: 'none',
      body_format: 'json',
      response_format: 'json',
    });
    expect(definition.endpoints['search']?.parameters).toEqual([
      { name: 'kind', in: 'path', type: 'string', required: true, enum: ['a', 'b'] },
      { name: 'q', in: 'query', type: 'string', required: true, description: 'Words' },
      { name: 'page', in: 'query', type: 'integer', required: false, default: 1 },
    ]);
    expect(definition.endpoints['create']).toMatchObject({ effect: 'unsafe', parameters: [{ in: 'body' }] });
    expect(definition.endpoints['replace']?.effect).toBe('idempotent');
    expect(definition.endpoints['find']?.effect).toBe('none');
  });
  it('says what goes in and comes out', () => {
    expect(endpointInputs(definition, 'search')).toEqual([
      { name: 'kind', type: 'string', required: true, nullable: false, enum: ['a', 'b'] },
      { name: 'q', type: 'string', required: true, nullable: false, description: 'Words' },
      { name: 'page', type: 'integer', required: false, nullable: false, default: 1 },
    ]);
    expect(endpointOutputs(definition, 'search')).toEqual([
      {
        name: 'results',
        type: 'record[]',
        description: 'The records',
        fields: [
          { name: 'donor', type: 'any' },
          { name: 'amount', type: 'any' },
        ],
      },
      { name: 'count', type: 'integer', description: 'Number of records' },
      { name: 'status', type: 'integer', description: 'HTTP status' },
      expect.objectContaining({ name: 'left_out', type: 'string[]' }),
      expect.objectContaining({ name: 'missing', type: 'object' }),
      expect.objectContaining({ name: 'warnings', type: 'record[]' }),
    ]);
    expect(endpointOutputs(definition, 'nothing')).toEqual([]);
    expect(findEndpoint(definition, 'constructor')).toBeUndefined();
  });
  it('JSON is the same language: the compiled definition reads as itself', () => {
    const { schema, ...written } = definition;
    expect(schema).toBe(1);
    expect(definitionOf(JSON.stringify(written))).toEqual(definition);
  });
});

describe('file_parser', () => {
  it('reads CSV settings and knows its outputs', () => {
    const definition = definitionOf(FILE) as FileConnector;
    expect(definition.connection).toEqual({
      sources: ['upload'],
      accepted_formats: ['csv'],
      max_file_size_mb: 50,
      max_files: 1000,
    });
    expect(definition.endpoints['read']).toMatchObject({
      delimiter: '\t',
      header: true,
      fields: [{ field: 'a', paths: ['A'], type: 'number' }],
    });
    expect(endpointInputs(definition, 'read').map((input) => input.name)).toEqual(['documents']);
    expect(endpointOutputs(definition, 'read').map((output) => output.name)).toEqual([
      'results',
      'count',
      'files',
      'errors',
      'error_count',
      'warnings',
    ]);
  });
});

describe('problems', () => {
  const change = (from: string, to: string, text = REST): string => {
    expect(text).toContain(from);
    return text.replace(from, to);
  };
  it.each<[string, string, Partial<Problem>]>([
    [
      'a mistyped key',
      change('timeout_seconds', 'timeout_secnds'),
      { code: 'unknown_field', line: 9, column: 3, suggestion: 'Did you mean `timeout_seconds`?' },
    ],
    [
      'a mistyped type',
      change('rest_api', 'rest-api'),
      { code: 'invalid_value', line: 3, column: 7, suggestion: 'Did you mean `rest_api`?' },
    ],
    [
      'a missing parameter',
      change('/search/{kind}', '/search/{sort}'),
      { code: 'unknown_reference', field: 'endpoints.search.path' },
    ],
    [
      'an unknown path parameter',
      change('/search/{kind}', '/search').replace('name: kind,', 'name: kind, in: path,'),
      { code: 'unknown_reference', field: 'endpoints.search.parameters.0.in' },
    ],
    ['a parameter twice', change('name: page', 'name: q'), { code: 'duplicate_name' }],
    [
      'a default outside its type',
      change('default: 1', 'default: one'),
      { code: 'invalid_value', message: 'The default must be of type integer.' },
    ],
    ['a malformed path', change('data.results', 'data..results['), { code: 'invalid_path', line: 19, column: 21 }],
    ['an entity rule on no field', change('field: donor', 'field: doner'), { code: 'unknown_reference' }],
    ['a method', change('method: POST', 'method: SEND'), { code: 'invalid_value' }],
    ['a secret as text', change('secret: {secret: FEC_KEY}', 'secret: abcdef'), { code: 'secret_not_allowed' }],
    ['a secret in a header', change('Accept-Language: en', 'Authorization: Bearer x'), { code: 'secret_not_allowed' }],
    ['H07: a Host header', change('Accept-Language', 'Host'), { code: 'invalid_header' }],
    ['H07: a line break in a header', change('Accept-Language: en', 'x-a: "a\\r\\nb: c"'), { code: 'invalid_header' }],
    [
      'H07: a transfer header as parameter',
      change('{name: q,', '{name: Transfer-Encoding, in: header,'),
      { code: 'invalid_header' },
    ],
    ['H07: file:', change('https://api.example.org/v1/', 'file:///etc/passwd'), { code: 'invalid_address' }],
    ['credentials in the address', change('https://api.', 'https://me:pw@api.'), { code: 'invalid_address' }],
    ['no endpoints', REST.slice(0, REST.indexOf('endpoints:')), { code: 'missing_field', field: 'endpoints' }],
    ['an unusable id', change('id: fec', 'id: ../FEC'), { code: 'invalid_value', field: 'id' }],
    [
      'a reserved group name',
      'id: x\ntype: file_parser\nconnection: {source: url}\nendpoints: {e: {parser: xml, fields: [{field: a, xpath: a}], groups: {errors: {list_element: b}}}}',
      { code: 'invalid_value' },
    ],
    [
      'an unknown source',
      change('source: upload', 'source: ftp', FILE),
      { code: 'invalid_value', field: 'connection.source' },
    ],
    ['an unreadable format', change('[CSV]', '[doc]', FILE), { code: 'not_available' }],
  ])('%s', (_name, text, expected) => {
    const { definition, problems } = parseConnector(text);
    expect(definition).toBeUndefined();
    expect(problems).toContainEqual(
      expect.objectContaining({ severity: 'error', line: expect.any(Number), ...expected }),
    );
  });

  it('all problems come at once, in the order of the text', () => {
    const problems = problemsOf(
      'id: A\ntype: rest_api\nconnection: {base_url: x, nope: 1}\nendpoints:\n  e: {methd: GET}\n',
    );
    expect(problems.map((problem) => problem.code)).toEqual([
      'invalid_value',
      'invalid_address',
      'unknown_field',
      'unknown_field',
    ]);
  });
});

describe('P07: hostile texts', () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
    .split('')
    .map((name, at) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[at]}`).join(',')}]`)
    .join('\n')}\n`;
  it.each([
    ['an alias bomb', bomb, 'too_many_aliases'],
    ['a text that is too large', 'a'.repeat(5_000_000), 'text_too_large'],
    ['brackets 10,000 deep', '['.repeat(10_000), 'too_deep'],
    [
      'indentation 10,000 deep',
      Array.from({ length: 1200 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
      undefined,
    ],
    ['duplicate keys', 'id: a\nid: b\n', 'duplicate_key'],
    ['a tag of another language', 'id: !!js/function "function () {}"\n', 'tag_not_allowed'],
    ['a prototype', '{"__proto__": {"id": "x"}, "id": "a", "type": "rest_api"}', 'invalid_key'],
    ['no mapping', '- 1\n', 'invalid_type'],
    ['nothing', '', 'invalid_type'],
  ])('%s gives problems', (_name, text, code) => {
    const { definition, problems } = parseConnector(text);
    expect(definition).toBeUndefined();
    expect(problems.length).toBeGreaterThan(0);
    if (code !== undefined) {
      expect(problems.map((problem) => problem.code)).toContain(code);
    }
  });

  it('thousands of faults give a hundred and a note', () => {
    const many = (count: number, one: (index: number) => string): string =>
      Array.from({ length: count }, (_, index) => one(index)).join(', ');
    const connection = '{base_url: "https://a.example"}';
    const texts = [
      `id: a\ntype: rest_api\nconnection: ${connection}\nendpoints: {e: {response_mapping: {fields: {${many(4000, (index) => `f${index}: x`)}}, entity_extraction: [${many(4000, (index) => `{field: g${index}, entity_type: A}`)}]}}}\n`,
      `id: a\ntype: graphql\nconnection: ${connection}\nendpoints: {e: {query: "query(${many(4000, (index) => `$a${index}: A!`)}) {a}", variables: [${many(4000, (index) => `{name: b${index}}`)}]}}\n`,
      `id: a\ntype: database\nconnection: {auth: {type: connection_string, env_var: A}}\nendpoints: {e: {sql: "SELECT ${many(4000, (index) => `:a${index}`)}", parameters: [${many(4000, (index) => `{name: b${index}}`)}]}}\n`,
      `id: a\ntype: web_scraper\nconnection: ${connection}\nendpoints: {e: {fields: [${many(4000, (index) => `{field: f${index}, selector: a}`)}], response_mapping: {fields: {${many(4000, (index) => `f${index}: g${index}`)}}}}}\n`,
      `id: a\ntype: rest_api\nconnection: ${connection}\nendpoints: {e: {${many(15_000, (index) => `k${index}: 1`)}}}\n`,
    ];
    for (const text of texts) {
      const problems = problemsOf(text);
      expect(problems.length).toBeGreaterThanOrEqual(100);
      expect(problems.length).toBeLessThanOrEqual(101);
    }
  });

  it('never throws, whatever stands where', () => {
    const keys = ['id', 'name', 'type', 'version', 'description', 'hooks', 'retired', 'connection', 'endpoints'];
    assert(
      property(
        dictionary(constantFrom(...keys), jsonValue()),
        constantFrom(...CONNECTOR_TYPES),
        jsonValue(),
        jsonValue(),
        (top, type, connection, endpoint) => {
          const text = JSON.stringify({
            ...top,
            type,
            connection: Object.fromEntries(CONNECTION_KEYS.map((key) => [key, connection])),
            endpoints: { e: endpoint, f: Object.fromEntries(ENDPOINT_KEYS.map((key) => [key, endpoint])) },
          });
          expect(Array.isArray(parseConnector(text).problems)).toBe(true);
        },
      ),
      { numRuns: 120 },
    );
  });
});
