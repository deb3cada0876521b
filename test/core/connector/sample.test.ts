import { describe, expect, it } from '@jest/globals';
import { assert, jsonValue, property } from 'fast-check';
import type { Json } from '../../../core/base/json';
import { parseConnector } from '../../../core/connector/parse';
import { parseDotPath, readDotPath } from '../../../core/connector/path';
import { draftConnector } from '../../../core/connector/sample/draft-connector';
import { shapeOfJson } from '../../../core/connector/sample/from-json';
import { typeOfTexts } from '../../../core/connector/sample/infer-type';

const fields = (sample: Json): Record<string, string> =>
  Object.fromEntries((shapeOfJson(sample)?.fields ?? []).map(({ field, path, type }) => [field, `${path} ${type}`]));

describe('the records of a JSON sample', () => {
  it.each<[string, Json, string | undefined, number]>([
    ['the sample itself', [{ a: 1 }, { a: 2 }], undefined, 2],
    ['the longest list', { meta: { errors: [{ a: 1 }] }, data: { rows: [{ a: 1 }, { a: 2 }] } }, 'data.rows', 2],
    ['the nearest of equal ones', { deep: { rows: [{ a: 1 }] }, top: [{ a: 1 }] }, 'top', 1],
    ['not a list inside a record', { rows: [{ tags: [{ t: 1 }, { t: 2 }, { t: 3 }] }] }, 'rows', 1],
    ['not a list of texts', { names: ['a', 'b', 'c'], rows: [{ a: 1 }] }, 'rows', 1],
    ['below odd keys', { 'a.b': { 'c d': [{ x: 1 }] } }, '["a.b"].c d', 1],
    ['the one object', { a: 1 }, undefined, 1],
  ])('are %s', (_what, sample, list, records) => {
    expect(shapeOfJson(sample)).toMatchObject({ records, ...(list === undefined ? {} : { list }) });
    expect(shapeOfJson(sample)?.list).toBe(list);
  });

  it.each<Json>([1, 'a', null, [], [1, 2]])('are none in %j', (sample) => {
    expect(shapeOfJson(sample)).toBeUndefined();
  });
});

describe('the fields of a sample', () => {
  it('are snake_case, flat, unique and typed', () => {
    const record = {
      taxYear: 2020,
      'Tax-Year': 2.5,
      filer: { EIN: '001', 'Name.Full': 'A' },
      day: '2020-01-31',
      at: '2020-01-31T10:00:00Z',
      ok: true,
      tags: ['a'],
      '1st': 'x',
      count: null,
    };
    expect(fields([record])).toEqual({
      tax_year: 'taxYear integer',
      tax_year_2: 'Tax-Year number',
      filer_ein: 'filer.EIN string',
      filer_name_full: 'filer["Name.Full"] string',
      day: 'day date',
      at: 'at datetime',
      ok: 'ok boolean',
      tags: 'tags array',
      field_1st: '1st string',
      count: 'count string',
    });
  });

  it('take what all records have in common', () => {
    expect(
      fields([
        { a: 1, b: 'x', c: { d: 1 } },
        { a: 1.5, b: null, c: null },
        { a: 2, b: 3, e: '' },
      ]),
    ).toEqual({
      a: 'a number',
      b: 'b any',
      c_d: 'c.d integer',
      e: 'e string',
    });
  });

  it('never reach a prototype', () => {
    const sample = JSON.parse('[{"__proto__": {"a": 1}, "constructor": 2, "prototype": 3}]') as Json;
    expect(Object.keys(fields(sample))).toEqual(['proto_a', 'constructor_2', 'prototype_2']);
  });

  it.each([
    [['1', '2', ''], 'integer'],
    [['1', '2.5'], 'number'],
    [['02138', '10001'], 'string'],
    [['true', 'FALSE'], 'boolean'],
    [['2020-01-31', ' 2020-02-01 '], 'date'],
    [['1', 'x'], 'string'],
    [['', ''], 'string'],
  ])('of texts %j are %s', (texts, type) => {
    expect(typeOfTexts(texts)).toBe(type);
  });
});

describe('the connector of a sample', () => {
  const shape = shapeOfJson({ results: [{ id: 1, name: 'a' }] })!;

  it('over HTTP keeps the query as parameters and no key', () => {
    const query = [
      ['party', 'DEM'],
      ['page', '1'],
      ['api_key', 'hidden-value'],
      ['id', 'a'],
      ['id', 'b'],
    ] as const;
    const address = { base_url: 'https://api.example.org', path: '/v1/candidates/', query };
    const { source, credentials } = draftConnector(shape, { id: 'fec' }, address);
    expect(parseConnector(source)).toMatchObject({
      problems: [],
      definition: {
        id: 'fec',
        type: 'rest_api',
        connection: {
          base_url: address.base_url,
          auth: { type: 'api_key', in: 'query', key_param: 'api_key', secret: { secret: 'fec_key' } },
        },
        endpoints: {
          candidates: {
            path: '/v1/candidates/',
            parameters: [
              { name: 'party', default: 'DEM', type: 'string' },
              { name: 'page', default: 1, type: 'integer' },
              { name: 'id', default: ['a', 'b'], type: 'array' },
            ],
            response_mapping: { results_path: 'results', fields: { id: 'id', name: 'name' } },
          },
        },
      },
    });
    expect(credentials).toEqual(['api_key']);
    expect(source).not.toContain('hidden-value');
  });

  it('of a single record names its fields apart from those of the result', () => {
    const one = shapeOfJson({ count: 5, status: 'x' })!;
    expect(one.fields.map(({ field }) => field)).toEqual(['count_2', 'status_2']);
  });
});

it('names that other programs read as numbers are written as texts', () => {
  const shape = shapeOfJson([{ '0X0': 0, '1_000': 1, '0b1': 2, '0O7': 3 }])!;
  expect(parseConnector(draftConnector(shape, {}).source).problems).toEqual([]);
});

it('whatever the sample, the text is a connector whose paths find the values', () => {
  assert(
    property(jsonValue({ maxDepth: 5 }), (sample) => {
      const shape = shapeOfJson(sample as Json);
      if (shape === undefined || shape.fields.length === 0) return;
      for (const address of [undefined, { base_url: 'https://a.test', path: '/x', query: [] }]) {
        expect(parseConnector(draftConnector(shape, {}, address).source).problems).toEqual([]);
      }
      const found =
        shape.list === undefined ? (sample as Json) : readDotPath(sample as Json, parseDotPath(shape.list)!);
      const records = Array.isArray(found) ? found : [found ?? null];
      for (const { path } of shape.fields) {
        expect(records.some((record) => readDotPath(record, parseDotPath(path)!) !== undefined)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});
