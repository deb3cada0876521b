import { ApplicationFailure } from '@temporalio/common';
import { createHash } from 'node:crypto';
import type { JsonObject } from '../core/base/json';
import type { ApprovalsStore } from '../infra/db/stores/approvals.store';
import type { DecisionOutcome, DecisionRow, DecisionsStore, SettledRow } from '../infra/db/stores/decisions.store';
import type { TransitionsStore } from '../infra/db/stores/transitions.store';
import { logRunEnds, type RunLog } from '../infra/log/run-lines';
import type { LocalActivities, RunRef, SettledDecision, SignalDecisionInput } from '../workflows/types';
import { runEndOf } from './transitions';
import type { RunVerifier } from './verify';
import { editProblem } from '../infra/approvals/edit-check';

type DecisionActivities = Pick<
  LocalActivities,
  'settle_decision' | 'settle_and_finish' | 'signal_decision' | 'expire_approval' | 'nudge_approval'
>;

export interface DecisionActivityDeps {
  approvals: ApprovalsStore;
  decisions: DecisionsStore;
  transitions: TransitionsStore;
  verifier: RunVerifier;
  log: RunLog;
  /** True if signals may decide. Off where more than one person uses the platform. */
  signalApprovals: boolean;
}

/** Settles decisions: rules are read afresh and the row is settled in one transaction. */
export function decisionActivities(deps: DecisionActivityDeps): DecisionActivities {
  return {
    settle_decision: async (input) => {
      await deps.verifier.verify(input);
      return settle(deps, input, input.approvalId, input.decisionId);
    },
    settle_and_finish: async (input) => {
      const facts = await deps.verifier.verify(input);
      const settled = await deps.transitions.settleAndFinish(input.runId, input, runEndOf(input, input.outputs, facts));
      if (!settled) return { settled: { state: 'unknown' } };
      const { finished } = settled;
      const answer = { settled: await answerOf(deps, input, settled) };
      if (!finished) return answer;
      logRunEnds(deps.log, facts, finished, input);
      return { ...answer, status: finished.status };
    },
    signal_decision: async (input) => {
      await deps.verifier.verify(input);
      return signalled(deps, input);
    },
    expire_approval: async (input) => {
      await deps.verifier.verify(input);
      await ofThisRun(deps, input);
      return expire(deps, input);
    },
    nudge_approval: async (input) => {
      await deps.verifier.verify(input);
      await ofThisRun(deps, input);
      await deps.approvals.nudge(input.approvalId, input.kind === 'remind' ? 'reminded' : 'escalated');
    },
  };
}

/** Refuses a timer for a request of another run, whatever the workflow says. */
async function ofThisRun(deps: DecisionActivityDeps, ref: RunRef & { approvalId: string }): Promise<void> {
  const approval = await deps.approvals.get(ref.ownerId, ref.approvalId);
  if (approval?.run_id === ref.runId) return;
  throw ApplicationFailure.create({
    type: 'context_mismatch',
    message: 'This approval does not belong to the run that names it.',
    nonRetryable: true,
  });
}

/** Counts decisions that were received in time first; then the request times out. */
async function expire(
  deps: DecisionActivityDeps,
  ref: RunRef & { approvalId: string },
): ReturnType<LocalActivities['expire_approval']> {
  const { approvalId } = ref;
  for (;;) {
    const answer = await deps.approvals.expire(approvalId);
    switch (answer.outcome) {
      case 'timed_out':
        return true;
      case 'cancelled':
        return { cancelled: true };
      case 'early':
        return { wait_ms: answer.ms };
      case 'decided':
        return answer.decisionId === null ? false : { decided: await settle(deps, ref, approvalId, answer.decisionId) };
      case 'received': {
        const decided = await settleAll(deps, ref, approvalId, answer.decisions);
        if (decided) return { decided };
      }
    }
  }
}

