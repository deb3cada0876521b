import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '../../../core/base/json';
import { codes, definitionOf, document, importText } from './openapi-fixture';

/** Numbers of a document are what was written, in both spellings of it; what a definition cannot hold is left out whole, with a warning. */
const YAML = (schema: string, servers = '[{url: "https://api.example.org"}]'): string => `
openapi: 3.0.3
info: {title: Things, version: 1.10}
servers: ${servers}
paths:
  /things:
    get:
      parameters:
        - {name: id, in: query, schema: ${schema}}
      responses: {200: {description: ok}}
`;
/** The same as JSON, with the numbers as they are written. */
const JSON_TEXT = (schema: string): string => {
  const text = document({
    parameters: [{ name: 'id', in: 'query', schema: 'SCHEMA' }],
    responses: { 200: { description: 'ok' } },
  });
  return text.replace('"SCHEMA"', schema);
};
function read(text: string): { parameter: JsonObject; told: string[] } {
  const made = importText(text);
  const [endpoint] = Object.values(definitionOf(made).endpoints);
  const { default: fallback, enum: options } = endpoint?.parameters[0] ?? {};
  return {
    parameter: {
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(options === undefined ? {} : { enum: options }),
    },
    told: made.problems.filter(({ code }) => code === 'value_left_out').map(({ message }) => message),
  };
}
const BIG = '9007199254740993';
const DIGITS = 'has more digits than a number holds';

describe.each<[string, (schema: string) => string]>([
  ['YAML', (schema) => YAML(schema)],
  ['JSON', (schema) => JSON_TEXT(schema)],
])('%s', (_name, text) => {
  it.each<[string, string, JsonObject, string[]]>([
    [
      'whole numbers beyond 2^53',
      `{"type": "integer", "default": ${BIG}, "enum": [${BIG}, 1]}`,
      {},
      [
        `The list of possible values of \`id\` is left out: \`${BIG}\` ${DIGITS}.`,
        `The default \`${BIG}\` of \`id\` is left out: it ${DIGITS}.`,
      ],
    ],
    [
      'a text that looks like a number',
      '{"type": "string", "default": 1.10, "enum": [1.10, 2.0]}',
      { default: '1.10', enum: ['1.10', '2.0'] },
      [],
    ],
    [
      'a number that is spelled differently',
      '{"type": "number", "default": 1.0, "enum": [1.0, 2.50]}',
      { default: 1, enum: [1, 2.5] },
      [],
    ],
    ['a text of many digits', `{"type": "string", "default": ${BIG}}`, { default: BIG }, []],
    [
      'a number beyond a double',
      '{"type": "number", "default": 1e400}',
      {},
      [`The default \`1e400\` of \`id\` is left out: it ${DIGITS}.`],
    ],
    [
      'a value of another type, and a default that is none of those possible',
      '{"type": "integer", "default": 3, "enum": [1, "two"]}',
      { default: 3 },
      ['The list of possible values of `id` is left out: `two` must be of type integer.'],
    ],
    [
      'a default outside of its list',
      '{"type": "integer", "default": 3, "enum": [1, 2]}',
      { enum: [1, 2] },
      ['The default `3` of `id` is left out: it is none of the possible values.'],
    ],
    ['nullable lists', '{"type": "string", "enum": ["a", null], "default": null}', { enum: ['a'] }, []],
  ])('%s', (_what, schema, parameter, told) => {
    const found = read(text(schema));
    expect(found.parameter).toEqual(parameter);
    expect(found.told.toSorted()).toEqual(told.toSorted());
  });
});

it('.inf of YAML is no number that a definition holds', () => {
  expect(read(YAML('{type: number, default: .inf}'))).toEqual({
    parameter: {},
    told: ['The default `.inf` of `id` is left out: it must be of type number.'],
  });
});

it('hexadecimal numbers are numbers', () => {
  expect(read(YAML('{type: integer, default: 0x1F}')).parameter).toEqual({ default: 31 });
});

it.each([
  ['its default', '{default: 1.10}', 'https://api.example.org/v1.10'],
  ['the first that it may have', `{enum: [${BIG}, 2]}`, `https://api.example.org/v${BIG}`],
])('a variable of a server is put in as it is written: %s', (_what, variable, url) => {
  const servers = `[{url: "https://api.example.org/v{version}", variables: {version: ${variable}}}]`;
  const made = importText(YAML('{type: string}', servers));
  expect(definitionOf(made).connection.base_url).toBe(url);
  expect(codes(made.problems)).not.toContain('server_variable');
});

it('limits beside a reference are compared by their value', () => {
  const text = `
openapi: 3.1.0
info: {title: Things, version: "1"}
servers: [{url: "https://api.example.org"}]
components: {schemas: {N: {type: number, minimum: 1.0}}}
paths:
  /things:
    get:
      parameters: [{name: id, in: query, schema: {$ref: "#/components/schemas/N", minimum: 2.0}}]
      responses: {200: {description: ok}}
`;
  expect(importText(text).problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(codes(importText(text).problems)).toEqual([]);
});
