import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { parseConnector } from '../../../core/connector/parse';

const rest = (endpoint: JsonObject, more: JsonObject = {}): string =>
  JSON.stringify({
    id: 'a',
    type: 'rest_api',
    connection: { base_url: 'https://a.example' },
    endpoints: { e: { path: '/a', ...endpoint } },
    ...more,
  });
const rule = (transforms: Json): string => rest({ response_mapping: { fields: { x: { path: 'x', transforms } } } });
const feeds = (count: number): string =>
  JSON.stringify({
    id: 'a',
    type: 'rss_feed',
    connection: { feeds: Array.from({ length: count }, (_, at) => ({ name: `f${at}`, url: 'https://a.example' })) },
    endpoints: { e: {} },
  });
const endpoints = (count: number): string =>
  rest({}, { endpoints: Object.fromEntries(Array.from({ length: count }, (_, at) => [`e${at}`, { path: '/a' }])) });
const page = (more: JsonObject): string => rest({ pagination: { type: 'page', param: 'p', ...more } });
const values = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at]));

type Bound = [what: string, of: (size: number) => string, least: number | undefined, most: number | undefined];

const BOUNDS: Bound[] = [
  ['feeds', feeds, 1, 100],
  ['endpoints', endpoints, 1, 200],
  ['transforms of a field', (size) => rule(Array.from({ length: size }, () => 'trim')), 0, 20],
  ['values of a map', (size) => rule([{ op: 'map', values: values(size) }]), 1, 1000],
  ['characters to find', (size) => rule([{ op: 'replace', find: 'x'.repeat(size), with: '' }]), 1, 200],
  ['characters to put', (size) => rule([{ op: 'replace', find: 'x', with: 'y'.repeat(size) }]), 0, 200],
  ['characters of a separator', (size) => rule([{ op: 'split', separator: ';'.repeat(size) }]), 1, 200],
  ['seconds of a call', (size) => rest({ timeout_seconds: size }), 1, 600],
  ['pages', (size) => page({ max_pages: size }), 1, 10_000],
  ['records', (size) => page({ max_items: size }), 1, 1_000_000],
  ['bytes of pages', (size) => page({ max_bytes: size }), 1000, 1_000_000_000],
  ['seconds of pages', (size) => page({ max_seconds: size }), 1, 3600],
  ['the first page', (size) => page({ start: size }), 0, 1_000_000_000],
  ['records of a page', (size) => page({ size_param: 'n', size }), 1, 10_000],
  ['seconds that an answer is kept', (size) => rest({ cache: { ttl_seconds: size } }), 1, 2_592_000],
  [
    'seconds that an old answer serves',
    (size) => rest({ cache: { ttl_seconds: 1, stale_if_error_seconds: size } }),
    0,
    2_592_000,
  ],
  ['characters of a name', (size) => rest({}, { name: 'n'.repeat(size) }), 1, 200],
  ['characters of a version', (size) => rest({}, { version: 'v'.repeat(size) }), 1, 50],
  ['characters of a description', (size) => rest({ description: 'd'.repeat(size) }), 1, 10_000],
  ['characters of an entity type', (size) => rest({ response_mapping: { entity_type: 'e'.repeat(size) } }), 1, 100],
];

const errors = (text: string): string[] =>
  parseConnector(text)
    .problems.filter(({ severity }) => severity === 'error')
    .map(({ message }) => message);

describe('what a definition may have at most and at least', () => {
  it.each(BOUNDS)('%s', (_what, of, least, most) => {
    for (const size of [least, most]) if (size !== undefined) expect(errors(of(size))).toEqual([]);
    if (least !== undefined && least > 0) expect(errors(of(least - 1)).length).toBeGreaterThan(0);
    if (most !== undefined) expect(errors(of(most + 1))).toHaveLength(1);
  });
});

describe('texts', () => {
  it.each<[Json, boolean]>([
    ['a', true],
    [' ', false],
    ['\ud800', false],
    [5, false],
    [['a'], false],
    [null, true],
  ])('%j as a description: %s', (description, good) => {
    expect(errors(rest({ description }))).toHaveLength(good ? 0 : 1);
  });

  it('a field that is written as null counts as not there', () => {
    const { definition, problems } = parseConnector(rest({ description: null, cache: null, timeout_seconds: null }));
    expect(problems).toEqual([]);
    expect(Object.keys(definition?.endpoints['e'] ?? {})).not.toEqual(expect.arrayContaining(['description', 'cache']));
  });

  it('of the old spelling and the new one at once one is too many', () => {
    const text = JSON.stringify({
      id: 'a',
      type: 'graphql',
      connection: { base_url: 'https://a.example', endpoint: 'https://b.example' },
      endpoints: { e: { query: '{ a }' } },
    });
    expect(parseConnector(text).problems).toMatchObject([{ code: 'duplicate_name' }]);
  });
});
