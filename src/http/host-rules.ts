import { isIP } from 'node:net';

/** `host[:port]` taken apart; undefined when it is not one. IPv6 addresses stand in brackets. */
export function splitHost(text: string): { name: string; port?: number } | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]/@\s]+)(?::(\d{1,5}))?$/.exec(text);
  if (match?.[1] === undefined) {
    return undefined;
  }
  const name = match[1].replace(/^\[|\]$/g, '').toLowerCase();
  return match[2] === undefined ? { name } : { name, port: Number(match[2]) };
}

export function isLoopbackName(name: string): boolean {
  if (name === 'localhost' || name === '::1') {
    return true;
  }
  return isIP(name) === 4 && name.startsWith('127.');
}

/**
 * Is the `Host` header one of ours? A page on the network that was rebound to this address still
 * sends its own name, so only loopback names with our port pass, and what the operator listed.
 */
export function isOwnHost(header: string | undefined, port: number, allowed: readonly string[]): boolean {
  if (header === undefined) {
    return false;
  }
  if (allowed.includes(header.toLowerCase())) {
    return true;
  }
  const host = splitHost(header);
  return host !== undefined && isLoopbackName(host.name) && (host.port ?? 80) === port;
}

/** A browser names the page that asks: it has to be served by the very same host. */
export function isOwnOrigin(origin: string, host: string): boolean {
  return (
    origin.toLowerCase() === `http://${host.toLowerCase()}` || origin.toLowerCase() === `https://${host.toLowerCase()}`
  );
}
