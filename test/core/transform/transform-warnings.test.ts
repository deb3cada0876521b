import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { transformData } from '../../../core/transform/transform';

/** The rows, or the code of the refusal. */
function rows(data: Json, operation: JsonObject, extra: JsonObject = {}): unknown {
  const result = transformData(data, [operation], extra);
  return result.ok ? result.data : result.code;
}
const warnings = (data: Json, operation: JsonObject, extra: JsonObject = {}): unknown => {
  const result = transformData(data, [operation], extra);
  const told = (result as { warnings?: { code: string; message: string }[] }).warnings ?? [];
  return told.map(({ code, message }) => `${code}: ${message}`);
};

describe('metrics', () => {
  const data: Json = [{ n: 3, t: 'b' }, { n: 1, t: 'a' }, { n: null, t: '' }, { n: 2 }];
  it.each<[string, Json]>([
    ['count', 3],
    ['sum', 6],
    ['avg', 2],
    ['min', 1],
    ['max', 3],
    ['first', 3],
    ['last', 2],
    ['list', [3, 1, 2]],
  ])('%s of what is there', (op, value) => {
    expect(rows(data, { type: 'aggregate', op, field: 'n', as: 'x' })).toEqual([{ x: value }]);
  });
  it.each<[string, Json]>([
    ['count', 0],
    ['sum', 0],
    ['avg', null],
    ['min', null],
    ['max', null],
    ['first', null],
    ['last', null],
    ['list', []],
  ])('%s of nothing', (op, value) => {
    expect(rows([{ n: null }], { type: 'aggregate', op, field: 'n', as: 'x' })).toEqual([{ x: value }]);
  });
  it('averages exactly, and of amounts that no double holds to twenty digits', () => {
    const avg = (...values: Json[]): unknown =>
      rows(
        values.map((n) => ({ n })),
        { type: 'aggregate', op: 'avg', field: 'n', as: 'x' },
      );
    expect(avg(0.1, 0.2)).toEqual([{ x: 0.15 }]);
    expect(avg(1, 2)).toEqual([{ x: 1.5 }]);
    expect(avg('9007199254740993', '9007199254740995')).toEqual([{ x: 9_007_199_254_740_994 }]);
    expect(avg(1, 1, 0)).toEqual([{ x: 2 / 3 }]);
  });
});

describe('a join', () => {
  const left: Json = [
    { id: 1, a: 'x' },
    { id: null, a: 'y' },
    { id: 9, a: 'z' },
  ];
  const other = {
    more: [
      { id: '1', b: 2 },
      { id: '', b: 3 },
    ],
  };
  it.each<[JsonObject, unknown]>([
    [{ on: 'id' }, [{ id: 1, a: 'x', b: 2 }]],
    [
      { on: ['id'], how: 'left' },
      [
        { id: 1, a: 'x', b: 2 },
        { id: null, a: 'y', b: null },
        { id: 9, a: 'z', b: null },
      ],
    ],
    [{ on: { left: 'id', right: 'id' }, prefix: 'm_' }, [{ id: 1, a: 'x', m_id: '1', m_b: 2 }]],
    [{ on: { left: 'a', right: 'id' } }, []],
    [{ on: 'id', prefix: 'a', how: 'inner' }, [{ id: 1, a: 'x', aid: '1', ab: 2 }]],
    [{ on: [] }, 'invalid_operation'],
    [{ on: '' }, 'invalid_operation'],
    [{ on: 5 }, 'invalid_operation'],
    [{ on: { left: 'id' } }, 'invalid_operation'],
    [{ on: 'id', how: 'outer' }, 'invalid_operation'],
  ])('%j', (more, result) => {
    const said = rows(left, { type: 'join', with: 'more', ...more }, other);
    if (typeof result === 'string') expect(typeof said).toBe('string');
    else expect(said).toEqual(result);
  });
  it('refuses two columns of one name', () => {
    expect(rows([{ id: 1, m_b: 0 }], { type: 'join', with: 'more', on: 'id', prefix: 'm_' }, other)).toBe(
      'field_exists',
    );
    expect(rows([{ id: 1, b: 0, more_b: 0 }], { type: 'join', with: 'more', on: 'id' }, other)).toBe('field_exists');
  });
  it('says what its records without a key become', () => {
    expect(warnings(left, { type: 'join', with: 'more', on: 'id' }, other)).toEqual([
      expect.stringMatching(/^no_key: .*are left out/),
      expect.stringMatching(/^no_key: .*`more`.*are left out/),
    ]);
    expect(warnings(left, { type: 'join', with: 'more', on: 'id', how: 'left' }, other)).toEqual([
      expect.stringMatching(/^key_missing: .*meet nothing/),
      expect.stringMatching(/^key_missing: .*meet nothing/),
    ]);
  });
  it('folds the case of keys only where it is asked to', () => {
    const names = { more: [{ k: 'ACME', b: 1 }] };
    const on = { left: 'n', right: 'k' };
    expect(rows([{ n: 'acme' }], { type: 'join', with: 'more', on }, names)).toEqual([]);
    expect(rows([{ n: 'acme' }], { type: 'join', with: 'more', on, case_insensitive: true }, names)).toEqual([
      { n: 'acme', k: 'ACME', b: 1 },
    ]);
  });
});

