import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Values } from '../../../activities/runner/values';
import type { Json } from '../../../core/base/json';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import type { BlobPart, Handle } from '../../../core/engine/values';
import { DirectoryBlobs } from '../../../infra/blob/directory-blobs';
import { newFolder } from '../../support/run-folder';

let folder: string;
let values: Values;
beforeAll(async () => {
  folder = newFolder('values');
  values = fresh();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Values that have read nothing yet. */
const fresh = (): Values => new Values(new DirectoryBlobs(folder), LOCAL_USER_ID);
const text = (size: number): string => 'x'.repeat(size - 2);
const lost: Handle = { parts: [{ sha256: 'a'.repeat(64), size: 9, kind: 'whole' }], size: 9 };

async function part(kind: BlobPart['kind'], value: Json): Promise<BlobPart> {
  const [stored] = (await values.put(value)).parts;
  if (stored === undefined) throw new Error('nothing was stored');
  return { ...stored, kind };
}

describe('a result with large parts', () => {
  it('stays as it is up to its limit', async () => {
    expect(await values.offload(text(100), 100)).toEqual({ value: text(100) });
    expect(await values.offload({ a: text(94) }, 100)).toEqual({ value: { a: text(94) } });
  });

  it('lies outside as a whole where it has no fields; of a list the count is known', async () => {
    const one = await values.offload(text(101), 100);
    expect(one).toStrictEqual({ value: null, handles: { '': { parts: [expect.anything()], size: 101 } } });
    const list = await values.offload([1, 2, text(100)], 100);
    expect(list).toStrictEqual({ value: null, handles: { '': { parts: [expect.anything()], size: 106, count: 3 } } });
    expect(await fresh().load(list)).toEqual([1, 2, text(100)]);
  });

  it('gives away its large fields alone', async () => {
    const stored = await values.offload({ small: 1, rows: [text(101)], more: text(40) }, 100);
    expect(stored).toMatchObject({ value: { small: 1, rows: null, more: text(40) }, handles: { rows: { count: 1 } } });
    expect(Object.keys(stored.handles ?? {})).toEqual(['rows']);
    expect(await fresh().load(stored)).toEqual({ small: 1, rows: [text(101)], more: text(40) });
  });

  it('keeps fields up to 64 KB of a larger result', async () => {
    const { value, handles } = await values.offload({ a: text(65_536), b: text(65_537) }, 100_000);
    expect(value).toEqual({ a: text(65_536), b: null });
    expect(Object.keys(handles ?? {})).toEqual(['b']);
    const two = await values.offload({ a: text(65_537), b: text(100_000) }, 99_000);
    expect(two.value).toEqual({ a: null, b: null });
  });

  it('lies outside as a whole where its many small fields are too large together', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_unused, at) => [`f${at}`, text(20)]));
    const stored = await values.offload(many, 100);
    expect(stored).toMatchObject({ value: null, handles: { '': { parts: [{ kind: 'whole' }] } } });
    expect(await fresh().load(stored)).toEqual(many);
  });

  it.each<[string, number, string[]]>([
    ['none', 153, []],
    ['the largest', 152, ['c']],
    ['no more than that', 97, ['c']],
    ['the two largest', 96, ['b', 'c']],
    ['no more than those', 61, ['b', 'c']],
    ['as many as it must', 60, ['a', 'b', 'c']],
  ])('gives away %s of fields that are too large together', async (_what, limit, moved) => {
    // 21 characters beside the values; null has four.
    const fields = { a: text(30), b: text(40), c: text(60), d: '' };
    const { value, handles } = await values.offload(fields, limit);
    expect(Object.keys(handles ?? {}).sort()).toEqual(moved);
    const kept = Object.entries(fields).map(([name, inner]) => [name, moved.includes(name) ? null : inner]);
    expect(value).toEqual(Object.fromEntries(kept));
    expect(await fresh().load({ value, handles: handles ?? {} })).toEqual(fields);
  });

  it('gives away twenty fields at most, then the whole', async () => {
    const many = (count: number): Json =>
      Object.fromEntries(Array.from({ length: count }, (_unused, at) => [`f${at}`, text(1_000)]));
    expect(Object.keys((await values.offload(many(21), 1_500)).handles ?? {})).toHaveLength(20);
    expect(Object.keys((await values.offload(many(22), 1_500)).handles ?? {})).toEqual(['']);
  });

  it('has fields of any name', async () => {
    const named = JSON.parse(`{"__proto__": "${text(70)}", "a": "${text(200)}", "": 1}`) as Json;
    const stored = await values.offload(named, 150);
    expect(Object.keys(stored.handles ?? {})).toEqual(['a']);
    expect(JSON.stringify(await fresh().load(stored))).toBe(JSON.stringify(named));
    // The name without letters stands for the whole result: its field never leaves alone.
    const unnamed = await values.offload({ '': text(200), a: 1 }, 100);
    expect(unnamed.value).toBeNull();
    expect(await fresh().load(unnamed)).toEqual({ '': text(200), a: 1 });
  });

  describe('whose text is longer than the engine of the language can hold', () => {
    afterEach(() => void jest.restoreAllMocks());
    const stringify = (error: Error): void => {
      jest.spyOn(JSON, 'stringify').mockImplementation(() => {
        throw error;
      });
    };
    it('is one that is too large', async () => {
      const large = ['x'.repeat(65 * 1_048_576)];
      stringify(new RangeError('Invalid string length'));
      await expect(values.put(large)).rejects.toMatchObject({ code: 'payload_too_large', category: 'too_large' });
      await expect(values.put(['small'])).rejects.toBeInstanceOf(RangeError);
      jest.restoreAllMocks();
      stringify(new TypeError('circular'));
      await expect(values.put(large)).rejects.toBeInstanceOf(TypeError);
    });
  });

  it('is refused above 64 MB, with the size that it has', async () => {
    expect(await values.putBytes(new Uint8Array(64 * 1_048_576))).toMatchObject({ size: 64 * 1_048_576 });
    await expect(values.putBytes(new Uint8Array(64 * 1_048_576 + 1))).rejects.toMatchObject({
      code: 'payload_too_large',
      category: 'too_large',
      message: expect.stringMatching(/at most 64 MB of JSON; this one has 64\.0 MB/),
    });
  });
});

