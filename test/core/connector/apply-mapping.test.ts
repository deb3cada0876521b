import { describe, expect, it } from '@jest/globals';
import { array, assert, constantFrom, dictionary, jsonValue, property, string } from 'fast-check';
import type { Json } from '../../../core/base/json';
import { applyMapping } from '../../../core/connector/apply-mapping';
import type { FieldRule, ResponseMapping, Transform } from '../../../core/connector/types';

const mappingOf = (fields: ResponseMapping['fields'], resultsPath?: string): ResponseMapping => ({
  ...(resultsPath === undefined ? {} : { results_path: resultsPath }),
  fields,
  entity_extraction: [],
});
const one = (rule: string | FieldRule, record: Json): Json => {
  const [mapped] = applyMapping(mappingOf({ x: rule }), [record]).records;
  return (mapped as { x: Json }).x;
};
const through = (value: Json, ...transforms: Transform[]): Json => one({ path: 'v', transforms }, { v: value });

describe('where values come from', () => {
  it('without fields the records pass through', () => {
    expect(applyMapping(undefined, [1, { a: 2 }])).toMatchObject({
      records: [1, { a: 2 }],
      missing: {},
      mismatches: [],
    });
    expect(applyMapping(mappingOf({}), [[1]]).records).toEqual([[1]]);
  });
  it.each<[string, string | FieldRule, Json, Json]>([
    ['a path', 'a.b[0]', { a: { b: [7] } }, 7],
    ['a projection', 'a[*].n', { a: [{ n: 1 }, {}] }, [1, null]],
    ['a null that is there', 'a', { a: null }, null],
    ['a constant', { constant: { k: 1 }, transforms: [] }, {}, { k: 1 }],
    ['a default for nothing', { path: 'a', transforms: [], default: 0 }, {}, 0],
    ['a default for null', { path: 'a', transforms: [], default: 0 }, { a: null }, 0],
    ['a default is not changed', { path: 'a', transforms: [{ op: 'number', decimal: '.' }], default: '?' }, {}, '?'],
    ['no prototype', '__proto__.x', {}, null],
    ['no method', 'constructor', {}, null],
  ])('%s', (_name, rule, record, expected) => {
    expect(one(rule, record)).toEqual(expected);
  });
  it('names of columns are taken as they are, then as paths', () => {
    const mapping = mappingOf({ a: 'U.S. total', b: 'tags[0]', c: 'gone', d: 'empty' });
    const records: Json[] = [{ 'U.S. total': '5', tags: ['x'], empty: null }];
    expect(applyMapping(mapping, records, 'name')).toMatchObject({
      records: [{ a: '5', b: 'x', c: null, d: null }],
      missing: { c: 1, d: 1 },
    });
  });
  it('a reader of XML has put values under the output names', () => {
    const mapping = mappingOf({ n: { path: './/x[@y]', transforms: [{ op: 'number', decimal: '.' }] } });
    expect(applyMapping(mapping, [{ n: '12' }, { n: null }], 'field')).toMatchObject({
      records: [{ n: 12 }, { n: null }],
      missing: { n: 1 },
    });
  });
});

describe('what is missing or of another kind', () => {
  it('is null, counted for each field, and named with its path', () => {
    const mapping = mappingOf(
      { amount: { path: 'money.sum', transforms: [{ op: 'number', decimal: '.' }] }, ids: 'items[*].id', gone: 'nope' },
      'data.rows',
    );
    const result = applyMapping(mapping, [
      { money: { sum: 'a lot' }, items: [{ id: 1 }] },
      { money: 'none', items: { id: 2 } },
      {},
    ]);
    expect(result).toEqual({
      records: [
        { amount: null, ids: [1], gone: null },
        { amount: null, ids: null, gone: null },
        { amount: null, ids: null, gone: null },
      ],
      missing: { amount: 2, ids: 2, gone: 3 },
      mismatches: [
        { field: 'amount', path: 'data.rows[0].money.sum', expected: 'a number', found: 'a lot' },
        { field: 'amount', path: 'data.rows[1].money', expected: 'a record', found: 'none' },
        { field: 'ids', path: 'data.rows[1].items', expected: 'a list', found: 'a record' },
      ],
      mismatch_count: 3,
    });
  });
  it('only the first mismatches are kept, all are counted, and long values are cut', () => {
    const mapping = mappingOf({ n: { path: 'n', transforms: [{ op: 'number', decimal: '.' }] } });
    const records = Array.from({ length: 50 }, () => ({ n: 'x'.repeat(500) }));
    const { mismatches, mismatch_count: count } = applyMapping(mapping, records);
    expect([mismatches.length, count, mismatches[0]?.found]).toEqual([20, 50, `${'x'.repeat(60)}…`]);
  });
});

