import { randomUUID } from 'node:crypto';
import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { Database } from '../db/database';
import { ApiKeysStore } from '../db/stores/identity/api-keys.store';
import { CredentialsStore } from '../db/stores/identity/credentials.store';
import { readLocalKey, writeLocalKey } from '../embedded/local-key-file';
import { makeFolders } from '../make-folders';
import { hashToken, isToken, PREFIXES, randomToken } from './random-token';

const NAME = 'local.key';
/** Tells keys apart without giving one away. */
const SHOWN = 10;

export interface MintedKey {
  /** Shown once. */
  key: string;
  hash: string;
  prefix: string;
}

export function mintKey(): MintedKey {
  const key = randomToken(PREFIXES.key);
  return { key, hash: hashToken(key), prefix: key.slice(0, SHOWN) };
}

/**
 * The key of the first administrator in `local.key`: a process that can read the file has their rights. Made where there is none that works;
 * the row comes before the file, so that a crash between the two only makes another one.
 */
export async function ensureLocalKey(database: Database, home: string): Promise<string> {
  const known = readLocalKey(home);
  if (known !== undefined && isToken(known, PREFIXES.key) && (await isKnown(database, known))) return known;
  const { key, hash, prefix } = mintKey();
  const keys = new ApiKeysStore(database);
  await keys.tx(LOCAL_USER_ID, async (sql) => {
    await keys.revokeNamed(LOCAL_USER_ID, NAME, sql);
    const limits = { scopes: null, read_only: false, may_decide: true, objects: null, expires_at: null };
    await keys.add({ id: randomUUID(), owner_id: LOCAL_USER_ID, name: NAME, prefix, hash, ...limits }, sql);
  });
  makeFolders(home);
  writeLocalKey(home, key);
  return key;
}

async function isKnown(database: Database, key: string): Promise<boolean> {
  return (await new CredentialsStore(database).byKey(hashToken(key))) !== null;
}
