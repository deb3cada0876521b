import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { importOpenapi } from '../../../core/connector/openapi/import-openapi';
import { readDocument } from '../../../core/connector/openapi/read-document';
import { codes, definitionOf, document, importText } from './openapi-fixture';

/** shared finding 22-openapi-ref-siblings.json */
const FINDING =
  '{"openapi":"3.1.0","info":{"title":"T31","version":"1"},"servers":[{"url":"https://x.example"}],"paths":{"/w":{"post":{"operationId":"w","requestBody":{"content":{"application/json":{"schema":{"type":"object","properties":{"b":{"$ref":"#/components/schemas/E","description":"sibling","default":2}}}}}},"responses":{"200":{"description":"ok"}}}}},"components":{"schemas":{"E":{"type":"integer","enum":[1,2,3]}}}}';

interface Doc {
  version?: string;
  schemas: JsonObject;
  /** Schema of the body's property `b`. */
  b: Json;
}

function bodyOf({ version = '3.1.0', schemas, b }: Doc): { b: unknown; problems: ReturnType<typeof codes> } {
  const schema = { type: 'object', properties: { b } };
  const post = {
    requestBody: { content: { 'application/json': { schema } } },
    responses: { '200': { description: 'ok' } },
  };
  const made = importText(
    JSON.stringify({
      openapi: version,
      info: { title: 'T', version: '1' },
      servers: [{ url: 'https://x.example' }],
      paths: { '/w': { post } },
      components: { schemas },
    }),
  );
  const [endpoint] = Object.values(definitionOf(made).endpoints);
  return { b: endpoint?.parameters.find(({ name }) => name === 'b'), problems: codes(made.problems) };
}

const E = { type: 'integer', enum: [1, 2, 3], description: 'of E', default: 1 };
const REF = { $ref: '#/components/schemas/E' };

