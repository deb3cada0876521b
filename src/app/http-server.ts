import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { installCodecCors, isTemporalUi } from '../codec/cors';
import { installBodyParsers, JSON_BODY_LIMIT } from '../http/body-parsers';
import { installConditionalGet } from '../http/conditional-get';
import { installDrain } from '../http/drain';
import { installMethodCheck } from '../http/method-check';
import { problemBody, problemHeaders } from '../http/problem-body';
import { requestId } from '../http/request-id';
import { installRequestGuard, type GuardOptions } from '../http/request-guard';
import { installRequestLog, type RequestLog } from '../http/request-log';
import { installUnusedConnections } from '../http/unused-connections';
import { HttpError } from '../http/http-error';
import { isWebSocketUpgrade, installUpgrades } from '../ws/upgrades';

export interface HttpServerOptions extends GuardOptions {
  maxUploadBytes: number;
  /** Origin of Temporal Web. */
  temporalUi?: string | undefined;
  /** Log of the requests, a line each. */
  log: RequestLog;
}

/** Fastify with our rules in front of everything, before Nest adds a route. */
export function createHttpServer(options: HttpServerOptions): FastifyAdapter {
  const adapter = new FastifyAdapter({
    skipMiddie: true,
    genReqId: requestId,
    bodyLimit: JSON_BODY_LIMIT,
    exposeHeadRoutes: false,
    // A closing server answers through the guard, in our own form.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // A missing Host header reaches the guard instead of an empty answer.
    http: { requireHostHeader: false, maxHeaderSize: 16 * 1024, shouldUpgradeCallback: isWebSocketUpgrade },
    requestTimeout: 120_000,
    routerOptions: { maxParamLength: 400, ignoreTrailingSlash: false, caseSensitive: true },
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      const body = problemBody(error, request.id);
      void reply.status(body.status).headers(problemHeaders(body)).send(body);
    },
    clientErrorHandler: answerBrokenRequest,
  });
  const server = adapter.getInstance<FastifyInstance>();
  installUnusedConnections(server);
  installRequestLog(server, options.log);
  installBodyParsers(server, options.maxUploadBytes);
  installRequestGuard(server, { ...options, allowsOrigin: (request) => isTemporalUi(request, options.temporalUi) });
  installCodecCors(server, options.temporalUi);
  installMethodCheck(server);
  installConditionalGet(server);
  installUpgrades(server);
  installDrain(server, 4 * Math.max(JSON_BODY_LIMIT, options.maxUploadBytes));
  return adapter;
}

/** Answers bytes that are no request (too many headers, broken syntax) in the same form. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 408 : 400;
  const code = status === 431 ? 'headers_too_large' : status === 408 ? 'request_timeout' : 'malformed_request';
  const body = JSON.stringify(
    problemBody(new HttpError(status, code, 'The request could not be read as HTTP.'), 'none'),
  );
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Error'}`,
    'Content-Type: application/problem+json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
