import type { FastifyInstance } from 'fastify';
import type { Socket } from 'node:net';

/**
 * Browsers and HTTP clients open connections in advance. At the end Node closes those that are idle
 * after a request; for one that never sent a byte it would wait until the client closes it.
 */
export function installUnusedConnections(server: FastifyInstance): void {
  const open = new Set<Socket>();
  let closing = false;
  server.server.on('connection', (socket: Socket) => {
    if (closing) {
      socket.destroy();
      return;
    }
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.addHook('preClose', (done) => {
    closing = true;
    open.forEach((socket) => {
      if (socket.bytesRead === 0) socket.destroy();
    });
    done();
  });
}
