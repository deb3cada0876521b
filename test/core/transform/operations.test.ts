import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { transformData } from '../../../core/transform/transform';

function run(data: Json, operations: Json, extra: JsonObject = {}): Json {
  const result = transformData(data, operations, extra);
  if (!result.ok) {
    throw new Error(`${result.code}: ${result.message}`);
  }
  expect(result.count).toBe(result.data.length);
  return result.data;
}

function failure(data: Json, operations: Json, extra: JsonObject = {}): string {
  const result = transformData(data, operations, extra);
  return result.ok ? 'no failure' : `${result.code}: ${result.message}`;
}

const people: Json = [
  { name: 'Ann', pay: 300, org: { city: 'Pasadena' }, tags: ['board', 'paid'] },
  { name: 'bob', pay: '1200.50', org: { city: 'Altadena' }, tags: [] },
  { name: 'Cleo', pay: null, org: { city: 'Pasadena' } },
  { name: null, pay: 20 },
];
const names = (rows: Json): Json => (rows as JsonObject[]).map((row) => row.name ?? null);

describe('filter', () => {
  it.each<[string, JsonObject, Json]>([
    ['eq', { field: 'pay', operator: 'eq', value: 1200.5 }, ['bob']],
    ['eq by default', { field: 'name', value: 'Ann' }, ['Ann']],
    ['eq null', { field: 'pay', operator: 'eq', value: null }, ['Cleo']],
    ['ne keeps empty values', { field: 'name', operator: 'ne', value: 'Ann' }, ['bob', 'Cleo', null]],
    ['gt compares text that is a number', { field: 'pay', operator: 'gt', value: 250 }, ['Ann', 'bob']],
    ['gte', { field: 'pay', operator: 'gte', value: '300' }, ['Ann', 'bob']],
    ['lt leaves empty values out', { field: 'pay', operator: 'lt', value: 301 }, ['Ann', null]],
    ['lte on text', { field: 'name', operator: 'lte', value: 'B' }, ['Ann']],
    ['dotted path', { field: 'org.city', operator: 'eq', value: 'Pasadena' }, ['Ann', 'Cleo']],
    ['list index', { field: 'tags.0', operator: 'eq', value: 'board' }, ['Ann']],
    ['contains on a list', { field: 'tags', operator: 'contains', value: 'paid' }, ['Ann']],
    ['contains on text, folded', { field: 'name', operator: 'contains', value: 'B', case_insensitive: true }, ['bob']],
    ['not_contains', { field: 'name', operator: 'not_contains', value: 'n' }, ['bob', 'Cleo', null]],
    ['in', { field: 'pay', operator: 'in', value: ['20', 1200.5] }, ['bob', null]],
    ['not_in', { field: 'name', operator: 'not_in', value: ['ANN', 'BOB'], case_insensitive: true }, ['Cleo', null]],
    ['in with null', { field: 'pay', operator: 'in', value: [null] }, ['Cleo']],
    ['starts_with', { field: 'org.city', operator: 'starts_with', value: 'Alta' }, ['bob']],
    ['ends_with', { field: 'name', operator: 'ends_with', value: 'o' }, ['Cleo']],
    ['is_null', { field: 'org', operator: 'is_null' }, [null]],
    ['not_null', { field: 'name', operator: 'not_null' }, ['Ann', 'bob', 'Cleo']],
    ['expression', { expression: '{org.city} == "Pasadena" and {pay} is defined' }, ['Ann']],
  ])('%s', (_name, params, expected) => {
    expect(names(run(people, [{ type: 'filter', ...params }]))).toEqual(expected);
  });

  it('P09: what a filter looks for is text and never a pattern', () => {
    const evil = '^(a+)+$';
    const rows = [{ text: `${'a'.repeat(28)}!` }, { text: `x${evil}x` }, { text: evil }];
    const found = (operator: string): Json => run(rows, [{ type: 'filter', field: 'text', operator, value: evil }]);
    expect(found('contains')).toEqual(rows.slice(1));
    expect(found('not_contains')).toEqual(rows.slice(0, 1));
    for (const operator of ['eq', 'starts_with', 'ends_with']) expect(found(operator)).toEqual(rows.slice(2));
  });

  it('takes values of other inputs in an expression', () => {
    expect(names(run(people, [{ type: 'filter', expression: 'number({pay}) >= {floor}' }], { floor: 300 }))).toEqual([
      'Ann',
      'bob',
    ]);
  });

  it('takes texts to the letter among texts', () => {
    const rows: Json = [{ zip: '01234' }, { zip: '1234' }, { zip: 1234 }, { zip: 'true' }, { zip: true }];
    const of = (operator: string, value: Json): number =>
      (run(rows, [{ type: 'filter', field: 'zip', operator, value }]) as Json[]).length;
    expect([of('eq', '1234'), of('in', ['1234']), of('eq', 1234), of('in', [1234])]).toEqual([2, 2, 3, 3]);
    expect([of('eq', true), of('in', [true]), of('eq', 'true'), of('in', ['true'])]).toEqual([2, 2, 2, 2]);
  });

  it('says what is wrong', () => {
    expect(failure(people, [{ type: 'filter', field: 'pay', operator: 'above', value: 1 }])).toMatch(
      /^invalid_operation: operation 1 \(filter\): `operator` is "above": expected one of eq, ne/,
    );
    expect(failure(people, [{ type: 'filter', field: 'pay', operator: 'gt' }])).toContain('`value` is missing');
    expect(failure(people, [{ type: 'filter', field: 'pay', operator: 'in', value: 'x' }])).toContain(
      'a list of values',
    );
    expect(failure(people, [{ type: 'filter', expression: '{pay} >' }])).toMatch(/cannot be read at character \d+/);
  });
});

