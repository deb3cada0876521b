import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Writes a file that is there whole or not at all, also after a power cut: beside its place, synced, then renamed. */
export async function writeWhole(path: string, bytes: Uint8Array, mode: number): Promise<void> {
  const folder = dirname(path);
  const partial = join(folder, `.${randomBytes(9).toString('hex')}.partial`);
  try {
    const file = await open(partial, 'wx', mode);
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(partial, path);
    await syncFolder(folder);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Makes a new name survive a power cut. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
