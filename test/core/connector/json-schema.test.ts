import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020';
import { parse } from 'yaml';
import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import { connectorJsonSchema } from '../../../core/connector/json-schema/connector-schema';
import { parseConnector } from '../../../core/connector/parse';
import { changed, FIXTURES } from './fixtures';
import { objectsOf, type SchemaObject } from './schema-walk';

const FILE = join(__dirname, '../../../docs/connector.schema.json');
const schema = connectorJsonSchema();
const validate = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, strictTypes: false }).compile(
  schema,
);
const fixtures = Object.entries(FIXTURES);
const dataOf = (text: string): JsonObject => parse(text) as JsonObject;

describe('the published schema', () => {
  it('is the committed file', () => {
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env['AF_WRITE_DOCS'] === '1') writeFileSync(FILE, text);
    expect(readFileSync(FILE, 'utf8')).toBe(text);
  });

  it.each(fixtures)('accepts %s, as the reader does', (_name, text) => {
    expect(parseConnector(text).definition).toBeDefined();
    validate(dataOf(text));
    expect(validate.errors).toBeNull();
  });

  it.each([
    ['an unknown key', changed('rest-api', 'version: 1.2', 'versoin: 1.2')],
    ['an unknown key of an endpoint', changed('rest-api', 'array_format', 'array_fromat')],
    ['an id', changed('rest-api', 'id: example-grants', 'id: Example Grants')],
    ['no id', changed('rest-api', 'id: example-grants\n', '')],
    ['a type', changed('rest-api', 'type: rest_api', 'type: soap')],
    ['a tag in capitals', changed('rest-api', '[grants, us-data]', '[Grants]')],
    ['a tag twice', changed('rest-api', '[grants, us-data]', '[grants, grants]')],
    ['tags as text', changed('rest-api', '[grants, us-data]', 'grants')],
    ['a category that is too long', changed('rest-api', 'category: nonprofit', `category: ${'x'.repeat(101)}`)],
    ['no endpoints', changed('auth-none', '{ a: { path: /a } }', '{}')],
    ['an endpoint name', changed('auth-none', '{ a: {', '{ "a b": {')],
    ['a path with a query', changed('auth-none', 'path: /a', 'path: "/a?b"')],
    ['no address', changed('auth-none', '  base_url: https://api.example.org\n', '')],
    ['a timeout', changed('rest-api', 'timeout_seconds: 20', 'timeout_seconds: 6000')],
    ['an enumeration', changed('rest-api', 'brackets', 'braces')],
    ['an api key without a secret', changed('rest-api', ', env_var: EXAMPLE_KEY', '')],
    ['a key of another login', changed('auth-basic', 'username: me', 'token_url: https://a.example')],
    ['a cursor without its path', changed('rest-api', 'cursor_path: page.next, ', '')],
    ['a transform without its setting', changed('rest-api', '{ op: date, format: MM/DD/YYYY }', 'date')],
    ['a path beside a constant', changed('rest-api', '{ constant: example }', '{ constant: a, path: b }')],
    ['two addresses', changed('graphql', '  headers:', '  base_url: https://a.example\n  headers:')],
    ['two selectors', changed('web-scraper', 'selector: h1', 'selector: h1, xpath: h1')],
    ['a database that writes', changed('database', 'read_only: true', 'read_only: false')],
    ['no statement', changed('database', '    free_sql: true\n', '')],
    ['no feeds', 'id: a\ntype: rss_feed\nconnection: {feeds: []}\nendpoints: {e: {}}\n'],
    ['a module', changed('existing-tool', '{ tool: search_web }', '{ tool_module: a }')],
    ['a format', changed('file-tables', 'psv,', 'docs,')],
    ['a record type', changed('file-tables', 'SB17]', '"S-"]')],
  ])('refuses %s, as the reader does', (_what, text) => {
    expect(parseConnector(text).definition).toBeUndefined();
    expect(validate(dataOf(text))).toBe(false);
  });
});

/** Names that the reader knows at a place: it lists them when it meets one that it does not know. */
function knownKeys(data: JsonObject, place: SchemaObject): string[] | undefined {
  const copy = structuredClone(data);
  let at: Json = copy;
  for (const key of place.path) at = (at as Record<string | number, Json>)[key] as Json;
  if (!isJsonObject(at)) throw new Error(`${place.path.join('.')} is no object`);
  at['zz_unknown'] = 1;
  const field = [...place.path, 'zz_unknown'].join('.');
  const { problems } = parseConnector(JSON.stringify(copy));
  const problem = problems.find((each) => each.code === 'unknown_field' && each.field === field);
  return / Known: (.*)\.$/.exec(problem?.message ?? '')?.[1]?.split(', ');
}

describe('schema and reader know the same keys', () => {
  const seen = new Set<string>();
  it.each(fixtures)('in %s', (_name, text) => {
    const data = dataOf(text);
    for (const place of objectsOf(schema, data)) {
      seen.add(place.name);
      expect({ place: place.path.join('.'), keys: knownKeys(data, place) }).toEqual({
        place: place.path.join('.'),
        keys: Object.keys(place.properties).sort(),
      });
    }
  });
  it('and the definitions together meet every part of the schema', () => {
    const parts = Object.keys(schema['$defs'] as JsonObject);
    expect(parts.filter((part) => !seen.has(part))).toEqual([]);
  });
});
