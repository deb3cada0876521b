import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { SegmentValues } from '../../../activities/runner/segment-values';
import { Values } from '../../../activities/runner/values';
import type { Json, JsonObject } from '../../../core/base/json';
import { LOCAL_USER_ID } from '../../../core/base/run-status';
import type { Handle, StoredValue } from '../../../core/engine/values';
import { DirectoryBlobs } from '../../../infra/blob/directory-blobs';
import { newFolder } from '../../support/run-folder';

const LIMIT = 65_536;
const folder = newFolder('segment-values');
const directory = new DirectoryBlobs(folder);
const count = { puts: 0, gets: 0 };
const blobs = {
  put: (...given: Parameters<DirectoryBlobs['put']>) => ((count.puts += 1), directory.put(...given)),
  get: (...given: Parameters<DirectoryBlobs['get']>) => ((count.gets += 1), directory.get(...given)),
  has: (...given: Parameters<DirectoryBlobs['has']>) => directory.has(...given),
};
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => {
  Object.assign(count, { puts: 0, gets: 0 });
});

/** Values as a segment has them: what was put is found in memory. */
function segment(): { offload: (value: Json) => Promise<StoredValue>; load: (stored: StoredValue) => Promise<Json> } {
  const values: Values = new Values(blobs, LOCAL_USER_ID, (handle: Handle) => large.get(handle));
  const large = new SegmentValues(values);
  return {
    offload: (value) => values.offload(value, LIMIT, (part) => large.put(part)),
    load: (stored) => values.load(stored),
  };
}
const fromStore = (stored: StoredValue): Promise<Json> => new Values(blobs, LOCAL_USER_ID).load(stored);
const records = (text = 'x'): Json[] => Array.from({ length: 1_000 }, (_each, no) => ({ no, text: text.repeat(100) }));

describe('large results of the steps of a segment', () => {
  it('that each add a field to one document have it stored once, and read nothing', async () => {
    const { offload, load } = segment();
    let document: JsonObject = { id: 1, records: records() };
    const all: [StoredValue, JsonObject][] = [];
    for (let step = 1; step <= 10; step += 1) {
      document = { ...document, [`f${step}`]: step };
      const stored = await offload({ document });
      all.push([stored, document]);
      document = ((await load(stored)) as { document: JsonObject }).document;
    }
    expect(count).toEqual({ puts: 1, gets: 0 });
    for (const [stored, wanted] of all) expect(await fromStore(stored)).toEqual({ document: wanted });
  });

  it.each<[string, Json, number]>([
    ['a list', records(), 1],
    ['a text', 'ä"\u2028'.repeat(50_000), 1],
    ['a list in a field', { rows: records(), n: 1 }, 1],
    ['two lists side by side', { both: { a: records('a'), b: records('b') } }, 2],
    ['five lists side by side', { all: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((n) => [n, records(n)])) }, 1],
    ['many small fields', { all: Object.fromEntries(records().map((each, no) => [`f${no}`, each])) }, 1],
    ['a name of the prototype', JSON.parse(`{"__proto__": ${JSON.stringify(records())}}`) as Json, 1],
  ])('%s come back as they were', async (_what, value, puts) => {
    const { offload, load } = segment();
    const stored = await offload(value);
    expect(count.puts).toBe(puts);
    expect(await load(stored)).toEqual(value);
    expect(count.gets).toBe(0);
    expect(JSON.stringify(await fromStore(stored))).toBe(JSON.stringify(value));
  });

  it('leave memory when there are many: they are read again', async () => {
    const { offload, load } = segment();
    const values = Array.from({ length: 10 }, (_each, no) => ({ no, text: `${no}`.repeat(2_500_000) }));
    const stored: StoredValue[] = [];
    for (const value of values) stored.push(await offload(value));
    expect(await load(stored[9] as StoredValue)).toEqual(values[9]);
    expect(count.gets).toBe(0);
    expect(await load(stored[0] as StoredValue)).toEqual(values[0]);
    expect(count.gets).toBe(1);
  });
});
