import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../core/base/json';
import { jsonText } from '../../../core/base/json-text';
import { transformData } from '../../../core/transform/transform';

function run(data: Json, operation: JsonObject, extra: JsonObject = {}): { rows: Json; told: string[] } {
  const result = transformData(data, [operation], extra);
  if (!result.ok) throw new Error(`${result.code}: ${result.message}`);
  return {
    rows: result.data,
    told: (result.warnings ?? []).map(({ code, count }) => `${jsonText(code)} ${jsonText(count)}`),
  };
}

function refused(data: Json, operation: JsonObject, extra: JsonObject = {}): string {
  const result = transformData(data, [operation], extra);
  return result.ok ? 'accepted' : `${result.code}: ${result.message}`;
}

describe('join, right and full', () => {
  const left = [
    { ein: '1', name: 'A' },
    { ein: '2', name: 'B' },
    { ein: null, name: 'C' },
  ];
  const other = [
    { ein: 2, name: 'b', pay: 20 },
    { ein: '3', name: 'd', pay: 30 },
    { ein: '', name: 'e', pay: 40 },
  ];

  it('keep rows of both sides without a partner', () => {
    expect(run(left, { type: 'join', with: 'other', on: 'ein', how: 'full' }, { other })).toEqual({
      rows: [
        { ein: '1', name: 'A', other_name: null, pay: null },
        { ein: '2', name: 'B', other_name: 'b', pay: 20 },
        { ein: null, name: 'C', other_name: null, pay: null },
        { ein: '3', name: null, other_name: 'd', pay: 30 },
        { ein: '', name: null, other_name: 'e', pay: 40 },
      ],
      told: ['key_missing 1', 'key_missing 1'],
    });
  });

  it('keep rows of the other side alone, and tell of own ones that are gone for want of a key', () => {
    expect(
      run(
        left,
        { type: 'join', with: 'other', on: [{ left: 'ein', right: 'ein' }], how: 'right', prefix: 'o_' },
        { other },
      ),
    ).toEqual({
      rows: [
        { ein: '2', name: 'B', o_ein: 2, o_name: 'b', o_pay: 20 },
        { ein: null, name: null, o_ein: '3', o_name: 'd', o_pay: 30 },
        { ein: null, name: null, o_ein: '', o_name: 'e', o_pay: 40 },
      ],
      told: ['no_key 1', 'key_missing 1'],
    });
  });

  it('have the key where the own side is empty', () => {
    expect(run([], { type: 'join', with: 'other', on: 'ein', how: 'full' }, { other }).rows).toEqual(other);
  });

  it('partition the rows of both sides', () => {
    const rows = fc.array(fc.record({ k: fc.constantFrom('a', 'b', 'c', null), n: fc.nat() }), { maxLength: 12 });
    fc.assert(
      fc.property(rows, rows, (own, others) => {
        const count = (how: string): number =>
          (run(own, { type: 'join', with: 'others', on: 'k', how }, { others }).rows as Json[]).length;
        expect(count('full') - count('inner')).toBe(count('left') - count('inner') + (count('right') - count('inner')));
      }),
    );
  });
});

describe('zip', () => {
  it('puts rows side by side, and tells of those without a partner', () => {
    const b = [{ x: 1 }, { x: 2 }, { x: 3 }];
    expect(run([{ x: 'a', y: 1 }], { type: 'zip', with: 'b' }, { b })).toEqual({
      rows: [
        { x: 'a', y: 1, b_x: 1 },
        { x: null, y: null, b_x: 2 },
        { x: null, y: null, b_x: 3 },
      ],
      told: ['uneven 2'],
    });
    expect(run([{ x: 'a' }], { type: 'zip', with: 'b', prefix: 'p_' }, { b: [{ x: 1 }] })).toEqual({
      rows: [{ x: 'a', p_x: 1 }],
      told: [],
    });
  });
});

