import type { Json } from '../core/base/json';
import { exceedsJsonSize } from '../core/base/json-size';
import { knownSize } from '../core/base/known-size';
import { advance, type AdvanceContext } from '../core/engine/advance';
import type { Advance, FinishCommand } from '../core/engine/commands';
import type { GateEvent } from '../core/engine/inbox';
import type { PlanIndex } from '../core/engine/machine';
import type { EngineState } from '../core/engine/state';
import type { SaidDecision } from './messages';

/** Limit of the state: a copy of a larger one costs more than it saves. */
const MOST_STATE = 65_536;
const MOST_OUTPUTS = 262_144;

/** A run that ends behind a decision: what is left of it then. */
export interface DecidedEnd {
  state: EngineState;
  result: Advance;
  finish: FinishCommand;
}

export function gateEventOf({ decision, ...facts }: SaidDecision): GateEvent {
  return { decision: decision === 'approve' ? 'approved' : 'rejected', ...facts };
}

/**
 * Replay-sensitive. End of a run if this decision counts and only inline work follows. Computed on a copy, as it is not
 * known yet whether it counts. Undefined: other work is left.
 */
export function decidedEnd(
  index: PlanIndex,
  state: EngineState,
  decided: { approvalId: string; answer: GateEvent },
  at: AdvanceContext,
): DecidedEnd | undefined {
  if (exceedsJsonSize(state as unknown as Json, MOST_STATE)) return undefined;
  // Copies as continue-as-new does, through JSON.
  const copy = JSON.parse(JSON.stringify(state)) as EngineState;
  const result = advance(index, copy, { type: 'gate', ...decided }, at);
  // Timers that are taken back end with the run.
  const [finish, more] = result.commands.filter(({ kind }) => kind !== 'cancel');
  if (finish?.kind !== 'finish' || more !== undefined) return undefined;
  return knownSize(finish.outputs as unknown as Json) > MOST_OUTPUTS ? undefined : { state: copy, result, finish };
}
