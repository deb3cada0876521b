import { describe, expect, it } from '@jest/globals';
import { assert, constantFrom, dictionary, jsonValue, oneof, property, string } from 'fast-check';
import type { JsonObject } from '../../../core/base/json';
import { readDocument } from '../../../core/connector/openapi/read-document';
import { parseConnector } from '../../../core/connector/parse';
import { codes, definitionOf, document, endpointOf, importText } from './openapi-fixture';

const query = (name: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  name,
  in: 'query',
  schema,
  ...more,
});
const answer = (schema: JsonObject, type = 'application/json'): JsonObject => ({
  responses: { 200: { description: 'ok', content: { [type]: { schema } } } },
});
const record = { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string' } } };
const list = { type: 'array', items: record };

describe('names of endpoints', () => {
  const named = (...operations: [path: string, id?: string][]): string =>
    document(
      {},
      {
        paths: Object.fromEntries(
          operations.map(([path, id]) => [path, { get: id === undefined ? {} : { operationId: id } }]),
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
    ['is the first', [{ url: 'https://a.test/v1/' }, { url: 'https://b.test' }], 'https://a.test/v1', ['other_servers']],
    [
      'takes the defaults of its variables',
      [{ url: '{scheme}://a.test/{v}', variables: { scheme: { default: 'https' }, v: { enum: ['v2'] } } }],
      'https://a.test/v2',
      [],
    ],
    ['says which variable has none', [{ url: 'https://{tenant}.test' }], 'https://tenant.test', ['server_variable']],
    ['leads nowhere when there is none', [], 'https://replace-me.invalid', ['server_missing']],
    ['is never one that carries a password', [{ url: 'https://u:p@a.test' }], 'https://replace-me.invalid', ['invalid_address', 'server_missing']],
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
      query('big', { type: 'integer', default: 9007199254740993 }),
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
    const { endpoint, problems } = of(parameter as JsonObject);
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
    ['spaces between', query('a', strings, { style: 'spaceDelimited', explode: false }), 'string', ['list_as_text']],
    ['lists in headers', { name: 'X-A', in: 'header', schema: strings }, 'string', ['list_as_text']],
    ['JSON in the query', { name: 'a', in: 'query', content: { 'application/json': { schema: strings } } }, 'array', []],
  ])('lists: %s', (_what, parameter, type, said) => {
    const { endpoint, problems } = of(parameter as JsonObject);
    expect(endpoint.parameters).toMatchObject([{ type }]);
    expect(codes(problems)).toEqual(said);
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
  const schema = {
    allOf: [{ $ref: '#/components/schemas/Base' }, { type: 'object', required: ['b'], properties: { b: {} } }],
  };
  const components = {
    schemas: { Base: { type: 'object', properties: { a: { type: 'integer' }, id: { type: 'string', readOnly: true } } } },
  };

  it('of JSON are their properties, without those that can only be read', () => {
    const text = JSON.stringify({ ...(JSON.parse(body({ 'application/json': { schema } })) as object), components });
    const { endpoint } = endpointOf(text);
    expect(endpoint.parameters).toEqual([
      { name: 'b', in: 'body', type: 'any', required: true },
      { name: 'a', in: 'body', type: 'integer', required: false },
    ].toSorted((x, y) => (x.name < y.name ? -1 : 1)));
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
    const { endpoint, problems } = endpointOf(body(content as JsonObject));
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

describe('answers', () => {
  it.each([
    ['a list', list, undefined, 'record_set'],
    ['an object', record, undefined, 'object'],
    ['an envelope by the name of its list', { type: 'object', properties: { x: {}, results: list } }, 'results', 'record_set'],
    ['an envelope by what lies beside its list', { type: 'object', properties: { total: {}, orders: list } }, 'orders', 'record_set'],
    ['a record that has a list', { type: 'object', properties: { name: {}, items: list } }, undefined, 'object'],
  ])('that are %s', (_what, schema, path, type) => {
    const { endpoint } = endpointOf(document(answer(schema as JsonObject)));
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
    const node = { type: 'object', properties: { id: {}, parent: { $ref: '#/components/schemas/Node' }, children: { type: 'array', items: { $ref: '#/components/schemas/Node' } } } };
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
  const refs = (schemas: JsonObject): string => document(answer({ $ref: '#/components/schemas/A' }), { components: { schemas } });
  it.each([
    ['in a circle', { A: { $ref: '#/components/schemas/B' }, B: { $ref: '#/components/schemas/A' } }, 'circular_reference'],
    ['to nothing', { A: { $ref: '#/components/schemas/None' } }, 'reference_not_found'],
    ['to an anchor', { A: { $ref: '#anchor' } }, 'reference_not_loaded'],
    ['to a broken escape', { A: { $ref: '#/%zz' } }, 'reference_not_loaded'],
    ['to what every object has', { A: { $ref: '#/__proto__/constructor' } }, 'reference_not_found'],
  ])('%s are left out and said with their line', (_what, schemas, code) => {
    const { endpoint, problems } = endpointOf(refs(schemas as JsonObject));
    expect(endpoint.output_schema).toBeUndefined();
    expect(codes(problems)).toContain(code);
    expect(problems[0]?.line).toBe(1);
  });

  it('find names with slashes and percent signs', () => {
    const text = document(answer({ $ref: '#/components/schemas/a~1b%25' }), { components: { schemas: { 'a/b%': record } } });
    expect(endpointOf(text).endpoint.output_schema?.fields).toHaveLength(2);
  });
});

describe('authentication', () => {
  const secret = { secret: 'things_main' };
  const of = (main: JsonObject, more: JsonObject = {}) => {
    const made = importText(document({}, { components: { securitySchemes: { main, ...more } }, security: [{ main: [] }, ...Object.keys(more).map((name) => ({ [name]: [] }))] }));
    return { source: made.source ?? '', codes: codes(made.problems) };
  };
  it.each([
    ['a key in a header', { type: 'apiKey', in: 'header', name: 'X-Key' }, { type: 'api_key', in: 'header', key_param: 'X-Key', secret }],
    ['a key in the query', { type: 'apiKey', in: 'query', name: 'key' }, { type: 'api_key', in: 'query', key_param: 'key', secret }],
    ['a bearer token', { type: 'http', scheme: 'Bearer' }, { type: 'bearer_token', secret }],
  ])('%s', (_what, scheme, auth) => {
    const made = importText(document({}, { components: { securitySchemes: { main: scheme as JsonObject } }, security: [{ main: [] }] }));
    expect(definitionOf(made).connection.auth).toEqual(auth);
  });

  it('names the kinds of the language also for what is not a plain key', () => {
    const flows = { clientCredentials: { tokenUrl: 'https://a.test/token', scopes: { read: '', write: '' } } };
    expect(of({ type: 'http', scheme: 'basic' }).source).toContain('type: basic');
    const oauth = of({ type: 'oauth2', flows }).source;
    expect(oauth).toContain('type: oauth2_client_credentials');
    expect(oauth).toContain('token_url: https://a.test/token');
    expect(oauth).toContain('scope: read write');
    expect(of({ type: 'oauth2', flows: { implicit: {} } })).toMatchObject({ codes: ['token_needed'] });
  });

  it('takes one and says which others there are', () => {
    const other = { other: { type: 'apiKey', in: 'query', name: 'k' }, cookie: { type: 'apiKey', in: 'cookie', name: 'c' } };
    expect(of({ type: 'http', scheme: 'bearer' }, other).codes).toEqual(['other_auth', 'unsupported_auth']);
  });
});

describe('documents', () => {
  const problemsOf = (text: string) => {
    const result = readDocument(text);
    return 'problems' in result ? result.problems : [];
  };
  it.each([
    ['JSON that stops', '{"openapi": "3.0.0",\n"paths": {', { code: 'invalid_json', line: 2 }],
    ['JSON with a stray comma', '{"openapi": "3.0.0",\n"paths": {},\n}', { code: 'invalid_json', line: 3 }],
    ['YAML with a tab', 'openapi: 3.0.0\npaths:\n\t/a: {}\n', { code: 'invalid_yaml', line: 3 }],
    ['a tag that makes objects', 'a: !!js/function "x"', { code: 'tag_not_allowed', line: 1 }],
    ['a key twice', 'openapi: 3.0.0\ninfo: {}\ninfo: {}\n', { code: 'duplicate_key', line: 3 }],
    ['a list', '- a\n', { code: 'invalid_document', line: 1 }],
    ['two documents', 'a: 1\n---\nb: 2\n', { code: 'multiple_documents' }],
  ])('that are %s are refused with the place', (_what, text, problem) => {
    expect(problemsOf(text)[0]).toMatchObject({ severity: 'error', ...problem });
  });

  it('P07: bombs are refused, and soon', () => {
    const bomb = ['a: &a [x, x, x, x, x, x, x, x, x, x]', ...'bcdefghi'.split('').map((name, at) => `${name}: &${name} [${`*${'abcdefghi'[at]}, `.repeat(10)}x]`)].join('\n');
    for (const text of [bomb, '['.repeat(10_000), `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'a: 1\n'.repeat(1_200_000), `{"a":"${'x'.repeat(5_000_001)}"}`]) {
      expect(problemsOf(text).length).toBeGreaterThan(0);
    }
  });

  it('that are of another kind say what they are', () => {
    expect(codes(importText('a: 1').problems)).toEqual(['unsupported_version']);
    expect(codes(importText('openapi: 4.0.0\npaths: {}').problems)).toEqual(['unsupported_version']);
    expect(codes(importText('openapi: 3.1.0\npaths: {}').problems)).toEqual(['no_operations']);
  });

  it('with too many operations give the first, or the chosen', () => {
    const paths = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`/p${at}`, { get: { tags: [at < 3 ? 'few' : 'many'] } }]));
    const text = document({}, { paths });
    expect(Object.keys(definitionOf(importText(text)).endpoints)).toHaveLength(200);
    expect(codes(importText(text).problems)).toEqual(['too_many_operations']);
    expect(importText(text, { include: ['few', '/p9'] }).endpoints.map(({ path }) => path)).toEqual(['/p0', '/p1', '/p2', '/p9']);
  });
});

it('whatever a document holds, the text is a connector or there is a reason', () => {
  const anything = dictionary(oneof(string({ maxLength: 8 }), constantFrom('schema', '$ref', 'type', 'properties', 'items', 'allOf', 'in', 'name', 'content', '__proto__')), jsonValue({ maxDepth: 4 }), { maxKeys: 6 });
  assert(
    property(anything, anything, constantFrom('/a', '/{x}', '/a b', '/\\', '/?q=1'), (operation, more, path) => {
      const made = importText(JSON.stringify({ openapi: '3.1.0', paths: { [path]: { get: operation, post: more } }, components: more }));
      if (made.source === undefined) expect(made.problems.length).toBeGreaterThan(0);
      else if (made.endpoints.length > 0) expect(parseConnector(made.source).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
