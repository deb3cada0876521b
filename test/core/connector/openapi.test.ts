import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { codes, definitionOf, document, endpointOf, importText } from './openapi-fixture';

const query = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const record = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const list = { type: 'array', items: record };

describe('names of endpoints', () => {
  const named = (...operations: [path: string, id?: string][]): string =>
    document(
      {},
      {
        paths: Object.fromEntries(
          operations.map(([path, id]): [string, JsonObject] => [
            path,
            { get: id === undefined ? {} : { operationId: id } },
          ]),
        ),
      },
    );
  it.each([
    ['the id', '/a', 'listThings', 'listThings'],
    ['an id with other characters', '/a', 'list things!', 'list_things_'],
    ['none: method and path', '/users/{id}/items', undefined, 'get_users_by_id_items'],
    ['none for the root', '/', undefined, 'get_root'],
    ['an id that is no name at all', '/a', '***', 'get_a'],
    ['an id that would reach a prototype', '/a', '__proto__', 'get_a'],
  ])('%s', (_what, path, id, name) => {
    expect(Object.keys(definitionOf(importText(named([path, id]))).endpoints)).toEqual([name]);
  });

  it('of ids that come twice depend on method and path alone', () => {
    const forth = importText(named(['/a', 'same'], ['/b', 'same'], ['/c', 'own']));
    const back = importText(named(['/c', 'own'], ['/b', 'same'], ['/a', 'same']));
    expect(Object.keys(definitionOf(forth).endpoints)).toEqual(['get_a', 'get_b', 'own']);
    expect(Object.keys(definitionOf(back).endpoints)).toEqual(['own', 'get_b', 'get_a']);
    expect(codes(forth.problems)).toEqual(['duplicate_operation_id', 'duplicate_operation_id']);
    expect(forth.problems[0]).toMatchObject({ line: 1, field: 'paths./a.get' });
  });

  it('never meet, however long or alike the paths are', () => {
    const long = 'x'.repeat(80);
    const made = importText(named([`/${long}/a`], [`/${long}/b`], ['/p-q'], ['/p_q']));
    const names = Object.keys(definitionOf(made).endpoints);
    expect(new Set(names).size).toBe(4);
    expect(names.every((name) => name.length <= 63)).toBe(true);
  });
});

describe('the address', () => {
  const at = (servers: JsonObject[], options = {}, address?: string): { url: string; codes: string[] } => {
    const made = importText(document({}, { servers }), options, address);
    return { url: definitionOf(made).connection.base_url, codes: codes(made.problems) };
  };
  it.each([
    [
      'is the first',
      [{ url: 'https://a.test/v1/' }, { url: 'https://b.test' }],
      'https://a.test/v1',
      ['other_servers'],
    ],
    [
      'takes the defaults of its variables',
      [{ url: '{scheme}://a.test/{v}', variables: { scheme: { default: 'https' }, v: { enum: ['v2'] } } }],
      'https://a.test/v2',
      [],
    ],
    ['says which variable has none', [{ url: 'https://{tenant}.test' }], 'https://tenant.test', ['server_variable']],
    ['leads nowhere when there is none', [], 'https://replace-me.invalid', ['server_missing']],
    [
      'is never one that carries a password',
      [{ url: 'https://u:p@a.test' }],
      'https://replace-me.invalid',
      ['server_missing', 'invalid_address'],
    ],
  ])('%s', (_what, servers, url, said) => {
    expect(at(servers as JsonObject[])).toEqual({ url, codes: said });
  });

  it.each([
    ['/v3', 'https://host.test/v3'],
    ['v3', 'https://host.test/docs/v3'],
    ['/', 'https://host.test'],
    ['//other.test/v3', 'https://other.test/v3'],
  ])('`%s` begins where the document lies', (url, wanted) => {
    expect(at([{ url }], {}, 'https://host.test/docs/openapi.json').url).toBe(wanted);
  });

  it('of the caller wins, and an operation may have its own', () => {
    expect(at([{ url: 'https://a.test' }], { base_url: 'https://mine.test/' }).url).toBe('https://mine.test');
    const { endpoint } = endpointOf(document({ servers: [{ url: 'https://upload.test' }] }));
    expect(endpoint.base_url).toBe('https://upload.test');
  });

  it('of Swagger 2 is put together from its parts', () => {
    const swagger = { swagger: '2.0', info: { title: 'S' }, paths: { '/a': { get: {} } } };
    const of = (more: JsonObject, address?: string): string =>
      definitionOf(importText(JSON.stringify({ ...swagger, ...more }), {}, address)).connection.base_url;
    expect(of({ host: 'a.test', basePath: '/v1', schemes: ['http'] })).toBe('http://a.test/v1');
    expect(of({ host: 'a.test', schemes: ['http', 'https'] })).toBe('https://a.test');
    expect(of({ basePath: '/v1' }, 'https://host.test/s.json')).toBe('https://host.test/v1');
  });
});

