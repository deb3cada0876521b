import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedError, systemCode } from './errors';

const ATTEMPTS = 100;
const RECLAIM_MS = 5_000;

/** The port, if it is free on the loopback address. */
function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.unref();
    server.once('error', (error) => (systemCode(error) === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      server.close(() => resolve(port));
    });
  });
}

/**
 * A free port below the range that the system takes for outgoing connections: a server that is restarted on it finds
 * it free again.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = await tryPort(randomInt(20_000, 32_000));
    if (port !== null) return port;
  }
  throw embeddedError('no_free_port', 'No free TCP port was found on 127.0.0.1. Close some programs and try again.');
}

/** The port that a server had before it died: it may be released a moment later. After that the next free one. */
async function reclaimPort(port: number): Promise<number> {
  for (const end = Date.now() + RECLAIM_MS; Date.now() < end; await sleep(100)) {
    if ((await tryPort(port)) !== null) return port;
  }
  return nextFreePort(port);
}

/** The wished port, or the next free one above it. `taken` names ports promised to others of this start. */
export async function nextFreePort(wished: number, taken: readonly number[] = []): Promise<number> {
  for (let port = wished; port < Math.min(wished + ATTEMPTS, 65_536); port++) {
    if (taken.includes(port)) continue;
    const found = await tryPort(port).catch((error: unknown) => {
      if (systemCode(error) !== 'EACCES') throw error;
      throw embeddedError(
        'port_not_allowed',
        `This user may not listen on port ${port}. Choose a port above 1024 with AF_PORT.`,
        error,
      );
    });
    if (found !== null) return found;
  }
  throw embeddedError(
    'no_free_port',
    `Ports ${wished} to ${wished + ATTEMPTS - 1} are all taken. Choose another with AF_PORT.`,
  );
}

export interface PortRequest {
  /** The port it had before. */
  oldPort?: number;
  /** The preferred one of a first start. */
  port?: number;
}

export function choosePort({ oldPort, port }: PortRequest): Promise<number> {
  if (oldPort !== undefined) return reclaimPort(oldPort);
  return port === undefined ? freePort() : nextFreePort(port);
}
