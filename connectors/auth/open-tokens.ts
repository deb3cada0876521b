import type { Database } from '../../infra/db/database';
import { AccessTokensStore } from '../../infra/db/stores/access-tokens.store';
import type { Keys } from '../../infra/secrets/open-vault';
import { AccessTokens } from './access-tokens';
import { SealedTokens } from './sealed-tokens';

/** Access tokens that connectors fetch, shared with all other processes on this database. */
export function openTokens(database: Database, { ring, mask }: Keys): AccessTokens {
  return new AccessTokens(new SealedTokens(new AccessTokensStore(database), ring, mask));
}
