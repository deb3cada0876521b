import { auditActionOf } from '../../connectors/hooks/audit-log';
import type { CallHooks } from '../../connectors/hooks/hook-types';
import type { AuditStore } from '../../infra/db/stores/identity/audit.store';
import type { Identity } from '../access/identity';
import { auditEntry } from './audit-entry';

/** Hooks of connector calls outside of runs: their audit entries name the caller. */
export function callerHooks(audit: Pick<AuditStore, 'note'>, who: Identity): CallHooks {
  return { audit: (call) => audit.note(auditEntry(who, { ...auditActionOf(call), requestId: null })) };
}
