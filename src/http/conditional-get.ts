import type { FastifyInstance, FastifyReply } from 'fastify';
import { etagOfText, matchesIfNoneMatch } from './etag';

/** Answers whose tag is that of their text, which only the last hook sees. */
const byText = new WeakSet<FastifyReply>();

export function tagByText(reply: FastifyReply): void {
  byText.add(reply);
}

/** `ETag` of answers that have no row of their own, and 304 for a client that has the answer already. */
export function installConditionalGet(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (request.method !== 'GET' || reply.statusCode !== 200) {
      done(null, payload);
      return;
    }
    if (byText.has(reply) && typeof payload === 'string') {
      void reply.header('etag', etagOfText(payload));
    }
    const etag = reply.getHeader('etag');
    if (typeof etag !== 'string') {
      done(null, payload);
      return;
    }
    // The client keeps the answer, but asks about it every time.
    void reply.header('cache-control', 'private, no-cache');
    if (matchesIfNoneMatch(request.headers['if-none-match'], etag)) {
      void reply.code(304).removeHeader('content-type').removeHeader('content-length');
      done(null, null);
      return;
    }
    done(null, payload);
  });
}