describe('a stored value', () => {
  it('is put together of slices, elements and values of their own', async () => {
    const read = (...parts: BlobPart[]): Promise<Json> => values.read({ parts, size: 1 });
    expect(await read(await part('whole', { a: 1 }))).toEqual({ a: 1 });
    expect(await read(await part('slice', [1, 2]))).toEqual([1, 2]);
    expect(await read(await part('element', [1, 2]))).toEqual([[1, 2]]);
    expect(await read(await part('slice', [1, 2]), await part('element', [3]), await part('slice', [4]))).toEqual([
      1,
      2,
      [3],
      4,
    ]);
    expect(await read(await part('whole', [1]), await part('slice', [2]))).toEqual([[1], 2]);
    expect(await read()).toEqual([]);
  });

  it('is read only as far as a reference needs it', async () => {
    const rows = await values.put([{ n: 7 }]);
    const stored = { value: { few: 1, rows: null, other: null }, handles: { rows, other: lost } };
    const field = (name: string) => ({ kind: 'field' as const, name });
    const at = (index: number) => ({ kind: 'index' as const, index });
    const path = [field('rows'), at(0), field('n')];
    expect(await fresh().resolve({ kind: 'stored', stored, path })).toBe(7);
    expect(await fresh().load(stored, 'few')).toEqual({ few: 1, rows: null, other: null });
    for (const whole of [[], [at(0)]])
      await expect(fresh().resolve({ kind: 'stored', stored, path: whole })).rejects.toMatchObject({
        code: 'blob_not_found',
      });
    expect(await values.resolve({ kind: 'value', value: [1] })).toEqual([1]);
    expect(await values.resolve({ kind: 'undefined' })).toBeUndefined();
  });

  it('is read once, however often it is needed', async () => {
    const handle = await values.put({ rare: 'value' });
    const reader = fresh();
    const [first] = handle.parts;
    expect(await reader.read(handle)).toEqual({ rare: 'value' });
    expect(await reader.bytes(first!)).toEqual(Buffer.from('{"rare":"value"}'));
    await rm(folder, { recursive: true });
    expect(await reader.read(handle)).toEqual({ rare: 'value' });
    await expect(fresh().read(handle)).rejects.toMatchObject({ code: 'blob_not_found' });
  });
});
