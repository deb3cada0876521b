import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { crossReference } from '../../../core/transform/cross-reference';

describe('crossReference', () => {
  it('has no warnings where there is nothing to say', () => {
    expect(crossReference([{ name: 'a' }], [{ name: 'A' }], {})).not.toHaveProperty('warnings');
  });

  it('matches names whatever their case and white space', () => {
    const a: Json = [
      { name: 'Ann  LEE', id: 1 },
      { name: 'Bob', id: 2 },
      { name: ' ', id: 3 },
    ];
    const b: Json = [{ name: 'ann lee ' }, { name: 'Cleo' }, { name: 'ANN LEE' }, { name: null }];
    expect(crossReference(a, b, {})).toEqual({
      ok: true,
      matches: [
        {
          entity_a: { name: 'Ann  LEE', id: 1 },
          entity_b: { name: 'ann lee ' },
          match_score: 1,
          match_method: 'exact',
        },
        { entity_a: { name: 'Ann  LEE', id: 1 }, entity_b: { name: 'ANN LEE' }, match_score: 1, match_method: 'exact' },
      ],
      unmatched_a: [
        { name: 'Bob', id: 2 },
        { name: ' ', id: 3 },
      ],
      unmatched_b: [{ name: 'Cleo' }, { name: null }],
      count: 2,
      warnings: [
        {
          code: 'key_missing',
          count: 1,
          message:
            '1 of 3 records (first: record 3) of `dataset_a` have no value to compare (`name`) and match nothing.',
        },
        {
          code: 'key_missing',
          count: 1,
          message:
            '1 of 4 records (first: record 4) of `dataset_b` have no value to compare (`name`) and match nothing.',
        },
      ],
    });
  });

  it('matches identifiers in any notation', () => {
    const a: Json = [{ ein: '20-0253310' }, { ein: '010211478' }, { ein: 'C00462390' }, { ein: '---' }];
    const b: Json = [{ tax_id: 200253310 }, { tax_id: 10211478 }, { tax_id: 'P00462390' }];
    const result = crossReference(a, b, { match_strategy: 'external_id', field_a: 'ein', field_b: 'tax_id' });
    expect(result).toMatchObject({
      ok: true,
      count: 2,
      unmatched_a: [{ ein: 'C00462390' }, { ein: '---' }],
      unmatched_b: [{ tax_id: 'P00462390' }],
    });
  });

  it('compares several fields together', () => {
    const a: Json = [
      { first: 'Ann', last: 'Lee' },
      { first: 'An', last: 'nLee' },
    ];
    const b: Json = [{ first: 'ANN', last: 'LEE' }];
    expect(crossReference(a, b, { field_a: ['first', 'last'] })).toMatchObject({ count: 1, unmatched_b: [] });
  });

  it('refuses what it cannot do', () => {
    expect(crossReference([], [], { match_strategy: 'fuzzy_name' })).toMatchObject({
      ok: false,
      code: 'strategy_not_available',
    });
    expect(crossReference([], [], { match_strategy: 'ml' })).toMatchObject({ ok: false, code: 'invalid_operation' });
    expect(crossReference([], [], { match_strategy: 'external_id' })).toMatchObject({
      ok: false,
      code: 'invalid_operation',
    });
    expect(crossReference([], null, {})).toMatchObject({ ok: false, code: 'missing_data' });
    expect(crossReference([], [], { field_a: ['a', 'b'], field_b: 'c' })).toMatchObject({
      ok: false,
      code: 'invalid_operation',
    });
  });

  it('puts every record into exactly one of matches and unmatched', () => {
    const records = fc.array(fc.record({ name: fc.constantFrom('a', 'A ', 'b', '', 'c'), n: fc.nat() }), {
      maxLength: 15,
    });
    fc.assert(
      fc.property(records, records, (a, b) => {
        const result = crossReference(a, b, {});
        if (!result.ok) {
          throw new Error(result.message);
        }
        expect(new Set(result.matches.map((match) => match.entity_a)).size + result.unmatched_a.length).toBe(a.length);
        expect(new Set(result.matches.map((match) => match.entity_b)).size + result.unmatched_b.length).toBe(b.length);
      }),
    );
  });
});
