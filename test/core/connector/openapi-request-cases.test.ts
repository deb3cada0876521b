import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { importOpenapi } from '../../../core/connector/openapi/import-openapi';
import { readDocument } from '../../../core/connector/openapi/read-document';
import { codes, definitionOf, document, endpointOf, importText } from './openapi-fixture';

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const record: JsonObject = { type: 'object', properties: { id: { type: 'integer' } } };

describe('a parameter', () => {
  const of = (parameters: JsonObject[], more: JsonObject = {}) => endpointOf(document({ parameters, ...more }));
  const strings = { type: 'array', items: { type: 'string' } };

  it('named in two places stays once, and the other is told', () => {
    const { endpoint, problems } = of([
      { name: 'a', in: 'query', schema: {} },
      { name: 'a', in: 'header', schema: {} },
    ]);
    expect(endpoint.parameters).toMatchObject([{ name: 'a', in: 'query' }]);
    expect(codes(problems)).toEqual(['duplicate_parameter']);
  });

  it.each<[string, JsonObject, string | undefined, string | undefined]>([
    ['a form of a list', { schema: strings, style: 'form', explode: false }, 'comma', undefined],
    ['exploded pipes', { schema: strings, style: 'pipeDelimited', explode: true }, undefined, undefined],
    ['pipes', { schema: strings, style: 'pipeDelimited' }, undefined, '|'],
    ['spaces', { schema: strings, style: 'spaceDelimited' }, undefined, ' '],
    ['an unknown style', { schema: strings, style: 'matrix' }, undefined, ','],
    ['a style of every object', { schema: strings, style: 'constructor' }, undefined, ','],
    ['Swagger commas', { ...strings }, 'comma', undefined],
    ['Swagger repeats', { ...strings, collectionFormat: 'multi' }, undefined, undefined],
    ['Swagger tabs', { ...strings, collectionFormat: 'tsv' }, undefined, '\t'],
    ['Swagger spaces', { ...strings, collectionFormat: 'ssv' }, undefined, ' '],
  ])('%s: written as %s, or joined with %j', (_what, parameter, format, joint) => {
    const { endpoint, problems } = of([{ name: 'p', in: 'query', ...parameter }]);
    expect(endpoint.array_format).toBe(format);
    expect(endpoint.parameters[0]?.type).toBe(joint === undefined ? 'array' : 'string');
    if (joint !== undefined) expect(endpoint.parameters[0]?.description).toContain(`"${joint}"`);
    expect(codes(problems)).toEqual(joint === undefined ? [] : ['list_as_text']);
  });

  it('that is no list has no part in how lists are written', () => {
    const comma = { name: 'l', in: 'query', schema: strings, explode: false };
    const others: JsonObject[] = [
      { name: 't', in: 'query', schema: { type: 'string' } },
      { name: 'h', in: 'header', schema: { type: 'string' }, explode: true },
      { name: 'j', in: 'query', content: json(strings) },
    ];
    expect(of([comma, ...others]).endpoint.array_format).toBe('comma');
    expect(of([...others, comma]).endpoint.array_format).toBe('comma');
  });

  it('that is an object without known properties is a text, unless it is written as JSON', () => {
    const object = { type: 'object' };
    const { endpoint, problems } = of([
      { name: 'o', in: 'query', schema: object, description: 'An object.' },
      { name: 'j', in: 'query', content: json(object) },
    ]);
    expect(endpoint.parameters).toMatchObject([
      { name: 'o', type: 'string', description: 'An object. Values joined with ",".' },
      { name: 'j', type: 'object' },
    ]);
    expect(codes(problems)).toEqual(['list_as_text']);
  });

  it('that is an object: what it requires is required with it, and what is no scalar is told', () => {
    const schema = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: 'integer', default: 3, description: 'A' }, b: {}, c: strings, d: { type: 'object' } },
    };
    const { endpoint, problems } = of([{ name: 'o', in: 'query', required: true, schema }]);
    expect(endpoint.parameters).toEqual([
      { name: 'a', in: 'query', type: 'integer', required: true, default: 3, description: 'A' },
      { name: 'b', in: 'query', type: 'any', required: false },
    ]);
    expect(codes(problems)).toEqual(['unsupported_name', 'unsupported_name']);
    const [a] = of([{ name: 'o', in: 'query', schema }]).endpoint.parameters;
    expect(a).toMatchObject({ required: false });
  });

  it('of a path takes the place of what the path says, and one of the query does not', () => {
    const at = (path: string, parameters: JsonObject[]) =>
      endpointOf(document({}, { paths: { [path]: { get: { parameters } } } }));
    const declared = at('/a/{x}', [{ name: 'x', in: 'path', schema: { type: 'integer' } }]);
    expect(declared.endpoint.parameters).toEqual([{ name: 'x', in: 'path', type: 'integer', required: true }]);
    expect(codes(declared.problems)).toEqual([]);
    const other = at('/a/{x}', [{ name: 'x', in: 'query', schema: { type: 'integer' } }]);
    expect(other.endpoint.parameters).toEqual([{ name: 'x', in: 'path', type: 'string', required: true }]);
    expect(codes(other.problems)).toEqual(['undeclared_parameter']);
    expect(at('/a/{x}/{x}', []).endpoint.parameters).toHaveLength(1);
  });

  it.each([
    ['header', 'Idempotency-Key', 'POST', true],
    ['header', 'IDEMPOTENCY-KEY', 'PUT', true],
    ['header', 'Idempotency-Key', 'GET', false],
    ['query', 'Idempotency-Key', 'POST', false],
    ['header', 'X-Other', 'POST', false],
  ])('in the %s called %s of a %s makes repeats harmless: %s', (place, name, method, keyed) => {
    const parameters = [
      { name, in: place, schema: { type: 'string' } },
      { name: 'q', in: 'query', schema: { type: 'string' } },
    ];
    const { endpoint } = endpointOf(document({}, { paths: { '/t': { [method.toLowerCase()]: { parameters } } } }));
    expect(endpoint.effect === 'keyed').toBe(keyed);
  });
});

