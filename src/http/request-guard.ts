import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors/app-error';
import { anonymousBodyProblem } from '../access/anonymous-body';
import { isOwnHost, isOwnOrigin } from './host-rules';
import { noRoute } from './known-errors';

export interface GuardOptions {
  /** Further `host[:port]` values that may stand in the Host header. */
  allowedHosts: readonly string[];
  /** True once the process was told to stop. */
  closing: () => boolean;
  /** Requests of pages of another origin that may pass. */
  allowsOrigin?: (request: FastifyRequest) => boolean;
}

/**
 * Runs before routing decides anything, for every request, so that no form of a path passes beside it.
 * The caller is identified after it (src/access).
 */
export function installRequestGuard(server: FastifyInstance, options: GuardOptions): void {
  server.addHook('onRequest', (request, reply, done) => {
    void reply.headers({
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
    });
    done(refusalOf(request, options));
  });
  // A kept connection would delay the end until its client closes it.
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (options.closing()) {
      void reply.header('connection', 'close');
    }
    done(null, payload);
  });
}

function refusalOf(request: FastifyRequest, options: GuardOptions): Error | undefined {
  try {
    return refusal(request, options) ?? anonymousBodyProblem(request.headers);
  } catch (error) {
    return error as Error;
  }
}

function refusal(request: FastifyRequest, options: GuardOptions): AppError | undefined {
  // `GET http://elsewhere/...` names its host twice: two readers could take different ones.
  if (request.raw.url?.startsWith('/') !== true) {
    return new AppError('invalid_url', 'Send the path alone, not a whole address.', { category: 'bad_request' });
  }
  if (options.closing()) {
    return new AppError('shutting_down', 'The API is stopping. Try again in a moment.', {
      category: 'unavailable',
      retryable: true,
    });
  }
  const host = request.headers.host;
  if (host === undefined || !isOwnHost(host, request.raw.socket.localPort ?? 0, options.allowedHosts)) {
    return new AppError(
      'foreign_host',
      'This API answers only under a loopback name with its own port, for example 127.0.0.1, and under the names that AF_ALLOWED_HOSTS lists.',
      {
        category: 'forbidden',
      },
    );
  }
  const origin = request.headers.origin;
  if (origin !== undefined && !isOwnOrigin(origin, host) && options.allowsOrigin?.(request) !== true) {
    return new AppError('foreign_origin', 'Pages of another origin may not call this API.', { category: 'forbidden' });
  }
  return isSecondSpelling(request.raw.url) ? noRoute() : undefined;
}

/** A letter, a digit or a mark that never needs it, percent-encoded (RFC 3986 section 2.3): routing would decode it. */
const NEEDLESS = /%(?:2d|2e|3[0-9]|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/i;

/** One spelling of a path: a proxy, a log or a rule before the route sees the path that is called. */
function isSecondSpelling(url: string): boolean {
  const end = url.indexOf('?');
  const path = end < 0 ? url : url.slice(0, end);
  return path.includes('%') && NEEDLESS.test(path);
}