describe('parameters', () => {
  const of = (...parameters: JsonObject[]) => endpointOf(document({ parameters }));

  it('keep type, default, enumeration and whether they must be there', () => {
    const { endpoint } = of(
      query('day', { type: 'string', format: 'date' }, { required: true, description: ' Two\n lines ' }),
      query('kind', { type: 'string', enum: ['a', 'b', null], default: 'a' }),
      query('size', { type: ['integer', 'null'], default: 'many' }),
      query('big', { type: 'integer', default: 2 ** 60 }),
    );
    expect(endpoint.parameters).toEqual([
      { name: 'day', in: 'query', type: 'date', required: true, description: 'Two lines' },
      { name: 'kind', in: 'query', type: 'string', required: false, default: 'a', enum: ['a', 'b'] },
      { name: 'size', in: 'query', type: 'integer', required: false },
      { name: 'big', in: 'query', type: 'integer', required: false },
    ]);
  });

  it.each([
    ['cookies', { name: 's', in: 'cookie', schema: { type: 'string' } }, 'cookie_parameter'],
    ['headers of the transport', { name: 'Host', in: 'header', schema: {} }, 'unsupported_name'],
    ['names with spaces', query('a b', {}), 'unsupported_name'],
    ['parts that the path has not', { name: 'id', in: 'path', schema: {} }, 'unused_parameter'],
    ['those without a place', { name: 'id' }, 'invalid_parameter'],
  ])('%s are left out and said', (_what, parameter, code) => {
    const { endpoint, problems } = of(parameter);
    expect(endpoint.parameters).toEqual([]);
    expect(codes(problems)).toEqual([code]);
    expect(problems[0]).toMatchObject({ severity: 'warning', line: 1, field: 'paths./things.get.parameters.0' });
  });

  it('that OpenAPI describes elsewhere are not repeated', () => {
    const header = (name: string): JsonObject => ({ name, in: 'header', schema: { type: 'string' } });
    expect(of(header('Accept'), header('Authorization'), header('Content-Type'))).toMatchObject({
      endpoint: { parameters: [] },
      problems: [],
    });
  });

  it('of the path are found, mended and made up', () => {
    const made = importText(document({}, { paths: { '/a/{user id}/{x}?kind=new#top': { get: {} } } }));
    const [endpoint] = Object.values(definitionOf(made).endpoints);
    expect(endpoint).toMatchObject({ path: '/a/{user_id}/{x}' });
    expect(endpoint?.parameters).toEqual([
      { name: 'user_id', in: 'path', type: 'string', required: true },
      { name: 'x', in: 'path', type: 'string', required: true },
      { name: 'kind', in: 'query', type: 'string', required: true, default: 'new', enum: ['new'] },
    ]);
    expect(codes(made.problems)).toEqual(['undeclared_parameter', 'undeclared_parameter']);
  });

  const strings = { type: 'array', items: { type: 'string' } };
  it.each([
    ['repeated names', query('a', strings), 'array', []],
    ['commas between', query('a', strings, { explode: false }), 'array', []],
    ['spaces between', query('a', strings, { style: 'spaceDelimited', explode: false }), 'string', ['list_as_text']],
    ['lists in headers', { name: 'X-A', in: 'header', schema: strings }, 'string', ['list_as_text']],
    [
      'JSON in the query',
      { name: 'a', in: 'query', content: { 'application/json': { schema: strings } } },
      'array',
      [],
    ],
  ])('lists: %s', (_what, parameter, type, said) => {
    const { endpoint, problems } = of(parameter);
    expect(endpoint.parameters).toMatchObject([{ type }]);
    expect(codes(problems)).toEqual(said);
  });

  it('lists of one endpoint go one way; others are texts', () => {
    const comma = query('a', strings, { explode: false });
    expect(of(comma).endpoint.array_format).toBe('comma');
    const { endpoint, problems } = of(comma, query('b', strings));
    expect(endpoint.array_format).toBeUndefined();
    expect(endpoint.parameters).toMatchObject([
      { name: 'a', type: 'string' },
      { name: 'b', type: 'array' },
    ]);
    expect(codes(problems)).toEqual(['list_as_text']);
  });

  it('that are objects become one for each property', () => {
    const schema = { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } };
    const plain = of(query('range', schema)).endpoint.parameters.map(({ name }) => name);
    const deep = of(query('range', schema, { style: 'deepObject' })).endpoint.parameters.map(({ name }) => name);
    expect({ plain, deep }).toEqual({ plain: ['from', 'to'], deep: ['range[from]', 'range[to]'] });
  });

  it('of the operation win over those of its path', () => {
    const shared = query('a', { type: 'string' });
    const own = query('a', { type: 'integer' });
    const made = importText(document({}, { paths: { '/t': { parameters: [shared], get: { parameters: [own] } } } }));
    expect(Object.values(definitionOf(made).endpoints)[0]?.parameters).toMatchObject([{ name: 'a', type: 'integer' }]);
  });
});

