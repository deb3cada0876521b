import {
  auditAndThrow,
  auditCommit,
  auditFailure,
  auditSuccess,
  runHooksBefore,
  type HookedCall,
} from '../../connectors/hooks/call-hooks';
import type { ActionOutcome } from './types';

/** Hooks of `callEndpoint` for an action: its commit is audited in the same transaction, and as a failure when that is rolled back. */
export async function hookedTool(call: HookedCall, work: () => Promise<ActionOutcome>): Promise<ActionOutcome> {
  await runHooksBefore(call);
  const outcome = await work().catch(auditAndThrow(call));
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
