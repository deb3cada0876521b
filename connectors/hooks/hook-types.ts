import type { Sql } from '../../infra/db/database';

export interface AuditedCall {
  ownerId: string;
  connector: string;
  endpoint: string;
  effectKey: string;
  succeeded: boolean;
}

/** Services of the built-in hooks. */
export interface CallHooks {
  /** `sql`: transaction of the audited effect; without it a separate statement. */
  audit: (call: AuditedCall, sql?: Sql) => Promise<void>;
}
