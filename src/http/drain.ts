import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';

const LONGEST_MS = 10_000;

/**
 * A connection that is closed while its client still sends is reset, and the client never sees the reason: before a body that
 * is too large is refused, the rest of it is read and dropped, up to `mostBytes` and for 10 s.
 */
export function installDrain(server: FastifyInstance, mostBytes: number): void {
  server.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode === 413) await drain(request.raw, mostBytes);
    return payload;
  });
}

function drain(request: IncomingMessage, mostBytes: number): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    let seen = 0;
    const done = (): void => {
      clearTimeout(timer);
      request.off('data', count).off('end', done).off('close', done);
      resolve();
    };
    const count = (chunk: Buffer): void => {
      seen += chunk.length;
      if (seen > mostBytes) done();
    };
    const timer = setTimeout(done, LONGEST_MS);
    request.on('data', count).once('end', done).once('close', done).resume();
  });
}
