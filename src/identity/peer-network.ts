import { isIP } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/**
 * Network for which a peer's failed sign-ins are counted: an IPv4 address, and of IPv6 the /64, since the owner of one
 * address has them all.
 */
export function networkOf(peer: string): string {
  const address = peer.replace(/%.*$/, '');
  if (isIP(address) !== 6) return peer;
  const [head = '', tail] = address.split('::');
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = tail === undefined ? 0 : Math.max(0, GROUPS - before.length - after.length);
  const all = [...before, ...Array<string>(zeros).fill('0'), ...after];
  return `${all.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/**
 * Groups without leading zeros, so that one network has one name. A dotted end stands for two groups after the network.
 */
function groupsOf(text: string): string[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => (group.includes('.') ? ['0', '0'] : [parseInt(group, 16).toString(16)]));
}