describe('sort', () => {
  it('is stable, puts numbers before text and empty values last in both directions', () => {
    const rows: Json = [
      { v: 'b', n: 1 },
      { v: 2, n: 2 },
      { v: null, n: 3 },
      { v: '10', n: 4 },
      { v: 'a', n: 5 },
      { n: 6 },
      { v: 2, n: 7 },
    ];
    const order = (direction: string): Json =>
      (run(rows, [{ type: 'sort', field: 'v', direction }]) as JsonObject[]).map((row) => row.n ?? null);
    expect(order('asc')).toEqual([2, 7, 4, 5, 1, 3, 6]);
    expect(order('desc')).toEqual([1, 5, 4, 2, 7, 3, 6]);
  });

  it('sorts by several fields', () => {
    const rows: Json = [
      { a: 1, b: 1 },
      { a: 2, b: 1 },
      { a: 1, b: 2 },
    ];
    expect(run(rows, [{ type: 'sort', by: ['a', { field: 'b', direction: 'desc' }] }])).toEqual([
      { a: 1, b: 2 },
      { a: 1, b: 1 },
      { a: 2, b: 1 },
    ]);
  });
});

describe('aggregate', () => {
  const grants: Json = [
    { org: 'x', sum: 10, to: 'p' },
    { org: 'y', sum: '2.5', to: 'q' },
    { org: 'x', sum: null, to: 'r' },
    { org: 'x', sum: 30, to: null },
  ];

  it('gives one row a group with all metrics', () => {
    const metrics = ['sum', 'avg', 'min', 'max', 'count', 'first', 'last', 'list'].map((op) => ({
      op,
      field: op === 'list' ? 'to' : 'sum',
      as: op,
    }));
    expect(run(grants, [{ type: 'aggregate', group_by: 'org', metrics }])).toEqual([
      { org: 'x', sum: 40, avg: 20, min: 10, max: 30, count: 2, first: 10, last: 30, list: ['p', 'r'] },
      { org: 'y', sum: 2.5, avg: 2.5, min: '2.5', max: '2.5', count: 1, first: '2.5', last: '2.5', list: ['q'] },
    ]);
  });

  it('has a short form', () => {
    expect(run(grants, [{ type: 'aggregate', field: 'sum', operator: 'sum' }])).toEqual([{ sum_sum: 42.5 }]);
    expect(run(grants, [{ type: 'aggregate', function: 'count', group_by: ['org'] }])).toEqual([
      { org: 'x', count: 3 },
      { org: 'y', count: 1 },
    ]);
  });

  it('gives one row for no data without groups, none with groups', () => {
    const metrics: Json = [
      { op: 'count' },
      { op: 'sum', field: 'v' },
      { op: 'avg', field: 'v' },
      { op: 'max', field: 'v' },
    ];
    expect(run([], [{ type: 'aggregate', metrics }])).toEqual([{ count: 0, sum_v: 0, avg_v: null, max_v: null }]);
    expect(run([], [{ type: 'aggregate', metrics, group_by: ['org'] }])).toEqual([]);
  });

  it('refuses to sum what is no number', () => {
    expect(failure([{ v: 1 }, { v: 'n/a' }], [{ type: 'aggregate', field: 'v', operator: 'sum' }])).toBe(
      'not_a_number: operation 1 (aggregate): `v` of row 2 is "n/a": expected a number. Filter such rows out first.',
    );
  });

  it('keeps cents that plain addition loses', () => {
    const rows: Json = [{ v: 1e16 }, ...Array.from({ length: 100 }, () => ({ v: 1 })), { v: -1e16 }];
    expect(run(rows, [{ type: 'aggregate', field: 'v', operator: 'sum', as: 'total' }])).toEqual([{ total: 100 }]);
  });
});

