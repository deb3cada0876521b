import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { identityOf, type CallerInfo, type Identity } from '../access/identity';

export type { CallerInfo } from '../access/identity';

function fromGuard(context: ExecutionContext): Identity {
  const identity = identityOf(context.switchToHttp().getRequest<FastifyRequest>());
  // A route that is open to anybody has no caller: only a defect of ours asks for one.
  if (identity === undefined) throw new Error('this route has no caller');
  return identity;
}

/** Who asks, as most use cases want it. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext): CallerInfo =>
  fromGuard(context),
);

/** Who asks, with the rights and the credential of this call. */
export const Who = createParamDecorator((_data: unknown, context: ExecutionContext): Identity => fromGuard(context));

/** The command line names itself `cli/<version>`. */
export function viaOf(client: string | string[] | undefined): CallerInfo['via'] {
  return typeof client === 'string' && /^cli(\/|$)/.test(client) ? 'cli' : 'api';
}