describe('pivot', () => {
  const rows = [
    { org: 'A', year: 2022, pay: 10 },
    { org: 'A', year: 2023, pay: 11.5 },
    { org: 'B', year: '2023', pay: 7 },
    { org: 'B', year: 2023, pay: 1 },
    { org: 'B', year: null, pay: 99 },
  ];

  it('makes a column for each value', () => {
    expect(run(rows, { type: 'pivot', group_by: 'org', column: 'year', value: 'pay', op: 'sum' })).toEqual({
      rows: [
        { org: 'A', 2022: 10, 2023: 11.5 },
        { org: 'B', 2022: null, 2023: 8 },
      ],
      told: ['no_key 1'],
    });
  });

  it('tells of values that no cell has', () => {
    expect(
      run(rows, { type: 'pivot', group_by: 'org', column: 'year', value: 'pay', columns: [2023, '2024'], prefix: 'y' }),
    ).toEqual({
      rows: [
        { org: 'A', y2023: 11.5, y2024: null },
        { org: 'B', y2023: 7, y2024: null },
      ],
      told: ['no_key 2', 'several_values 1'],
    });
  });

  it('counts', () => {
    expect(run(rows, { type: 'pivot', column: 'org', op: 'count' }).rows).toEqual([{ A: 2, B: 3 }]);
  });

  it.each<[JsonObject, string]>([
    [{ type: 'pivot', value: 'pay' }, 'invalid_operation: operation 1 (pivot): `column` is empty'],
    [{ type: 'pivot', column: 'year' }, 'invalid_operation: operation 1 (pivot): `value` is empty'],
    [
      { type: 'pivot', column: 'year', value: 'pay', op: 'median' },
      'invalid_operation: operation 1 (pivot): the metric\'s `op` is "median"',
    ],
    [
      { type: 'pivot', column: 'year', value: 'pay', columns: 'x' },
      'invalid_operation: operation 1 (pivot): `columns` is text',
    ],
    [
      { type: 'pivot', group_by: { field: 'org', as: '2022' }, column: 'year', value: 'pay', op: 'sum' },
      'field_exists: operation 1 (pivot): a group field and a column',
    ],
  ])('refuses %j', (operation, message) => {
    expect(refused(rows, operation)).toContain(message);
  });

  it('refuses a table of too many columns', () => {
    const many = Array.from({ length: 501 }, (_, n) => ({ n, v: n }));
    expect(refused(many, { type: 'pivot', column: 'n', value: 'v' })).toContain('too_many_columns');
  });
});

describe('unpivot', () => {
  const rows: Json = [
    { org: 'A', y2022: 10, y2023: null },
    { org: 'B', y2023: 8 },
  ];

  it('makes a row for each column, empty values too', () => {
    expect(
      run(rows, {
        type: 'unpivot',
        fields: ['y2022', { field: 'y2023', as: '2023' }],
        name_as: 'year',
        value_as: 'pay',
      }).rows,
    ).toEqual([
      { org: 'A', year: 'y2022', pay: 10 },
      { org: 'A', year: '2023', pay: null },
      { org: 'B', year: 'y2022', pay: null },
      { org: 'B', year: '2023', pay: 8 },
    ]);
  });

  it('keeps what is named', () => {
    expect(
      run([{ a: 1, b: 2, name: 'n' }], { type: 'unpivot', fields: ['a'], keep: [{ field: 'name', as: 'who' }] }).rows,
    ).toEqual([{ who: 'n', name: 'a', value: 1 }]);
  });

  it('hides no column', () => {
    expect(refused([{ a: 1, name: 'n' }], { type: 'unpivot', fields: ['a'] })).toContain('field_exists');
    expect(refused([{ a: 1 }], { type: 'unpivot', fields: ['a'], name_as: 'value' })).toContain('field_exists');
  });

  it('is undone by pivot', () => {
    const table = fc.array(fc.record({ a: fc.integer(), b: fc.integer(), c: fc.integer() }), { maxLength: 8 });
    fc.assert(
      fc.property(table, (data) => {
        const keyed = data.map((row, id) => ({ id, ...row }));
        const result = transformData(
          keyed,
          [
            { type: 'unpivot', fields: ['a', 'b', 'c'] },
            { type: 'pivot', group_by: 'id', column: 'name', value: 'value' },
          ],
          {},
        );
        expect(result.ok && result.data).toEqual(keyed);
      }),
    );
  });
});