describe('what is sent to prove who asks', () => {
  const of = (schemes: JsonObject, security: Json, options = {}, operation: JsonObject = {}) => {
    const made = importText(
      document(operation, { components: { securitySchemes: schemes }, ...(security === null ? {} : { security }) }),
      options,
    );
    return { definition: definitionOf(made), codes: codes(made.problems) };
  };
  const key = (place: string, name: string): JsonObject => ({ type: 'apiKey', in: place, name });

  it('is nothing where nobody asks for it, though its parameters are not repeated', () => {
    const parameters = [
      { name: 'k', in: 'query', schema: {} },
      { name: 'X-KEY', in: 'header', schema: {} },
      { name: 'q', in: 'query', schema: {} },
    ];
    const { definition } = of({ a: key('query', 'k'), b: key('header', 'x-key') }, null, {}, { parameters });
    expect(definition.connection.auth).toEqual({ type: 'none' });
    expect(Object.values(definition.endpoints)[0]?.parameters.map(({ name }) => name)).toEqual(['q']);
  });

  it('a scheme without a name hides no parameter', () => {
    const parameters = [{ name: 'q', in: 'query', schema: {} }];
    const { definition } = of(
      { a: { type: 'http', scheme: 'basic', in: 'query', name: 'q' } },
      null,
      {},
      { parameters },
    );
    expect(Object.values(definition.endpoints)[0]?.parameters.map(({ name }) => name)).toEqual(['q']);
  });

  it.each<[string, JsonObject, string]>([
    ['a key without a name', { type: 'apiKey', in: 'query' }, 'unsupported_auth'],
    ['a key with a long name', key('query', 'k'.repeat(101)), 'unsupported_auth'],
    ['a key in a header of the transport', key('header', 'Host'), 'unsupported_auth'],
    ['a key in a cookie', key('cookie', 'c'), 'unsupported_auth'],
    ['a digest', { type: 'http', scheme: 'digest' }, 'unsupported_auth'],
    ['a certificate', { type: 'mutualTLS' }, 'unsupported_auth'],
    ['OpenID Connect', { type: 'openIdConnect' }, 'token_needed'],
    ['client credentials without an address', { type: 'oauth2', flows: { clientCredentials: {} } }, 'token_needed'],
    [
      'client credentials at no address',
      { type: 'oauth2', flows: { clientCredentials: { tokenUrl: 'ftp://a.test' } } },
      'token_needed',
    ],
    [
      'client credentials of somebody',
      { type: 'oauth2', flow: 'application', tokenUrl: 'https://u@a.test' },
      'token_needed',
    ],
  ])('%s: %s', (_what, scheme, code) => {
    const { definition, codes: said } = of({ main: scheme }, [{ main: [] }]);
    expect(said).toEqual([code]);
    expect(definition.connection.auth.type).toBe(code === 'token_needed' ? 'bearer_token' : 'none');
  });

  it('in a flow of Swagger 2, with the scopes that can be asked for', () => {
    const scopes = Object.fromEntries([
      ['read', ''],
      ['a b', ''],
      ['x'.repeat(201), ''],
      ['write', ''],
    ]);
    const { definition } = of({ main: { type: 'oauth2', flow: 'application', tokenUrl: 'HTTPS://a.test/t', scopes } }, [
      { main: [] },
    ]);
    expect(definition.connection.auth).toMatchObject({ type: 'oauth2_client_credentials', scope: 'read write' });
    const none = of({ main: { type: 'oauth2', flow: 'application', tokenUrl: 'https://a.test/t' } }, [{ main: [] }]);
    expect(none.definition.connection.auth).not.toHaveProperty('scope');
  });

  it('is what most operations ask for', () => {
    const schemes = { a: key('query', 'a'), b: key('query', 'b') };
    const paths = {
      '/1': { get: {} },
      '/2': { get: { security: [{ b: [] }] } },
      '/3': { get: { security: [{ b: [] }] } },
    };
    const made = importText(document({}, { components: { securitySchemes: schemes }, security: [{ a: [] }], paths }));
    expect(definitionOf(made).connection.auth).toMatchObject({ key_param: 'b' });
    expect(codes(made.problems)).toEqual(['other_auth']);
  });

  it.each([
    ['things', 'main', 'things_main'],
    ['my-api', 'Api.Key', 'my_api_api_key'],
    ['1st', '***', '_1st_key'],
    ['a', 'x'.repeat(200), `a_${'x'.repeat(98)}`],
    ['a', `${'x'.repeat(97)} y`, `a_${'x'.repeat(97)}`],
  ])('of connector %s and scheme %s is stored as %s', (id, scheme, secret) => {
    const { definition } = of({ [scheme]: { type: 'http', scheme: 'bearer' } }, [{ [scheme]: [] }], { id });
    expect(definition.connection.auth).toEqual({ type: 'bearer_token', secret: { secret } });
  });
});

