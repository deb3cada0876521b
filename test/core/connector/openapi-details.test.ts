import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { readDocument } from '../../../core/connector/openapi/read-document';
import { endpointOutputs } from '../../../core/connector/outputs';
import { parseConnector } from '../../../core/connector/parse';
import { shapeOfXml } from '../../../core/connector/sample/from-xml';
import { codes, definitionOf, document, endpointOf, importText } from './openapi-fixture';

const properties = { a: { type: 'string' } };

it('a name that is made of a path never takes the id of another operation', () => {
  const paths = { '/a': { get: {} }, '/b': { get: { operationId: 'get_a' } } };
  const names = Object.keys(definitionOf(importText(document({}, { paths }))).endpoints);
  expect(names[1]).toBe('get_a');
  expect(names[0]).toMatch(/^get_a_[0-9a-f]{8}$/);
});

it.each<[JsonObject, string | undefined]>([
  [{ summary: 'S', description: 'D' }, 'S'],
  [{ description: 'D' }, 'D'],
  [{ summary: 'S' }, 'S'],
  [{}, undefined],
])('an operation with %j is described as %s', (operation, description) => {
  expect(endpointOf(document(operation)).endpoint.description).toBe(description);
});

describe('a body', () => {
  const of = (content: JsonObject) =>
    endpointOf(document({}, { paths: { '/t': { post: { requestBody: { content } } } } })).endpoint;
  it.each<[string[], string]>([
    [['*/*'], 'json'],
    [['application/json'], 'json'],
    [['multipart/form-data'], 'multipart'],
    [['application/x-www-form-urlencoded'], 'form'],
    [['multipart/form-data', 'application/x-www-form-urlencoded'], 'form'],
    [['multipart/form-data', 'application/json'], 'json'],
  ])('of %j is sent as %s', (types, format) => {
    const schema = { type: 'object', properties };
    expect(of(Object.fromEntries(types.map((type) => [type, { schema }])))).toMatchObject({
      body_format: format,
      parameters: [{ name: 'a', in: 'body' }],
    });
  });
  it('without a schema has no parameters, and a name that is there already is told', () => {
    expect(of({ 'application/json': {} }).parameters).toEqual([]);
    const post = {
      parameters: [{ name: 'a', in: 'query', schema: {} }],
      requestBody: { content: { 'application/json': { schema: { properties: { ...properties, 'b c': {} } } } } },
    };
    const { endpoint, problems } = endpointOf(document({}, { paths: { '/t': { post } } }));
    expect(endpoint.parameters).toMatchObject([{ name: 'a', in: 'query' }]);
    expect(codes(problems)).toEqual(['unsupported_name', 'unsupported_name']);
  });
  it('of Swagger 2 is a form of parts where it says so, for itself or for all', () => {
    const of2 = (put: JsonObject, more: JsonObject = {}) => {
      const parameters = [
        { name: 'f', in: 'formData', type: 'file' },
        { name: 'q', in: 'query', type: 'string' },
      ];
      return endpointOf(
        JSON.stringify({ swagger: '2.0', host: 'a.test', paths: { '/t': { put: { parameters, ...put } } }, ...more }),
      ).endpoint;
    };
    expect([
      of2({}).body_format,
      of2({ consumes: ['multipart/form-data'] }).body_format,
      of2({}, { consumes: ['multipart/form-data'] }).body_format,
    ]).toEqual(['form', 'multipart', 'multipart']);
    expect(of2({}).parameters.map(({ name, in: place }) => `${name} ${place}`)).toEqual(['q query', 'f body']);
  });
});

it('an object in a header is a text, however well it is known', () => {
  const parameters = [{ name: 'X-O', in: 'header', schema: { type: 'object', properties } }];
  const { endpoint, problems } = endpointOf(document({ parameters }));
  expect(endpoint.parameters).toMatchObject([{ name: 'X-O', in: 'header', type: 'string' }]);
  expect(codes(problems)).toEqual(['list_as_text']);
});

it('a name and a password of Swagger 2 are those', () => {
  const made = importText(
    JSON.stringify({
      swagger: '2.0',
      host: 'a.test',
      info: { title: 'T' },
      paths: { '/a': { get: {} } },
      securityDefinitions: { main: { type: 'basic' } },
      security: [{ main: [] }],
    }),
  );
  expect(definitionOf(made).connection.auth).toMatchObject({ type: 'basic', secret: { secret: 't_main' } });
});

