import { describe, expect, it } from '@jest/globals';
import type { Json, JsonObject } from '../../../core/base/json';
import { transformData } from '../../../core/transform/transform';

const compute = (rows: Json[], expression: string, extra: JsonObject = {}): unknown => {
  const result = transformData(rows, [{ type: 'compute', as: 'x', expression }], extra);
  return result.ok ? { x: result.data.map(({ x }) => x), warnings: result.warnings } : result;
};

describe('functions in compute', () => {
  it('make columns', () => {
    const rows: Json[] = [{ first: 'Ada', last: 'Reyes' }, { first: 'Bob' }];
    expect(compute(rows, "concat(upper({last}), ', ', {first})")).toEqual({
      x: ['REYES, Ada', ', Bob'],
      warnings: undefined,
    });
    expect(compute([{ d: '2024-03-07' }], "format_date({d}, 'D MMMM YYYY', {lang})", { lang: 'fr' })).toEqual({
      x: ['7 mars 2024'],
      warnings: undefined,
    });
  });

  it('find nothing without a warning, and tell of values that do not fit', () => {
    expect(compute([{ t: 'no number' }], "extract({t}, '[0-9]+')")).toEqual({ x: [null], warnings: undefined });
    expect(compute([{ t: 7 }], "extract({t}, '[0-9]+')")).toMatchObject({
      x: [null],
      warnings: [{ code: 'not_computed' }],
    });
    expect(compute([{ d: '3/7/24' }], "parse_date({d}, 'YYYY-MM-DD')")).toMatchObject({
      x: [null],
      warnings: [{ code: 'not_computed' }],
    });
    expect(compute([{ d: null }], "parse_date({d}, 'YYYY-MM-DD')")).toEqual({ x: [null], warnings: undefined });
  });

  it('have room for many rows, and end where all together would need too much', () => {
    const rows = Array.from({ length: 50_000 }, (_, n) => ({ n, t: 'x'.repeat(100) }));
    expect(compute(rows, "matches({t}, '^x+$')")).toMatchObject({ warnings: undefined });
    expect(compute(rows, 'length(range({n} * 100))')).toMatchObject({
      ok: false,
      code: 'expression_too_large',
      message: expect.stringContaining('operation 1 (compute): The expression would read or make more than'),
    });
  });
});
