import type { Database } from '../../../infra/db/database';
import type { Egress } from '../../../infra/egress/egress';
import type { DatabaseAccess } from './access';
import { ownSystem } from './own-system';

/** Databases of others are reached through the egress guard, and ours by no way. */
export function guardedAccess(egress: Egress, database: Pick<Database, 'hot'>): DatabaseAccess {
  return { open: (request) => egress.socket(request), ownSystem: ownSystem(database) };
}
