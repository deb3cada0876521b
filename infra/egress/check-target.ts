import { isIP } from 'node:net';
import { canonicalHost, isAllowed, isPublicAddress } from './address-policy';
import { egressDenied, ownServiceDenied } from './denials';
import { isOwnService } from './own-services';
import type { Policy } from './policy';

const MAX_ADDRESSES = 4;

/**
 * Looks a host up once and returns its allowed addresses: all of them or none, as a name that also leads inside is not
 * trusted. The connection must use these addresses: a second look-up could give another answer. Throws `egress_denied`.
 */
export async function checkedAddresses(policy: Policy, given: string, port: number): Promise<string[]> {
  const host = canonicalHost(given);
  const addresses = isIP(host) === 0 ? (await policy.resolve(host)).map(canonicalHost) : [host];
  if (addresses.length === 0) {
    throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
  }
  const mayReach = (address: string): boolean => isPublicAddress(address) || isAllowed(policy.allow, address, port);
  if (!isAllowed(policy.allow, host, port) && !addresses.every(mayReach)) {
    throw egressDenied(host, port);
  }
  // Checked last: a caller whose target is refused anyway need not learn which address is ours.
  if (await isOwnService(policy.own, { host, port, addresses }, policy.resolveOwn)) {
    throw ownServiceDenied(host, port);
  }
  return addresses.slice(0, MAX_ADDRESSES);
}