/** Settles decisions in the order of their receipt. Returns the one that decided. */
async function settleAll(
  deps: DecisionActivityDeps,
  ref: RunRef,
  approvalId: string,
  decisionIds: string[],
): Promise<SettledDecision | undefined> {
  for (const decisionId of decisionIds) {
    const settled = await settle(deps, ref, approvalId, decisionId);
    if (settled.decision) return settled;
  }
  return undefined;
}

async function settle(
  deps: DecisionActivityDeps,
  ref: RunRef,
  approvalId: string,
  decisionId: string,
): Promise<SettledDecision> {
  const settled = await deps.decisions.settle(ref.runId, approvalId, decisionId);
  return settled ? answerOf(deps, ref, settled) : { state: 'unknown' };
}

/** Answer of a counted or refused row to its run; a received one is counted first, in its turn. */
async function answerOf(
  deps: DecisionActivityDeps,
  ref: RunRef,
  { row, outcome: given }: SettledRow,
): Promise<SettledDecision> {
  const { approval_id: approvalId, decision_id: decisionId } = row;
  const outcome = given ?? (await withEdits(deps, ref, row));
  if (!outcome) return { state: 'unknown' };
  if (outcome.state === 'received') {
    const earlier = await settleAll(deps, ref, approvalId, outcome.earlier ?? []);
    const own = await settle(deps, ref, approvalId, decisionId);
    return earlier ? { ...own, earlier } : own;
  }
  if (outcome.state === 'refused') return { state: 'refused', code: outcome.code ?? 'refused' };
  // One approval of several that are needed changes nothing yet; the deciding one carries all edits.
  if (outcome.approval.decisionId !== decisionId) return { state: 'counted' };
  const { edits } = outcome.approval;
  return {
    state: 'counted',
    decision: row.decision === 'approve' ? 'approved' : 'rejected',
    decided_by: row.actor,
    via: row.via,
    at: new Date(row.created_at).toISOString(),
    ...(row.instructions !== null && { instructions: row.instructions }),
    ...(edits !== null && { edits }),
  };
}

/** Edits have to fit the action, and its digest covers them. */
async function withEdits(
  { approvals, decisions }: DecisionActivityDeps,
  { ownerId }: RunRef,
  { approval_id: approvalId, decision_id: decisionId, edits }: DecisionRow,
): Promise<DecisionOutcome | null> {
  const approval = await approvals.get(ownerId, approvalId);
  if (!approval || !edits) return null;
  return decisions.count(approvalId, decisionId, {
    ...(editProblem(approval.edit_schema, edits) && { refuse: 'invalid_edits' }),
    approvedDigest: approvedDigest(approval.edited_digest ?? approval.digest ?? '', edits),
  });
}

/** Digest of what was approved: the action as shown, and the edits. */
function approvedDigest(digest: string, edits: JsonObject): string {
  return createHash('sha256')
    .update(`${digest}\n${JSON.stringify(edits)}`)
    .digest('hex');
}

async function signalled(deps: DecisionActivityDeps, input: SignalDecisionInput): Promise<SettledDecision> {
  if (!deps.signalApprovals) return { state: 'refused', code: 'signal_approvals_off' };
  if (input.decision !== 'approve' && input.decision !== 'reject')
    return { state: 'refused', code: 'invalid_decision' };
  const decisionId = nameBasedId(`${input.runId}/signal/${input.ordinal}`);
  await deps.decisions.receive(input.ownerId, {
    approvalId: input.approvalId,
    decisionId,
    actor: 'temporal-operator',
    via: 'signal',
    decision: input.decision,
    ...(input.instructions !== undefined && { instructions: input.instructions }),
  });
  return settle(deps, input, input.approvalId, decisionId);
}

/** Name-based UUID, version 5 (RFC 9562), so that a repeated activity writes the same row. */
function nameBasedId(name: string): string {
  const bytes = createHash('sha1').update('6ba7b811-9dad-11d1-80b4-00c04fd430c8').update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
