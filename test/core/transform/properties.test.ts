import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../../../core/base/json';
import { compareValues, valueKey } from '../../../core/transform/compare';
import { CompensatedSum } from '../../../core/transform/numbers';
import { OPERATIONS } from '../../../core/transform/operations';
import { transformData } from '../../../core/transform/transform';

const scalar = fc.oneof(
  fc.constant(null),
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.string(),
  fc.integer().map(String),
  fc.constantFrom('01', '1', 1, '1.0', 'true', true, '', 0, '0'),
);
const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
const field = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor', 'a.b');
const row = fc.dictionary(field, fc.oneof(scalar, json), { noNullPrototype: true }) as fc.Arbitrary<JsonObject>;
const rows = fc.array(row, { maxLength: 20 });
const param = fc.constantFrom(
  'field',
  'fields',
  'operator',
  'value',
  'with',
  'on',
  'as',
  'expression',
  'metrics',
  'group_by',
  'by',
  'count',
  'op',
  'keep',
  'prefix',
  'order_by',
  'direction',
);
const operation = fc
  .tuple(
    fc.constantFrom(...OPERATIONS.keys()),
    fc.dictionary(param, fc.oneof(field, fc.constantFrom('eq', 'sum', 'desc', 'other', '{a} + 1'), json)),
  )
  .map(([type, params]) => ({ ...params, type }));

function data(result: ReturnType<typeof transformData>): JsonObject[] {
  return result.ok ? result.data : [];
}

describe('transformData', () => {
  it('never throws, whatever it gets, and gives the same result twice', () => {
    fc.assert(
      fc.property(
        fc.oneof(rows, json),
        fc.oneof(fc.array(operation, { maxLength: 4 }), json),
        rows,
        (input, operations, other) => {
          const once = transformData(input, operations, { other });
          expect(transformData(input, operations, { other })).toEqual(once);
          if (!once.ok) {
            expect(once.code).toMatch(/^[a-z_]+$/);
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('a filter and its opposite share the rows between them', () => {
    const pairs = fc.constantFrom(['eq', 'ne'], ['contains', 'not_contains'], ['is_null', 'not_null']);
    fc.assert(
      fc.property(rows, field, scalar, pairs, (input, name, value, [yes, no]) => {
        const kept = (operator: string | undefined) =>
          data(transformData(input, [{ type: 'filter', field: name, operator: operator ?? '', value }], {}));
        expect(kept(yes).length + kept(no).length).toBe(input.length);
      }),
    );
  });

  it('`in` a list of one is `eq`', () => {
    fc.assert(
      fc.property(rows, field, scalar, (input, name, value) => {
        const one = transformData(input, [{ type: 'filter', field: name, operator: 'eq', value }], {});
        expect(transformData(input, [{ type: 'filter', field: name, operator: 'in', value: [value] }], {})).toEqual(
          one,
        );
      }),
    );
  });

  it('sorting keeps the rows, is idempotent and orders neighbours', () => {
    fc.assert(
      fc.property(rows, field, fc.constantFrom('asc', 'desc'), (input, name, direction) => {
        const operation = [{ type: 'sort', field: name, direction }];
        const sorted = data(transformData(input, operation, {}));
        expect(sorted.map(valueKey).sort()).toEqual(input.map(valueKey).sort());
        expect(data(transformData(sorted, operation, {}))).toEqual(sorted);
      }),
    );
  });

  it('grouping counts every row once and sums as a whole', () => {
    const flat = fc.array(fc.record({ g: fc.constantFrom('x', 'y', null), v: fc.integer() }), { maxLength: 30 });
    fc.assert(
      fc.property(flat, (input) => {
        const metrics: Json = [
          { op: 'count', as: 'n' },
          { op: 'sum', field: 'v', as: 's' },
        ];
        const groups = data(transformData(input, [{ type: 'aggregate', group_by: ['g'], metrics }], {}));
        expect(groups.reduce((total, group) => total + Number(group.n), 0)).toBe(input.length);
        expect(groups.reduce((total, group) => total + Number(group.s), 0)).toBe(
          input.reduce((total, each) => total + each.v, 0),
        );
      }),
    );
  });

  it('an inner join is the left join without the rows that met nothing', () => {
    const keyed = fc.array(fc.record({ k: fc.constantFrom('1', 1, '2', null), v: fc.nat(9) }), { maxLength: 12 });
    fc.assert(
      fc.property(keyed, keyed, (left, right) => {
        const join = (how: string) =>
          data(transformData(left, [{ type: 'join', with: 'r', on: 'k', how, prefix: 'r_' }], { r: right }));
        const met = (row: JsonObject) => row.r_v !== null && row.r_v !== undefined;
        expect(join('left').filter(met)).toEqual(join('inner'));
      }),
    );
  });
});

describe('compareValues', () => {
  it('is a total order', () => {
    fc.assert(
      fc.property(json, json, json, (a, b, c) => {
        fc.pre(a !== null && b !== null && c !== null);
        expect(Math.sign(compareValues(a, b)) + Math.sign(compareValues(b, a))).toBe(0);
        if (compareValues(a, b) <= 0 && compareValues(b, c) <= 0) {
          expect(compareValues(a, c)).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('CompensatedSum', () => {
  it('adds amounts in cents exactly to the cent, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e12, max: 1e12 })), (cents) => {
        const add = (values: number[]) => {
          const sum = new CompensatedSum();
          values.forEach((value) => sum.add(value / 100));
          return Math.round(sum.total * 100);
        };
        const exact = cents.reduce((total, value) => total + value, 0);
        expect(add(cents) + 0).toBe(exact + 0);
        expect(add([...cents].reverse()) + 0).toBe(exact + 0);
      }),
    );
  });
});
