import {
  auditCommit,
  auditFailure,
  auditSuccess,
  failureAudited,
  hooksBefore,
  type HookedCall,
} from '../../connectors/hooks/call-hooks';
import type { ActionOutcome } from './types';

/** As `withHooks`, for an action: what it commits is audited where it happens, and as a failure where it is taken back. */
export async function hookedTool(call: HookedCall, work: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
  await hooksBefore(call);
  const outcome = await failureAudited(call, work);
  if ('output' in outcome) {
    await auditSuccess(call);
    return outcome;
  }
  return {
    commit: async (sql) => {
      const output = await outcome.commit(sql);
      await auditCommit(call, sql);
      return output;
    },
    takenBack: async (error) => {
      await outcome.takenBack?.(error);
      await auditFailure(call);
    },
  };
}
