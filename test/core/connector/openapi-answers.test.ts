import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, dictionary, jsonValue, oneof, property, string } from 'fast-check';
import type { JsonObject } from '../../../core/base/json';
import { readDocument } from '../../../core/connector/openapi/read-document';
import { parseConnector } from '../../../core/connector/parse';
import { codes, definitionOf, document, endpointOf, importText } from './openapi-fixture';

const answer = (schema: JsonObject, type = 'application/json'): JsonObject => ({
  responses: { 200: { description: 'ok', content: { [type]: { schema } } } },
});
const record = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const list = { type: 'array', items: record };

describe('answers', () => {
  it.each([
    ['a list', list, undefined, 'record_set'],
    ['an object', record, undefined, 'object'],
    [
      'an envelope by the name of its list',
      { type: 'object', properties: { x: {}, results: list } },
      'results',
      'record_set',
    ],
    [
      'an envelope by what lies beside its list',
      { type: 'object', properties: { total: {}, orders: list } },
      'orders',
      'record_set',
    ],
    ['a record that has a list', { type: 'object', properties: { name: {}, items: list } }, undefined, 'object'],
  ])('that are %s', (_what, schema, path, type) => {
    const { endpoint } = endpointOf(document(answer(schema)));
    expect(endpoint.response_mapping?.results_path).toBe(path);
    expect(endpoint.output_schema?.type).toBe(type);
    expect(endpoint.output_schema?.fields.length).toBeGreaterThan(0);
  });

  it.each([
    ['application/xml', 'xml'],
    ['text/csv', 'csv'],
    ['application/pdf', 'text'],
  ])('of type %s are read as %s', (type, format) => {
    expect(endpointOf(document(answer({}, type))).endpoint.response_format).toBe(format);
  });

  it('that hold themselves are opened once', () => {
    const node = {
      type: 'object',
      properties: {
        id: {},
        parent: { $ref: '#/components/schemas/Node' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } },
      },
    };
    const text = document(answer({ $ref: '#/components/schemas/Node' }), { components: { schemas: { Node: node } } });
    const { endpoint, problems } = endpointOf(text);
    expect(endpoint.output_schema?.fields).toEqual([
      { name: 'id', type: 'any' },
      { name: 'parent', type: 'object' },
      { name: 'children', type: 'record[]' },
    ]);
    expect(problems).toEqual([]);
  });
});

describe('references', () => {
  const refs = (schemas: JsonObject): string =>
    document(answer({ $ref: '#/components/schemas/A' }), { components: { schemas } });
  it.each([
    [
      'in a circle',
      { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } },
      'circular_reference',
    ],
    ['to nothing', { A: { $ref: '#/components/schemas/None' } }, 'reference_not_found'],
    ['to an anchor', { A: { $ref: '#anchor' } }, 'reference_not_loaded'],
    ['to a broken escape', { A: { $ref: '#/%zz' } }, 'reference_not_loaded'],
    ['to what every object has', { A: { $ref: '#/__proto__/constructor' } }, 'reference_not_found'],
  ])('%s are left out and said with their line', (_what, schemas, code) => {
    const { endpoint, problems } = endpointOf(refs(schemas));
    expect(endpoint.output_schema).toBeUndefined();
    expect(codes(problems)).toContain(code);
    expect(problems[0]?.line).toBe(1);
  });

  it('find names with slashes and percent signs', () => {
    const text = document(answer({ $ref: '#/components/schemas/a~1b%25' }), {
      components: { schemas: { 'a/b%': record } },
    });
    expect(endpointOf(text).endpoint.output_schema?.fields).toHaveLength(2);
  });
});

describe('authentication', () => {
  const secret = { secret: 'things_main' };
  const of = (main: JsonObject, more: JsonObject = {}) => {
    const made = importText(
      document(
        {},
        {
          components: { securitySchemes: { main, ...more } },
          security: [{ main: [] }, ...Object.keys(more).map((name) => ({ [name]: [] }))],
        },
      ),
    );
    return codes(made.problems);
  };
  it.each([
    [
      'a key in a header',
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { type: 'api_key', in: 'header', key_param: 'X-Key', secret },
    ],
    [
      'a key in the query',
      { type: 'apiKey', in: 'query', name: 'key' },
      { type: 'api_key', in: 'query', key_param: 'key', secret },
    ],
    ['a name and a password', { type: 'http', scheme: 'basic' }, { type: 'basic', secret }],
    [
      'client credentials',
      {
        type: 'oauth2',
        flows: { clientCredentials: { tokenUrl: 'https://a.test/token', scopes: { read: '', write: '' } } },
      },
      {
        type: 'oauth2_client_credentials',
        token_url: 'https://a.test/token',
        scope: 'read write',
        in: 'header',
        secret,
      },
    ],
    ['a bearer token', { type: 'http', scheme: 'Bearer' }, { type: 'bearer_token', secret }],
  ])('%s', (_what, scheme, auth) => {
    const made = importText(
      document({}, { components: { securitySchemes: { main: scheme as JsonObject } }, security: [{ main: [] }] }),
    );
    expect(definitionOf(made).connection.auth).toEqual(auth);
  });

  it('that a person has to sign in for is a token, and said', () => {
    expect(of({ type: 'oauth2', flows: { implicit: {} } })).toEqual(['token_needed']);
  });

  it('takes one and says which others there are', () => {
    const other = {
      other: { type: 'apiKey', in: 'query', name: 'k' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'c' },
    };
    expect(of({ type: 'http', scheme: 'bearer' }, other)).toEqual(['other_auth', 'unsupported_auth']);
  });
});

