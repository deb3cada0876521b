import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';

/**
 * Callers of a route. Every route names one rule; the server does not start with a route that has none.
 * - `public`: anybody.
 * - `signed`: somebody; which rows they get is the database's matter.
 * - `decides`: somebody, by a means that may decide approvals.
 * - `needs`: somebody who holds the scope, for example `global:admin`.
 */
export type AccessRule = { kind: 'public' | 'signed' | 'decides' } | { kind: 'needs'; scope: string };

export const ACCESS_RULE = 'af:access-rule';
/** Key of the rule in the OpenAPI document. */
export const ACCESS_EXTENSION = 'x-access';

export const Public = (): MethodDecorator => rule({ kind: 'public' });
export const Authenticated = (): MethodDecorator => rule({ kind: 'signed' });
export const Decides = (): MethodDecorator => rule({ kind: 'decides' });
export const Needs = (scope: string): MethodDecorator => rule({ kind: 'needs', scope });

function rule(value: AccessRule): MethodDecorator {
  const text = value.kind === 'needs' ? `needs ${value.scope}` : value.kind;
  return applyDecorators(SetMetadata(ACCESS_RULE, value), ApiExtension(ACCESS_EXTENSION, text));
}
