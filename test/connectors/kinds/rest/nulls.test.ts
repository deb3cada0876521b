import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../../core/base/json';
import { endpointEditSchema } from '../../../../core/connector/edit-schema';
import { endpointInputs } from '../../../../core/connector/inputs';
import type { ConnectorDefinition } from '../../../../core/connector/types';
import { readConnector } from '../../../../connectors/definition/read-connector';
import { sendJson, startHttpSource, type HttpSource } from '../../../support/http-source';
import { connectorDeps, testContext, callEndpoint } from '../../../support/connector-deps';
import type { EndpointResult } from '../../../../connectors/call/connector-call';

let source: HttpSource;
let rest: ConnectorDefinition;
let graph: ConnectorDefinition;
beforeAll(async () => {
  source = await startHttpSource(({ url }, response) =>
    sendJson(response, url === '/graphql' ? { data: { ok: true } } : [{ ok: true }]),
  );
  rest = defined(`
id: nulls
type: rest_api
connection: {base_url: "${source.url}"}
endpoints:
  save:
    method: POST
    path: /save
    parameters:
      - {name: note, type: string}
      - {name: count, type: integer, default: 3}
      - {name: gone, type: date, default: null}
      - {name: kind, type: string, enum: [a, b]}
      - {name: state, type: any, enum: [open, null]}
      - {name: name, type: string, required: true}
      - {name: data, type: any, required: true}
      - {name: list, type: array}
      - {name: trace, in: query, type: string}
  form:
    method: POST
    path: /form
    body_format: form
    parameters: [{name: note, type: string}, {name: size, type: integer, default: 3}, {name: list, type: array}]
  parts: {method: POST, path: /parts, body_format: multipart, parameters: [{name: note, type: object}, {name: list, type: array}]}
  find:
    path: "/find/{id}"
    parameters: [{name: id, type: string}, {name: q, type: string}, {name: ids, type: array}, {name: where, type: object}, {name: x-h, in: header}]
`);
  graph = defined(`
id: graph
type: graphql
connection: {endpoint: "${source.url}/graphql"}
endpoints:
  save:
    query: "query Save($note: String, $name: String!) { ok(note: $note, name: $name) }"
    variables: [{name: note, type: string}, {name: name, type: string, required: true}]
`);
});
afterAll(() => source.close());

function defined(text: string): ConnectorDefinition {
  const { definition, problems } = readConnector(text);
  expect(problems).toEqual([]);
  return definition!;
}

async function call(definition: ConnectorDefinition, endpoint: string, inputs: JsonObject): Promise<EndpointResult> {
  const deps = connectorDeps({ allow: [{ host: '127.0.0.1', port: source.port }] });
  try {
    return await callEndpoint(deps, { definition, endpoint, inputs, context: testContext() });
  } finally {
    await deps.egress.close();
  }
}
const sent = (): JsonObject => JSON.parse(source.seen.at(-1)!.body) as JsonObject;

describe('null that is given for a parameter', () => {
  it('is sent in a JSON body, at any depth, and in place of a default; what is absent stays absent', async () => {
    await call(rest, 'save', {
      note: null,
      count: null,
      state: null,
      name: 'n',
      data: { a: null, b: [null, { c: null }] },
      list: [1, null],
    });
    expect(sent()).toEqual({
      note: null,
      count: null,
      gone: null,
      state: null,
      name: 'n',
      data: { a: null, b: [null, { c: null }] },
      list: [1, null],
    });
    await call(rest, 'save', { name: 'n', data: null });
    expect(sent()).toEqual({ count: 3, gone: null, name: 'n', data: null });
  });

  it('is a variable of GraphQL', async () => {
    await call(graph, 'save', { note: null, name: 'n' });
    expect(sent()['variables']).toEqual({ note: null, name: 'n' });
    await call(graph, 'save', { name: 'n' });
    expect(sent()['variables']).toEqual({ name: 'n' });
  });

  it.each<[string, JsonObject, RegExp]>([
    ['save', { name: null, data: 1 }, /`name` is null, and a value is needed/],
    ['save', { name: 'n', data: 1, kind: null }, /`kind` is null, and a value is needed/],
    ['save', { data: 1 }, /`name` is missing/],
    ['find', { id: null }, /`id` is null, and a value is needed/],
    ['find', { id: '1', ids: ['a', null] }, /`ids` holds null/],
    ['form', { list: [null] }, /`list` holds null/],
    ['parts', { list: ['a', null] }, /`list` holds null/],
  ])('%s with %j is refused, and nothing is sent', async (endpoint, inputs, message) => {
    const before = source.seen.length;
    await expect(call(rest, endpoint, inputs)).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(message),
    });
    expect(source.seen.length).toBe(before);
  });

  it('counts as not given where there is no word for it, and the result says so', async () => {
    expect(await call(rest, 'find', { id: '1', q: null, 'x-h': null, where: { a: null } })).toEqual({
      results: [{ ok: true }],
      count: 1,
      status: 200,
      left_out: ['q', 'x-h'],
    });
    expect(source.seen.at(-1)!.url).toBe('/find/1?where=%7B%22a%22%3Anull%7D');
    expect(await call(rest, 'form', { note: null, size: null })).toMatchObject({ left_out: ['note'] });
    expect(source.seen.at(-1)!.body).toBe('size=3');
    expect(await call(rest, 'save', { name: 'n', data: 1, trace: null })).toMatchObject({ left_out: ['trace'] });
    expect(await call(rest, 'find', { id: '1' })).not.toHaveProperty('left_out');
  });

  it('is told to validation and to whoever edits a call', () => {
    const nullable = endpointInputs(rest, 'save').filter((spec) => spec.nullable);
    expect(nullable.map(({ name }) => name)).toEqual(['note', 'count', 'gone', 'state', 'data', 'list']);
    expect(endpointInputs(rest, 'find').map(({ nullable: may }) => may)).toEqual([false, false, false, false, false]);
    const { properties } = endpointEditSchema(rest, 'save') as { properties: Record<string, JsonObject> };
    const refusing = Object.keys(properties).filter((name) => !JSON.stringify(properties[name]).includes('"null"'));
    expect(refusing).toEqual(['kind', 'name', 'data']);
    expect(properties['data']).toEqual({});
  });

  it.each([
    ['GET', 'q, type: any', ''],
    ['POST', 'q, in: query', ''],
    ['POST', 'q', ', body_format: form'],
    ['POST', 'q, required: true', ''],
    ['POST', 'q, enum: [a]', ''],
  ])('is no default of a %s with {name: %s}%s', (method, parameter, more) => {
    const { definition, problems } = readConnector(
      `{id: c, type: rest_api, connection: {base_url: "https://a.example"}, endpoints: {e: {method: ${method}, path: /x${more}, parameters: [{name: ${parameter}, default: null}]}}}`,
    );
    expect(definition).toBeUndefined();
    expect(problems).toMatchObject([
      { code: 'invalid_value', message: 'The default is null, which cannot be sent for this parameter.' },
    ]);
  });
});
