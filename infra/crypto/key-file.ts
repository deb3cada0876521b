import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../core/errors/app-error';
import { formatMasterKeys, KEY_BYTES, parseMasterKeys, type MasterKey } from './master-keys';
import { isOpenToOthers } from '../owner-only';

/** File of the master keys when AF_MASTER_KEYS is not set. */
export function keyFileOf(config: { home: string; masterKeysFile?: string | undefined }): string {
  return config.masterKeysFile ?? join(config.home, 'master.keys');
}

/** Undefined where there is no such file. Throws `master_keys_unsafe` for one that others can read. */
export function readKeyFile(file: string): MasterKey[] | undefined {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (isOpenToOthers(stat)) {
    throw new AppError('master_keys_unsafe', `${file} can be read by other users. Run: chmod 600 ${file}`, {
      category: 'forbidden',
    });
  }
  return parseMasterKeys(readFileSync(file, 'utf8'), file);
}

/** Durable when it returns: nothing may be encrypted under a key that a power cut takes away. */
export function writeKeyFile(file: string, keys: readonly MasterKey[]): void {
  const partial = `${file}.${process.pid}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  try {
    writeSync(handle, formatMasterKeys(keys));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(partial, file);
  syncFolder(dirname(file));
}

/** Makes renames and deletions in the folder survive a power cut. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

export function randomMasterKey(): MasterKey {
  return { id: `k${randomBytes(4).toString('hex')}`, bytes: randomBytes(KEY_BYTES) };
}

/** Puts a random key before those that are there. Returns its id. */
export function addKeyToFile(file: string): string {
  const key = randomMasterKey();
  writeKeyFile(file, [key, ...(readKeyFile(file) ?? [])]);
  return key.id;
}
