import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { LOCAL_USER_ID } from '../../core/base/run-status';

/** Who asks: every use case takes it, and every query its owner id. */
export interface CallerInfo {
  ownerId: string;
  /** Name that decisions are recorded under. */
  actor: string;
  via: 'api' | 'cli';
}

/** Until identity arrives there is one local user; the guard in front saw to it that the request is his. */
export function callerOf(request: FastifyRequest): CallerInfo {
  return { ownerId: LOCAL_USER_ID, actor: 'local', via: viaOf(request.headers['x-af-client']) };
}

export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): CallerInfo =>
  callerOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The command line names itself `cli/<version>`. */
export function viaOf(client: string | string[] | undefined): CallerInfo['via'] {
  return typeof client === 'string' && /^cli(\/|$)/.test(client) ? 'cli' : 'api';
}
