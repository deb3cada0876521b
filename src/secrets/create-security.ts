import type { Config } from '../../infra/config/config';
import { KeyRotation } from '../../infra/crypto/rotation';
import type { Database } from '../../infra/db/database';
import { DecisionExport } from '../../infra/decisions/decision-export';
import { SigningKeys } from '../../infra/identity/signing-keys';
import { openVault, type Keys } from '../../infra/secrets/open-vault';
import type { PayloadParts } from '../../infra/temporal/connection';
import { PayloadReader } from '../../infra/temporal/payload-reader';
import type { ApiStores } from '../app/stores';
import type { Security } from './security';

export interface SecurityParts {
  config: Config;
  database: Database;
  stores: Pick<ApiStores, 'masterKeys' | 'decisions' | 'decisionHeads' | 'signingKeys'>;
  payloads: PayloadParts;
  keys: Keys;
}

export function createSecurity({ config, database, stores, payloads, keys }: SecurityParts): Security {
  const { ring } = keys;
  const vault = openVault(config, database, keys);
  return {
    vault,
    rotation: new KeyRotation({ ring, keys: stores.masterKeys, vault }),
    reader: new PayloadReader(payloads.seal, payloads.offload, config.payloadEncryption),
    decisions: new DecisionExport({ log: stores.decisions, heads: stores.decisionHeads, ring }),
    signing: new SigningKeys(stores.signingKeys, ring),
  };
}
