import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { identityOf, type CallerInfo, type Identity } from '../access/identity';

export type { CallerInfo } from '../access/identity';

/** Throws on public routes: they have no caller. */
export function callerOf(request: FastifyRequest): Identity {
  const identity = identityOf(request);
  if (identity === undefined) throw new Error('this route has no caller');
  return identity;
}

function fromGuard(context: ExecutionContext): Identity {
  return callerOf(context.switchToHttp().getRequest<FastifyRequest>());
}

/** The caller of this request, with the rights and the credential of this call. */
export const CurrentCaller = createParamDecorator((_data: unknown, context: ExecutionContext): Identity =>
  fromGuard(context),
);

/** The command line names itself `cli/<version>`. */
export function clientKindOf(client: string | string[] | undefined): CallerInfo['via'] {
  return typeof client === 'string' && /^cli(\/|$)/.test(client) ? 'cli' : 'api';
}