describe('a rename', () => {
  it.each<[JsonObject, unknown]>([
    [{ fields: { a: 'b', b: 'a' } }, [{ b: 1, a: 2 }]],
    [{ mapping: { a: 'c' } }, [{ c: 1, b: 2 }]],
    [{ fields: { a: 'b' } }, 'field_exists'],
    [{ fields: {} }, 'invalid_operation'],
    [{}, 'invalid_operation'],
    [{ fields: ['a'] }, 'invalid_operation'],
    [{ fields: { a: '' } }, 'invalid_operation'],
    [{ fields: { a: 5 } }, 'invalid_operation'],
    [{ fields: { nope: 'x' } }, [{ a: 1, b: 2 }]],
  ])('%j', (params, result) => {
    expect(rows([{ a: 1, b: 2 }], { type: 'rename', ...params })).toEqual(result);
  });
});

describe('the row before', () => {
  const data: Json = [
    { g: 'A', y: 2, v: 20 },
    { g: 'a', y: 1, v: 10 },
    { g: 'A', y: 1, v: 15 },
  ];
  it('is that of its own group, to the letter, in the order that is asked for', () => {
    expect(rows(data, { type: 'previous', group_by: 'g', order_by: 'y', field: 'v' })).toEqual([
      { g: 'A', y: 2, v: 20, previous_v: 15 },
      { g: 'a', y: 1, v: 10, previous_v: null },
      { g: 'A', y: 1, v: 15, previous_v: null },
    ]);
    expect(rows(data, { type: 'previous', field: 'v', prefix: 'last_' })).toEqual([
      { g: 'A', y: 2, v: 20, last_v: null },
      { g: 'a', y: 1, v: 10, last_v: 20 },
      { g: 'A', y: 1, v: 15, last_v: 10 },
    ]);
  });
});

describe('a filter', () => {
  const data: Json = [{ v: 'Acme Corp' }, { v: 12 }, { v: true }, { v: null }, { v: ['Acme'] }, {}];
  const kept = (operator: string, value: Json, more: JsonObject = {}): unknown =>
    (rows(data, { type: 'filter', field: 'v', operator, value, ...more }) as { v?: Json }[]).map(
      (row) => row.v ?? null,
    );
  it.each<[string, Json, JsonObject, Json[]]>([
    ['contains', 'corp', { case_insensitive: true }, ['Acme Corp']],
    ['contains', 'corp', {}, []],
    ['contains', 'Acme', {}, ['Acme Corp', ['Acme']]],
    ['contains', '2', {}, [12]],
    ['starts_with', 'Acme', {}, ['Acme Corp']],
    ['ends_with', 'Corp', {}, ['Acme Corp']],
    ['eq', '12', {}, [12]],
    ['eq', 'acme corp', { case_insensitive: true }, ['Acme Corp']],
    ['in', ['12', 'x'], {}, [12]],
    ['gt', 11, {}, [12]],
    ['gte', 12, {}, [12]],
    ['lt', 12, {}, []],
    ['lte', 12, {}, [12]],
    ['is_null', null, {}, [null, null]],
    ['not_null', null, {}, ['Acme Corp', 12, true, ['Acme']]],
  ])('%s %j %j', (operator, value, more, values) => {
    expect(kept(operator, value, more)).toEqual(values);
  });
});
