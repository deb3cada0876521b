import { closeSync, fsyncSync, openSync, readFileSync, renameSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';
import { embeddedError } from './errors';
import { isOpenToOthers } from '../owner-only';

/** API key of this home's owner; `af`, the quick start and `curl` use it. */
export function localKeyFile(home: string): string {
  return path.join(home, 'local.key');
}

/** Undefined where there is none. Throws `local_key_unsafe` for a file that others can read. */
export function readLocalKey(home: string): string | undefined {
  const file = localKeyFile(home);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (isOpenToOthers(stat)) {
    throw embeddedError('local_key_unsafe', `${file} can be read by other users. Run: chmod 600 ${file}`);
  }
  const key = readFileSync(file, 'utf8').trim();
  return key === '' ? undefined : key;
}

/** Appears as a whole, for its owner alone. */
export function writeLocalKey(home: string, key: string): void {
  const file = localKeyFile(home);
  const partial = `${file}.${process.pid}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  try {
    writeSync(handle, `${key}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(partial, file);
}
