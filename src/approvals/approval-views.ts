import { isJsonObject, ownField, type Json } from '../../core/base/json';
import type { ActRow, ApproverRow } from '../../infra/db/stores/approval-acts.store';
import type { PreviousApproval } from '../../infra/db/stores/approval-view.store';
import type { ApprovalRow } from '../../infra/db/stores/approvals.store';
import type { DecisionRow } from '../../infra/db/stores/decisions.store';
import type { EffectsBehind } from '../../core/playbook/types';
import { withoutNulls } from '../shared/views';
import type {
  ApprovalActDto,
  ApprovalDto,
  ApprovalRulesDto,
  ApproverDto,
  DecisionDto,
  PreviousApprovalDto,
} from './dto/approval-view.dto';

/** Subject of a decision; the request's digest covers all of it. */
export function shownOf(row: ApprovalRow): Partial<ApprovalDto> {
  return withoutNulls({
    preview: row.preview,
    preview_total: row.preview_total,
    action: editedAction(row),
    effects_behind: effectsOf(row),
    inputs: inputsOf(row),
    digest: shownDigest(row),
    edit_schema: row.edit_schema,
    instructions: row.instructions,
    edits: row.edits,
  });
}

/** Edited inputs are shown beside them, where lists show them, too. */
function effectsOf({ effects_behind: behind }: ApprovalRow): Omit<EffectsBehind, 'edited' | 'reads'> | null {
  if (behind === null) return null;
  const { edited: _edited, reads: _reads, ...effects } = behind;
  return effects;
}

export function shownDigest(row: ApprovalRow): string | null {
  return row.edited_digest ?? row.digest;
}

type Edited = Pick<ApprovalRow, 'action' | 'edits'>;

/** Inputs of the action; null = no action is behind the gate. */
export function inputsOf(row: Edited): Json {
  const action = editedAction(row);
  return (isJsonObject(action) ? ownField(action, 'inputs') : undefined) ?? null;
}

/** The call as the step would make it: the input override over what was rendered for the gate. */
function editedAction({ action, edits: inputOverride }: Edited): Json {
  if (inputOverride === null || !isJsonObject(action)) return action;
  const renderedInput = action['inputs'] ?? null;
  return { ...action, inputs: isJsonObject(renderedInput) ? { ...renderedInput, ...inputOverride } : inputOverride };
}

export function rulesOf(row: ApprovalRow, approvers: ApproverRow[], decisions: DecisionRow[]): ApprovalRulesDto {
  return {
    quorum: row.quorum,
    approvals: decisions.filter(isCurrent).length,
    four_eyes: row.four_eyes,
    link_only: row.link_only,
    approvers: approvers.map(approverOf),
    unknown_approvers: row.unknown_approvers,
    ...withoutNulls({ reminded_at: row.reminded_at, escalated_at: row.escalated_at }),
  };
}

function isCurrent({ state, decision, superseded_at: superseded }: DecisionRow): boolean {
  return state === 'counted' && decision === 'approve' && superseded === null;
}

function approverOf({ subject, name, source, granted_by: grantedBy }: ApproverRow): ApproverDto {
  const [kind = ''] = subject.split(':');
  return { kind, name, source, ...(source === 'delegation' ? { granted_by: grantedBy } : {}) };
}

export function previousOf(row: PreviousApproval): PreviousApprovalDto {
  return {
    approvalId: row.id,
    runId: row.run_id,
    status: row.status,
    decided_at: row.decided_at,
    ...withoutNulls({ decided_by: row.decided_by, inputs: inputsOf(row), digest: row.digest }),
  };
}

export function actOf({ kind, actor, body, at }: ActRow): ApprovalActDto {
  return { kind, actor, body, at };
}

export function decisionOf(row: DecisionRow): DecisionDto {
  return {
    decisionId: row.decision_id,
    state: row.state,
    decision: row.decision,
    actor: row.actor,
    via: row.via,
    created_at: row.created_at,
    ...withoutNulls({
      code: row.code,
      instructions: row.instructions,
      edits: row.edits,
      settled_at: row.settled_at,
      acting_for: row.acting_for,
      superseded_at: row.superseded_at,
    }),
  };
}
