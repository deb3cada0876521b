import type { BasicAuth } from '../../core/connector/auth-types';
import type { Mask } from '../../infra/secrets/mask';
import { pairOf, type HeldSecret } from './held-secret';

/** The value of `Authorization` (RFC 7617). Throws `invalid_secret`. */
export function basicValue(auth: BasicAuth, secret: HeldSecret, mask: Mask): string {
  const [user, password] =
    auth.username === undefined ? pairOf(secret, 'user:password') : [auth.username, secret.value];
  mask.add(password);
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
