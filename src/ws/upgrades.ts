import type { FastifyInstance } from 'fastify';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The connection of a request that asks to become a WebSocket. */
export interface Upgrade {
  socket: Socket;
  head: Buffer;
  /** The handshake is done: the request is answered with 101. */
  accepted: () => void;
}

/** Sockets until a route takes them. */
const waiting = new WeakMap<IncomingMessage, { socket: Socket; head: Buffer; response: ServerResponse }>();

/** True for requests that leave the usual path. */
export function isWebSocketUpgrade(request: { headers: { upgrade?: string | undefined } }): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Requests for a WebSocket go through the same guards, hooks and routes as all others, with an answer written to their
 * connection. Only the route that takes the connection keeps it; every other answer ends it.
 */
export function installUpgrades(server: FastifyInstance): void {
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // No other code would see an error of a connection that breaks here.
    socket.on('error', () => socket.destroy());
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    waiting.set(request, { socket, head, response });
    server.routing(request, response);
  });
}

/** The connection, which belongs to the caller from now on; undefined: this is a usual request. */
export function takeUpgrade(request: IncomingMessage): Upgrade | undefined {
  const found = waiting.get(request);
  if (found === undefined) {
    return undefined;
  }
  const { socket, head, response } = found;
  waiting.delete(request);
  response.detachSocket(socket);
  // Closes the response with its connection; otherwise code that waits for its end would wait for ever.
  socket.once('close', () => response.emit('close'));
  // Status of a refused handshake.
  response.statusCode = 400;
  return { socket, head, accepted: () => void (response.statusCode = 101) };
}
