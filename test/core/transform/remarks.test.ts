import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { jsonText } from '../../../core/base/json-text';
import { crossReference } from '../../../core/transform/cross-reference';
import { transformData } from '../../../core/transform/transform';

/** Warnings beside the rows of a transform: `code count field`, and the messages. */
function said(data: Json, operations: Json, extra: JsonObject = {}): { codes: string[]; messages: string[] } {
  const result = transformData(data, operations, extra);
  if (!result.ok) throw new Error(result.message);
  const warnings = result.warnings ?? [];
  expect(result).not.toHaveProperty('warnings', []);
  return {
    codes: warnings.map(({ code, count, field }) =>
      [code, count, field].flatMap((part) => (part === undefined ? [] : [jsonText(part)])).join(' '),
    ),
    messages: warnings.map(({ message }) => jsonText(message)),
  };
}
const codes = (data: Json, operations: Json, extra: JsonObject = {}): string[] => said(data, operations, extra).codes;

const grants: Json = [
  { ein: '1', amount: '100', tax_period: '2023', org: null, officers: [] },
  { ein: null, amount: 'n/a', org: { city: 'Bonn' }, officers: [{ name: 'A' }] },
  { amount: 7, officers: null },
];

describe('a field that no record has', () => {
  it.each<[string, JsonObject, JsonObject?]>([
    ['select', { type: 'select', fields: ['ein', 'tax_year'] }],
    ['select as', { type: 'select', fields: [{ field: 'tax_year', as: 'y' }] }],
    ['sort', { type: 'sort', field: 'tax_year' }],
    ['sort by', { type: 'sort', by: ['ein', { field: 'tax_year', direction: 'desc' }] }],
    ['filter', { type: 'filter', field: 'tax_year', operator: 'ne', value: 1 }],
    ['filter in', { type: 'filter', field: 'tax_year', operator: 'not_in', value: [1] }],
    ['filter expression', { type: 'filter', expression: '{tax_year} != 2' }],
    ['group_by', { type: 'aggregate', group_by: ['tax_year'], op: 'count' }],
    ['metric', { type: 'aggregate', metrics: [{ op: 'sum', field: 'tax_year', as: 's' }] }],
    ['deduplicate', { type: 'deduplicate', fields: ['ein', 'tax_year'] }],
    ['rename', { type: 'rename', fields: { tax_year: 'year' } }],
    ['compute', { type: 'compute', as: 'y', expression: '{tax_year} + 1' }],
    ['flatten', { type: 'flatten', field: 'officers', keep: ['ein', 'tax_year'], as: 'officer', keep_empty: true }],
    ['previous', { type: 'previous', group_by: 'ein', order_by: 'tax_year', fields: ['amount'] }],
    [
      'join',
      { type: 'join', with: 'other', on: { left: 'tax_year', right: 'id' }, how: 'left' },
      { other: [{ id: 1 }] },
    ],
    [
      'join, other side',
      { type: 'join', with: 'other', on: { left: 'amount', right: 'tax_year' }, how: 'left' },
      { other: [{ id: 1 }] },
    ],
  ])('%s', (_name, operation, extra = {}) => {
    const { codes: found, messages } = said(grants, [operation], extra);
    expect(found).toContain('unknown_field tax_year');
    expect(messages.join()).toMatch(/operation 1 \(\w+\): no record (of `other` )?has a field `tax_year`/);
  });

  it('grants.yaml: the select of a column that the records do not have names the near one', () => {
    expect(said(grants, [{ type: 'select', fields: ['tax_perod'] }]).messages).toEqual([
      'operation 1 (select): no record has a field `tax_perod` (3 looked at). Did you mean `tax_period`?',
    ]);
  });

  it('is no field that is null in every record, that some record has, or that nobody can know of', () => {
    const rows: Json = [
      { a: null, org: null, list: [] },
      { b: 1, a: null, list: null },
    ];
    expect(codes(rows, [{ type: 'select', fields: ['a', 'b', 'org.city', 'list.0.name'] }])).toEqual([]);
    expect(codes(rows, [{ type: 'select', fields: ['org.city.0', 'a.x', 'list.name'] }])).toEqual([]);
    expect(codes([{ org: { x: 1 }, list: [] }], [{ type: 'select', fields: ['org.city', 'list.name'] }])).toEqual([
      'unknown_field org.city',
      'unknown_field list.name',
    ]);
    expect(codes([], [{ type: 'select', fields: ['tax_year'] }])).toEqual([]);
  });

  it('is told once: what an operation makes of it is there', () => {
    const operations: Json = [
      { type: 'select', fields: ['tax_year'] },
      { type: 'sort', field: 'tax_year' },
    ];
    expect(codes(grants, operations)).toEqual(['unknown_field tax_year']);
  });

  it('is no question whether it is there', () => {
    const ask = (expression: string): string[] => codes([{ a: 1 }], [{ type: 'filter', expression }]);
    expect(ask('{b} is defined OR {b} == null OR coalesce({b}, 1) == 1')).toEqual([]);
    expect(ask('{b} > 0')).toEqual(['unknown_field b']);
    expect(codes([{ a: 1 }], [{ type: 'filter', field: 'b', operator: 'is_null' }])).toEqual([]);
  });
});

