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
  /** `sql`: the transaction of what it tells of; without it, a statement of its own. */
  audit: (call: AuditedCall, sql?: Sql) => Promise<void>;
}