describe('deduplicate', () => {
  const rows: Json = [
    { n: 'Ann  Lee', v: 1 },
    { n: 'ANN LEE', v: 2 },
    { n: 'Ann  Lee', v: 3 },
  ];
  it('keeps the first or the last of equal rows, in input order', () => {
    expect(run(rows, [{ type: 'deduplicate', fields: ['n'] }])).toEqual([
      { n: 'Ann  Lee', v: 1 },
      { n: 'ANN LEE', v: 2 },
    ]);
    expect(run(rows, [{ type: 'deduplicate', field: 'n', keep: 'last' }])).toEqual([
      { n: 'ANN LEE', v: 2 },
      { n: 'Ann  Lee', v: 3 },
    ]);
    expect(run(rows, [{ type: 'deduplicate', fields: ['n'], case_insensitive: true }])).toEqual([
      { n: 'Ann  Lee', v: 1 },
    ]);
  });
  it('compares whole rows without fields', () => {
    expect(
      run(
        [
          { a: 1, b: [2] },
          { b: [2], a: 1 },
          { a: '1', b: [2] },
        ],
        [{ type: 'deduplicate' }],
      ),
    ).toHaveLength(2);
  });
});

describe('limit, select, rename, compute', () => {
  const rows: Json = [
    { a: 1, b: { c: 2 } },
    { a: 5, b: null },
  ];
  it('limits', () => {
    expect(run(rows, [{ type: 'limit', value: 1 }])).toEqual([rows[0]]);
    expect(run(rows, [{ type: 'limit', count: 5, offset: 1 }])).toEqual([rows[1]]);
    expect(failure(rows, [{ type: 'limit', count: -1 }])).toContain('whole number');
  });
  it('selects', () => {
    expect(run(rows, [{ type: 'select', fields: ['b.c', { field: 'a', as: 'x' }] }])).toEqual([
      { 'b.c': 2, x: 1 },
      { 'b.c': null, x: 5 },
    ]);
  });
  it('renames in place and swaps', () => {
    const renamed = run(rows, [{ type: 'rename', fields: { a: 'b', b: 'a' } }]) as JsonObject[];
    expect(Object.keys(renamed[0] ?? {})).toEqual(['b', 'a']);
    expect(failure(rows, [{ type: 'rename', fields: { a: 'b' } }])).toContain('field_exists');
  });
  it('computes from own fields, earlier results and other inputs', () => {
    const fields: Json = [
      { as: 'double', expression: '{a} * 2' },
      { as: 'more', expression: '{double} + {bonus}' },
      { as: 'inside', expression: '{b.c}' },
    ];
    expect(run(rows, [{ type: 'compute', fields }], { bonus: 10 })).toEqual([
      { a: 1, b: { c: 2 }, double: 2, more: 12, inside: 2 },
      { a: 5, b: null, double: 10, more: 20, inside: null },
    ]);
    expect(run(rows, [{ type: 'compute', as: 'z', expression: '{a} / 0' }])).toMatchObject([{ z: null }, { z: null }]);
  });
});

