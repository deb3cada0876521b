import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { codes, definitionOf, document, endpointOf, importText } from './openapi-fixture';

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const answers = (responses: JsonObject): string => document({ responses });
const ok = (schema: JsonObject): string => answers({ 200: { content: json(schema) } });
const record: JsonObject = { type: 'object', properties: { id: { type: 'integer' } } };
const list: JsonObject = { type: 'array', items: record };

describe('which versions are read', () => {
  it.each<[string, Json, boolean]>([
    ['openapi', '3.0.0', true],
    ['openapi', '3.1.1', true],
    ['openapi', '3.0', true],
    ['openapi', 3, true],
    ['openapi', 3.1, true],
    ['openapi', '3.2.0', false],
    ['openapi', '3.10.0', false],
    ['openapi', '30', false],
    ['openapi', '13.0', false],
    ['openapi', [3], false],
    ['swagger', '2.0', true],
    ['swagger', 2, true],
    ['swagger', '2.1', false],
    ['swagger', '1.2', false],
    ['swagger', '12', false],
  ])('%s %j: %s', (key, version, good) => {
    const { problems, operations } = importText(
      JSON.stringify({ [key]: version, paths: { '/a': { get: {} } }, host: 'a.test' }),
    );
    expect(codes(problems).includes('unsupported_version')).toBe(!good);
    expect(operations).toBe(good ? 1 : 0);
  });

  it('of another there is nothing but the reason', () => {
    const { endpoints, source, problems } = importText('openapi: 4.0.0\npaths: {/a: {get: {}}}');
    expect({ endpoints, source }).toEqual({ endpoints: [], source: undefined });
    expect(problems).toHaveLength(1);
  });
});

describe('what the connector is called', () => {
  const of = (info: Json, options = {}) => definitionOf(importText(document({}, { info }), options));
  it('comes from the document, or from whoever imports it', () => {
    const info = { title: ' My  API ', version: '1.2', description: 'About\nit' };
    expect(of(info)).toMatchObject({
      id: 'my-api',
      name: 'My API',
      version: '1.2',
      description: 'About it',
      imported: true,
    });
    expect(of(info, { id: 'other', name: 'Other' })).toMatchObject({ id: 'other', name: 'Other' });
  });
  it('is `imported-api` where there is no title, and it has no version where none is written', () => {
    expect(of({})).toMatchObject({ id: 'imported-api', name: 'Imported API' });
    expect(of({})).not.toHaveProperty('version');
    expect(of({})).not.toHaveProperty('description');
    expect(of({ title: '\u4e16\u754c' })).toMatchObject({ id: 'imported-api', name: '\u4e16\u754c' });
  });
});

describe('the operations that are chosen', () => {
  const paths: JsonObject = {
    '/a': { get: { operationId: 'one', tags: ['t'] } },
    '/a/b': { get: { operationId: 'two' }, post: { operationId: 'three', tags: ['u', 't'] } },
    '/ab': { get: { operationId: 'four' }, trace: {} },
    x: { get: { operationId: 'none' } },
  };
  const chosen = (include?: string[]): string[] =>
    importText(document({}, { paths }), include === undefined ? {} : { include }).endpoints.map(({ name }) => name);
  it.each<[string[] | undefined, string[]]>([
    [undefined, ['one', 'two', 'three', 'four']],
    [[], ['one', 'two', 'three', 'four']],
    [['two'], ['two']],
    [['t'], ['one', 'three']],
    [['/a'], ['one', 'two', 'three']],
    [['/a/'], ['two', 'three']],
    [['/ab'], ['four']],
    [['a'], []],
    [['/'], ['one', 'two', 'three', 'four']],
    [
      ['one', 'u'],
      ['one', 'three'],
    ],
  ])('by %j', (include, names) => {
    expect(chosen(include)).toEqual(names);
  });
  it('are told with method, path and id; what is no path and TRACE are none', () => {
    const { endpoints, operations, problems } = importText(document({}, { paths }));
    expect(operations).toBe(4);
    expect(endpoints[2]).toEqual({ name: 'three', method: 'POST', path: '/a/b', operation_id: 'three' });
    expect(codes(problems)).toEqual(['method_not_supported']);
    expect(importText(document({})).endpoints[0]).toEqual({ name: 'get_things', method: 'GET', path: '/things' });
  });
  it('may be none: the reason is said', () => {
    const { problems, operations, endpoints } = importText(document({}, { paths }), { include: ['nope'] });
    expect(codes(problems)).toContain('no_operations');
    expect({ operations, endpoints }).toEqual({ operations: 4, endpoints: [] });
  });
});

