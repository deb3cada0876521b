import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A peer that speaks what it wants, byte by byte. */
export interface RawServer {
  url: string;
  port: number;
  /** Connections that were opened, and those that are still open. */
  opened(): number;
  open(): number;
  close(): Promise<void>;
}

export async function startRawServer(onSocket: (socket: Socket) => void, host = '127.0.0.1'): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host}:${port}`,
    port,
    opened: () => opened,
    open: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        sockets.forEach((socket) => socket.destroy());
      }),
  };
}

/** Sends `answer` once a request has come, then does `after`. */
export function answering(answer: string | Buffer, after: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    socket.once('data', () => socket.write(answer, () => after(socket)));
  };
}
