import { existsSync } from 'node:fs';
import { addKeyToFile, keyFileOf } from '../crypto/key-file';
import type { Home } from './home';

/**
 * Puts a new master key before those in the home's key file; the running processes read it. Undefined if keys come from
 * another place, where a new one must be made.
 */
export function addOwnKey(home: Home, env: NodeJS.ProcessEnv): string | undefined {
  if (env.AF_MASTER_KEYS) return undefined;
  const file = keyFileOf({ home: home.root, masterKeysFile: env.AF_MASTER_KEYS_FILE || undefined });
  return existsSync(file) ? addKeyToFile(file) : undefined;
}
