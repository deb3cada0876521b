import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { compareValues, LooseSet, looselyEqual, valueKey } from '../../../core/transform/compare';
import { CompensatedSum } from '../../../core/transform/numbers';
import { pureActions } from '../../../core/transform/pure-actions';
import { toRows } from '../../../core/transform/rows';
import { transformData } from '../../../core/transform/transform';

function said(data: Json, operation: JsonObject, extra: JsonObject = {}): string {
  const result = transformData(data, [operation], extra);
  return result.ok ? JSON.stringify(result.data) : `${result.code}: ${result.message}`;
}

describe('equal values', () => {
  const values: Json[] = [
    null,
    true,
    false,
    0,
    1,
    -1,
    1.5,
    12,
    '',
    'true',
    'false',
    'null',
    '0',
    '1',
    '1.0',
    '01',
    '1.5',
    'a',
    '"a"',
    '[]',
    '{}',
    '{"a":1}',
    '12345678901234567.50',
    '12345678901234567.5',
    '12345678901234567',
    [],
    [1],
    ['1'],
    {},
    { a: 1 },
    { a: '1' },
  ];

  it('are those that a set of them has, whichever is asked', () => {
    for (const one of values) {
      const set = new LooseSet([one]);
      for (const other of values) expect([one, other, set.has(other)]).toEqual([one, other, looselyEqual(one, other)]);
    }
  });

  it('are the same both ways, and of two kinds only where a text stands for the other', () => {
    for (const one of values)
      for (const other of values) expect(looselyEqual(one, other)).toBe(looselyEqual(other, one));
    const pairs = values.flatMap((one) =>
      values.filter((other) => looselyEqual(one, other)).map((other) => [one, other]),
    );
    const mixed = pairs.filter(
      ([one, other]) => typeof one !== typeof other && (typeof one === 'number' || typeof one === 'boolean'),
    );
    expect(mixed).toEqual([
      [true, 'true'],
      [false, 'false'],
      [0, '0'],
      [1, '1'],
      [1, '1.0'],
      [1, '01'],
      [1.5, '1.5'],
    ]);
  });

  it('have one key however deep they are, and no other value has it', () => {
    const deep = (leaf: Json): Json => Array.from({ length: 80 }).reduce<Json>((inner) => [{ b: inner, a: 1 }], leaf);
    expect(valueKey(deep('x'))).toBe(valueKey(deep('x')));
    expect(valueKey(deep('x'))).not.toBe(valueKey(deep('y')));
    expect(valueKey({ b: [1, null], a: 'x' })).toBe('{"a":"x","b":[1,null]}');
  });
});

it('values of all kinds have one order: numbers, texts, false and true, lists and records by their text', () => {
  const ordered: Json[] = [-1, '0', 2, '10', 'a', 'b', false, true, [1], [], { a: 1 }, { b: 1 }];
  const turned = ordered.toReversed().sort((a, b) => compareValues(a, b));
  expect(turned).toEqual(ordered);
  for (const [at, one] of ordered.entries())
    for (const [place, other] of ordered.entries()) {
      expect([one, other, Math.sign(compareValues(one, other))]).toEqual([one, other, Math.sign(at - place)]);
    }
});

describe('an operation that cannot be done says what was expected', () => {
  const rows: Json = [{ id: 1 }];
  it.each<[JsonObject, string]>([
    [{ type: 'compute', fields: ['x'] }, '`fields` holds no record: expected [{as, expression}].'],
    [{ type: 'concat' }, '`with` is empty: expected the name of another input of the step.'],
    [{ type: 'concat', with: [] }, '`with` is empty: expected the name of another input of the step.'],
    [{ type: 'join', with: '', on: 'id' }, '`with` is'],
    [{ type: 'join', with: 7, on: 'id' }, '`with` is'],
    [{ type: 'join', with: 'other', on: null }, '`on` is empty: expected field names'],
    [{ type: 'join', with: 'other' }, '`on` is empty: expected field names'],
    [{ type: 'join', with: 'other', on: 'id', prefix: 5 }, '`prefix` is'],
    [{ type: 'join', with: 'other', on: 'id', how: 'outer' }, '`how` is "outer": expected one of'],
    [{ type: 'join', with: 'other', on: 'id', how: 7 }, '`how` is'],
  ])('%j', (operation, wanted) => expect(said(rows, operation, { other: [{ id: 1, x: 2 }] })).toContain(wanted));

  it('and takes null for a setting that is not there', () => {
    const operation = { type: 'join', with: 'other', on: 'id', prefix: null, how: null, case_insensitive: null };
    expect(said(rows, operation, { other: [{ id: 1, x: 2 }] })).toBe('[{"id":1,"x":2}]');
  });
});

