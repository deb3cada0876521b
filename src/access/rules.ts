import { SetMetadata, type CustomDecorator } from '@nestjs/common';

/**
 * Who may call a route. Every route names one rule; the guard refuses to serve a route without one.
 * - `public`: anybody.
 * - `signed`: somebody; which rows he gets is the database's matter.
 * - `decides`: somebody, by a means that may decide approvals.
 * - `needs`: somebody who holds the scope, for example `global:admin`.
 */
export type AccessRule = { kind: 'public' | 'signed' | 'decides' } | { kind: 'needs'; scope: string };

export const ACCESS_RULE = 'af:access-rule';

export const Public = (): CustomDecorator => rule({ kind: 'public' });
export const Signed = (): CustomDecorator => rule({ kind: 'signed' });
export const Decides = (): CustomDecorator => rule({ kind: 'decides' });
export const Needs = (scope: string): CustomDecorator => rule({ kind: 'needs', scope });

function rule(value: AccessRule): CustomDecorator {
  return SetMetadata(ACCESS_RULE, value);
}
