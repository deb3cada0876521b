import { isIP } from 'node:net';

/** `host[:port]` taken apart; undefined when it is not one. IPv6 addresses stand in brackets. */
function splitHost(text: string): { name: string; port?: number } | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]/@\s]+)(?::(\d{1,5}))?$/.exec(text);
  if (match?.[1] === undefined) {
    return undefined;
  }
  const name = match[1].replace(/^\[|\]$/g, '').toLowerCase();
  return match[2] === undefined ? { name } : { name, port: Number(match[2]) };
}

function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name === '::1') {
    return true;
  }
  return isIP(name) === 4 && name.startsWith('127.');
}

/**
 * True if the `Host` header is one of ours. A page on the network that was rebound to this address still sends its own
 * name, so only loopback names with our port pass, and those that the operator listed.
 */
export function isOwnHost(header: string | undefined, port: number, allowed: readonly string[]): boolean {
  const host = header === undefined ? undefined : splitHost(header);
  if (host === undefined) return false;
  // Clients leave out the port of the scheme, and behind a proxy the scheme is not known here.
  const ports = host.port === undefined ? DEFAULT_PORTS : [host.port];
  return isListed(host.name, ports, allowed) || (isLoopbackName(host.name) && (host.port ?? 80) === port);
}

const DEFAULT_PORTS: readonly number[] = [80, 443];

function isListed(name: string, ports: readonly number[], allowed: readonly string[]): boolean {
  return allowed.some((each) => {
    const own = splitHost(each);
    return own?.port !== undefined && own.name === name && ports.includes(own.port);
  });
}

/** A browser names the page that asks: it has to be served by the very same host. Neither has to name its scheme's port. */
export function isOwnOrigin(origin: string, host: string): boolean {
  return ['http', 'https'].some((scheme) => {
    const own = `${scheme}://${host.toLowerCase()}`;
    return origin.toLowerCase() === own || origin === URL.parse(own)?.origin;
  });
}

/** Address under which clients reach the API: the first that the operator listed, else the one that it listens at. */
export function publicAddress(listening: string, [listed]: readonly string[]): string {
  if (listed === undefined) return listening;
  return URL.parse(`${splitHost(listed)?.port === 443 ? 'https' : 'http'}://${listed}`)?.origin ?? listening;
}