describe('the endpoint of an operation', () => {
  it('says nothing that the language takes for granted', () => {
    const { source = '' } = importText(document({ responses: { 200: { content: { 'application/json': {} } } } }));
    expect(source.split('\n')).toEqual([
      'id: things',
      'name: Things',
      'type: rest_api',
      'version: "1"',
      'imported: true',
      'connection:',
      '  base_url: https://api.example.org',
      'endpoints:',
      '  get_things:',
      '    method: GET',
      '    path: /things',
      '',
    ]);
  });

  it('has the parameters of its path, and its own before these', () => {
    const shared = [
      { name: 'a', in: 'query', schema: { type: 'string' } },
      { name: 'b', in: 'query', schema: { type: 'string' } },
      { name: 'X-C', in: 'header', schema: { type: 'string' } },
    ];
    const own = [
      { name: 'b', in: 'query', schema: { type: 'integer' } },
      { name: 'x-c', in: 'header', schema: { type: 'integer' } },
    ];
    const { endpoint, problems } = endpointOf(
      document({}, { paths: { '/things': { parameters: shared, get: { parameters: own } } } }),
    );
    expect(endpoint.parameters.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'b integer',
      'x-c integer',
      'a string',
    ]);
    expect(problems).toEqual([]);
  });
});

it('of several addresses the first is taken, and the others are named', () => {
  const servers = ['a', 'b', 'c'].map((name) => ({ url: `https://${name}.example.org` }));
  const { problems } = importText(document({}, { servers }));
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ['other_servers', 'The first of 3 addresses is taken; others: `https://b.example.org`, `https://c.example.org`.'],
  ]);
});

it('a default that says nothing is none', () => {
  const schema = { type: 'string', default: {} };
  const { endpoint, problems } = endpointOf(document({ parameters: [{ name: 'a', in: 'query', schema }] }));
  expect([endpoint.parameters, problems]).toEqual([[expect.not.objectContaining({ default: expect.anything() })], []]);
});

it('a schema that is made of itself many times is read once, whatever else it is made of', () => {
  const $ref = '#/components/schemas/T';
  const parts: Json[] = [{ $ref }, null, { $ref }, true, { $ref }, { type: 'object', properties }, { $ref }];
  const { endpoint } = endpointOf(
    document(
      { responses: { 200: { content: { 'application/json': { schema: { $ref } } } } } },
      { components: { schemas: { T: { allOf: parts } } } },
    ),
  );
  expect(endpoint.output_schema).toMatchObject({ fields: [{ name: 'a', type: 'string' }] });
});

describe('a document', () => {
  it('of a long version has the beginning of it', () => {
    const info = { title: 'T', version: '1'.repeat(60) };
    expect(definitionOf(importText(document({}, { info }))).version).toBe('1'.repeat(50));
  });

  it('may begin with a mark of its byte order, however long it is', () => {
    const long = document({}, { 'x-long': 'y'.repeat(200_000) });
    for (const text of [document({}), long]) expect(readDocument(`\ufeff${text}`)).toHaveProperty('document');
  });

  it('is read in spite of warnings', () => {
    expect(readDocument('openapi: 3.0.0\nx: {v:1, w: 2}\n')).toHaveProperty('document.json', {
      openapi: expect.anything(),
      x: { 'v:1': null, w: expect.anything() },
    });
  });

  const read = (text: string): unknown => {
    const found = readDocument(text);
    return 'document' in found ? found.document.json : found.problems.map(({ code }) => code);
  };
  it.each<[string, unknown]>([
    ['\ufeff{"a": 1}', { a: 1 }],
    ['  {"a": 1}', { a: 1 }],
    ['{a: 1}', { a: 1 }],
    ['[1]', ['invalid_document']],
    ['a: 1', { a: 1 }],
    ['a: 007', { a: '007' }],
    ['text', ['invalid_document']],
    ['a: *x', ['unknown_alias']],
    ['%YAML 1.2\n---\na: 1', ['directive_not_allowed']],
  ])('%j', (text, json) => {
    expect(read(text)).toEqual(json);
  });
  it('nests a hundred levels', () => {
    const deep = (levels: number): string => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(read(deep(100))).toEqual(expect.any(Object));
    expect(read(deep(101))).toEqual(['too_deep']);
  });
});

it('files that were read, and those that could not be, are told with what is known of them', () => {
  const { definition } = parseConnector(
    JSON.stringify({
      id: 'a',
      type: 'file_parser',
      connection: { source: 'upload' },
      endpoints: { e: { parser: 'csv' } },
    }),
  );
  const fields = Object.fromEntries(
    endpointOutputs(definition!, 'e').map(({ name, fields: own }) => [
      name,
      own?.map(({ name: field, type }) => `${field} ${type}`),
    ]),
  );
  expect(fields['files']).toEqual(['file string', 'file_id string', 'records integer']);
  expect(fields['errors']).toEqual([
    'file string',
    'file_id string',
    'code string',
    'message string',
    'line integer',
    'column integer',
  ]);
});

it('blanks between the parts of an XML record are no text of it', () => {
  const leaf = (name: string, text: string) => ({ name, attributes: [], children: [], text });
  const record = { name: 'a', attributes: [], children: [leaf('x', '1')], text: '\n  ' };
  expect(
    shapeOfXml({ name: 'r', attributes: [], children: [record, record], text: '' }).fields.map(({ path }) => path),
  ).toEqual(['x']);
});
