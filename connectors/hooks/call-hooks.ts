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

/** The definition for this call: without its own limit where `rate_limit` is switched off. Waits that a source asks for always count. */
export function withoutDisabledLimit(definition: ConnectorDefinition, endpoint: string): ConnectorDefinition {
  if (hooksOf(definition, endpoint).before.includes('rate_limit') || !('rate_limit' in definition.connection)) {
    return definition;
  }
  const { rate_limit: _off, ...connection } = definition.connection;
  return { ...definition, connection } as ConnectorDefinition;
}

/**
 * Carries out a call between its hooks. The audit entry after it cannot be switched off by an author, and is written for a failed call too.
 */
export async function withHooks<Call extends HookedCall, Result>(
  call: Call,
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  await runHooksBefore(call);
  const result = await work(call).catch(auditAndThrow(call));
  await auditSuccess(call);
  return result;
}

/** Runs the hooks before a call. Nothing is sent when one refuses; limits are taken where requests are sent. */
export async function runHooksBefore(call: HookedCall): Promise<void> {
  for (const hook of hooksOf(call.connector, call.name).before) {
    if (hook === 'auth_check') await checkAuth(call);
    else if (hook === 'audit') await audit(call, { succeeded: true });
  }
}

/** Audits the failure that it is given, and throws it again. */
export function auditAndThrow(call: HookedCall): (error: unknown) => Promise<never> {
  return async (error) => {
    await auditFailure(call);
    throw error;
  };
}

/** Audits a failed call. An entry that cannot be written is no failure: the first error counts. */
export async function auditFailure(call: HookedCall): Promise<void> {
  await audit(call, { succeeded: false }).catch(() => undefined);
}

export async function auditSuccess(call: HookedCall): Promise<void> {
  try {
    await audit(call, { succeeded: true });
  } catch (error) {
    // The run's own log announced the effect before it was sent: its result is not thrown away because a second note failed.
    if (endpointEffect(call.connector, call.name) === 'none') throw error;
  }
}

/** Written in the transaction of the effect: both exist, or neither. */
export async function auditCommit(call: HookedCall, sql: Sql): Promise<void> {
  await audit(call, { succeeded: true, sql });
}

/** Checks that every secret of the call exists, and may be sent where the call sends it. */
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