describe('documents', () => {
  const problemsOf = (text: string) => {
    const result = readDocument(text);
    return 'problems' in result ? result.problems : [];
  };
  it.each([
    ['JSON that stops', '{"openapi": "3.0.0",\n"paths": {', { code: 'invalid_json', line: 2 }],
    ['JSON with a stray word', '{"openapi": "3.0.0",\n"paths": nothing,\n"b": @}', { code: 'invalid_json', line: 2 }],
    ['YAML with a tab', 'openapi: 3.0.0\npaths:\n\t/a: {}\n', { code: 'invalid_yaml', line: 3 }],
    ['a tag that makes objects', 'a: !!js/function "x"', { code: 'tag_not_allowed', line: 1 }],
    ['a key twice', 'openapi: 3.0.0\ninfo: {}\ninfo: {}\n', { code: 'duplicate_key', line: 3 }],
    ['a list', '- a\n', { code: 'invalid_document', line: 1 }],
    ['two documents', 'a: 1\n---\nb: 2\n', { code: 'multiple_documents' }],
  ])('that are %s are refused with the place', (_what, text, problem) => {
    expect(problemsOf(text)[0]).toMatchObject({ severity: 'error', ...problem });
  });

  it('P07: bombs are refused, and soon', () => {
    const bomb = [
      'a: &a [x, x, x, x, x, x, x, x, x, x]',
      ...'bcdefghi'.split('').map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]}, `.repeat(10)}x]`),
    ].join('\n');
    for (const text of [
      bomb,
      '['.repeat(10_000),
      `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      'a: 1\n'.repeat(1_200_000),
      `{"a":"${'x'.repeat(5_000_001)}"}`,
    ]) {
      expect(problemsOf(text).length).toBeGreaterThan(0);
    }
  });

  it('that are of another kind say what they are', () => {
    expect(codes(importText('a: 1').problems)).toEqual(['unsupported_version']);
    expect(importText('openapi: 4.0.0\npaths: {}').problems).toMatchObject([
      { code: 'unsupported_version', message: expect.stringContaining('document: it says `4.0.0`.') },
    ]);
    expect(importText('a: 1').problems[0]?.message).toContain('it says neither `openapi` nor `swagger`.');
    expect(codes(importText('openapi: 3.1.0\npaths: {}').problems)).toEqual(['no_operations']);
  });

  it('whose text would be too large are imported without the schemas of answers', () => {
    const properties = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`p${at}`, { type: 'string', description: 'words '.repeat(60) }]),
    );
    const paths = Object.fromEntries(
      Array.from({ length: 150 }, (_, at) => [`/p${at}`, { get: answer({ type: 'object', properties }) }]),
    );
    const made = importText(document({}, { paths }));
    expect(codes(made.problems)).toEqual(['schemas_left_out']);
    expect(Object.values(definitionOf(made).endpoints).every((endpoint) => endpoint.output_schema === undefined)).toBe(
      true,
    );
  });

  it('with too many operations give the first, or the chosen', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 250 }, (_, at) => [`/p${at}`, { get: { tags: [at < 3 ? 'few' : 'many'] } }]),
    );
    const text = document({}, { paths });
    expect(Object.keys(definitionOf(importText(text)).endpoints)).toHaveLength(200);
    expect(codes(importText(text).problems)).toEqual(['too_many_operations']);
    expect(importText(text, { include: ['few', '/p9'] }).endpoints.map(({ path }) => path)).toEqual([
      '/p0',
      '/p1',
      '/p2',
      '/p9',
    ]);
  });
});

it('whatever a document holds, the text is a connector or there is a reason', () => {
  const anything = dictionary(
    oneof(
      string({ maxLength: 8 }),
      constantFrom('schema', '$ref', 'type', 'properties', 'items', 'allOf', 'in', 'name', 'content', '__proto__'),
    ),
    jsonValue({ maxDepth: 4 }),
    { maxKeys: 6 },
  );
  assert(
    property(anything, anything, constantFrom('/a', '/{x}', '/a b', '/\\', '/?q=1'), (operation, more, path) => {
      const made = importText(
        JSON.stringify({ openapi: '3.1.0', paths: { [path]: { get: operation, post: more } }, components: more }),
      );
      if (made.source === undefined) expect(made.problems.length).toBeGreaterThan(0);
      else if (made.endpoints.length > 0)
        expect(parseConnector(made.source).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