describe('keys beside a $ref', () => {
  it('finding 22-openapi-ref-siblings.json: default and description are taken over', () => {
    const made = importText(FINDING);
    const { w } = definitionOf(made).endpoints;
    expect(w?.parameters).toEqual([
      expect.objectContaining({ name: 'b', type: 'integer', enum: [1, 2, 3], default: 2, description: 'sibling' }),
    ]);
    expect(made.problems).toEqual([]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['a description alone', { description: 'here' }, { description: 'here', default: 1, enum: [1, 2, 3] }],
    ['a narrower enum', { enum: [3, 2, 9], default: 3 }, { enum: [3, 2], default: 3, type: 'integer' }],
    ['a wider type', { type: 'number' }, { type: 'integer', enum: [1, 2, 3] }],
    ['a const', { const: 3, default: 3 }, { enum: [3], default: 3 }],
    ['what is there already', { type: 'integer', enum: [1, 2, 3] }, { type: 'integer', enum: [1, 2, 3] }],
    ['a type of several', { type: ['string', 'integer', 'null'] }, { type: 'integer', enum: [1, 2, 3] }],
  ])('3.1: %s', (_what, siblings, expected) => {
    const { b, problems } = bodyOf({ schemas: { E }, b: { ...REF, ...siblings } });
    expect(b).toMatchObject(expected);
    expect(problems).toEqual([]);
  });

  it('3.1: properties and required are joined, and a property of both holds to both', () => {
    const schemas = {
      A: { type: 'object', required: ['x'], properties: { x: { type: 'integer' }, y: { type: 'string' } } },
      B: { $ref: '#/components/schemas/A', required: ['z'], properties: { z: { type: 'string' }, x: { default: 5 } } },
    };
    const made = importText(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        servers: [{ url: 'https://x.example' }],
        paths: {
          '/w': {
            post: {
              requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/B' } } } },
              responses: { '200': { description: 'ok' } },
            },
          },
        },
        components: { schemas },
      }),
    );
    const [endpoint] = Object.values(definitionOf(made).endpoints);
    expect(endpoint?.parameters).toEqual([
      expect.objectContaining({ name: 'x', type: 'integer', required: true, default: 5 }),
      expect.objectContaining({ name: 'y', type: 'string', required: false }),
      expect.objectContaining({ name: 'z', type: 'string', required: true }),
    ]);
    expect(made.problems).toEqual([]);
  });

  it('3.1: each hop of a chain adds its own, the nearest word counts, and the same target keeps apart', () => {
    const schemas = {
      E,
      F: { ...REF, description: 'of F', default: 2 },
      Both: { type: 'object' },
    };
    expect(bodyOf({ schemas, b: { $ref: '#/components/schemas/F', default: 3 } }).b).toMatchObject({
      default: 3,
      description: 'of F',
      enum: [1, 2, 3],
    });
    expect(bodyOf({ schemas, b: { $ref: '#/components/schemas/F' } }).b).toMatchObject({ default: 2 });
    expect(bodyOf({ schemas, b: REF }).b).toMatchObject({ default: 1, description: 'of E' });
  });

  it('3.1: what cannot be joined is named', () => {
    const schemas = { E: { type: 'string', pattern: '^a' } };
    const { b, problems } = bodyOf({ schemas, b: { ...REF, pattern: 'b$' } });
    expect(b).toMatchObject({ type: 'string' });
    expect(problems).toEqual(['keyword_beside_ref']);
    expect(bodyOf({ schemas, b: { ...REF, type: 'integer' } }).problems).toEqual(['keyword_beside_ref']);
    expect(bodyOf({ schemas, b: { ...REF, pattern: '^a', type: 'string' } }).problems).toEqual([]);
  });

  it('3.1: a reference that is no schema says its description, and nothing else of its own', () => {
    const parameter = { name: 'p', in: 'query', description: 'of the component', schema: { type: 'string' } };
    const get = {
      parameters: [{ $ref: '#/components/parameters/P', description: 'here', required: true }],
      responses: { '200': { description: 'ok' } },
    };
    const made = importText(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'T', version: '1' },
        servers: [{ url: 'https://x.example' }],
        paths: { '/w': { get } },
        components: { parameters: { P: parameter } },
      }),
    );
    const [endpoint] = Object.values(definitionOf(made).endpoints);
    expect(endpoint?.parameters[0]).toMatchObject({ name: 'p', description: 'here', required: false });
    expect(codes(made.problems)).toEqual(['ignored_beside_ref']);
  });

  it('3.1: a schema that refers to itself ends', () => {
    const Node = { type: 'object', properties: { next: { $ref: '#/components/schemas/Node', description: 'on' } } };
    const { problems } = bodyOf({ schemas: { Node }, b: { $ref: '#/components/schemas/Node', title: 'first' } });
    expect(problems).toEqual([]);
  });

  it('3.0: the standard ignores them', () => {
    const { b, problems } = bodyOf({ version: '3.0.3', schemas: { E }, b: { ...REF, description: 'no', default: 3 } });
    expect(b).toMatchObject({ description: 'of E', default: 1 });
    expect(problems).toEqual([]);
  });
});

it.each<[string, JsonObject, string[]]>([
  ['properties of its own', { properties: { c: { type: 'string' } } }, []],
  ['a reference of its own', { properties: { c: { $ref: '#/components/schemas/E' } } }, ['keyword_beside_ref']],
  ['a reference in a list', { allOf: [{ type: 'object' }, { items: REF }] }, ['keyword_beside_ref']],
  ['a text that looks like one', { properties: { c: { description: '$ref' } } }, []],
  ['a property called $ref that is none', { properties: { $ref: { type: 'string' } } }, []],
])('beside a $ref to another document: %s', (_what, siblings, told) => {
  const address = 'https://x.example/other.json';
  const schema = { type: 'object', properties: { b: { $ref: 'other.json#/S', ...siblings } } };
  const post = { requestBody: { content: { 'application/json': { schema } } }, responses: {} };
  const text = document({}, { openapi: '3.1.0', paths: { '/w': { post } }, components: { schemas: { E } } });
  const read = readDocument(text);
  if ('problems' in read) throw new Error(JSON.stringify(read.problems));
  const other = { S: { type: 'object', properties: { a: { type: 'string' } } } };
  const documents = new Map([
    ['', { json: read.document.json, links: new Map([['other.json', address]]) }],
    [address, { json: other, links: new Map<string, string>() }],
  ]);
  expect(codes(importOpenapi({ document: read.document, documents, options: {} }).problems)).toEqual(told);
});
