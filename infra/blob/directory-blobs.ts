import { access, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isStorageFull, storageFull } from '../db/outage';
import { makeFolders } from '../make-folders';
import { writeWhole } from '../write-whole';
import { addressOf, blobNotFound, checkAddress, checkContent, type BlobAddress, type BlobStore } from './blob-store';
import { gunzip, gzip } from './gzip';

/** Blobs as compressed files. A file appears under its name only when it is whole and on the disk. */
export class DirectoryBlobs implements BlobStore {
  private hasRoot = false;

  constructor(private readonly root: string) {}

  async put(scope: string, bytes: Uint8Array): Promise<BlobAddress> {
    checkAddress(scope);
    const address = await addressOf(bytes);
    if (!(await this.has(scope, address.sha256))) {
      try {
        this.makeRoot();
        const path = this.pathOf(scope, address.sha256);
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeWhole(path, await gzip(bytes), 0o600);
      } catch (error) {
        throw isStorageFull(error) ? storageFull(error) : error;
      }
    }
    return address;
  }

  async get(scope: string, sha256: string): Promise<Buffer> {
    checkAddress(scope, sha256);
    let packed: Buffer;
    try {
      packed = await readFile(this.pathOf(scope, sha256));
    } catch (error) {
      throw isMissing(error) ? blobNotFound(sha256) : error;
    }
    const bytes = await gunzip(packed);
    return checkContent(bytes, sha256);
  }

  async has(scope: string, sha256: string): Promise<boolean> {
    checkAddress(scope, sha256);
    try {
      await access(this.pathOf(scope, sha256));
      return true;
    } catch {
      return false;
    }
  }

  private makeRoot(): void {
    if (!this.hasRoot) makeFolders(this.root, 0o700);
    this.hasRoot = true;
  }

  private pathOf(scope: string, sha256: string): string {
    return join(this.root, scope, sha256.slice(0, 2), `${sha256}.gz`);
  }
}

function isMissing(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === 'ENOENT';
}
