import type { Socket } from 'node:net';
import { Client } from 'pg';
import type { OpenSocket } from './access';
import type { DatabaseAddress } from './address';
import { WireMeter } from './wire-meter';

const NAME = 'agent-factory';
/** Time for a clean disconnect; after it the socket is destroyed. */
const LINGER_MS = 1_000;

/**
 * A connection for one call. It is thrown away afterwards, whatever happened: nothing that a statement left behind meets the
 * next call. Proxy and password settings of this process do not count: everything is said here.
 */
export async function withSession<T>(
  open: OpenSocket,
  use: { address: DatabaseAddress; timeoutMs: number; signal: AbortSignal },
  work: (client: Client, meter: WireMeter) => Promise<T>,
): Promise<T> {
  const { address, timeoutMs, signal } = use;
  const socket = await open({ host: address.host, port: address.port, timeoutMs, signal });
  const cut = (): void => void socket.destroy();
  signal.addEventListener('abort', cut, { once: true });
  const meter = new WireMeter();
  meter.watch(socket);
  const client = clientOn(socket, address);
  client.connection.once('sslconnect', () => meter.watch(client.connection.stream));
  // The same errors reject what is being asked; without a listener they would end the process.
  client.on('error', () => undefined);
  try {
    signal.throwIfAborted();
    await client.connect();
    return await work(client, meter);
  } catch (error) {
    throw meter.flood ?? error;
  } finally {
    signal.removeEventListener('abort', cut);
    discard(client, socket);
  }
}

function clientOn(socket: Socket, address: DatabaseAddress): Client {
  return new Client({
    host: address.host,
    port: address.port,
    user: address.user,
    // A function counts even when it gives an empty text; an empty text would be looked up elsewhere.
    password: () => address.password,
    database: address.database,
    application_name: NAME,
    client_encoding: 'UTF8',
    ssl: address.tls === 'off' ? false : { rejectUnauthorized: address.tls === 'verified' },
    stream: () => connected(socket),
  });
}

/** The driver connects by itself; this socket is connected already. */
function connected(socket: Socket): Socket {
  socket.connect = () => {
    queueMicrotask(() => socket.emit('connect'));
    return socket;
  };
  return socket;
}

function discard(client: Client, socket: Socket): void {
  client.end().catch(() => undefined);
  socket.destroySoon();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