describe('the addresses of servers', () => {
  const at = (server: JsonObject, address?: string) => {
    const made = importText(document({}, { servers: [server] }), {}, address);
    return [definitionOf(made).connection.base_url, ...codes(made.problems)];
  };
  it.each<[JsonObject, string | undefined, string[]]>([
    [{ url: 'https://a.test/v1//' }, undefined, ['https://a.test/v1']],
    [{ url: 'https://a.test/v1?x=1#y' }, undefined, ['https://a.test/v1']],
    [{ url: '' }, undefined, ['https://replace-me.invalid', 'server_missing']],
    [{}, undefined, ['https://replace-me.invalid', 'server_missing']],
    [{ url: '/' }, undefined, ['https://replace-me.invalid', 'server_missing']],
    [{ url: 'v1' }, undefined, ['https://replace-me.invalid', 'server_missing', 'invalid_address']],
    [{ url: 'v1' }, 'https://h.test', ['https://h.test/v1']],
    [{ url: 'v1' }, 'http://h.test/a/b?c', ['http://h.test/a/v1']],
    [{ url: '//x.test/v1' }, 'http://h.test/a', ['http://x.test/v1']],
    [{ url: '/v1' }, 'HTTP://h.test:81/a', ['HTTP://h.test:81/v1']],
    [{ url: 'ftp://x.test' }, 'https://h.test', ['https://replace-me.invalid', 'server_missing', 'invalid_address']],
    [{ url: 'https://{p}.test', variables: { p: { default: 8 } } }, undefined, ['https://8.test']],
    [{ url: 'https://{p}.test', variables: { p: { enum: ['x', 'y'] } } }, undefined, ['https://x.test']],
    [{ url: 'https://{p}.test', variables: { p: {} } }, undefined, ['https://p.test', 'server_variable']],
    [
      { url: 'https://{p q}.test', variables: { p: { default: 'a' } } },
      undefined,
      ['https://p-q.test', 'server_variable'],
    ],
  ])('%j, read at %s', (server, address, expected) => {
    expect(at(server, address)).toEqual(expected);
  });

  it('of Swagger 2 are https unless only http is offered', () => {
    const of = (more: JsonObject, address?: string) => {
      const text = JSON.stringify({ swagger: '2.0', paths: { '/a': { get: {} } }, ...more });
      return definitionOf(importText(text, {}, address)).connection.base_url;
    };
    expect(of({ host: 'a.test' })).toBe('https://a.test');
    expect(of({ host: 'a.test' }, 'http://b.test/s.json')).toBe('http://a.test');
    expect(of({}, 'HTTP://b.test:81/s.json')).toBe('http://b.test:81');
    expect(of({ host: 'a.test', schemes: ['ws'] })).toBe('https://a.test');
    expect(of({})).toBe('https://replace-me.invalid');
  });
});

