import * as ipaddr from 'ipaddr.js';

/** `host:port` pairs of AF_EGRESS_ALLOW. The host is a name or an address; IPv6 in brackets. */
export type AllowList = readonly { host: string; port: number }[];

/** The entries of the setting, which has checked their form. */
export function allowListOf(entries: readonly string[]): AllowList {
  return entries.map((entry) => {
    const at = entry.lastIndexOf(':');
    return { host: entry.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(entry.slice(at + 1)) };
  });
}

/** Cloud metadata services that live on public-looking addresses. */
const METADATA = new Set(['168.63.129.16', '100.100.100.200', '192.0.0.192']);

/**
 * True for an address that anyone on the internet may be asked at: global unicast only. Every other range
 * (loopback, private, link-local, carrier NAT, mapped, tunnelled, reserved) is refused, also as IPv4 inside IPv6.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) {
    return false;
  }
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast' || METADATA.has(parsed.toString())) {
    return false;
  }
  // Global IPv6 unicast is 2000::/3 (RFC 4291); `unicast` alone would let ::7f00:1 through.
  return parsed.kind() === 'ipv4' || (((parsed as ipaddr.IPv6).parts[0] ?? 0) & 0xe000) === 0x2000;
}

/** True if the operator named this host and port. */
export function isAllowed(allow: AllowList, host: string, port: number): boolean {
  const wanted = canonicalHost(host);
  return allow.some((entry) => entry.port === port && canonicalHost(entry.host) === wanted);
}

/** True for an IP address. Other hosts are names, which is seen without parsing. */
const MAY_BE_ADDRESS = /^[0-9a-fx.]*$|:/;

/** One spelling for a host: no brackets, no trailing dot, lower case, addresses normalised. */
export function canonicalHost(host: string): string {
  const bare = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase();
  return MAY_BE_ADDRESS.test(bare) && ipaddr.isValid(bare) ? ipaddr.process(bare).toString() : bare;
}
