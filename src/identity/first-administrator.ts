import { LOCAL_USER_ID } from '../../core/base/run-status';
import type { Config } from '../../infra/config/config';
import type { Database } from '../../infra/db/database';
import { ensureLocalKey } from '../../infra/identity/local-key';
import { hashToken, PREFIXES, randomToken } from '../../infra/identity/random-token';
import type { SecretMask } from '../../infra/secrets/secret-mask';
import { linkUrl } from '../app/link-url';
import type { ApiStores } from '../app/stores';

const LINK_SECONDS = 86_400;

/** The embedded profile's way in: the key file. It is masked in everything that this process writes. */
export async function prepareLocalKey(
  config: Pick<Config, 'home' | 'localKey'>,
  database: Database,
  mask: SecretMask,
): Promise<void> {
  if (config.localKey) mask.add(await ensureLocalKey(database, config.home));
}

/**
 * Makes a link that gives the first administrator a password, at each start, while they have none and there is no key
 * file. There is no default password.
 */
export async function firstAdministratorLink(
  config: Pick<Config, 'localKey'>,
  { users, links }: Pick<ApiStores, 'users' | 'links'>,
  url: string,
): Promise<string | undefined> {
  if (config.localKey) return undefined;
  const user = await users.get(LOCAL_USER_ID);
  if (user?.status !== 'active' || (await users.hasPassword(LOCAL_USER_ID))) return undefined;
  const token = randomToken(PREFIXES.link);
  const link = { purpose: 'first_admin', userId: LOCAL_USER_ID, hash: hashToken(token) } as const;
  await links.add({ ...link, loopback: false, seconds: LINK_SECONDS });
  return linkUrl(url, token);
}
