import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Compute, type Computed } from '../../../activities/runner/compute';
import { Values } from '../../../activities/runner/values';
import type { Json } from '../../../core/base/json';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import type { UnitCall } from '../../../core/engine/commands';
import type { Handle, RefValue, StoredValue } from '../../../core/engine/values';
import type { BlobStore } from '../../../infra/blob/blob-store';
import { DirectoryBlobs } from '../../../infra/blob/directory-blobs';
import { newFolder } from '../../support/run-folder';

const LARGE = 262_144;
let folder: string;
let values: Values;
const compute = new Compute();
beforeAll(async () => {
  folder = newFolder('compute');
  values = new Values(new DirectoryBlobs(folder), LOCAL_USER_ID);
});
afterAll(async () => {
  await compute.close();
  await rm(folder, { recursive: true, force: true });
});

const UNIT: UnitCall = {
  path: 'u',
  name: 'u',
  key: 'u',
  effectKey: 'run/u',
  tryNo: 1,
  action: 'transform_data',
  inputs: { data: '{in.rows}' },
  params: {},
  refs: {},
  timeoutMs: 1000,
  valueLimit: 1_000_000,
};
type Local = { [key: string]: StoredValue };
const run = (more: Partial<UnitCall>, local: Local = {}): Promise<Computed | undefined> => {
  return compute.tryRun({ ...UNIT, ...more }, new Map(Object.entries(local)), values);
};
/** Content that says to be of a size, so that the little that it is goes the way of much. */
const sized = async (value: Json, size: number): Promise<Handle> => ({ ...(await values.put(value)), size });
const rows = [{ id: 1 }, { id: 2 }];
const field = (name: string) => ({ kind: 'field' as const, name });
const stored = (handles: { [name: string]: Handle }, ...path: string[]): RefValue => ({
  kind: 'stored',
  stored: { value: Object.hasOwn(handles, '') ? null : { few: [{ id: 9 }], rows: null }, handles },
  path: path.map(field),
});
const dataOf = async (answer: Promise<Computed | undefined>): Promise<unknown> => {
  const computed = await answer;
  if (computed === undefined) return 'not here';
  return computed.kind === 'failed' ? computed.error : computed.output.value;
};

describe('a pure step', () => {
  it('runs in a thread from 256 KB on that it reads, all references together', async () => {
    const read = async (size: number) => dataOf(run({ refs: { 'in.rows': stored({ '': await sized(rows, size) }) } }));
    expect(await read(LARGE - 1)).toBe('not here');
    expect(await read(LARGE)).toMatchObject({ data: rows, count: 2 });
    const half = stored({ '': await sized(rows, LARGE / 2) });
    expect(await dataOf(run({ refs: { 'in.rows': half } }))).toBe('not here');
    expect(await dataOf(run({ refs: { 'in.rows': half, other: half } }))).toMatchObject({ data: rows, count: 2 });
    expect(await dataOf(run({ refs: { 'in.rows': { kind: 'value', value: rows } } }))).toBe('not here');
    expect(await dataOf(run({ action: 'echo', refs: { 'in.rows': half, other: half } }))).toBe('not here');
  });

  it('counts and reads only the field that a reference needs', async () => {
    const [large, small] = [await sized(rows, LARGE), await sized([], 10)];
    const of = (handles: { [name: string]: Handle }, ...path: string[]) =>
      dataOf(run({ refs: { 'in.rows': stored(handles, ...path) } }));
    expect(await of({ rows: small, other: large }, 'rows')).toBe('not here');
    const other = { parts: [{ sha256: 'a'.repeat(64), size: 9, kind: 'whole' as const }], size: 9 };
    expect(await of({ rows: large, other }, 'rows')).toMatchObject({ data: rows, count: 2 });
    // The output as a whole holds its fields.
    expect(await of({ '': await sized({ rows }, LARGE) }, 'rows')).toMatchObject({ data: rows, count: 2 });
    const all = await dataOf(run({ refs: { 'in.rows': stored({ rows: small, other: large }) } }));
    expect(all).not.toBe('not here');
  });

  it('reads steps of its own segment, in its settings as well, unless the value came with it', async () => {
    const local = { a: { value: { rows: null, n: 1 }, handles: { rows: await sized(rows, LARGE) } } };
    const inputs = { data: '{a.rows}' };
    const params = { operations: [{ type: 'limit', count: '{a.n}' }] };
    expect(await dataOf(run({ inputs, params }, local))).toMatchObject({ data: rows.slice(0, 1), count: 1 });
    const refs = { 'a.rows': stored({ '': await sized([{ id: 3 }], LARGE) }) };
    expect(await dataOf(run({ inputs, refs }, local))).toMatchObject({ data: [{ id: 3 }], count: 1 });
    const data = [{ id: 4 }];
    expect(await dataOf(run({ inputs, edits: { data } }, local))).toEqual({ data, count: 1 });
  });

  it('is read as what is there, and what is not', async () => {
    const refs = { 'in.rows': stored({ '': await sized(rows, LARGE) }), n: { kind: 'value' as const, value: 1 } };
    const params = { operations: [{ type: 'limit', count: '{n}' }] };
    expect(await dataOf(run({ refs, params }))).toMatchObject({ data: rows.slice(0, 1), count: 1 });
    const missing = { big: refs['in.rows'], 'in.rows': { kind: 'undefined' as const } };
    expect(await dataOf(run({ refs: missing }))).toMatchObject({ code: 'missing_data' });
  });

  it('that cannot be done fails for good, with the code of the operation', async () => {
    const params = { operations: [{ type: 'limit', count: -1 }] };
    const refs = { 'in.rows': stored({ '': await sized(rows, LARGE) }) };
    expect(await run({ refs, params })).toEqual({
      kind: 'failed',
      error: {
        code: 'invalid_operation',
        message: expect.stringContaining('count'),
        category: 'validation',
        retryable: false,
      },
      events: [],
    });
  });

  it('whose data do not fit into a thread fails for good', async () => {
    const deep = Buffer.from(`[{"d":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`);
    const refs = { 'in.rows': stored({ '': { ...(await values.putBytes(deep)), size: LARGE } }) };
    expect(await run({ refs, valueLimit: 100 })).toStrictEqual({
      kind: 'failed',
      error: {
        code: 'payload_too_large',
        message: 'The data of transform_data do not fit into memory. Filter or page them first.',
        category: 'validation',
        retryable: false,
      },
      events: [],
    });
  });

  it('gives its large results as content, with their count', async () => {
    const refs = { 'in.rows': stored({ '': await sized(rows, LARGE) }) };
    const small = await run({ refs });
    expect(small).toEqual({ kind: 'stored', output: { value: { data: rows, count: 2 } } });
    const large = await run({ refs, valueLimit: 15 });
    expect(large).toMatchObject({
      output: { value: { data: null, count: 2 }, handles: { data: { size: JSON.stringify(rows).length, count: 2 } } },
    });
    if (large?.kind !== 'stored') throw new Error('it failed');
    expect(await values.load(large.output)).toMatchObject({ data: rows, count: 2 });
  });

  it('whose content is no JSON is nothing that a smaller one would help', async () => {
    const handle = { ...(await values.putBytes(Buffer.from('no json'))), size: LARGE };
    await expect(run({ refs: { 'in.rows': stored({ '': handle }) } })).rejects.toMatchObject({ name: 'SyntaxError' });
  });
});

