import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { canonicalHost } from './address-policy';
import { checkedAddresses } from './check-target';
import { egressDenied } from './denials';
import type { Policy } from './policy';
import { openTunnel } from './proxy';

const CONNECT_TIMEOUT_MS = 10_000;
/** Time limit of one address while others are left: a network that drops IPv6 must not use all the time up. */
const TRY_TIMEOUT_MS = 3_000;
const UNREACHABLE = new Set(['ENETUNREACH', 'EHOSTUNREACH', 'EADDRNOTAVAIL', 'ECONNREFUSED', 'ETIMEDOUT']);

/**
 * The only place that opens a connection to the world. The host is looked up and checked here, and connected to at a
 * checked address: a guard on look-up alone would never see addresses written as numbers, and one before the request
 * would see another answer than the connection gets.
 */
export async function openSocket(policy: Policy, host: string, port: number): Promise<Socket> {
  const addresses = await checkedAddresses(policy, host, port);
  const open = (address: string, timeoutMs: number): Promise<Socket> =>
    policy.proxy === undefined
      ? connectDirectly(address, port, timeoutMs)
      : connectThrough(policy.proxy, { address, port, timeoutMs });
  return connectToFirst(addresses, open);
}

/** Connects to the first address that can be reached: the next one only where the one before cannot be reached at all. */
async function connectToFirst(
  addresses: readonly string[],
  open: (address: string, timeoutMs: number) => Promise<Socket>,
): Promise<Socket> {
  const [address = '', ...rest] = addresses;
  if (rest.length === 0) {
    return open(address, CONNECT_TIMEOUT_MS);
  }
  try {
    return await open(address, TRY_TIMEOUT_MS);
  } catch (error) {
    if (!UNREACHABLE.has((error as { code?: string }).code ?? '')) {
      throw error;
    }
    return connectToFirst(rest, open);
  }
}

async function connectDirectly(address: string, port: number, timeoutMs: number): Promise<Socket> {
  const { socket, settled } = startConnect(address, port, timeoutMs);
  await settled;
  // The address that the kernel is connected to is checked last.
  if (canonicalHost(socket.remoteAddress ?? '') !== address) {
    socket.destroy();
    throw egressDenied(socket.remoteAddress ?? address, port);
  }
  return socket;
}

async function connectThrough(
  proxy: NonNullable<Policy['proxy']>,
  to: { address: string; port: number; timeoutMs: number },
): Promise<Socket> {
  const { socket, settled } = startConnect(proxy.host, proxy.port, to.timeoutMs);
  await settled;
  const timer = setTimeout(() => socket.destroy(noAnswer()), to.timeoutMs);
  try {
    return await openTunnel(socket, proxy, to.address, to.port);
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function startConnect(host: string, port: number, timeoutMs: number): { socket: Socket; settled: Promise<void> } {
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 });
  const settled = new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => socket.destroy(noAnswer()), timeoutMs);
    socket.once('connect', () => {
      clearTimeout(timer);
      resolve();
    });
    // Keeps the listener: an error between two owners must not end the process.
    socket.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
  return { socket, settled };
}

function noAnswer(): Error {
  return Object.assign(new Error('no answer to the connection'), { code: 'ETIMEDOUT' });
}
