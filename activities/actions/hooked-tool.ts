import {
  auditCommit,
  auditFailure,
  auditSuccess,
  failureAudited,
  hooksBefore,
  type HookedCall,
} from '../../connectors/hooks/call-hooks';
import type { CallHooks } from '../../connectors/hooks/hook-types';
import type { SecretSource } from '../../infra/secrets/secret-source';
import type { ActionOutcome } from './types';

/** As `withHooks`, for an action: what it commits is audited where it happens, and as a failure where it is taken back. */
export async function hookedTool(
  parts: { hooks: CallHooks; secrets: SecretSource },
  call: HookedCall,
  work: () => Promise<ActionOutcome>,
): Promise<ActionOutcome> {
  const { hooks } = parts;
  await hooksBefore(parts, call);
  const outcome = await failureAudited(hooks, call, work);
  if ('output' in outcome) {
    await auditSuccess(hooks, call);
    return outcome;
  }
  return {
    commit: async (sql) => {
      const output = await outcome.commit(sql);
      await auditCommit(hooks, call, sql);
      return output;
    },
    takenBack: async (error) => {
      await outcome.takenBack?.(error);
      await auditFailure(hooks, call);
    },
  };
}