describe('records that are left out although nobody said so', () => {
  it('filter: values that cannot be compared, but not those that are not there', () => {
    const over = (operator: string, value: Json): string[] =>
      codes(grants, [{ type: 'filter', field: 'amount', operator, value }]);
    for (const operator of ['gt', 'gte', 'lt', 'lte']) expect(over(operator, 50)).toEqual(['not_comparable 1']);
    expect(over('gt', 'x')).toEqual(['not_comparable 1']);
    expect(over('eq', 50)).toEqual([]);
    expect(said(grants, [{ type: 'filter', field: 'amount', operator: 'gt', value: 50 }]).messages).toEqual([
      'operation 1 (filter): 1 of 3 records (first: record 2: "n/a") left out: a value cannot be compared.',
    ]);
    expect(codes(grants, [{ type: 'filter', field: 'officers', operator: 'starts_with', value: 'x' }])).toEqual([
      'not_comparable 2',
    ]);
    expect(codes(grants, [{ type: 'filter', field: 'org', operator: 'contains', value: 'x' }])).toEqual([
      'not_comparable 1',
    ]);
    expect(codes(grants, [{ type: 'filter', field: 'officers', operator: 'contains', value: 'x' }])).toEqual([]);
  });

  it('filter by an expression: a text is no number there', () => {
    const { messages } = said(grants, [{ type: 'filter', expression: '{amount} > 5' }]);
    expect(messages).toEqual([
      'operation 1 (filter): 2 of 3 records (first: record 1: "100", 5) left out: a value cannot be compared.',
    ]);
    expect(codes(grants, [{ type: 'filter', expression: 'number({amount}) > 5' }])).toEqual(['not_comparable 1']);
    // Rows that pass cause no warning.
    expect(codes(grants, [{ type: 'filter', expression: '{amount} > 5 OR {ein} != 3' }])).toEqual([]);
  });

  it('compares with nothing', () => {
    expect(codes(grants, [{ type: 'filter', field: 'amount', operator: 'gt', value: null }])).toEqual([
      'empty_input amount',
    ]);
    expect(codes(grants, [{ type: 'filter', field: 'amount', value: null }])).toEqual([]);
    expect(codes([{ a: 1 }], [{ type: 'filter', expression: '{a} > {least}' }], { least: null })).toEqual([
      'empty_input least',
    ]);
    expect(codes([{ a: 1 }], [{ type: 'filter', expression: '{a} > {least}' }], { least: 0 })).toEqual([]);
  });

  it('compute: values of another type, not those that are null', () => {
    const rows = (grants as JsonObject[]).map((grant) => ({ ...grant, nothing: null }));
    const column = (expression: string): string[] => codes(rows, [{ type: 'compute', as: 'x', expression }]);
    expect(column('{amount} * 2')).toEqual(['not_computed 2 x']);
    expect(column('number({amount}) * 2')).toEqual(['not_computed 1 x']);
    expect(column('{ein} + 1')).toEqual(['not_computed 1 x']);
    expect(column("date_diff_days('tomorrow', '2024-01-01')")).toEqual(['not_computed 3 x']);
    expect(column("date_diff_days({nothing}, '2024-01-01')")).toEqual([]);
    expect(column('round({amount}, {nothing})')).toEqual([]);
    expect(column('min({nothing}, {officers})')).toEqual(['not_computed 1 x']);
    expect(column('min({nothing}, null)')).toEqual([]);
    expect(column('lower({amount})')).toEqual(['not_computed 1 x']);
    expect(column('1 / 0')).toEqual([]);
    expect(column('min({officers})')).toEqual(['not_computed 1 x']);
    expect(column('-{amount}')).toEqual(['not_computed 2 x']);
  });

  it('a null beside a value is no other type: a function or condition over it has no value, and nobody is told', () => {
    const rows: Json = [
      { from: null, to: '2026-01-02', rate: null },
      { from: '2026-01-01', to: '2026-01-02', rate: 2 },
    ];
    const expressions = [
      'date_diff_days({from}, {to})',
      'round({rate}, 1)',
      'round({rate} * 2, 1)',
      "date_diff_days(null, 'x')",
    ];
    for (const expression of expressions) {
      expect(codes(rows, [{ type: 'compute', as: 'x', expression }])).toEqual([]);
      expect(codes(rows, [{ type: 'filter', expression: `${expression} > 1` }])).toEqual([]);
    }
  });

  it('after an empty list was taken in, a field that no record has is not called missing', () => {
    const select = { type: 'select', fields: ['a', 'b'] };
    const concat = { type: 'concat', with: 'more' };
    const left = { type: 'join', with: 'more', on: 'a', how: 'left', prefix: 'm_' };
    expect(codes([{ a: 1 }], [concat, select], { more: [] })).toEqual([]);
    expect(codes([], [concat, select], { more: [{ a: 1 }] })).toEqual([]);
    expect(codes([{ a: 1 }], [left, { type: 'select', fields: ['a', 'm_b'] }], { more: [] })).toEqual([]);
    expect(codes([{ a: 1 }], [concat, select], { more: [{ a: 2 }] })).toEqual(['unknown_field b']);
    expect(codes([{ a: 1 }], [select, concat], { more: [] })).toEqual(['unknown_field b']);
    // Runs from before say what they said.
    const older = transformData(
      [{ a: 1 }],
      [concat, select],
      { more: [] },
      () => true,
      () => false,
    );
    expect(older).toMatchObject({ warnings: [{ code: 'unknown_field', field: 'b' }] });
  });

  it('join: records without a key', () => {
    const other: Json = [{ ein: '1', n: 1 }, { n: 2 }];
    const join = { type: 'join', with: 'other', on: 'ein' };
    expect(codes(grants, [join], { other })).toEqual(['no_key 2', 'no_key 1']);
    expect(codes(grants, [{ ...join, how: 'left' }], { other })).toEqual(['key_missing 2', 'key_missing 1']);
    expect(codes([{ ein: '1' }, { ein: '5' }], [join], { other: [{ ein: '1', n: 1 }] })).toEqual([]);
  });

  it('deduplicate: records without a key count as one', () => {
    const { codes: found, messages } = said(grants, [{ type: 'deduplicate', fields: ['ein'] }]);
    expect(found).toEqual(['no_key 1']);
    expect(messages[0]).toContain('2 of 3 records (first: record 2) have no `ein` and count as one: 1 are left out');
    expect(codes(grants, [{ type: 'deduplicate' }])).toEqual([]);
    expect(codes(grants, [{ type: 'deduplicate', fields: ['ein', 'amount'] }])).toEqual([]);
  });

  it('flatten: records without a list; an empty one is there', () => {
    expect(codes(grants, [{ type: 'flatten', field: 'officers', as: 'o' }])).toEqual(['no_list 1 officers']);
    expect(codes(grants, [{ type: 'flatten', field: 'officers', as: 'o', keep_empty: true }])).toEqual([]);
    expect(codes(grants, [{ type: 'flatten', field: 'oficers', as: 'o' }])).toEqual(['unknown_field oficers']);
  });

  it('limit, and elements that are null', () => {
    expect(said(grants, [{ type: 'limit', count: 1, offset: 1 }])).toEqual({
      codes: ['limited 2'],
      messages: ['operation 1 (limit): 1 of 3 records kept.'],
    });
    expect(codes(grants, [{ type: 'limit', count: 3 }])).toEqual([]);
    expect(said([{ a: 1 }, null, [null, { a: 2 }]], []).messages).toEqual([
      '2 of 4 elements of `data` are null and left out.',
    ]);
    expect(codes([{ a: 1 }], [{ type: 'concat', with: 'more' }], { more: [null] })).toEqual(['null_records 1']);
  });

  it('at most twenty are shown, and the rest is counted', () => {
    const fields = Array.from({ length: 25 }, (_each, at) => `gone_${at}`);
    const found = codes([{ a: 1 }], [{ type: 'select', fields }]);
    expect(found).toHaveLength(21);
    expect(found.at(-1)).toBe('more_warnings 5');
  });
});

it('cross_reference names keys that no record has', () => {
  const result = crossReference([{ name: 'A' }], [{ title: 'A' }], {});
  const warnings = result.ok ? result.warnings : undefined;
  expect(warnings?.map(({ code, message }) => `${jsonText(code)}: ${jsonText(message)}`)).toEqual([
    'unknown_field: no record of `dataset_b` has a field `name` (1 looked at).',
    'key_missing: 1 of 1 record (first: record 1) of `dataset_b` have no value to compare (`name`) and match nothing.',
  ]);
});
