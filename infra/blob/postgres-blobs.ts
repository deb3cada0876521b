import { owner, SYSTEM, type Database, type Principal, type Sql } from '../db/database';
import { toDatabaseError } from '../db/outage';
import {
  addressOf,
  blobNotFound,
  checkAddress,
  checkContent,
  HISTORY_SCOPE,
  type BlobAddress,
  type BlobStore,
} from './blob-store';
import { gunzip, gzip } from './gzip';

const CHUNK = 1024 * 1024;
/** Chunks that one read brings. */
const READ_CHUNKS = 8;

/** Blobs in the database, in chunks that are compressed one by one: nothing blocks the process for long. */
export class PostgresBlobs implements BlobStore {
  constructor(private readonly database: Database) {}

  async put(scope: string, bytes: Uint8Array): Promise<BlobAddress> {
    checkAddress(scope);
    const address = await addressOf(bytes);
    try {
      if (bytes.length <= CHUNK) {
        await this.database.hot('select af_put_blob($1, $2, $3, $4)', [
          scope,
          address.sha256,
          address.size,
          await gzip(bytes),
        ]);
      } else if (!(await this.has(scope, address.sha256))) {
        const chunks = await packed(bytes);
        await this.database.tx(principal(scope), (sql) => putLarge(sql, scope, address, chunks));
      }
      return address;
    } catch (error) {
      throw toDatabaseError(error);
    }
  }

  async get(scope: string, sha256: string): Promise<Buffer> {
    checkAddress(scope, sha256);
    const parts: Buffer[] = [];
    for (let full = true; full;) {
      const chunks = await this.database.hot<{ data: string }>('select data from af_read_blob($1, $2, $3, $4)', [
        scope,
        sha256,
        parts.length,
        READ_CHUNKS,
      ]);
      parts.push(...(await Promise.all(chunks.map((chunk) => gunzip(Buffer.from(chunk.data, 'base64'))))));
      full = chunks.length === READ_CHUNKS;
    }
    if (parts.length === 0) {
      throw blobNotFound(sha256);
    }
    return checkContent(parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts), sha256);
  }

  async has(scope: string, sha256: string): Promise<boolean> {
    checkAddress(scope, sha256);
    const [row] = await this.database.hot<{ there: boolean }>('select af_has_blob($1, $2) as there', [scope, sha256]);
    return row?.there === true;
  }
}

/** Compressed before the transaction: it holds nothing while it computes. */
async function packed(bytes: Uint8Array): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += CHUNK) {
    chunks.push(await gzip(bytes.subarray(start, start + CHUNK)));
  }
  return chunks;
}

/** The row comes first: a second writer of the same content waits for this transaction and then finds it. */
async function putLarge(sql: Sql, scope: string, address: BlobAddress, chunks: Buffer[]): Promise<void> {
  const added = await sql.query(
    'insert into blobs (scope, sha256, size, chunks) values ($1, $2, $3, $4) on conflict do nothing returning 1',
    [scope, address.sha256, address.size, chunks.length],
  );
  for (const [no, data] of added.length > 0 ? chunks.entries() : []) {
    await sql.query('insert into blob_chunks (scope, sha256, no, data) values ($1, $2, $3, $4)', [
      scope,
      address.sha256,
      no,
      data,
    ]);
  }
}

function principal(scope: string): Principal {
  return scope === HISTORY_SCOPE ? SYSTEM : owner(scope);
}
