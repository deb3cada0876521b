import type { JsonObject } from '../../../core/base/json';
import type { Database } from '../database';
import type { StoredCiphertext } from './secrets.store';

/** One use of a pinned connector by a run; `ownerId`: whose run it is. */
export interface ConnectorUse {
  runId: string;
  ownerId: string;
  /** Id of the connector's pinned version. */
  versionId: string;
}

/** Use of the connector by the run's profile; empty without a profile or a binding. */
export interface RunBinding {
  outcome: 'ok' | 'not_pinned' | 'access_revoked' | 'binding_removed';
  /** Owner of the secrets that are sent; null unless `ok`. */
  secret_owner: string | null;
  permissions: JsonObject | null;
  config_overrides: JsonObject | null;
  credentials: JsonObject | null;
}

export interface BoundCiphertext extends StoredCiphertext {
  owner_id: string;
  allowed_hosts: string[];
  version: string;
}

const FIND = 'select * from af_bound_connector($1, $2, $3)';
const SECRET = 'select * from af_bound_secret($1, $2, $3, $4, $5)';

/** Rights of a run by its current bindings: one listed function for each question. */
export class RunBindingsStore {
  constructor(private readonly database: Database) {}

  /** Pauses the run where its profile may not be run any more. */
  async find(use: ConnectorUse): Promise<RunBinding> {
    const [row] = await this.database.hot<RunBinding>(FIND, [use.runId, use.ownerId, use.versionId]);
    return row as RunBinding;
  }

  /** Null where the binding does not give this secret to this endpoint, or there is none of this name. */
  async secret(use: ConnectorUse, endpoint: string, name: string): Promise<BoundCiphertext | null> {
    type Row = Omit<BoundCiphertext, 'ciphertext'> & { ciphertext: string };
    const [row] = await this.database.hot<Row>(SECRET, [use.runId, use.ownerId, use.versionId, endpoint, name]);
    return row === undefined ? null : { ...row, ciphertext: Buffer.from(row.ciphertext, 'base64') };
  }
}
