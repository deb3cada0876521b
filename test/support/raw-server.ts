import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A server that sends any bytes that the test wants. */
export interface RawServer {
  url: string;
  port: number;
  /** Number of connections that were opened, and of those that are still open. */
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

/** Sends `answer` after a request, then does `after`. */
export function answering(answer: string | Buffer, after: (socket: Socket) => void): (socket: Socket) => void {
  return (socket) => {
    socket.once('data', () => socket.write(answer, () => after(socket)));
  };
}
