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

const PUT_SMALL = `
  with blob as (
    insert into blobs (scope, sha256, size, chunks) values ($1, $2, $3, 1) on conflict do nothing returning scope, sha256
  )
  insert into blob_chunks (scope, sha256, no, data) select scope, sha256, 0, $4 from blob`;

/** The driver reads no binary rows (it would decode them as text): base64 is the shortest and fastest text. */
const READ = `
  select encode(data, 'base64') as data from blob_chunks where scope = $1 and sha256 = $2 and no >= $3 order by no limit $4`;

/** Blobs in the database, in chunks that are compressed one by one: nothing blocks the process for long. */
export class PostgresBlobs implements BlobStore {
  constructor(private readonly database: Database) {}

  async put(scope: string, bytes: Uint8Array): Promise<BlobAddress> {
    checkAddress(scope);
    const address = await addressOf(bytes);
    try {
      if (bytes.length <= CHUNK) {
        await this.database.hot(PUT_SMALL, [scope, address.sha256, address.size, await gzip(bytes)]);
      } else if (!(await this.has(scope, address.sha256))) {
        await this.database.tx(principal(scope), (sql) => putLarge(sql, scope, address, bytes));
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
      const chunks = await this.database.hot<{ data: string }>(READ, [scope, sha256, parts.length, READ_CHUNKS]);
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
    const rows = await this.database.hot('select 1 from blobs where scope = $1 and sha256 = $2', [scope, sha256]);
    return rows.length > 0;
  }
}

/** The row comes first: a second writer of the same content waits for this transaction and then finds it. */
async function putLarge(sql: Sql, scope: string, address: BlobAddress, bytes: Uint8Array): Promise<void> {
  const chunks = Math.ceil(bytes.length / CHUNK);
  const added = await sql.query(
    'insert into blobs (scope, sha256, size, chunks) values ($1, $2, $3, $4) on conflict do nothing returning 1',
    [scope, address.sha256, address.size, chunks],
  );
  for (let no = 0; added.length > 0 && no < chunks; no += 1) {
    const data = await gzip(bytes.subarray(no * CHUNK, (no + 1) * CHUNK));
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
