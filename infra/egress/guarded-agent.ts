import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { AppError } from '../../core/errors/app-error';
import { canonicalHost, isAllowed, isPublicAddress } from './address-policy';
import type { AllowList } from './address-policy';

const CONNECT_TIMEOUT = 10_000;
const MAX_ADDRESSES = 4;
const UNREACHABLE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ECONNREFUSED']);

export type Resolve = (host: string) => Promise<string[]>;

const systemResolve: Resolve = async (host) =>
  (await lookup(host, { all: true, verbatim: true })).map((found) => found.address);

/**
 * An HTTP agent whose every connection is checked where it is opened: the name is resolved once, all of its
 * addresses must be allowed, and the connection goes to that very address. A guard on look-up alone would never
 * see addresses written as numbers; a check before the request would see another answer than the connection.
 */
export function guardedAgent(allow: AllowList, resolve: Resolve = systemResolve): Agent {
  const connect = buildConnector({ allowH2: false, timeout: CONNECT_TIMEOUT });
  const guarded: buildConnector.connector = (options, callback) => {
    const port = Number(options.port) || (options.protocol === 'https:' ? 443 : 80);
    checkedAddresses({ host: options.hostname, port, allow, resolve }).then(
      (addresses) => connectInTurn(connect, { options, addresses, callback }),
      (error: Error) => callback(error, null),
    );
  };
  return new Agent({ connect: guarded, keepAliveTimeout: 4_000, connections: 32, maxHeaderSize: 32_768 });
}

/** All of them, or none: a name that also leads inside is not to be trusted with the others. */
async function checkedAddresses(use: {
  host: string;
  port: number;
  allow: AllowList;
  resolve: Resolve;
}): Promise<string[]> {
  const host = canonicalHost(use.host);
  const addresses = isIP(host) === 0 ? await use.resolve(host) : [host];
  if (addresses.length === 0) {
    throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
  }
  if (!isAllowed(use.allow, host, use.port) && !addresses.every(isPublicAddress)) {
    throw egressDenied(host, use.port);
  }
  return addresses.slice(0, MAX_ADDRESSES);
}

interface Turn {
  options: buildConnector.Options;
  addresses: readonly string[];
  callback: buildConnector.Callback;
}

/** The next address only where the one before cannot be reached at all: a host without IPv6 still gets through. */
function connectInTurn(connect: buildConnector.connector, turn: Turn): void {
  const [address, ...rest] = turn.addresses;
  connect({ ...turn.options, hostname: address ?? '' }, (error, socket) => {
    if (error === null) {
      turn.callback(null, socket);
    } else if (rest.length > 0 && UNREACHABLE.has((error as { code?: string }).code ?? '')) {
      connectInTurn(connect, { ...turn, addresses: rest });
    } else {
      turn.callback(error, null);
    }
  });
}

export function egressDenied(host: string, port: number): AppError {
  const place = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  return new AppError(
    'egress_denied',
    `${place} is not on the public internet, so nothing is sent there. An operator can allow it with AF_EGRESS_ALLOW=${place}.`,
    { category: 'forbidden', details: { host, port } },
  );
}
