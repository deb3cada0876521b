import type { FastifyInstance } from 'fastify';
import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/** The connection of a request that asks to become a WebSocket, until a route takes it. */
export interface Upgrade {
  socket: Socket;
  head: Buffer;
}

const waiting = new WeakMap<IncomingMessage, Upgrade & { response: ServerResponse }>();

/** Only these leave the road of usual requests. */
export function asksForWebSocket(request: { headers: { upgrade?: string | undefined } }): boolean {
  return request.headers.upgrade?.toLowerCase() === 'websocket';
}

/**
 * Requests for a WebSocket go through the same guards, hooks and routes as all others, with an answer written to their
 * connection. Only the route that takes the connection keeps it; every other answer ends it.
 */
export function installUpgrades(server: FastifyInstance): void {
  server.server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    // A connection that breaks here has nobody else who would hear of it.
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
  waiting.delete(request);
  found.response.detachSocket(found.socket);
  return { socket: found.socket, head: found.head };
}
