import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { isJsonObject } from '../../../core/base/json';
import { parseConnector } from '../../../core/connector/parse';
import type { ConnectorDefinition } from '../../../core/connector/types';
import { readSource } from '../../../core/playbook/source';
import { FIXTURES } from './fixtures';

/** Keys that a definition spells otherwise, drops, or reads into another form; language.test.ts holds what becomes of them. */
const OTHERWISE = new Set(
  'docs tested endpoint variables env_var pool_size read_only driver source accepted_formats xpath column join list_element hooks delimiter type transforms after tags version base_url'.split(
    ' ',
  ),
);

function read(text: string): ConnectorDefinition {
  const { definition, problems } = parseConnector(text);
  if (definition === undefined) throw new Error(JSON.stringify(problems));
  return definition;
}

/** Paths of what is written and not in the definition. */
function lost(written: Json, kept: Json | undefined, path: string): string[] {
  if (isJsonObject(written)) {
    return Object.entries(written)
      .filter(([key]) => !OTHERWISE.has(key))
      .flatMap(([key, value]) => lost(value, isJsonObject(kept) ? kept[key] : undefined, `${path}.${key}`));
  }
  if (Array.isArray(written)) {
    return written.flatMap((value, at) => lost(value, Array.isArray(kept) ? kept[at] : undefined, `${path}[${at}]`));
  }
  return written === kept ? [] : [path];
}

describe.each(Object.keys(FIXTURES))('the definition of %s', (name) => {
  const text = FIXTURES[name] ?? '';

  it('has everything that is written, where it is written', () => {
    const written = readSource(text).document?.toJson() ?? null;
    expect(lost(written, read(text) as unknown as Json, '')).toEqual([]);
  });

  it('comes back from a store as it went there: nothing in it is undefined', () => {
    const definition = read(text);
    const stored = JSON.parse(JSON.stringify(definition)) as unknown;
    expect(plain(definition)).toStrictEqual(stored);
  });
});

/** Removes prototypes, which no store keeps. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}

const MINIMAL: Record<string, { connection: JsonObject; endpoint: JsonObject; means: object; knows: object }> = {
  rest_api: {
    connection: { base_url: 'https://a.example' },
    endpoint: { path: '/a' },
    knows: { base_url: 'https://a.example', headers: {}, auth: { type: 'none' }, timeout_seconds: 30 },
    means: { method: 'GET', path: '/a', parameters: [], effect: 'none', response_format: 'json' },
  },
  graphql: {
    connection: { base_url: 'https://a.example' },
    endpoint: { query: '{ a }' },
    knows: { base_url: 'https://a.example', headers: {}, auth: { type: 'none' }, timeout_seconds: 30 },
    means: { query: '{ a }', operation: 'query', parameters: [], effect: 'none', partial_data: 'accept' },
  },
  database: {
    connection: { auth: { type: 'connection_string', secret: { secret: 'DB' } } },
    endpoint: { sql: 'SELECT 1' },
    knows: {
      driver: 'postgresql',
      auth: { type: 'connection_string', secret: { secret: 'DB' } },
      timeout_seconds: 30,
    },
    means: { sql: 'SELECT 1', free_sql: false, parameters: [], max_rows: 1000, max_bytes: 10_000_000 },
  },
  rss_feed: {
    connection: { feeds: [{ name: 'f', url: 'https://a.example/rss?x=1' }] },
    endpoint: {},
    knows: {
      feeds: [{ name: 'f', url: 'https://a.example/rss?x=1' }],
      headers: {},
      auth: { type: 'none' },
      timeout_seconds: 30,
      max_items_per_poll: 50,
    },
    means: { parameters: [{ name: 'feed_name', default: 'all' }, { name: 'since_hours' }] },
  },
  file_parser: {
    connection: { source: 'upload' },
    endpoint: { parser: 'csv' },
    knows: { sources: ['upload'], accepted_formats: [], max_file_size_mb: 50, max_files: 1000 },
    means: { parser: 'csv', fields: [], groups: {}, delimiter: ',', encoding: 'auto', header: true },
  },
  existing_tool: {
    connection: { tool: 'search_web' },
    endpoint: {},
    knows: { tool: 'search_web' },
    means: { passthrough: true },
  },
  web_scraper: {
    connection: { base_url: 'https://a.example' },
    endpoint: { path: '/a', fields: [{ field: 'title', selector: 'h1' }] },
    knows: { base_url: 'https://a.example', headers: {}, auth: { type: 'none' }, timeout_seconds: 30 },
    means: { path: '/a', parameters: [], fields: [{ field: 'title', selector: 'h1', type: 'string' }] },
  },
};

describe.each(Object.entries(MINIMAL))('the shortest %s', (type, { connection, endpoint, knows, means }) => {
  const definition = read(JSON.stringify({ id: 'a', type, connection, endpoints: { e: endpoint } }));

  it('is called by its id, and says nothing that nobody said', () => {
    expect(Object.keys(definition).sort()).toEqual(['connection', 'endpoints', 'id', 'name', 'schema', 'type']);
    expect(definition).toMatchObject({ schema: 1, id: 'a', name: 'a', type });
  });

  it('has the defaults of its connection and of its endpoint', () => {
    expect(plain(definition.connection)).toStrictEqual(knows);
    expect(definition.endpoints['e']).toMatchObject(means);
    expect(JSON.parse(JSON.stringify(definition.endpoints['e']))).toStrictEqual(plain(definition.endpoints['e']));
    expect(definition.endpoints['e']).not.toHaveProperty('response_mapping');
    expect(definition.endpoints['e']).not.toHaveProperty('output_schema');
    expect(definition.endpoints['e']).not.toHaveProperty('description');
    expect(definition.endpoints['e']).not.toHaveProperty('hooks');
    expect(definition.endpoints['e']).not.toHaveProperty('cache');
  });
});

it.each([true, false])('a definition knows whether it was imported: %s', (imported) => {
  const { connection, endpoint } = MINIMAL['rest_api']!;
  const text = JSON.stringify({ id: 'a', type: 'rest_api', imported, connection, endpoints: { e: endpoint } });
  expect(read(text).imported).toBe(imported);
});
