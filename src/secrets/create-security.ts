import type { BlobStore } from '../../infra/blob/blob-store';
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
import { PayloadOffload } from '../../infra/temporal/payload-offload';
import { PayloadReader } from '../../infra/temporal/payload-reader';
import { PayloadSeal } from '../../infra/temporal/payload-seal';
import type { Security } from './security';

export interface SecurityParts {
  config: Config;
  database: Database;
  blobs: BlobStore;
  keys: Keys;
}

export function createSecurity({ config, database, blobs, keys }: SecurityParts): Security {
  const { ring } = keys;
  const vault = openVault(config, database, keys);
  const threshold = config.blobThresholdBytes;
  return {
    vault,
    rotation: new KeyRotation({ ring, keys: new MasterKeysStore(database), vault }),
    reader: new PayloadReader(new PayloadSeal(ring, threshold), new PayloadOffload(blobs, threshold)),
    decisions: new DecisionExport({
      log: new DecisionsStore(database),
      heads: new DecisionHeadsStore(database),
      ring,
    }),
    signing: new SigningKeys(new SigningKeysStore(database), ring),
  };
}
