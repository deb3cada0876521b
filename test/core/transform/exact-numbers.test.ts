import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../core/base/json';
import { compareValues } from '../../../core/transform/compare';
import { transformData } from '../../../core/transform/transform';
import { fractionOf, numberSpelling, sameValue } from '../base/numbers';
import { numberOrText } from '../../../core/base/number-rule';
import { valueOf } from '../expr/support';

const run = (data: JsonObject[], operation: JsonObject, exact = true, extra: JsonObject = {}): Json => {
  const result = transformData(data, [operation], extra, () => exact);
  return result.ok ? result.data : result.code;
};

const values = fc.array(
  numberSpelling.filter((text) => !text.toLowerCase().includes('e')),
  { maxLength: 8 },
);

describe('numbers that a double does not hold', () => {
  it('04-filter-drops-big-numbers.yaml: they are filtered, sorted and compared as numbers', () => {
    const row = { n: '9007199254740993', long: '12345678901234567890123' };
    expect(run([row], { type: 'filter', field: 'n', operator: 'gte', value: 1000 })).toEqual([row]);
    expect(run([row], { type: 'filter', field: 'long', operator: 'gt', value: 1000 })).toEqual([row]);
    expect(run([row], { type: 'filter', field: 'n', operator: 'gt', value: '9007199254740993' })).toEqual([]);
    expect(run([row], { type: 'filter', expression: '{n} > 5 AND {long} > {n}' })).toEqual([row]);
    const mixed = ['9007199254740993', 5, '10', '7615917337495251231', '0.5', 'word'].map((v) => ({ v }));
    expect(run(mixed, { type: 'sort', field: 'v' })).toEqual(
      ['0.5', 5, '10', '9007199254740993', '7615917337495251231', 'word'].map((v) => ({ v })),
    );
    expect(run([row, { n: 1 }], { type: 'aggregate', op: 'sum', field: 'n', as: 's' })).toEqual([
      { s: 9007199254740994 },
    ]);
    expect(run([row, { n: 9 }], { type: 'aggregate', op: 'max', field: 'n', as: 'm' })).toEqual([{ m: row.n }]);
  });

  it('as a wanted value are numbers: a text that is none is left out and told, as with a number that a double holds', () => {
    const rows = ['n/a', '1,234', '', '9007199254740994', '10'].map((n) => ({ n }));
    for (const value of ['9007199254740993', 1000]) {
      for (const operator of ['gt', 'gte', 'lt', 'lte']) {
        const result = transformData(rows, [{ type: 'filter', field: 'n', operator, value }], {});
        const above = operator.startsWith('g');
        expect(result).toMatchObject({
          ok: true,
          data: [{ n: above ? '9007199254740994' : '10' }],
          warnings: [{ code: 'not_comparable', count: 3 }],
        });
      }
    }
    // Two texts stay in the order of their letters.
    expect(run([{ n: 'b' }, { n: 'a' }], { type: 'filter', field: 'n', operator: 'gt', value: 'a' })).toEqual([
      { n: 'b' },
    ]);
    expect(run([{ n: '9007199254740994' }], { type: 'filter', field: 'n', operator: 'gt', value: 'word' })).toEqual([]);
    const before = Object.assign(() => true, { keptApart: () => false });
    const kept = { type: 'filter', field: 'n', operator: 'gte', value: '9007199254740993' };
    expect(transformData([{ n: 'n/a' }], [kept], {}, before)).toMatchObject({ data: [{ n: 'n/a' }] });
  });

  it('a run that began under the older rule keeps it', () => {
    const row = { n: '9007199254740993' };
    expect(run([row], { type: 'filter', field: 'n', operator: 'gte', value: 1000 }, false)).toEqual([]);
    expect(run([row], { type: 'aggregate', op: 'sum', field: 'n' }, false)).toBe('not_a_number');
    const amounts = [{ n: 1.1 }, { n: 2.2 }, { n: 3.3 }];
    const sum = { type: 'aggregate', op: 'avg', field: 'n', as: 's' };
    expect(run(amounts, sum, false)).not.toEqual(run(amounts, { ...sum, as: 't' }));
  });

  it('sums of amounts are exact, in any order the same; averages are the nearest double or have 20 digits', () => {
    fc.assert(
      fc.property(values, (spellings) => {
        const rows = spellings.map((text) => ({ n: numberOrText(text) }));
        fc.pre(
          spellings.every((text) => text.replace(/\D/g, '').length <= 15 || typeof numberOrText(text) === 'string'),
        );
        const sum = run(rows, { type: 'aggregate', op: 'sum', field: 'n', as: 's' });
        expect(run(rows.toReversed(), { type: 'aggregate', op: 'sum', field: 'n', as: 's' })).toEqual(sum);
        const [top, bottom] = spellings.map(fractionOf).reduce(([a, b], [c, d]) => [a * d + c * b, b * d], [0n, 1n]);
        const [found, scale] = fractionOf(String((sum as { s: number | string }[])[0]?.s));
        expect(found * bottom === top * scale).toBe(true);
      }),
    );
    const avg = (list: Json[]): Json =>
      run(
        list.map((n) => ({ n })),
        { type: 'aggregate', op: 'avg', field: 'n', as: 'a' },
      );
    expect(avg([1.1, 2.2, 3.3])).toEqual([{ a: 2.2 }]);
    expect(avg([1, 2, 2])).toEqual([{ a: 5 / 3 }]);
    expect(avg(['12345678901234567.89', '12345678901234567.89'])).toEqual([{ a: '12345678901234567.89' }]);
  });

  it('are in one total order with all other values', () => {
    const value = fc.oneof(
      numberSpelling.map(numberOrText),
      fc.constantFrom<Json>('a', '0123', '1e5', '10', 5, true, '9007199254740991', '1234567890123456.5'),
    );
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        expect(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a))).toBe(0);
        if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) expect(compareValues(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });

  it('two spellings of one such number are one key; identifiers with leading zeros stay texts', () => {
    const rows = [{ k: '12345678901234567.50' }, { k: '12345678901234567.5' }, { k: '0012345678901234567' }];
    expect(run(rows, { type: 'deduplicate', fields: ['k'] })).toEqual([rows[0], rows[2]]);
    expect(run(rows, { type: 'aggregate', group_by: 'k', op: 'count', as: 'n' })).toHaveLength(2);
    const other = { with: 'o', on: 'k' };
    const o = [{ k: '12345678901234567.500', x: 1 }];
    expect(run(rows, { type: 'join', ...other }, true, { o })).toHaveLength(2);
    expect(run([{ k: '12345678901234567' }], { type: 'join', ...other }, true, { o: [rows[2] ?? {}] })).toEqual([]);
    expect(run(rows, { type: 'filter', field: 'k', operator: 'in', value: ['12345678901234567.500'] })).toHaveLength(2);
  });

  it('expressions count with them', () => {
    const is = (text: string, scope: JsonObject = {}): unknown => valueOf(text, scope);
    const id = '7615917337495251231';
    expect(is("number({id}) == number('7615917337495251000')", { id })).toBe(false);
    expect(is('number({id})', { id })).toBe(id);
    expect(is('{id} > 5', { id })).toBe(true);
    expect(is('{id} == 7615917337495251231', { id })).toBe(true);
    expect(is('{id} in [1, 7615917337495251231]', { id })).toBe(true);
    expect(is('0.1 + 0.2')).toBe(0.3);
    expect(is('{id} + 1 - {id}', { id })).toBe(1);
    expect(is('round({n} * 2, 1)', { n: '12345678901234567.89' })).toBe('24691357802469135.8');
    expect(is('sum({list})', { list: [0.1, 0.2, '9007199254740993'] })).toBe('9007199254740993.3');
    expect(is('max({list})', { list: [5, '9007199254740993', '7615917337495251231'] })).toBe(id);
    // Texts that a double holds stay texts.
    expect(is("'10' > 5")).toBe(false);
    expect(is("'10' < '9'")).toBe(true);
    expect(is('1 / 3')).toBe(1 / 3);
    fc.assert(
      fc.property(numberSpelling, (text) => {
        const value = is('number({t})', { t: text });
        expect([text, sameValue(value, text)]).toEqual([text, true]);
      }),
    );
  });
});