describe('window', () => {
  const rows = [
    { org: 'A', day: '2024-01-02', pay: 5 },
    { org: 'B', day: '2024-01-01', pay: '1.10' },
    { org: 'A', day: '2024-01-01', pay: 0.1 },
    { org: 'A', day: '2024-01-02', pay: 0.2 },
  ];

  it('counts on from row to row in its group, by its order', () => {
    const fields: Json = [
      { op: 'sum', field: 'pay' },
      { op: 'row_number', as: 'no' },
      { op: 'rank' },
      { op: 'dense_rank', as: 'dense' },
      { op: 'count' },
      { op: 'first', field: 'day', as: 'since' },
    ];
    expect(run(rows, { type: 'window', group_by: 'org', order_by: ['day'], fields }).rows).toEqual([
      { ...rows[0], running_sum_pay: 5.1, no: 2, rank: 2, dense: 2, running_count: 2, since: '2024-01-01' },
      { ...rows[1], running_sum_pay: 1.1, no: 1, rank: 1, dense: 1, running_count: 1, since: '2024-01-01' },
      { ...rows[2], running_sum_pay: 0.1, no: 1, rank: 1, dense: 1, running_count: 1, since: '2024-01-01' },
      { ...rows[3], running_sum_pay: 5.3, no: 3, rank: 2, dense: 2, running_count: 3, since: '2024-01-01' },
    ]);
  });

  it('takes one function beside its own fields', () => {
    expect(
      run([{ a: 3 }, { a: 1 }, { a: 3 }], {
        type: 'window',
        op: 'rank',
        order_by: { field: 'a', direction: 'desc' },
        as: 'r',
      }).rows,
    ).toEqual([
      { a: 3, r: 1 },
      { a: 1, r: 3 },
      { a: 3, r: 1 },
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ op: 'rank' }, '`rank` needs `order_by`'],
    [{ op: 'list', field: 'pay' }, '`op` is "list": expected one of row_number'],
    [{ op: 'sum' }, '`field` is empty'],
    [{ fields: [] }, '`fields` is no list'],
    [{ fields: [{ op: 'count' }, { op: 'count' }] }, 'field_exists'],
  ])('refuses %j', (params, message) => {
    expect(refused(rows, { type: 'window', ...params })).toContain(message);
  });
});

describe('chunk and sample', () => {
  const rows = Array.from({ length: 10 }, (_, n) => ({ n }));
  const numbers = (list: Json): Json => (list as JsonObject[]).map(({ n }) => n ?? null);

  it('chunks partition the rows', () => {
    expect(run(rows, { type: 'chunk', size: 4, as: 'batch' }).rows).toEqual([
      { number: 1, count: 4, batch: rows.slice(0, 4) },
      { number: 2, count: 4, batch: rows.slice(4, 8) },
      { number: 3, count: 2, batch: rows.slice(8) },
    ]);
    expect(run([], { type: 'chunk', size: 4 }).rows).toEqual([]);
    expect(refused(rows, { type: 'chunk', size: 0 })).toContain('invalid_operation');
  });

  it('a sample is some rows in their order, the same ones for the same seed', () => {
    const taken = (seed: number): Json => numbers(run(rows, { type: 'sample', count: 4, seed }).rows);
    expect(taken(1)).toEqual(taken(1));
    expect(new Set(Array.from({ length: 20 }, (_, seed) => JSON.stringify(taken(seed)))).size).toBeGreaterThan(10);
    expect(run(rows, { type: 'sample', count: 4 }).told).toEqual(['limited 6']);
    expect(run(rows, { type: 'sample', count: 99 })).toEqual({ rows, told: [] });
  });

  it('has the size that is asked for, and takes each row as often as any other', () => {
    const often = rows.map(() => 0);
    for (let seed = 0; seed < 2_000; seed++) {
      const { rows: taken } = run(rows, { type: 'sample', count: 3, seed });
      expect(numbers(taken)).toHaveLength(3);
      for (const n of numbers(taken) as number[]) often[n] = (often[n] ?? 0) + 1;
    }
    // 600 each, with a deviation of 20: seeds are fixed, so this does not change from run to run.
    for (const count of often) expect(Math.abs(count - 600)).toBeLessThan(100);
  });
});
