import { WaitBudget } from '../runtime/limits/wait-budget';
import { newCallStats, type CallOrigin, type CallStats } from '../runtime/records/call-stats';

/** Wait budget, statistics and owner of a call: all of its requests together. */
export interface CallLedger {
  waits: WaitBudget;
  stats: CallStats;
  by: CallOrigin;
}

/** Ledger of calls outside of runs, where a person waits: a call that would have to wait fails with `rate_limited` at once. */
export function noWaitLedger(): CallLedger {
  const waits = new WaitBudget({ neverWait: true, maxWaitMs: 0, waitedMs: 0, refusals: 0 });
  return { waits, stats: newCallStats(), by: {} };
}
