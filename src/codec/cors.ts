import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Ends with what Temporal Web appends to the address of a codec server. */
const PATH = /^\/api\/agent-factory\/codec\/(?:de|en)code(?:\?|$)/;

/** The page of Temporal Web, and it alone, may call the codec endpoint from its own origin. */
export function isTemporalUi(request: FastifyRequest, temporalUi: string | undefined): boolean {
  return temporalUi !== undefined && PATH.test(request.raw.url ?? '') && request.headers.origin === temporalUi;
}

/** Adds the headers for Temporal Web after the request guard, which has refused every other origin. */
export function installCodecCors(server: FastifyInstance, temporalUi: string | undefined): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (!isTemporalUi(request, temporalUi)) {
      done();
      return;
    }
    void reply.headers({
      'access-control-allow-origin': temporalUi,
      'access-control-allow-credentials': 'true',
      vary: 'origin',
    });
    if (request.method !== 'OPTIONS') {
      done();
      return;
    }
    void reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type, x-namespace, authorization, authorization-extras',
        'access-control-max-age': '600',
      })
      .send();
  });
}