describe('pure steps one after the other', () => {
  it('write and read what they pass on once', async () => {
    const count = { puts: 0, gets: 0 };
    const blobs = new DirectoryBlobs(folder);
    const counted: BlobStore = {
      has: (owner, sha256) => blobs.has(owner, sha256),
      put: async (owner, bytes) => {
        count.puts += bytes.length > LARGE ? 1 : 0;
        return blobs.put(owner, bytes);
      },
      get: async (owner, sha256) => {
        const bytes = await blobs.get(owner, sha256);
        count.gets += bytes.length > LARGE ? 1 : 0;
        return bytes;
      },
    };
    const document = {
      id: 'ä"',
      records: Array.from({ length: 6_000 }, (_each, no) => ({ no, text: 'x'.repeat(60) })),
    };
    const operations = (no: number) => ({ operations: [{ type: 'compute', as: `f${no}`, expression: String(no) }] });
    let input = stored({ '': await values.put([document]) });
    let last: StoredValue = { value: null };
    for (let no = 1; no <= 6; no++) {
      // Each step is an activity of its own.
      const own = new Values(counted, LOCAL_USER_ID);
      const unit = { ...UNIT, refs: { 'in.rows': input }, params: operations(no), valueLimit: 100_000 };
      const done = await compute.tryRun(unit, new Map(), own);
      if (done?.kind !== 'stored') throw new Error('it failed');
      last = done.output;
      input = { kind: 'stored', stored: last, path: [field('data')] };
    }
    const added = Object.fromEntries(Array.from({ length: 6 }, (_each, at) => [`f${at + 1}`, at + 1]));
    expect(await values.load(last)).toEqual({ data: [{ ...document, ...added }], count: 1 });
    // The document as it came; its records, which are a blob of their own from then on.
    expect(count).toEqual({ puts: 1, gets: 2 });
  });

  it('read again what a thread no longer has', async () => {
    const other = new Compute();
    const unit = { ...UNIT, refs: { 'in.rows': stored({ '': await sized(rows, LARGE) }) } };
    expect(await dataOf(other.tryRun(unit, new Map(), values))).toMatchObject({ data: rows });
    await other.close();
    Object.assign(other, { pool: undefined });
    expect(await dataOf(other.tryRun(unit, new Map(), values))).toMatchObject({ data: rows });
    await other.close();
  });
});
