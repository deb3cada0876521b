import type { ConnectorDefinition, Hooks } from '../../core/connector/types';
import { endpointEffect, findEndpoint } from '../../core/connector/find-endpoint';
import type { Sql } from '../../infra/db/database';
import { requireAllowedHost } from '../../infra/egress/secret-hosts';
import type { CallContext } from '../call/types';
import type { SecretSource } from '../../infra/secrets/secret-source';
import { credentialsOf } from './used-credentials';
import type { CallHooks } from './hook-types';

/** One call as the hooks see it. */
export interface HookedCall {
  definition: ConnectorDefinition;
  endpoint: string;
  context: CallContext;
}

const ALL: Hooks = { before: ['rate_limit', 'auth_check'], after: ['audit'] };

/** An endpoint's own hooks, else those of its connector, else all. */
export function hooksOf(definition: ConnectorDefinition, endpoint: string): Hooks {
  return findEndpoint(definition, endpoint)?.hooks ?? definition.hooks ?? ALL;
}

/** The definition as a call sees it: without its own limit where `rate_limit` is switched off. What a source asks for counts always. */
export function asHooked(definition: ConnectorDefinition, endpoint: string): ConnectorDefinition {
  if (hooksOf(definition, endpoint).before.includes('rate_limit') || !('rate_limit' in definition.connection)) {
    return definition;
  }
  const { rate_limit: _off, ...connection } = definition.connection;
  return { ...definition, connection } as ConnectorDefinition;
}

/**
 * A call with what its definition says about before. Nothing leaves when a hook refuses; limits are taken where requests leave. The
 * audit entry after a call is no author's to leave out, and is written for a call that failed, too.
 */
export async function withHooks<T>(
  parts: { hooks: CallHooks; secrets: SecretSource },
  call: HookedCall,
  work: () => Promise<T>,
): Promise<T> {
  await hooksBefore(parts, call);
  const result = await failureAudited(parts.hooks, call, work);
  await auditSuccess(parts.hooks, call);
  return result;
}

export async function hooksBefore(parts: { hooks: CallHooks; secrets: SecretSource }, call: HookedCall): Promise<void> {
  for (const hook of hooksOf(call.definition, call.endpoint).before) {
    if (hook === 'auth_check') await checkAuth(parts, call);
    else if (hook === 'audit') await audit(parts.hooks, call, { succeeded: true });
  }
}

export async function failureAudited<T>(hooks: CallHooks, call: HookedCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await auditFailure(hooks, call);
    throw error;
  }
}

/** What went wrong first is what counts: that its entry could not be written is no failure. */
export async function auditFailure(hooks: CallHooks, call: HookedCall): Promise<void> {
  await audit(hooks, call, { succeeded: false }).catch(() => undefined);
}

export async function auditSuccess(hooks: CallHooks, call: HookedCall): Promise<void> {
  try {
    await audit(hooks, call, { succeeded: true });
  } catch (error) {
    // An effect was announced in the run's own log before it left: its result is not thrown away for a second note of it.
    if (endpointEffect(call.definition, call.endpoint) === 'none') throw error;
  }
}

/** In the transaction of the effect: both are there, or none of them. */
export async function auditCommit(hooks: CallHooks, call: HookedCall, sql: Sql): Promise<void> {
  await audit(hooks, call, { succeeded: true, sql });
}

/** Every secret of the call is there, and may go where the call sends it. */
async function checkAuth(parts: { secrets: SecretSource }, call: HookedCall): Promise<void> {
  const { definition, context } = call;
  for (const { secret, hosts } of credentialsOf(definition, call.endpoint)) {
    const found = await parts.secrets.resolve(context.ownerId, secret);
    for (const host of hosts) requireAllowedHost(found.allowedHosts, host);
  }
}

async function audit(
  { audit: write }: CallHooks,
  call: HookedCall,
  { succeeded, sql }: { succeeded: boolean; sql?: Sql },
): Promise<void> {
  const { definition, endpoint, context } = call;
  const { ownerId, effectKey } = context;
  await write?.({ ownerId, connector: definition.id, endpoint, effectKey, succeeded }, sql);
}
