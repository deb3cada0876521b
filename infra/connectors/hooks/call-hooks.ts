import type { ConnectorDefinition, Hooks } from '../../../core/connector/types';
import { endpointEffect, findEndpoint } from '../../../core/connector/find-endpoint';
import { requireAllowedHost } from '../../egress/secret-hosts';
import type { CallContext, SecretSource } from '../types';
import { credentialsOf } from './credentials';
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
 * A call with what its definition says about before and after. Nothing leaves when a hook before it refuses; the audit entry is written
 * for a call that failed, too.
 */
export async function withHooks<T>(
  parts: { hooks: CallHooks; secrets: SecretSource },
  call: HookedCall,
  work: () => Promise<T>,
): Promise<T> {
  const { before, after } = hooksOf(call.definition, call.endpoint);
  for (const hook of before) {
    if (hook === 'auth_check') await checkAuth(parts.secrets, call);
    else if (hook === 'rate_limit') await takeTurn(parts.hooks, call);
    else await audit(parts.hooks, call, true);
  }
  if (!after.includes('audit')) return work();
  return audited(parts.hooks, call, work);
}

async function audited<T>(hooks: CallHooks, call: HookedCall, work: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // What went wrong first is what counts.
    await audit(hooks, call, false).catch(() => undefined);
    throw error;
  }
  try {
    await audit(hooks, call, true);
  } catch (error) {
    // An effect was announced in the run's own log before it left: its result is not thrown away for a second note of it.
    if (endpointEffect(call.definition, call.endpoint) === 'none') throw error;
  }
  return result;
}

/** Every secret of the call is there, and may go where the call sends it. */
async function checkAuth(secrets: SecretSource, call: HookedCall): Promise<void> {
  const { definition, context } = call;
  for (const { secret, hosts } of credentialsOf(definition, call.endpoint)) {
    const found = await secrets.resolve(context.ownerId, secret);
    for (const host of hosts) requireAllowedHost(found.allowedHosts, host);
  }
}

async function takeTurn({ limiter }: CallHooks, { definition, context }: HookedCall): Promise<void> {
  if (limiter === undefined || definition.type !== 'database') return;
  const { rate_limit: rateLimit, auth } = definition.connection;
  if (rateLimit === undefined) return;
  await limiter({
    ownerId: context.ownerId,
    origin: `database:${definition.id}`,
    credential: auth.secret.secret,
    rateLimit,
    signal: context.signal,
  });
}

async function audit({ audit: write }: CallHooks, call: HookedCall, succeeded: boolean): Promise<void> {
  const { definition, endpoint, context } = call;
  await write?.({
    ownerId: context.ownerId,
    connector: definition.id,
    endpoint,
    effectKey: context.effectKey,
    succeeded,
  });
}
