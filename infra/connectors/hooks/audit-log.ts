import { createHash } from 'node:crypto';
import type { AuditStore } from '../../db/stores/identity/audit.store';
import type { AuditedCall } from './hook-types';

/** Writes calls into the audit trail: who, which endpoint, and a digest of the effect key, by which a step can be found again. */
export function callAudit(store: Pick<AuditStore, 'note'>): (call: AuditedCall) => Promise<void> {
  return (call) =>
    store.note({
      ownerId: call.ownerId,
      actor: `run:${call.effectKey.split('/')[0] ?? ''}`,
      means: 'run',
      credentialId: null,
      action: call.succeeded ? 'connector.called' : 'connector.call_failed',
      objectType: 'connector',
      objectId: `${call.connector}.${call.endpoint}`,
      peer: 'worker',
      requestId: null,
      before: null,
      after: createHash('sha256').update(call.effectKey).digest('hex'),
    });
}
