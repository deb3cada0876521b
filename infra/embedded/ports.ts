import { createServer } from 'node:net';
import { embeddedError, systemCode } from './errors';

const ATTEMPTS = 100;

/** Is this TCP port of the loopback address free? Port 0 answers with a free one of the system's choice. */
function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.unref();
    server.once('error', (error) => (systemCode(error) === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const found = typeof address === 'object' && address !== null ? address.port : port;
      server.close(() => resolve(found));
    });
  });
}

/** A free port of the system's choice. */
export async function freePort(): Promise<number> {
  const port = await tryPort(0);
  if (port === null)
    throw embeddedError('no_free_port', 'No free TCP port was found on 127.0.0.1. Close some programs and try again.');
  return port;
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
