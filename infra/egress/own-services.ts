import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import * as ipaddr from 'ipaddr.js';
import type { Config } from '../config/config';
import { readEndpoints } from '../embedded/endpoints';
import { endpointsFileOf } from '../embedded/home';
import { allowListOf, canonicalHost, isPublicAddress } from './address-policy';
import type { AllowList } from './address-policy';
import { portOf } from './ports';
import type { Resolve } from './resolve';

/** The platform's own servers. A source that could name them would reach every owner's data. */
export interface OwnServices {
  /** Servers from the configuration. */
  listed: AllowList;
  /** Running services of the embedded profile: their ports are known once it has started. */
  running(): AllowList;
  /** Addresses of this machine, public ones too: a server that listens on all of them is met at each. */
  machine(): readonly string[];
}

export interface Target {
  /** Canonical: see canonicalHost. */
  host: string;
  port: number;
  addresses: readonly string[];
}

type OwnConfig = Pick<
  Config,
  | 'home'
  | 'host'
  | 'port'
  | 'apiUrl'
  | 'allowedHosts'
  | 'databaseUrl'
  | 'migrateDatabaseUrl'
  | 'temporalAddress'
  | 'temporalUiUrl'
  | 'egressDeny'
>;

export function ownServicesOf(config: OwnConfig): OwnServices {
  // Names under which this machine is reached from outside, perhaps at an address that no interface has.
  const names = [
    ...placesOf([config.apiUrl]).map(({ host }) => host),
    ...allowListOf(config.allowedHosts).map(({ host }) => host),
  ];
  const listed = [
    { host: config.host, port: config.port },
    ...placesOf([config.apiUrl, config.databaseUrl, config.migrateDatabaseUrl, config.temporalUiUrl]),
    ...allowListOf(config.temporalAddress === undefined ? [] : [config.temporalAddress]),
    ...allowListOf(config.allowedHosts),
    ...allowListOf(config.egressDeny),
  ];
  const running = (): AllowList =>
    runningAt(endpointsFileOf(config.home)).flatMap((place) => [
      place,
      ...names.map((host) => ({ host, port: place.port })),
    ]);
  return { listed, running, machine: machineAddresses };
}

function runningAt(endpointsFile: string): AllowList {
  const running = readEndpoints({ endpointsFile });
  if (running === undefined) {
    return [];
  }
  const { api, database, temporal, temporalUi } = running;
  return [
    ...placesOf([api.url, database.url, temporalUi.url ?? undefined]),
    ...allowListOf(temporal.address === '' ? [] : [temporal.address]),
  ];
}

function placesOf(urls: readonly (string | undefined)[]): AllowList {
  return urls.flatMap((text) => {
    const url = text === undefined ? null : URL.parse(text);
    if (url === null) {
      return [];
    }
    // A database may be named by a parameter; one behind a socket file usually listens on this machine as well.
    const named = url.searchParams.get('host') ?? url.hostname;
    const host = named === '' || named.startsWith('/') ? 'localhost' : named;
    return [{ host, port: Number(url.searchParams.get('port')) || portOf(url) }];
  });
}

/**
 * True if the target leads to one of our servers, by name or by any of its addresses. A server of this machine is found
 * at every address of this machine: it may listen on all of them.
 */
export async function isOwnService(own: OwnServices, target: Target, resolve: Resolve): Promise<boolean> {
  const mine = own.machine();
  for (const service of [...own.listed, ...own.running()]) {
    if (service.port === target.port && (await leadsTo(service.host, { target, mine, resolve }))) {
      return true;
    }
  }
  return false;
}

interface Meeting {
  target: Target;
  mine: readonly string[];
  resolve: Resolve;
}

async function leadsTo(own: string, { target, mine, resolve }: Meeting): Promise<boolean> {
  const host = canonicalHost(own);
  const isThisMachine = (address: string): boolean => mine.includes(address) || isLocal(address);
  if (host === target.host) {
    return true;
  }
  // Refuses every private address at its port when the address of our own server is unknown.
  const found = isIP(host) === 0 ? await resolve(host).catch(() => undefined) : [host];
  if (found === undefined) {
    return !target.addresses.every(isPublicAddress);
  }
  const ours = found.map(canonicalHost);
  return (
    target.addresses.some((address) => ours.includes(address)) ||
    (ours.some(isThisMachine) && target.addresses.some(isThisMachine))
  );
}

function isLocal(address: string): boolean {
  const range = ipaddr.isValid(address) ? ipaddr.process(address).range() : '';
  return range === 'loopback' || range === 'unspecified';
}

function machineAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((each) =>
    (each ?? []).map(({ address }) => canonicalHost(address)),
  );
}