describe('transforms', () => {
  const number: Transform = { op: 'number', decimal: '.' };
  const comma: Transform = { op: 'number', decimal: ',' };
  const date = (format: string): Transform => ({ op: 'date', format });
  it.each<[Json, Transform[], Json]>([
    ['  a  ', [{ op: 'trim' }], 'a'],
    [5, [{ op: 'trim' }], null],
    ['1,234.50', [number], 1234.5],
    ['$1,234', [number], 1234],
    ['-$5.25', [number], -5.25],
    ['$-5.25', [number], -5.25],
    ['($1,000)', [number], -1000],
    ['(0)', [number], 0],
    ['12 %', [number], 12],
    ['.5', [number], 0.5],
    ['1e3', [number], 1000],
    ['1 234', [number], 1234],
    ["1'234'567", [number], 1_234_567],
    ['1.234,50 €', [comma], 1234.5],
    ['1,5', [comma], 1.5],
    ['1,2', [number], null],
    ['12,34', [number], null],
    ['1.2.3', [number], null],
    ['0x10', [number], null],
    ['Infinity', [number], null],
    ['1e999', [number], null],
    ['', [number], null],
    [7, [number], 7],
    [true, [number], null],
    [['1', '2'], [number], [1, 2]],
    [['1', 'x'], [number], null],
    ['03/07/2017', [date('MM/DD/YYYY')], '2017-03-07'],
    ['3/7/2017', [date('MM/DD/YYYY')], '2017-03-07'],
    ['20170307', [date('YYYYMMDD')], '2017-03-07'],
    ['2017-03-07T09:00:00+00:00', [date('YYYY-MM-DD')], '2017-03-07'],
    ['2017-03-07 09:05:01', [date('YYYY-MM-DD HH:mm:ss')], '2017-03-07T09:05:01Z'],
    ['7.3.2017 9:05', [date('DD.MM.YYYY HH:mm')], '2017-03-07T09:05:00Z'],
    ['02/30/2017', [date('MM/DD/YYYY')], null],
    ['2017-03-07 24:00', [date('YYYY-MM-DD HH:mm')], null],
    ['2017', [date('YYYY-MM-DD')], null],
    ['2017-03-07x', [date('YYYY-MM-DD')], null],
    ['', [date('YYYY-MM-DD')], null],
    [0, [date('unix')], '1970-01-01T00:00:00Z'],
    ['1488877501', [date('unix')], '2017-03-07T09:05:01Z'],
    [1_488_877_501_999, [date('unix_ms')], '2017-03-07T09:05:01Z'],
    [1e300, [date('unix')], null],
    ['soon', [date('unix')], null],
    ['a; b;c', [{ op: 'split', separator: ';' }, { op: 'trim' }], ['a', 'b', 'c']],
    ['', [{ op: 'split', separator: ';' }], []],
    [5, [{ op: 'split', separator: ';' }], null],
    ['(a+)+$ (a+)+$', [{ op: 'replace', find: '(a+)+$', with: '$&' }], '$& $&'],
    ['abc', [{ op: 'replace', find: 'b', with: '' }], 'ac'],
    ['G', [{ op: 'map', values: { G: 'grant' } }], 'grant'],
    ['Q', [{ op: 'map', values: { G: 'grant' } }], 'Q'],
    ['Q', [{ op: 'map', values: { G: 'grant' }, otherwise: null }], null],
    [1, [{ op: 'map', values: { 1: true } }], true],
    ['constructor', [{ op: 'map', values: {}, otherwise: 'no' }], 'no'],
    [{ a: 1 }, [{ op: 'map', values: {} }], null],
    [null, [number, date('unix'), { op: 'trim' }], null],
  ])('%j through %j', (value, transforms, expected) => {
    expect(through(value, ...transforms)).toEqual(expected);
  });

  it('P09: what a user writes is text and never a pattern; growth is bounded before it happens', () => {
    const evil = `${'a'.repeat(28)}!`;
    expect(through(evil, { op: 'replace', find: '^(a+)+$', with: '' })).toBe(evil);
    expect(through('a'.repeat(100_000), { op: 'replace', find: 'a', with: 'b'.repeat(200) })).toBeNull();
    expect(through(','.repeat(20_000), { op: 'split', separator: ',' })).toBeNull();
  });
});

it('never throws, and gives one record for each', () => {
  const transform = constantFrom<Transform>(
    { op: 'trim' },
    { op: 'number', decimal: ',' },
    { op: 'date', format: 'DD.MM.YYYY' },
    { op: 'date', format: 'unix_ms' },
    { op: 'split', separator: ' ' },
    { op: 'replace', find: ' ', with: '' },
    { op: 'map', values: { a: 1 } },
  );
  const look = constantFrom('dot' as const, 'name' as const, 'field' as const);
  assert(
    property(
      array(jsonValue()),
      dictionary(string(), string()),
      array(transform),
      look,
      (records, fields, transforms, how) => {
        const rules = Object.fromEntries(Object.entries(fields).map(([name, path]) => [name, { path, transforms }]));
        expect(applyMapping(mappingOf(rules), records as Json[], how).records).toHaveLength(records.length);
      },
    ),
    { numRuns: 300 },
  );
});