describe('what is no list of records', () => {
  const limit: JsonObject = { type: 'limit', count: 1 };
  const nested = (depth: number): Json => Array.from({ length: depth }).reduce<Json>((inner) => [inner], { id: 1 });

  it('is refused, and the list in it is named', () => {
    expect(said({ status: 200, results: [{ id: 1 }] }, limit)).toContain(
      'Its field `results` is a list: pass that one.',
    );
    expect(said({ status: 200 }, limit)).toMatch(/^invalid_data: [^]*expected a list of records\.$/);
    expect(said('text', limit)).toMatch(/^invalid_data: [^]*expected a list of records\.$/);
    expect(said(null, limit)).toContain('missing_data: ');
    expect(() => toRows(undefined, 'data')).toThrow('`data` is empty: expected a list of records.');
    expect(said([1], limit)).toContain('invalid_data: element 1 of');
  });

  it('is joined from lists of lists, to some depth', () => {
    expect(said([[{ id: 1 }], [], [[{ id: 2 }]]], { type: 'limit', count: 5 })).toBe('[{"id":1},{"id":2}]');
    expect(said(nested(9), limit)).toBe('[{"id":1}]');
    expect(said(nested(10), limit)).toContain('is a list: expected a record with named fields.');
  });
});

it('a running sum loses nothing of a small term, whichever comes first', () => {
  for (const terms of [
    [1, 1e100, 1, -1e100],
    [1e100, 1, 1, -1e100],
    [-1e100, 1, 1e100, 1],
  ]) {
    const sum = new CompensatedSum();
    for (const term of terms) sum.add(term);
    expect([terms, sum.total]).toEqual([terms, 2]);
  }
});

it('a text contains no list, also where it is the word for nothing', () => {
  const filter = { type: 'filter', field: 'name', operator: 'contains', value: [1] };
  expect(said([{ name: 'undefined' }], filter)).toBe('[]');
});

describe('values, read as they are written', () => {
  it.each<[Json, Json, boolean]>([
    ['.5', 0.5, true],
    ['5.', 5, true],
    ['+5', 5, true],
    ['1e5', 100_000, false],
    ['1.000000000000000e2', 100, false],
    ['0.10000000000000000000', 0.1, true],
    ['0.1000000000000000x', 0.1, false],
    [null, 'null', false],
    [null, 0, false],
  ])('%j equals %j: %s', (one, other, equal) => {
    expect([looselyEqual(one, other), looselyEqual(other, one)]).toEqual([equal, equal]);
  });

  it('however deep', () => {
    const deep = (innermost: Json): Json => {
      let value = innermost;
      for (let depth = 0; depth < 20_000; depth += 1) value = { a: value };
      return value;
    };
    expect(valueKey(deep(1))).toBe(valueKey(deep(1)));
    expect(valueKey(deep(1))).not.toBe(valueKey(deep(2)));
  });

  it('by their own name before a path', () => {
    const rows: Json = [{ 'a.b': 1, a: { b: 2 } }, { a: { b: 4 } }];
    expect(said(rows, { type: 'aggregate', op: 'sum', field: 'a.b', as: 'x' })).toBe('[{"x":5}]');
  });

  it('the first of equal ones is the least and the greatest', () => {
    const rows = [{ n: '1.0' }, { n: 1 }];
    for (const op of ['min', 'max'])
      expect(said(rows, { type: 'aggregate', op, field: 'n', as: 'x' })).toBe('[{"x":"1.0"}]');
  });
});

it.each<[string, Json, JsonObject, string]>([
  [
    'data that are no list',
    'text',
    { type: 'limit', count: 1 },
    'invalid_data: `data` is text: expected a list of records.',
  ],
  [
    'a count that is not there',
    [],
    { type: 'limit' },
    'invalid_operation: operation 1 (limit): `count` is empty: expected the number of rows to keep.',
  ],
  [
    'a sum of thousands of digits',
    [{ n: '1e999999' }, { n: 1 }],
    { type: 'aggregate', op: 'sum', field: 'n', as: 'x' },
    'number_overflow: operation 1 (aggregate): the sum of `n` is too large for a number.',
  ],
])('%s: the message', (_what, data, operation, message) => {
  expect(said(data, operation)).toBe(message);
});

describe('an action of a step', () => {
  it('without operations gives the records as they are', () => {
    expect(pureActions['transform_data']?.({ data: [{ id: 1 }] }, {})).toEqual({
      ok: true,
      output: { data: [{ id: 1 }], count: 1 },
    });
    expect(pureActions['transform_data']?.({}, {})).toMatchObject({ ok: false, code: 'missing_data' });
  });

  it('gives what two lists say of each other', () => {
    const given = { dataset_a: [{ name: 'Ann' }], dataset_b: [{ name: 'Ann' }] };
    expect(pureActions['cross_reference']?.(given, { match_on: 'name' })).toMatchObject({
      ok: true,
      output: { matches: [expect.anything()], unmatched_a: [], unmatched_b: [] },
    });
  });
});
