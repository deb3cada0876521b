import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A proxy that knows CONNECT alone, remembers the targets, and leads every tunnel to where the test says. */
export interface ConnectProxy {
  port: number;
  asked: { target: string; headers: IncomingHttpHeaders }[];
  /** Connections, also those that never sent a request. */
  connections(): number;
  close(): Promise<void>;
}

/** `leadTo` gives the local port for a target, or the status that refuses it. */
export async function startConnectProxy(
  leadTo: (target: string) => { port: number } | { status: number },
): Promise<ConnectProxy> {
  const asked: ConnectProxy['asked'] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket) => {
    connections += 1;
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  server.on('connect', (request, stream, head) => {
    const socket = stream as Socket;
    const target = request.url ?? '';
    asked.push({ target, headers: request.headers });
    socket.on('error', () => undefined);
    const way = leadTo(target);
    if ('status' in way) {
      socket.end(`HTTP/1.1 ${way.status} Refused\r\n\r\n`);
      return;
    }
    const onward = connect(way.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        open.forEach((socket) => socket.destroy());
      }),
  };
}