describe('flatten', () => {
  const filings: Json = [
    { ein: '1', year: 2014, officers: [{ name: 'Ann' }, { name: 'Bob' }] },
    { ein: '2', year: 2015, officers: { name: 'Cleo' } },
    { ein: '3', year: 2016, officers: [] },
  ];
  it('gives a row for each element, also where one element came without a list', () => {
    expect(run(filings, [{ type: 'flatten', field: 'officers', keep: ['ein'] }])).toEqual([
      { ein: '1', name: 'Ann' },
      { ein: '1', name: 'Bob' },
      { ein: '2', name: 'Cleo' },
    ]);
  });
  it('puts the element under a name and keeps empty parents on demand', () => {
    expect(run(filings, [{ type: 'flatten', field: 'officers', as: 'officer', keep_empty: true }])).toEqual([
      { ein: '1', year: 2014, officer: { name: 'Ann' } },
      { ein: '1', year: 2014, officer: { name: 'Bob' } },
      { ein: '2', year: 2015, officer: { name: 'Cleo' } },
      { ein: '3', year: 2016 },
    ]);
  });
  it('handles plain elements and refuses to hide a parent field', () => {
    expect(run([{ id: 1, tags: ['a', 'b'] }], [{ type: 'flatten', field: 'tags' }])).toEqual([
      { id: 1, tags: 'a' },
      { id: 1, tags: 'b' },
    ]);
    expect(failure([{ name: 'x', of: [{ name: 'y' }] }], [{ type: 'flatten', field: 'of' }])).toContain('field_exists');
  });
});

describe('join', () => {
  const left: Json = [
    { ein: 1, name: 'A' },
    { ein: '2', name: 'B' },
    { ein: null, name: 'C' },
  ];
  const right: Json = [
    { ein: '1', city: 'x' },
    { ein: 1, city: 'y' },
    { ein: null, city: 'z' },
  ];
  it('meets keys as text and multiplies partners', () => {
    expect(run(left, [{ type: 'join', with: 'other', on: 'ein' }], { other: right })).toEqual([
      { ein: 1, name: 'A', city: 'x' },
      { ein: 1, name: 'A', city: 'y' },
    ]);
  });
  it('keeps rows without a partner in a left join', () => {
    const rows = run(left, [{ type: 'join', with: 'other', on: ['ein'], how: 'left', prefix: 'o_' }], { other: right });
    expect(rows).toEqual([
      { ein: 1, name: 'A', o_ein: '1', o_city: 'x' },
      { ein: 1, name: 'A', o_ein: 1, o_city: 'y' },
      { ein: '2', name: 'B', o_ein: null, o_city: null },
      { ein: null, name: 'C', o_ein: null, o_city: null },
    ]);
  });
  it('folds names and renames what both sides have', () => {
    const other: Json = [{ person: 'ANN  lee ', id: 9 }];
    expect(
      run(
        [{ id: 1, name: 'Ann Lee' }],
        [{ type: 'join', with: 'other', on: [{ left: 'name', right: 'person' }], case_insensitive: true }],
        { other },
      ),
    ).toEqual([{ id: 1, name: 'Ann Lee', person: 'ANN  lee ', other_id: 9 }]);
  });
  it('names the inputs that exist', () => {
    expect(failure(left, [{ type: 'join', with: 'others', on: 'ein' }], { other: right })).toContain('it has other');
  });
});

