import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { storePacked } from '../../../activities/stored-values';
import { SharedParts } from '../../../activities/runner/shared-parts';
import { Values } from '../../../activities/runner/values';
import type { Json } from '../../../core/base/json';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import { packShared, type SharedJson } from '../../../core/base/shared-json';
import { blobsOf, type StoredValue } from '../../../core/engine/values';
import { DirectoryBlobs } from '../../../infra/blob/directory-blobs';
import { storedJson } from '../../../src/runs/stored-json';
import { newFolder } from '../../support/run-folder';

let folder: string;
let blobs: DirectoryBlobs;
beforeAll(() => {
  folder = newFolder('shared-parts');
  blobs = new DirectoryBlobs(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const fresh = (): Values => new Values(blobs, LOCAL_USER_ID);
const text = (size: number): string => 'x'.repeat(size - 2);
const records = (mark: string): Json[] => Array.from({ length: 1_000 }, (_each, no) => ({ mark, no, text: text(60) }));

async function shown(stored: StoredValue): Promise<Json> {
  const pieces: Buffer[] = [];
  for await (const piece of storedJson(stored, (part) => blobs.get(LOCAL_USER_ID, part.sha256))) pieces.push(piece);
  return JSON.parse(Buffer.concat(pieces).toString('utf8')) as Json;
}

describe('outputs that hold the same large parts', () => {
  it('are stored with each part once, and read back as they were by worker and API', async () => {
    const [one, two] = [records('one'), records('two')];
    const values: { [key: string]: Json } = {
      s1: { data: [{ records: one, a: 'ä "quoted" \\' }] },
      s2: { data: [{ a: 1, records: one, b: { records: two } }], small: 1 },
      s3: one,
      s4: { data: two },
      s5: { small: true },
      s6: { text: text(70_000), n: 6 },
      s7: { text: text(70_000), n: 7 },
    };
    const outputs = Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }]));
    const packed = packShared(outputs) as SharedJson;
    const kept = await storePacked(fresh(), JSON.parse(JSON.stringify(packed)) as SharedJson);
    for (const [key, value] of Object.entries(values)) {
      expect(await fresh().load(kept[key] as StoredValue)).toEqual(value);
      expect(await shown(kept[key] as StoredValue)).toEqual(value);
    }
    const handles = Object.values(kept).flatMap((stored) => Object.values(stored.handles ?? {}));
    expect(new Set(handles.flatMap(blobsOf).map(({ sha256 }) => sha256)).size).toBe(3);
    expect(kept['s2']?.handles?.['data']).toMatchObject({ count: 1, size: JSON.stringify(values['s2']).length - 19 });
    expect(kept['s5']).toEqual({ value: { small: true } });
  });

  it('leave what lies outside already where it is', async () => {
    const part = records('part');
    const outside = await fresh().offload({ data: records('other') }, 65_536);
    const packed = packShared({ a: { value: { part } }, b: { value: { part } }, c: outside as unknown as Json });
    const kept = await storePacked(fresh(), packed as SharedJson);
    expect(kept['c']).toEqual(outside);
  });

  it('with much text of their own are blobs of their own', async () => {
    const part = records('part');
    const shared = new SharedParts(fresh());
    const put = (value: Json) => shared.put(value, new Set<Json>([part]));
    expect(await put({ part, own: text(17_000) })).toMatchObject({ parts: [{ kind: 'whole' }] });
    expect(await put({ part, own: text(16_000) })).toMatchObject({ text: ['{"part":', {}, expect.anything()] });
    expect(await put({ own: 1 })).toMatchObject({ parts: [{ kind: 'whole' }], size: 9 });
    expect(await put(part)).toMatchObject({ parts: [{ kind: 'whole' }], count: 1_000 });
  });

  it('are not larger together than one value may be', async () => {
    const part = [text(30 * 1_048_576)];
    const shared = new SharedParts(fresh());
    await expect(shared.put({ a: part, b: part, c: part }, new Set<Json>([part]))).rejects.toMatchObject({
      code: 'payload_too_large',
    });
  });
});
