import type { Database } from '../db/database';
import type { BlobStore } from './blob-store';
import { DirectoryBlobs } from './directory-blobs';
import { PostgresBlobs } from './postgres-blobs';

/** The directory if one is configured (all processes must share it), else the database. */
export function openBlobs(config: { blobDir?: string }, database: Database): BlobStore {
  return config.blobDir === undefined ? new PostgresBlobs(database) : new DirectoryBlobs(config.blobDir);
}
