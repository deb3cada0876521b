import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isLocal, peerOf } from '../access/identity';
import type { Once } from '../http/idempotency/once';

/** Origin of a request, before its caller is known. */
export interface RequestOrigin {
  peer: string;
  /** True if it comes from this machine, and not through a proxy on it. */
  local: boolean;
  /** Name that the client gives itself. */
  client: string | null;
  requestId: string;
  /** Begin of our own addresses, as the client knows us. */
  base: string;
  secure: boolean;
}

/** Origin of a request, and the means to make its effect once. */
export interface RequestMeta {
  from: RequestOrigin;
  once: Once;
}

const LONGEST_CLIENT = 200;

export const Origin = createParamDecorator((_data: unknown, context: ExecutionContext): RequestOrigin =>
  originOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

function originOf(request: FastifyRequest): RequestOrigin {
  const { origin, host } = request.headers;
  // The request guard has let own origins and hosts pass only.
  const secure = origin?.startsWith('https://') === true;
  return {
    peer: peerOf(request.raw),
    local: isLocal(request.raw),
    client: request.headers['user-agent']?.replace(/\p{Cc}/gu, ' ').slice(0, LONGEST_CLIENT) ?? null,
    requestId: request.id,
    base: `${secure ? 'https' : 'http'}://${host ?? 'localhost'}`,
    secure,
  };
}
