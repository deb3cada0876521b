import type { Config } from '../config/config';
import { keyFileOf, randomMasterKey, readKeyFile, writeKeyFile } from './key-file';
import { KeyRing } from './key-ring';
import { masterKeysMissing, parseMasterKeys } from './master-keys';

type KeyConfig = Pick<Config, 'home' | 'masterKeys' | 'masterKeysFile'>;

/**
 * The keys of AF_MASTER_KEYS, else of the key file. Throws with one clear line where there are none, or none that can be
 * used: nothing starts without a key, and no key is invented here.
 */
export function loadKeyRing(config: KeyConfig): KeyRing {
  if (config.masterKeys !== undefined) return new KeyRing(parseMasterKeys(config.masterKeys, 'AF_MASTER_KEYS'));
  const file = keyFileOf(config);
  const keys = readKeyFile(file);
  if (keys === undefined) throw masterKeysMissing(file);
  return new KeyRing(keys, () => readKeyFile(file));
}

/**
 * The embedded profile's very first start: a random key in AF_HOME, readable by its owner alone. Changes nothing where
 * keys are given or there already. Throws where they cannot be used, before anything is started.
 */
export function ensureKeys(config: KeyConfig): void {
  if (config.masterKeys === undefined && config.masterKeysFile === undefined) {
    const file = keyFileOf(config);
    if (readKeyFile(file) === undefined) writeKeyFile(file, [randomMasterKey()]);
  }
  loadKeyRing(config);
}
