import { createHash } from 'node:crypto';
import { isDatabaseOutage } from '../../infra/db/outage';
import type { AuditEntry, AuditStore } from '../../infra/db/stores/identity/audit.store';
import { GatheredWrites } from './gathered-writes';
import type { AuditedCall, CallHooks } from './hook-types';

/**
 * Writes calls into the audit trail, those that end at the same time in one statement; each is stored when its promise
 * resolves. Within a transaction the entry is part of it.
 */
export function callAudit(store: Pick<AuditStore, 'add' | 'note' | 'noteAll'>): NonNullable<CallHooks['audit']> {
  const writes = new GatheredWrites<AuditEntry>((entries) => store.noteAll(entries));
  return async (call, sql) => {
    const entry = entryOf(call);
    if (sql !== undefined) return store.add(entry, sql);
    try {
      await writes.add(entry);
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      // One entry that the database does not take must not keep the others out.
      await store.note(entry);
    }
  };
}

/** Action and object of an audit entry. */
export function auditActionOf(call: AuditedCall): { action: string; objectType: string; objectId: string } {
  const { connector, endpoint, succeeded } = call;
  const action = succeeded ? 'connector.called' : 'connector.call_failed';
  return { action, objectType: 'connector', objectId: `${connector}.${endpoint}` };
}

/** Entry with the caller, the endpoint, and a digest of the effect key, by which a step can be found again. */
function entryOf(call: AuditedCall): AuditEntry {
  return {
    ownerId: call.ownerId,
    actor: `run:${call.effectKey.split('/')[0] ?? ''}`,
    means: 'run',
    credentialId: null,
    ...auditActionOf(call),
    peer: 'worker',
    requestId: null,
    before: null,
    after: createHash('sha256').update(call.effectKey).digest('hex'),
  };
}
