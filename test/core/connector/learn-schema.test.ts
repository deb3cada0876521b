import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import type { FieldSpec } from '../../../core/actions/types';
import { learnSchema } from '../../../core/connector/learn-schema';
import { schemaDrift } from '../../../core/connector/schema-drift';

/** Types of the fields, `!` behind what every record has. */
const learned = (...records: Json[]): Record<string, string> =>
  Object.fromEntries(
    learnSchema(records).fields.map(({ name, type, required }) => [name, `${type}${required === true ? '!' : ''}`]),
  );

describe('what records teach about a field', () => {
  it.each<[string, Json[], string]>([
    ['whole numbers', [1, 2], 'integer!'],
    ['numbers', [1, 2.5], 'number!'],
    ['texts', ['a', 'b'], 'string!'],
    ['dates', ['2024-01-31', '2024-02-29'], 'date!'],
    ['what only looks like a date', ['2024-02-30', '2024-13-01'], 'string!'],
    ['instants', ['2024-01-31T10:00:00Z', '2024-01-31T10:00+02:00', '2024-01-31T10:00:00.123456789'], 'datetime!'],
    ['an instant on a day that is not', ['2024-02-30T10:00:00Z'], 'string!'],
    ['an instant on no clock', ['2024-01-31T25:00', '2024-01-31T10:61:00Z'], 'string!'],
    ['dates and instants', ['2024-01-31', '2024-01-31T10:00:00Z'], 'string!'],
    ['yes and no', [true, false], 'boolean!'],
    ['records', [{ a: 1 }, { b: 2 }], 'object!'],
    ['lists of texts', [['a'], ['b', 'c']], 'string[]!'],
    ['lists of nothing', [[], []], 'any[]!'],
    ['lists of lists', [[[1]], [[2]]], 'any[]!'],
    ['lists of numbers of both kinds', [[1], [2.5]], 'number[]!'],
    ['lists of texts and numbers', [['a', 1]], 'any[]!'],
    ['texts and numbers', ['a', 1], 'any!'],
    ['texts and lists', ['a', ['b']], 'any!'],
    ['nulls', [null, null], 'any'],
    ['texts and nulls', ['a', null], 'string'],
  ])('%s', (_what, values, type) => {
    expect(learned(...values.map((value): JsonObject => ({ x: value })))).toEqual({ x: type });
  });

  it('what one record lacks is not required, and a record of nothing but null takes no part', () => {
    expect(learned({ a: 1, b: 1 }, { a: 2 }, null)).toEqual({ a: 'integer!', b: 'integer' });
  });

  it('records inside records and lists of them have fields of their own', () => {
    const { fields } = learnSchema([
      { who: { name: 'A', age: 3 }, lines: [{ n: 1 }, { n: 2, note: null }] },
      { who: { name: 'B' }, lines: [] },
    ]);
    expect(fields).toEqual([
      {
        name: 'who',
        type: 'object',
        required: true,
        fields: [
          { name: 'name', type: 'string', required: true },
          { name: 'age', type: 'integer' },
        ],
      },
      {
        name: 'lines',
        type: 'object[]',
        required: true,
        fields: [
          { name: 'n', type: 'integer', required: true },
          { name: 'note', type: 'any' },
        ],
      },
    ]);
  });

  it('what is a record here and a text there has none', () => {
    expect(learnSchema([{ a: { b: 1 } }, { a: 'x' }]).fields).toEqual([{ name: 'a', type: 'any', required: true }]);
  });

  it('is a set of records, or one value where no record is among them', () => {
    expect(learnSchema([])).toEqual({ type: 'record_set', fields: [], metadata_fields: [] });
    expect(learnSchema([1, 2])).toMatchObject({ type: 'scalar', fields: [{ name: 'value', type: 'integer' }] });
    expect(learnSchema([1, { a: 1 }])).toMatchObject({ type: 'record_set', fields: [{ name: 'a' }] });
  });

  it('ends with the first 500 columns, and eight levels down', () => {
    const wide = Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`c${at}`, at]));
    expect(Object.keys(learned(wide))).toHaveLength(500);
    const deep = (levels: number): Json => (levels === 0 ? 1 : { in: deep(levels - 1) });
    const depth = (fields: readonly FieldSpec[] | undefined): number =>
      fields?.[0] === undefined ? 0 : 1 + depth(fields[0].fields);
    expect(depth(learnSchema([deep(20)]).fields)).toBe(8);
  });
});

describe('what records and a declaration differ in', () => {
  const drift = (declared: FieldSpec[], ...records: Json[]): string[] =>
    schemaDrift({ type: 'record_set', fields: declared, metadata_fields: [] }, records).map(({ kind, field }) =>
      [kind, field].join(' '),
    );
  const x = (type: string, more: Partial<FieldSpec> = {}): FieldSpec[] => [{ name: 'x', type, ...more }];

  it.each<[string, Json, boolean]>([
    ['string', 'a', true],
    ['string', '2024-01-31', true],
    ['string', '2024-01-31T10:00:00Z', true],
    ['string', 1, false],
    ['number', 1, true],
    ['number', 1.5, true],
    ['number', 'a', false],
    ['integer', 1, true],
    ['integer', 1.5, false],
    ['datetime', '2024-01-31T10:00:00Z', true],
    ['datetime', '2024-01-31', true],
    ['date', '2024-01-31', true],
    ['date', '2024-01-31T10:00:00Z', false],
    ['boolean', true, true],
    ['boolean', 1, false],
    ['object', { a: 1 }, true],
    ['record', { a: 1 }, true],
    ['object', [1], false],
    ['any', { a: 1 }, true],
    ['array', ['a'], true],
    ['array', 'a', false],
    ['any[]', [1], true],
    ['any[]', 1, false],
    ['string[]', ['a'], true],
    ['string[]', ['2024-01-31'], true],
    ['string[]', [1], false],
    ['string[]', 'a', false],
    ['number[]', [1], true],
    ['number', [1], false],
    ['record[]', [{ a: 1 }], true],
    ['record[]', ['a'], false],
    ['string[]', [], true],
    ['string', null, true],
  ])('a declared %s holds %j: %s', (type, value, good) => {
    expect(drift(x(type), { x: value })).toEqual(good ? [] : ['type x']);
  });

  it('a field that no record has is missing; one that some lack is absent only where it is required', () => {
    expect(drift(x('string'), { y: 1 })).toEqual(['missing x', 'new y']);
    expect(drift(x('string', { required: true }), { x: 'a' }, {})).toEqual(['absent x']);
    expect(drift(x('string', { required: true }), { x: 'a' }, { x: null })).toEqual(['absent x']);
    expect(drift(x('string'), { x: 'a' }, {})).toEqual([]);
  });

  it('inside a record and a list of them the field is named with its way', () => {
    const declared = x('object', { fields: [{ name: 'a', type: 'string', fields: [] }] });
    expect(drift(declared, { x: { a: 1, b: 2 } })).toEqual(['type x.a', 'new x.b']);
    expect(drift(x('record[]', { fields: [{ name: 'a', type: 'string' }] }), { x: [{ a: 1 }] })).toEqual(['type x.a']);
  });

  it('nothing declared or nothing seen is no difference', () => {
    expect(drift([], { x: 1 })).toEqual([]);
    expect(drift(x('string'))).toEqual([]);
  });

  it('the first hundred are told', () => {
    const many = Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`c${at}`, at]));
    expect(drift(x('integer'), { x: 1, ...many })).toHaveLength(100);
  });
});
