import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { exceedsJsonDepth } from '../../../core/base/json-depth';

const nested = (depth: number): Json => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as Json;

describe('exceedsJsonDepth', () => {
  it('counts lists and records, not what they hold', () => {
    expect(exceedsJsonDepth('text', 0)).toBe(false);
    expect(exceedsJsonDepth([], 0)).toBe(true);
    expect(exceedsJsonDepth([1, { a: [null] }], 3)).toBe(false);
    expect(exceedsJsonDepth([1, { a: [null] }], 2)).toBe(true);
  });
  it('holds at any depth', () => {
    expect(exceedsJsonDepth(nested(500))).toBe(false);
    expect(exceedsJsonDepth(nested(501))).toBe(true);
    expect(exceedsJsonDepth(nested(200_000))).toBe(true);
  });
});