describe('an answer', () => {
  const shape = (text: string) => {
    const { endpoint } = endpointOf(text);
    return [endpoint.response_mapping?.results_path, endpoint.output_schema?.type];
  };
  it.each<[string, JsonObject, string | undefined]>([
    ['a named list wins', { results: list, other: list }, 'results'],
    ['named in any case', { Records: list, x: {} }, 'Records'],
    ['the first name of ours', { rows: list, hits: list }, 'hits'],
    ['two lists are a record', { a: list, b: list }, undefined],
    ['a list beside a field of a record', { name: {}, a: list }, undefined],
    ['a list of texts', { results: { type: 'array', items: { type: 'string' } } }, undefined],
    ['a list of nothing known', { results: { type: 'array' } }, undefined],
    ['a list that no path can name', { 'the results': list, total: {} }, undefined],
    ['a list with a name like a path', { 'data.list': list, total: {} }, undefined],
    ...[
      'total',
      'total_count',
      'totalHits',
      'count',
      'item_count',
      'numFound',
      'page',
      'per_page',
      'perpage',
      'pagination',
      'paging',
      'offset',
      'limit',
      'size',
      'start',
      'next',
      'nextToken',
      'prev',
      'previous_page',
      'cursor',
      'has_more',
      'hasMore',
      'link',
      'links',
      '_links',
      'meta',
      'metadata',
      'api_version',
      'apiversion',
      'status',
      'source',
      'query',
      'took',
    ].map((name): [string, JsonObject, string] => [`beside ${name}`, { [name]: {}, things: list }, 'things']),
    ...[
      'subtotal',
      'account',
      'counted',
      'mypage',
      'pageless',
      'limits',
      'sizes',
      'restart',
      'xlinks',
      'statuses',
      'queryx',
    ].map((name): [string, JsonObject, string | undefined] => [
      `beside ${name}`,
      { [name]: {}, things: list },
      name === 'pageless' ? 'things' : undefined,
    ]),
  ])('%s', (_what, properties, path) => {
    expect(shape(ok({ type: 'object', properties }))).toEqual([path, path === undefined ? 'object' : 'record_set']);
  });

  it.each<[string, JsonObject, string[]]>([
    [
      '200 before others',
      { 201: { content: json({ ...record, properties: { b: {} } }) }, 200: { content: json(record) } },
      ['id'],
    ],
    [
      'the lowest success',
      { 204: { content: json({ properties: { b: {} } }) }, 202: { content: json(record) } },
      ['id'],
    ],
    [
      'a status before a range of them',
      { '2XX': { content: json({ properties: { b: {} } }) }, 299: { content: json(record) } },
      ['id'],
    ],
    ['any success', { '2XX': { content: json(record) }, 404: { content: json({ properties: { e: {} } }) } }, ['id']],
    [
      'what stands for all',
      { default: { content: json(record) }, 500: { content: json({ properties: { e: {} } }) } },
      ['id'],
    ],
    ['never a failure', { 404: { content: json(record) } }, []],
  ])('%s', (_what, responses, names) => {
    expect(endpointOf(answers(responses)).endpoint.output_schema?.fields.map(({ name }) => name) ?? []).toEqual(names);
  });

  const types = (...names: string[]): string =>
    answers({ 200: { content: Object.fromEntries(names.map((name) => [name, { schema: record }])) } });
  it.each<[string[], string, boolean]>([
    [['application/json'], 'json', true],
    [['application/json; charset=utf-8'], 'json', true],
    [['APPLICATION/JSON'], 'json', true],
    [['application/hal+json'], 'json', true],
    [['*/*'], 'json', true],
    [['text/html', 'application/json'], 'json', true],
    [['application/xml'], 'xml', false],
    [['text/xml'], 'xml', false],
    [['application/atom+xml', 'text/html'], 'xml', false],
    [['text/csv'], 'csv', false],
    [['application/csv', 'image/png'], 'csv', false],
    [['text/plain'], 'text', false],
    [['text/plain', 'image/png'], 'text', false],
    [['image/png'], 'text', false],
    [[], 'json', false],
  ])('of %j is read as %s', (names, format, fields) => {
    const { endpoint, problems } = endpointOf(types(...names));
    expect(endpoint.response_format).toBe(format);
    expect(endpoint.output_schema !== undefined).toBe(fields);
    expect(codes(problems)).toEqual(names.length === 1 && names[0] === 'image/png' ? ['unsupported_media_type'] : []);
  });

  it('of Swagger 2 has its types beside it, or for all operations', () => {
    const swagger = (get: JsonObject, more: JsonObject = {}) =>
      endpointOf(
        JSON.stringify({
          swagger: '2.0',
          host: 'a.test',
          paths: { '/a': { get: { responses: { 200: { schema: record } }, ...get } } },
          ...more,
        }),
      ).endpoint;
    expect(swagger({}).output_schema?.fields).toMatchObject([{ name: 'id' }]);
    expect(swagger({}, { produces: ['text/csv', 7] }).response_format).toBe('csv');
    expect(swagger({ produces: ['text/xml'] }, { produces: ['text/csv'] }).response_format).toBe('xml');
    expect(swagger({ produces: [5, 'application/json'] }).response_format).toBe('json');
    expect(swagger({ produces: 'text/xml' }).response_format).toBe('json');
  });

  it('has the fields that can be named, as deep as a playbook can name them', () => {
    const deep = (levels: number): JsonObject =>
      levels === 0 ? { type: 'string' } : { type: 'object', properties: { in: deep(levels - 1) } };
    const { endpoint } = endpointOf(
      ok({
        type: 'object',
        properties: {
          id: { type: 'integer', description: 'The\nid' },
          at: { type: 'string', format: 'date-time' },
          day: { type: 'string', format: 'date' },
          'not a name': {},
          constructor: {},
          secret: { type: 'string', writeOnly: true },
          texts: { type: 'array', items: { type: 'string' } },
          lists: { type: 'array', items: { type: 'array', items: {} } },
          anything: { type: 'array' },
          lines: { type: 'array', items: { type: 'object', properties: { n: { type: 'number' } } } },
          open: { type: 'array', items: { type: 'object' } },
          deep: deep(9),
        },
      }),
    );
    const depth = (field: { fields?: readonly object[] } | undefined): number =>
      field?.fields?.[0] === undefined ? 0 : 1 + depth(field.fields[0]);
    const fields = endpoint.output_schema?.fields ?? [];
    expect(fields.slice(0, -1)).toEqual([
      { name: 'id', type: 'integer', description: 'The id' },
      { name: 'at', type: 'string' },
      { name: 'day', type: 'date' },
      { name: 'texts', type: 'string[]' },
      { name: 'lists', type: 'any[]' },
      { name: 'anything', type: 'any[]' },
      { name: 'lines', type: 'record[]', fields: [{ name: 'n', type: 'number' }] },
      { name: 'open', type: 'record[]' },
    ]);
    expect(depth(fields.at(-1))).toBe(3);
  });

  it('has three hundred fields at most, and all of a document four thousand', () => {
    const wide = (count: number): JsonObject => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { type: 'string' }])),
    });
    const of = (count: number) => endpointOf(ok(wide(count))).endpoint.output_schema?.fields.length;
    expect([of(300), of(301)]).toEqual([300, 300]);
    const paths = Object.fromEntries(
      Array.from({ length: 15 }, (_, at) => [`/p${at}`, { get: { responses: { 200: { content: json(wide(300)) } } } }]),
    );
    const { endpoints } = definitionOf(importText(document({}, { paths })));
    const counts = Object.values(endpoints).map(({ output_schema: schema }) => schema?.fields.length ?? 0);
    expect(counts).toEqual([...Array<number>(13).fill(300), 100, 0]);
  });
});

