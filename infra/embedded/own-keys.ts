import { existsSync } from 'node:fs';
import { addKeyToFile, keyFileOf } from '../crypto/key-file';
import type { Home } from './home';

/**
 * Puts a new master key before those in the home's key file; the running processes take it up. Undefined where keys are
 * given in another way: then whoever gives them makes a new one.
 */
export function addOwnKey(home: Home, env: NodeJS.ProcessEnv): string | undefined {
  if (env.AF_MASTER_KEYS) return undefined;
  const file = keyFileOf({ home: home.root, masterKeysFile: env.AF_MASTER_KEYS_FILE || undefined });
  return existsSync(file) ? addKeyToFile(file) : undefined;
}
