import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../core/base/json';
import { PagedState } from '../../../connectors/paging/paged-state';
import { positionFrom, type Position } from '../../../connectors/paging/position';
import { paging } from '../http-definitions';

describe('what a waiting call carries along', () => {
  const positions = fc.oneof(
    fc.constant<Position>({ at: 'first' }),
    fc.nat().map((value): Position => ({ at: 'number', value })),
    fc.string().map((value): Position => ({ at: 'cursor', value })),
    fc.string().map((url): Position => ({ at: 'url', url })),
    fc.dictionary(fc.string(), fc.string()).map((values): Position => ({ at: 'keys', values })),
  );
  const counts = fc.record({
    pages: fc.nat(),
    bytes: fc.nat(),
    first_count: fc.nat(),
    read_count: fc.nat(),
    status: fc.nat(),
  });
  const withoutTime = ({ ms, ...state }: JsonObject): JsonObject => {
    expect(ms).toEqual(expect.any(Number));
    return state;
  };

  it('comes back as it was', () => {
    fc.assert(
      fc.property(positions, counts, fc.array(fc.string()), (position, numbers, texts) => {
        const kept: JsonObject = {
          position,
          ...numbers,
          notes: { cache: 'fresh' },
          ...(texts.length > 2 ? { total: texts.length, is_moving: true } : {}),
          seen: [...new Set(texts)],
          mapped: { records: texts, missing_fields: {} },
        };
        const before = performance.now();
        const state = PagedState.resume(JSON.parse(JSON.stringify({ ...kept, ms: 5_000 })) as Json);
        const again = JSON.parse(JSON.stringify(state?.toJson())) as JsonObject;
        const passed = performance.now() - before;
        expect(withoutTime(again)).toEqual({ ...kept, mapped: { records: texts } });
        expect(Number(again['ms'])).toBeGreaterThanOrEqual(5_000);
        expect(Number(again['ms'])).toBeLessThanOrEqual(5_000 + Math.ceil(passed));
      }),
    );
  });

  it('begins anew where it is no state, and reads what is missing as nothing', () => {
    for (const value of [undefined, null, 'x', [], {}, { position: 'first' }, { position: { at: 'nowhere' } }])
      expect(PagedState.resume(value as Json | undefined)).toBeUndefined();
    const broken = { pages: '3', bytes: null, seen: 'x', notes: [], mapped: 7, ms: 'long' };
    const state = PagedState.resume({ position: { at: 'first' }, ...broken });
    expect(withoutTime(state?.toJson() ?? {})).toEqual({
      position: { at: 'first' },
      pages: 0,
      bytes: 0,
      first_count: 0,
      read_count: 0,
      status: 0,
      notes: {},
      seen: [],
      mapped: { records: [] },
    });
    for (const at of ['first', 'number', 'cursor', 'keys', 'url']) expect(positionFrom({ at })).toEqual({ at });
  });

  it('knows what was seen, and each cap that ends the reading, exactly at it', () => {
    const state = PagedState.begin({ at: 'first' });
    expect([state.wasSeen([1]), state.wasSeen([2]), state.wasSeen([1])]).toEqual([false, false, true]);
    const caps = paging({ type: 'page', max_items: 2, max_pages: 3, max_bytes: 4 });
    const resumed = (given: JsonObject) => PagedState.resume({ position: { at: 'first' }, ...given })?.reached(caps);
    expect(resumed({ pages: 2, bytes: 3, mapped: { records: [1] } })).toBeUndefined();
    expect(resumed({ pages: 2, bytes: 3, mapped: { records: [1, 2] } })).toBe('max_items');
    expect(resumed({ pages: 3, bytes: 4 })).toBe('max_pages');
    expect(resumed({ pages: 2, bytes: 4 })).toBe('max_bytes');
    // Time of earlier parts counts.
    expect(resumed({ ms: 300_000 })).toBe('max_seconds');
    expect(resumed({ ms: 200_000 })).toBeUndefined();
  });
});
