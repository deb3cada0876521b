import type { ConnectorDefinition, Hooks } from '../../core/connector/types';
import { endpointEffect, findEndpoint } from '../../core/connector/find-endpoint';
import type { Sql } from '../../infra/db/database';
import { requireAllowedHost } from '../../infra/egress/secret-hosts';
import type { ConnectorCall } from '../call/connector-call';
import { credentialsOf } from './used-credentials';

/** Part of a call that hooks read. */
export type HookedCall = Pick<ConnectorCall, 'connector' | 'name' | 'ownerId' | 'effectKey' | 'secrets' | 'hooks'>;

const ALL: Hooks = { before: ['rate_limit', 'auth_check'], after: ['audit'] };

/** An endpoint's own hooks, else those of its connector, else all. */
export function hooksOf(definition: ConnectorDefinition, endpoint: string): Hooks {
  return findEndpoint(definition, endpoint)?.hooks ?? definition.hooks ?? ALL;
}

/** The definition as a call sees it: without its own limit where `rate_limit` is switched off. What a source asks for counts always. */
export function withoutDisabledLimit(definition: ConnectorDefinition, endpoint: string): ConnectorDefinition {
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
export async function withHooks<T>(call: HookedCall, work: () => Promise<T>): Promise<T> {
  await hooksBefore(call);
  const result = await failureAudited(call, work);
  await auditSuccess(call);
  return result;
}

export async function hooksBefore(call: HookedCall): Promise<void> {
  for (const hook of hooksOf(call.connector, call.name).before) {
    if (hook === 'auth_check') await checkAuth(call);
    else if (hook === 'audit') await audit(call, { succeeded: true });
  }
}

export async function failureAudited<T>(call: HookedCall, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await auditFailure(call);
    throw error;
  }
}

/** Audits a failed call. An entry that cannot be written is no failure: the first error counts. */
export async function auditFailure(call: HookedCall): Promise<void> {
  await audit(call, { succeeded: false }).catch(() => undefined);
}

export async function auditSuccess(call: HookedCall): Promise<void> {
  try {
    await audit(call, { succeeded: true });
  } catch (error) {
    // An effect was announced in the run's own log before it left: its result is not thrown away for a second note of it.
    if (endpointEffect(call.connector, call.name) === 'none') throw error;
  }
}

/** In the transaction of the effect: both are there, or none of them. */
export async function auditCommit(call: HookedCall, sql: Sql): Promise<void> {
  await audit(call, { succeeded: true, sql });
}

/** Every secret of the call is there, and may go where the call sends it. */
async function checkAuth({ connector, name, ownerId, secrets }: HookedCall): Promise<void> {
  for (const { secret, hosts } of credentialsOf(connector, name)) {
    const found = await secrets.resolve(ownerId, secret);
    for (const host of hosts) requireAllowedHost(found.allowedHosts, host);
  }
}

async function audit(call: HookedCall, { succeeded, sql }: { succeeded: boolean; sql?: Sql }): Promise<void> {
  const { connector, name, ownerId, effectKey, hooks } = call;
  await hooks.audit({ ownerId, connector: connector.id, endpoint: name, effectKey, succeeded }, sql);
}