describe('previous and concat', () => {
  it('adds values of the row before in the group', () => {
    const rows: Json = [
      { ein: '1', year: 2015, revenue: 7 },
      { ein: '2', year: 2015, revenue: 1 },
      { ein: '1', year: 2014, revenue: 10 },
    ];
    expect(
      run(rows, [
        { type: 'previous', group_by: 'ein', order_by: 'year', fields: ['revenue', { field: 'year', as: 'y' }] },
      ]),
    ).toEqual([
      { ein: '1', year: 2015, revenue: 7, previous_revenue: 10, previous_y: 2014 },
      { ein: '2', year: 2015, revenue: 1, previous_revenue: null, previous_y: null },
      { ein: '1', year: 2014, revenue: 10, previous_revenue: null, previous_y: null },
    ]);
  });
  it('appends rows of other inputs', () => {
    expect(run([{ a: 1 }], [{ type: 'concat', with: ['x', 'y'] }], { x: [{ a: 2 }], y: [{ b: 3 }] })).toEqual([
      { a: 1 },
      { a: 2 },
      { b: 3 },
    ]);
  });
});

describe('input data', () => {
  it('joins lists of lists and leaves out failed items', () => {
    expect(run([[{ a: 1 }, { a: 2 }], null, [[{ a: 3 }]]], [])).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
  });
  it('explains what it cannot take', () => {
    expect(failure(null, [])).toMatch(/^missing_data: `data` is empty/);
    expect(failure({ results: [], count: 0 }, [])).toContain('Its field `results` is a list: pass that one.');
    expect(failure([1], [])).toBe(
      'invalid_data: element 1 of `data` is a number: expected a record with named fields.',
    );
    expect(failure([], 'sort')).toMatch(/^invalid_operations/);
    expect(failure([], [{ type: 'constructor' }])).toMatch(/^unknown_operation/);
    expect(failure([], [{ type: '__proto__' }])).toMatch(/^unknown_operation/);
  });
  it('does not change its input', () => {
    const before = JSON.stringify(people);
    run(people, [
      { type: 'compute', as: 'x', expression: '1' },
      { type: 'rename', fields: { x: 'y' } },
      { type: 'sort', field: 'pay' },
    ]);
    expect(JSON.stringify(people)).toBe(before);
  });
});

describe('names that lead to a prototype', () => {
  const hostile = JSON.parse('[{"__proto__": {"polluted": 1}, "constructor": "c", "id": 1}]') as Json;
  it.each<[string, Json, JsonObject]>([
    ['rename', [{ type: 'rename', fields: { id: '__proto__' } }], {}],
    ['select', [{ type: 'select', fields: ['__proto__', 'constructor', 'toString'] }], {}],
    ['compute', [{ type: 'compute', as: '__proto__', expression: '{id}' }], {}],
    ['flatten', [{ type: 'flatten', field: '__proto__', as: 'p' }], {}],
    ['join', [{ type: 'join', with: 'o', on: 'id', prefix: 'r_' }], { o: hostile }],
    ['previous', [{ type: 'previous', fields: ['__proto__'], prefix: '' }], {}],
    [
      'aggregate',
      [{ type: 'aggregate', group_by: ['__proto__'], metrics: [{ op: 'first', field: 'constructor', as: 'x' }] }],
      {},
    ],
  ])('%s', (_name, operations, extra) => {
    const result = transformData(hostile, operations, extra);
    for (const row of result.ok ? result.data : []) {
      expect(Object.getPrototypeOf(row)).toBe(Object.prototype);
    }
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
  it('does not read inherited fields', () => {
    expect(run([{ a: 1 }], [{ type: 'select', fields: ['toString', 'constructor.name'] }])).toEqual([
      { toString: null, 'constructor.name': null },
    ]);
  });
});
