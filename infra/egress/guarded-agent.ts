import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { Agent, buildConnector } from 'undici';
import { AppError } from '../../core/errors/app-error';
import { canonicalHost, isAllowed, isPublicAddress } from './address-policy';
import type { AllowList } from './address-policy';

const CONNECT_TIMEOUT = 10_000;

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
    checkedAddress({ host: options.hostname, port, allow, resolve }).then(
      (address) => connect({ ...options, hostname: address }, callback),
      (error: Error) => callback(error, null),
    );
  };
  return new Agent({ connect: guarded, keepAliveTimeout: 4_000, connections: 32, maxHeaderSize: 32_768 });
}

async function checkedAddress(use: {
  host: string;
  port: number;
  allow: AllowList;
  resolve: Resolve;
}): Promise<string> {
  const host = canonicalHost(use.host);
  const addresses = isIP(host) === 0 ? await use.resolve(host) : [host];
  const first = addresses[0];
  if (first === undefined) {
    throw Object.assign(new Error(`${host} has no address`), { code: 'ENOTFOUND' });
  }
  if (!isAllowed(use.allow, host, use.port) && !addresses.every(isPublicAddress)) {
    throw egressDenied(host, use.port);
  }
  return first;
}

export function egressDenied(host: string, port: number): AppError {
  return new AppError(
    'egress_denied',
    `${host}:${port} is not on the public internet, so nothing is sent there. An operator can allow it with AF_EGRESS_ALLOW=${host}:${port}.`,
    { category: 'forbidden', details: { host, port } },
  );
}
