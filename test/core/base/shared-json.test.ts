import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Json } from '../../../core/base/json';
import { innermostParts, packShared, unpackShared, type SharedJson } from '../../../core/base/shared-json';

const text = (size: number): string => 'x'.repeat(size - 2);
const large = (mark: Json = 0): { [key: string]: Json } => ({
  mark,
  digits: Array.from({ length: 9_000 }, (_each, no) => no % 10),
});
const overTheWire = (packed: SharedJson | undefined): SharedJson => JSON.parse(JSON.stringify(packed)) as SharedJson;
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

describe('values that hold the same large parts', () => {
  it('are packed with each part once, and come back as they were', () => {
    const records = [large(1), large(2)];
    const root = { a: { records, x: 1 }, b: { records, y: 2 }, c: [records] };
    const packed = packShared(root);
    expect(packed).toStrictEqual({
      root: { a: { records: null, x: 1 }, b: { records: null, y: 2 }, c: [null] },
      parts: [records],
      holes: [
        { at: ['a', 'records'], part: 0 },
        { at: ['b', 'records'], part: 0 },
        { at: ['c', 0], part: 0 },
      ],
    });
    expect(unpackShared(overTheWire(packed)).root).toEqual(root);
  });

  it('are packed with equal texts once, too', () => {
    const root = { a: text(20_000), b: [text(20_000)], c: text(16_000) };
    const packed = packShared(root);
    expect(packed).toMatchObject({ root: { a: null, b: [null], c: root.c }, parts: [root.a] });
    expect(unpackShared(overTheWire(packed)).root).toEqual(root);
  });

  it('are shared again by reference once they are unpacked', () => {
    const part = large();
    const { root, parts } = unpackShared(overTheWire(packShared({ a: part, b: { c: part } })));
    const { a, b } = root as { a: Json; b: { c: Json } };
    expect(a).toBe(parts[0]);
    expect(b.c).toBe(parts[0]);
  });

  it('hold parts that hold parts', () => {
    const inner = large('inner');
    const outer = { inner, text: text(17_000) };
    const root = { a: outer, b: outer, c: inner };
    const packed = packShared(root) as SharedJson;
    expect(packed.parts).toHaveLength(2);
    expect(packed.holes[0]).toEqual({ of: 1, at: ['inner'], part: 0 });
    expect(innermostParts(packed)).toEqual([0]);
    expect(sizeOf(packed)).toBeLessThan(36_000);
    expect(unpackShared(overTheWire(packed)).root).toEqual(root);
  });

  it.each([
    ['held once', { a: large(1), b: large(2) }],
    ['equal and not the same', { a: large(1), b: large(1) }],
    ['small', ((part: Json) => ({ a: part, b: part }))({ text: text(9_000) })],
    ['elements of a long list', ((part: Json) => ({ a: Array<Json>(17).fill(part) }))(large())],
  ])('stay as they are where parts are %s', (_name, root: Json) => {
    expect(packShared(root)).toBeUndefined();
  });

  it('keep fields of any name, and the order of fields', () => {
    const part = large();
    const root = JSON.parse('{"z":null,"__proto__":null,"constructor":null,"a":1}') as { [key: string]: Json };
    for (const key of ['z', '__proto__', 'constructor'])
      Object.defineProperty(root, key, { value: part, enumerable: true, configurable: true, writable: true });
    const back = unpackShared(overTheWire(packShared(root))).root;
    expect(JSON.stringify(back)).toBe(JSON.stringify(root));
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it('come back whatever they hold', () => {
    const shared = fc.constantFrom<Json>(...[1, 2, 3].map(large), text(17_000));
    const value = fc.letrec<{ value: Json }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        shared,
        fc.constantFrom<Json>(null, true, 1.5, '', 'text'),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__', ''), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(value, fc.nat(3), (inner, copies) => {
        const root = { own: inner, again: Array<Json>(copies).fill(inner) };
        const packed = packShared(root);
        const back = packed === undefined ? root : unpackShared(overTheWire(packed)).root;
        expect(JSON.stringify(back)).toBe(JSON.stringify(root));
        if (packed !== undefined) expect(sizeOf(packed)).toBeLessThan(sizeOf(root));
      }),
      { numRuns: 300 },
    );
  });
});
