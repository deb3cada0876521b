import type { Config } from '../config/config';
import { checkKeys } from '../crypto/check-keys';
import type { KeyRing } from '../crypto/key-ring';
import { loadKeyRing } from '../crypto/load-keys';
import type { Database } from '../db/database';
import { MasterKeysStore } from '../db/stores/master-keys.store';
import { SecretsStore } from '../db/stores/secrets.store';
import { llmSettings, providerSecrets, type LlmConfig } from '../llm/settings';
import { importSecretsFile, type ImportLog } from './import-file';
import { SecretMask } from './secret-mask';
import { Secrets } from './secrets';
import { SecretVault } from './vault';

/** Keys of a process, and the texts that it must never write down. One object for the whole process. */
export interface Keys {
  ring: KeyRing;
  mask: SecretMask;
}

/** Throws with one clear line when there is no usable master key. Keys of model providers are in no log either. */
export function openKeys(config: Parameters<typeof loadKeyRing>[0] & Partial<Omit<LlmConfig, 'models'>>): Keys {
  const mask = new SecretMask();
  for (const secret of providerSecrets(llmSettings({ ...config, models: [] }))) mask.add(secret);
  return { ring: loadKeyRing(config), mask };
}

export function openVault(config: Pick<Config, 'home'>, database: Database, { ring, mask }: Keys): SecretVault {
  return new SecretVault({ store: new SecretsStore(database), ring, mask, file: new Secrets(config.home) });
}

/** Checks the keys at the start of the API, after the migrations, and imports an old file if there is one. */
export async function prepareSecrets(
  config: Pick<Config, 'home'>,
  database: Database,
  keys: Keys,
  log: ImportLog,
): Promise<void> {
  await checkKeys(keys.ring, new MasterKeysStore(database));
  await importSecretsFile(new Secrets(config.home), openVault(config, database, keys), log);
}