describe('references between and inside documents', () => {
  it('lead into lists by their numbers, and never by other words', () => {
    const of = (ref: string) =>
      endpointOf(document({ parameters: [{ $ref: ref }] }, { 'x-list': [{ name: 'a', in: 'query', schema: {} }] }))
        .endpoint.parameters.length;
    expect([of('#/x-list/0'), of('#/x-list/1'), of('#/x-list/length')]).toEqual([1, 0, 0]);
    const { problems } = endpointOf(document({ parameters: [{ $ref: '#/x-list/length' }] }, { 'x-list': [{}] }));
    expect(codes(problems)).toEqual(['reference_not_found']);
  });

  it('follow each other twenty times at most', () => {
    const chain = (length: number) => {
      const schemas = Object.fromEntries(
        Array.from({ length }, (_, at) => [
          `S${at}`,
          at === length - 1 ? record : { $ref: `#/components/schemas/S${at + 1}` },
        ]),
      );
      return endpointOf(
        document(
          { responses: { 200: { content: json({ $ref: '#/components/schemas/S0' }) } } },
          { components: { schemas } },
        ),
      );
    };
    expect(chain(19).endpoint.output_schema?.fields).toHaveLength(1);
    expect(codes(chain(19).problems)).toEqual([]);
    expect(codes(chain(20).problems)).toContain('circular_reference');
  });

  it('to another document are followed where it was loaded, with the references in it', () => {
    const main = document({ parameters: [{ $ref: 'b.json#/p' }, { $ref: 'c.json#/p' }] });
    const read = readDocument(main);
    if ('problems' in read) throw new Error('unreadable');
    const other = { p: { name: 'a', in: 'query', schema: { $ref: '#/s' } }, s: { type: 'integer' } };
    const made = importOpenapi({
      document: read.document,
      documents: new Map([
        ['', { json: read.document.json, links: new Map([['b.json', 'file:b']]) }],
        ['file:b', { json: other, links: new Map() }],
      ]),
      options: {},
    });
    expect(Object.values(definitionOf(made).endpoints)[0]?.parameters).toMatchObject([{ name: 'a', type: 'integer' }]);
    expect(codes(made.problems)).toEqual(['reference_not_loaded']);
  });
});
