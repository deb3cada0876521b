import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../../core/base/json';
import { beginningOf, outputFacts } from '../../../core/engine/output-facts';

const bytes = (value: Json): number => Buffer.byteLength(JSON.stringify(value));
const handle = (size: number) => ({ parts: [], size });

describe('what is said of a result', () => {
  it('a small one is shown as it is', () => {
    const value = { rows: [{ a: 1, b: null }, true, 'ä"\n'], n: -1.5 };
    expect(outputFacts({ value })).toEqual({ size: bytes(value), output_preview: value });
    expect(outputFacts({ value: null })).toEqual({ size: 4, output_preview: null });
  });

  it.each<[Json, Json]>([
    ['x'.repeat(510), 'x'.repeat(510)],
    ['x'.repeat(511), `${'x'.repeat(507)}…`],
    ['ä'.repeat(511), `${'ä'.repeat(253)}…`],
    [{ a: 'x'.repeat(600) }, { a: `${'x'.repeat(500)}…` }],
  ])('a long text is shown up to its 512 bytes', (value, shown) => {
    expect(beginningOf(value)).toEqual(shown);
  });

  it('the size counts what lies outside, and a result that lies outside as a whole has no beginning', () => {
    const value = { rows: null, n: 1 };
    expect(outputFacts({ value, handles: { rows: handle(5_000_000) } })).toEqual({
      size: bytes(value) + 5_000_000,
      output_preview: value,
    });
    expect(outputFacts({ value: null, handles: { '': handle(9_000_000) } })).toEqual({ size: 9_000_000 });
  });

  it.each<[string, Json]>([
    ['text', 'x'.repeat(1_000_000)],
    ['text of long characters', '\u0001😀€'.repeat(100_000)],
    ['list', Array.from({ length: 100_000 }, (_, n) => ({ n }))],
    ['list of nothing', Array.from({ length: 100_000 }, () => [])],
    ['object', Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`field_${n}`, 'text']))],
    ['key', { ['k'.repeat(100_000)]: 1 }],
    ['list of texts', Array.from({ length: 100 }, () => 'x'.repeat(10_000))],
  ])('a large %s is cut', (_what, value) => {
    const shown = beginningOf(value);
    expect(bytes(shown)).toBeLessThan(600);
    // No half of a character: that would come back as another one.
    expect(JSON.parse(Buffer.from(JSON.stringify(shown)).toString())).toEqual(shown);
    expect(JSON.stringify(shown)).not.toMatch(/\\ud[89a-f]/);
    if (typeof value === 'string' && typeof shown === 'string')
      expect(shown).toBe(`${value.slice(0, shown.length - 1)}…`);
  });

  it('depth is cut, and no name reaches a prototype', () => {
    let deep: Json = 1;
    for (let level = 0; level < 10_000; level += 1) deep = [deep];
    expect(beginningOf(deep)).toEqual([[[[[[]]]]]]);
    const named = JSON.parse('{"__proto__": {"x": 1}}') as Json;
    expect(JSON.stringify(beginningOf(named))).toBe('{"__proto__":{"x":1}}');
  });
});