describe('a schema of several parts', () => {
  const parameter = (schema: JsonObject) =>
    endpointOf(document({ parameters: [{ name: 'p', in: 'query', schema }] })).endpoint.parameters[0];
  it.each<[string, JsonObject, JsonObject]>([
    ['one type', { type: 'boolean' }, { type: 'boolean' }],
    ['no type', {}, { type: 'any' }],
    ['an unknown type', { type: 'file' }, { type: 'any' }],
    ['a type or null', { type: ['integer', 'null'] }, { type: 'integer' }],
    ['numbers of two kinds', { type: ['integer', 'number'] }, { type: 'number' }],
    ['texts and dates', { anyOf: [{ type: 'string' }, { type: 'string', format: 'date' }] }, { type: 'string' }],
    ['texts and numbers', { oneOf: [{ type: 'string' }, { type: 'number' }] }, { type: 'any' }],
    ['values that are texts', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
    ['values of several kinds', { enum: ['a', 1] }, { type: 'any', enum: ['a', 1] }],
    [
      'values of elements',
      { type: 'array', items: { type: 'integer', enum: [1, 2, null] } },
      { type: 'array', enum: [1, 2] },
    ],
    [
      'values of elements that stand beside them',
      { type: 'array', items: { type: 'string' }, enum: ['a', 2] },
      { type: 'array', enum: ['a', '2'] },
    ],
    ['values that are lists', { type: 'array', items: { type: 'string' }, enum: [['a'], ['b']] }, { type: 'array' }],
    ['one value', { const: 'a' }, { type: 'string', enum: ['a'] }],
    ['what both parts allow', { allOf: [{ enum: ['a', 'b', 'c'] }, { enum: ['c', 'b'] }] }, { enum: ['c', 'b'] }],
    ['what only one choice allows', { type: 'string', oneOf: [{ enum: ['a'] }, {}] }, { type: 'string' }],
    ['the first default', { type: 'integer', default: null, allOf: [{ default: 2 }, { default: 3 }] }, { default: 2 }],
    ['the first words', { title: 'T', allOf: [{ description: 'D' }] }, { description: 'T' }],
  ])('%s', (_what, schema, expected) => {
    expect(parameter(schema)).toMatchObject(expected);
    if (!('enum' in expected)) expect(parameter(schema)).not.toHaveProperty('enum');
  });

  it('of a body needs what all of them need, not what a choice needs', () => {
    const schema = {
      required: ['a', 7],
      properties: { a: { type: 'string' } },
      allOf: [{ required: ['b'], properties: { b: {}, a: { type: 'integer' } } }],
      oneOf: [{ required: ['c'], properties: { c: {} } }],
      anyOf: [{ properties: { d: {} } }],
    };
    const text = document({}, { paths: { '/t': { post: { requestBody: { content: json(schema) } } } } });
    expect(endpointOf(text).endpoint.parameters.map(({ name, type, required }) => [name, type, required])).toEqual([
      ['a', 'string', true],
      ['b', 'any', true],
      ['c', 'any', false],
      ['d', 'any', false],
    ]);
  });

  it('has five hundred properties at most', () => {
    const properties = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`p${at}`, {}]));
    const schema = { type: 'object', allOf: [{ properties }, { properties: { p0: { type: 'integer' }, late: {} } }] };
    const text = document({}, { paths: { '/t': { post: { requestBody: { content: json(schema) } } } } });
    const { parameters } = endpointOf(text).endpoint;
    expect(parameters).toHaveLength(500);
    expect(parameters[0]).toMatchObject({ name: 'p0', type: 'any' });
  });
});
