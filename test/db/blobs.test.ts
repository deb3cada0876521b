import { createHash, Hash, randomBytes } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HISTORY_SCOPE, type BlobStore } from '../../infra/blob/blob-store';
import { DirectoryBlobs } from '../../infra/blob/directory-blobs';
import { openBlobs } from '../../infra/blob/open-blobs';
import { PostgresBlobs } from '../../infra/blob/postgres-blobs';
import { OWNER, STRANGER, testDatabase, type TestDatabase } from './db-fixture';
import { newFolder } from '../support/run-folder';

const MB = 1024 * 1024;
let db: TestDatabase;
let folder: string;

beforeAll(async () => {
  db = await testDatabase();
  folder = newFolder('blobs');
});
afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true });
});

interface Kind {
  name: string;
  open: () => BlobStore;
  /** Breaks what is stored. */
  damage: (sha256: string) => Promise<unknown>;
}

/** Counts the bytes that are hashed, in all and in one turn of the event loop: hashing is what runs on our thread. */
function hashingWatch(): { inAll(): number; mostInOneTurn(): number; stop(): void } {
  const passOn = Hash.prototype.update;
  let [inAll, inTurn, most] = [0, 0, 0];
  const spy = jest.spyOn(Hash.prototype, 'update').mockImplementation(function (
    this: Hash,
    ...given: Parameters<Hash['update']>
  ) {
    const byteLength = Buffer.byteLength(given[0]);
    // Set by the first of a turn alone: an immediate that sets itself again would keep a core busy all the time.
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    inAll += byteLength;
    inTurn += byteLength;
    most = Math.max(most, inTurn);
    return passOn.apply(this, given);
  });
  return { inAll: () => inAll, mostInOneTurn: () => most, stop: () => spy.mockRestore() };
}

const fileOf = (sha256: string) => join(folder, OWNER, sha256.slice(0, 2), `${sha256}.gz`);
const KINDS: Kind[] = [
  {
    name: 'database',
    open: () => new PostgresBlobs(db.database),
    damage: (sha256) =>
      db.admin.query('update blob_chunks set data = $2 where sha256 = $1 and no = 0', [sha256, gzipSync('other')]),
  },
  {
    name: 'directory',
    open: () => new DirectoryBlobs(folder),
    damage: (sha256) => writeFile(fileOf(sha256), gzipSync('other')),
  },
];

describe.each(KINDS)('blobs in the $name', (kind) => {
  it.each([0, 1, 1000, MB, MB + 1, 9 * MB + 5])('gives back %d bytes', async (size) => {
    const store = kind.open();
    const bytes = randomBytes(size);
    const address = await store.put(OWNER, bytes);
    expect(address).toEqual({ size, sha256: createHash('sha256').update(bytes).digest('hex') });
    expect(bytes.equals(await store.get(OWNER, address.sha256))).toBe(true);
    expect(await store.has(OWNER, address.sha256)).toBe(true);
  });

  it('putting the same content again changes nothing, also at once', async () => {
    const store = kind.open();
    const small = Buffer.from(`same ${kind.name}`);
    const large = Buffer.alloc(3 * MB, `${kind.name} `);
    const addresses = await Promise.all(
      [small, large, small, large, small, large].map((bytes) => store.put(OWNER, bytes)),
    );
    expect(new Set(addresses.map((address) => address.sha256)).size).toBe(2);
    expect(large.equals(await store.get(OWNER, addresses[1]?.sha256 ?? ''))).toBe(true);
  });

  it('keeps scopes apart', async () => {
    const store = kind.open();
    const { sha256 } = await store.put(OWNER, Buffer.from(`mine ${kind.name}`));
    expect(await store.has(STRANGER, sha256)).toBe(false);
    await expect(store.get(STRANGER, sha256)).rejects.toMatchObject({ code: 'blob_not_found' });
    await store.put(HISTORY_SCOPE, Buffer.from(`mine ${kind.name}`));
    expect(await store.has(HISTORY_SCOPE, sha256)).toBe(true);
  });

  it('says when content is damaged', async () => {
    const store = kind.open();
    const { sha256 } = await store.put(OWNER, Buffer.from(`to be damaged ${kind.name}`));
    await kind.damage(sha256);
    await expect(store.get(OWNER, sha256)).rejects.toMatchObject({ code: 'blob_damaged' });
  });

  it.each(['../../etc/passwd', 'A'.repeat(64), ''])('refuses the address %j', async (sha256) => {
    await expect(kind.open().get(OWNER, sha256)).rejects.toMatchObject({ code: 'invalid_blob_address' });
    await expect(kind.open().put(`../${OWNER}`, Buffer.from('x'))).rejects.toMatchObject({
      code: 'invalid_blob_address',
    });
  });

  it('64 MB pass without holding up the process', async () => {
    const store = kind.open();
    const bytes = Buffer.alloc(64 * MB, randomBytes(4_000).toString('hex'));
    const work = hashingWatch();
    const { sha256 } = await store.put(OWNER, bytes);
    const back = await store.get(OWNER, sha256);
    work.stop();
    expect(back.equals(bytes)).toBe(true);
    expect(work.inAll()).toBeGreaterThanOrEqual(2 * bytes.length);
    expect(work.mostInOneTurn()).toBeLessThanOrEqual(8 * MB);
  });
});

it('leaves no half-written file', async () => {
  const names = await readdir(folder, { recursive: true });
  expect(names.filter((name) => name.endsWith('.partial'))).toEqual([]);
});

it('configuration chooses the store', () => {
  expect(openBlobs({}, db.database)).toBeInstanceOf(PostgresBlobs);
  expect(openBlobs({ blobDir: folder }, db.database)).toBeInstanceOf(DirectoryBlobs);
});
