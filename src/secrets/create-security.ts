import type { Config } from '../../infra/config/config';
import { KeyRotation } from '../../infra/crypto/rotation';
import type { Database } from '../../infra/db/database';
import { DecisionHeadsStore } from '../../infra/db/stores/decision-heads.store';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { SigningKeysStore } from '../../infra/db/stores/identity/signing-keys.store';
import { MasterKeysStore } from '../../infra/db/stores/master-keys.store';
import { DecisionExport } from '../../infra/decisions/decision-export';
import { SigningKeys } from '../../infra/identity/signing-keys';
import { openVault, type Keys } from '../../infra/secrets/open-vault';
import type { PayloadParts } from '../../infra/temporal/connection';
import { PayloadReader } from '../../infra/temporal/payload-reader';
import type { Security } from './security';

export interface SecurityParts {
  config: Config;
  database: Database;
  payloads: PayloadParts;
  keys: Keys;
}

export function createSecurity({ config, database, payloads, keys }: SecurityParts): Security {
  const { ring } = keys;
  const vault = openVault(config, database, keys);
  return {
    vault,
    rotation: new KeyRotation({ ring, keys: new MasterKeysStore(database), vault }),
    reader: new PayloadReader(payloads.seal, payloads.offload, config.payloadEncryption),
    decisions: new DecisionExport({
      log: new DecisionsStore(database),
      heads: new DecisionHeadsStore(database),
      ring,
    }),
    signing: new SigningKeys(new SigningKeysStore(database), ring),
  };
}
