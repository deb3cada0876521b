import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { AppError } from '../../core/errors/app-error';
import { reachesObjects } from '../../core/permissions/key-rights';
import { holds } from '../../core/permissions/scopes';
import { DatabaseProbe } from '../../infra/db/probe';
import { failWhenDatabaseGone } from '../http/database-deadline';
import { Authenticator } from './authenticator';
import { setIdentity, type Identity } from './identity';
import { refuseWhoMayNotDecide } from './may-decide';
import { namedObjects } from './named-objects';
import { ACCESS_RULE, type AccessRule } from './rules';

/** The one guard before every route: identifies the caller, and checks the route's rule. */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
    private readonly probe: DatabaseProbe,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const rule = this.reflector.get<AccessRule | undefined>(ACCESS_RULE, context.getHandler());
    // The server does not start with such a route, so this check is only a second protection.
    if (rule === undefined) throw new Error(`${context.getClass().name}.${context.getHandler().name} has no rule`);
    if (rule.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const fresh = isWrite(request.method) || rule.kind !== 'signed';
    const identity = await failWhenDatabaseGone(this.probe, this.authenticator.authenticate(request.raw, fresh));
    refuseLimits(identity, request);
    refuseRule(identity, rule);
    setIdentity(request, identity);
    return true;
  }
}

export function isWrite(method: string): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

function refuseLimits(identity: Identity, request: FastifyRequest): void {
  if (identity.readOnly && isWrite(request.method)) {
    throw forbidden('key_read_only', 'This API key may only read. Use one that may write.');
  }
  if (identity.objects === null) return;
  const named = namedObjects(request);
  if (named.length === 0) {
    throw forbidden(
      'key_has_objects',
      'This API key reaches certain objects only. Name one, or use a key without a list.',
    );
  }
  if (!reachesObjects(identity, named)) {
    throw new AppError('object_not_found', 'What this request names is not on the list of this API key.', {
      category: 'not_found',
    });
  }
}

function refuseRule(identity: Identity, rule: AccessRule): void {
  if (rule.kind === 'decides') refuseWhoMayNotDecide(identity);
  if (rule.kind === 'needs' && !holds(identity.scopes, rule.scope)) {
    throw forbidden('scope_missing', `This needs the scope ${rule.scope}. Ask an administrator.`);
  }
}

function forbidden(code: string, message: string): AppError {
  return new AppError(code, message, { category: 'forbidden' });
}
