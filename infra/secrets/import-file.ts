import { unlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import { AppError } from '../../core/errors/app-error';
import { syncFolder } from '../crypto/key-file';
import type { Secrets } from './secrets';
import type { SecretVault } from './vault';

export interface ImportLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/**
 * Imports `secrets.json` into the local user's encrypted secrets and deletes it. First every value is committed, then the
 * file goes: a crash between the two repeats the import, which then changes nothing. A file that cannot be read stays,
 * and the error of each missing secret says why.
 */
export async function importSecretsFile(file: Secrets, vault: SecretVault, log: ImportLog): Promise<void> {
  let entries: [string, string][];
  try {
    entries = file.entries();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log.warn({ code: error.code }, `secrets.json was not taken over: ${error.message}`);
    return;
  }
  if (entries.length === 0) return;
  for (const [name, value] of entries) {
    const done = await vault.put(LOCAL_USER_ID, name, value);
    if (done !== 'unchanged') log.info({ secret: name, done }, 'a secret of secrets.json was taken over, for any host');
  }
  // Deletes only the file that was read: an editor may have saved another one meanwhile.
  if (!same(file.entries(), entries)) return;
  unlinkSync(file.path);
  syncFolder(dirname(file.path));
}

function same(a: readonly [string, string][], b: readonly [string, string][]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