describe('bodies', () => {
  const body = (content: JsonObject): string =>
    document({}, { paths: { '/t': { post: { requestBody: { required: true, content } } } } });
  const schema: JsonObject = {
    allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', required: ['b'], properties: { b: {} } }],
  };
  const components = {
    schemas: {
      Base: { type: 'object', properties: { a: { type: 'integer' }, id: { type: 'string', readOnly: true } } },
    },
  };

  it('of JSON are their properties, without those that can only be read', () => {
    const text = JSON.stringify({ ...(JSON.parse(body({ 'application/json': { schema } })) as object), components });
    const { endpoint } = endpointOf(text);
    expect(endpoint.parameters).toEqual(
      [
        { name: 'b', in: 'body', type: 'any', required: true },
        { name: 'a', in: 'body', type: 'integer', required: false },
      ].toSorted((x, y) => (x.name < y.name ? -1 : 1)),
    );
  });

  it.each([
    ['application/x-www-form-urlencoded', 'form'],
    ['application/vnd.api+json; charset=utf-8', 'json'],
  ])('of %s', (type, format) => {
    const { endpoint } = endpointOf(body({ [type]: { schema: record } }));
    expect(endpoint).toMatchObject({ body_format: format, parameters: [{ name: 'id' }, { name: 'name' }] });
  });

  it.each([
    ['a type that cannot be sent', { 'application/octet-stream': {} }, 'unsupported_body'],
    ['a list', { 'application/json': { schema: list } }, 'body_without_properties'],
  ])('that are %s are left out and said', (_what, content, code) => {
    const { endpoint, problems } = endpointOf(body(content));
    expect(endpoint.parameters).toEqual([]);
    expect(codes(problems)).toEqual([code]);
  });

  it('of Swagger 2 are one parameter in the body, or fields of a form', () => {
    const swagger = (parameters: JsonObject[]): string =>
      JSON.stringify({ swagger: '2.0', host: 'a.test', paths: { '/t': { put: { parameters } } } });
    const form = [{ name: 'f', in: 'formData', type: 'integer', required: true }];
    expect(endpointOf(swagger([{ name: 'x', in: 'body', schema: record }])).endpoint).toMatchObject({
      body_format: 'json',
      effect: 'idempotent',
      parameters: [{ name: 'id' }, { name: 'name' }],
    });
    expect(endpointOf(swagger(form)).endpoint).toMatchObject({
      body_format: 'form',
      parameters: [{ name: 'f', in: 'body', type: 'integer', required: true }],
    });
  });

  it('with a key that makes a repeat harmless say so', () => {
    const parameters = [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string' } }];
    const text = document({}, { paths: { '/t': { post: { parameters } } } });
    expect(endpointOf(text).endpoint).toMatchObject({ effect: 'keyed', parameters: [] });
  });
});
