import type { FastifyInstance, FastifyRequest } from 'fastify';
import { identityOf, peerOf } from '../access/identity';
import { isWebSocketUpgrade } from '../ws/upgrades';

export interface RequestLog {
  info(fields: object, message: string): void;
}

/**
 * One line a request, as its connection is done with the answer: a stream's and a WebSocket's is written at its end. The
 * route is its template: an address has ids, and may have a token.
 */
export function installRequestLog(server: FastifyInstance, log: RequestLog): void {
  server.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    reply.raw.once('close', () => {
      const { statusCode, writableFinished } = reply.raw;
      // Answers to WebSocket handshakes are not written by us.
      const isAnswered = writableFinished || isWebSocketUpgrade(request);
      log.info(
        {
          event: 'request',
          requestId: request.id,
          method: request.method,
          route: request.routeOptions.url ?? 'none',
          status: statusCode,
          ms: Math.round((performance.now() - began) * 10) / 10,
          ...(isAnswered ? {} : { aborted: true }),
          ...callerOf(request),
          ...namedRun(request),
        },
        'request',
      );
    });
    done();
  });
}

function callerOf(request: FastifyRequest): object {
  const identity = identityOf(request);
  if (identity === undefined) return { peer: peerOf(request.raw) };
  const { ownerId, means, via } = identity;
  return { caller: ownerId, means, via, peer: peerOf(request.raw) };
}

function namedRun(request: FastifyRequest): object {
  const { runId } = (request.params ?? {}) as { runId?: unknown };
  return typeof runId === 'string' && /^[0-9a-f-]{36}$/i.test(runId) ? { runId } : {};
}
