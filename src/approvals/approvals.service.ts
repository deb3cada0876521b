import { Injectable } from '@nestjs/common';
import { isJsonObject, ownField, type Json } from '../../core/base/json';
import { isTerminal } from '../../core/base/run-status';
import { ApprovalInboxStore, type PreviousApproval } from '../../infra/db/stores/approval-inbox.store';
import { ApprovalsStore, type ApprovalRow } from '../../infra/db/stores/approvals.store';
import { DecisionsStore, type DecisionRow } from '../../infra/db/stores/decisions.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { CallerInfo } from '../http/caller';
import { orAbsent, pageBody } from '../shared/views';
import type {
  ApprovalAction,
  ApprovalDto,
  ApprovalListDto,
  ApprovalSummaryDto,
  DecisionDto,
  PreviousApprovalDto,
} from './dto/approval-view.dto';
import type { ApprovalListQuery } from './dto/decide.dto';

@Injectable()
export class ApprovalsService {
  constructor(
    private readonly approvals: ApprovalsStore,
    private readonly decisions: DecisionsStore,
    private readonly inbox: ApprovalInboxStore,
    private readonly runs: RunsStore,
  ) {}

  async list(caller: CallerInfo, query: ApprovalListQuery): Promise<ApprovalListDto> {
    const { run, status, ...page } = query;
    const found = await this.approvals.list(caller.ownerId, {
      ...page,
      ...(run === undefined ? {} : { runId: run }),
      ...(status === undefined ? {} : { status: [status] }),
    });
    return pageBody(found, summaryOf);
  }

  /** Throws `approval_not_found`. */
  async get(caller: CallerInfo, approvalId: string): Promise<ApprovalDto> {
    const row = await this.approvals.require(caller.ownerId, approvalId);
    const [decisions, previous, run] = await Promise.all([
      this.decisions.list(caller.ownerId, approvalId),
      this.inbox.previous(caller.ownerId, row),
      this.runs.standing(caller.ownerId, row.run_id),
    ]);
    return {
      ...summaryOf(row),
      ...orAbsent({
        preview: row.preview,
        preview_total: row.preview_total,
        action: row.action,
        inputs: inputsOf(row.action),
        previous: previous && previousOf(previous),
        digest: row.digest,
        edit_schema: row.edit_schema,
        instructions: row.instructions,
        edits: row.edits,
      }),
      on_reject: row.on_reject,
      on_timeout: row.on_timeout,
      allowed_actions: run === null || isTerminal(run.status) ? [] : allowedActions(row),
      decisions: decisions.map(decisionOf),
    };
  }
}

function summaryOf(row: ApprovalRow): ApprovalSummaryDto {
  return {
    approvalId: row.id,
    runId: row.run_id,
    step: row.step_name,
    step_path: row.step_path,
    status: row.status,
    prompt: row.prompt,
    requested_at: row.requested_at,
    ...orAbsent({ due_at: row.due_at, decided_at: row.decided_at, decided_by: row.decided_by }),
  };
}

function inputsOf(action: Json): Json {
  return (isJsonObject(action) ? ownField(action, 'inputs') : undefined) ?? null;
}

function allowedActions({ status, edit_schema }: ApprovalRow): ApprovalAction[] {
  if (status !== 'waiting') return [];
  return isJsonObject(edit_schema) ? ['approve', 'reject', 'edit'] : ['approve', 'reject'];
}

function previousOf(row: PreviousApproval): PreviousApprovalDto {
  return {
    approvalId: row.id,
    runId: row.run_id,
    status: row.status,
    decided_at: row.decided_at,
    ...orAbsent({ decided_by: row.decided_by, inputs: inputsOf(row.action), digest: row.digest }),
  };
}

function decisionOf(row: DecisionRow): DecisionDto {
  return {
    decisionId: row.decision_id,
    state: row.state,
    decision: row.decision,
    actor: row.actor,
    via: row.via,
    created_at: row.created_at,
    ...orAbsent({ code: row.code, instructions: row.instructions, edits: row.edits, settled_at: row.settled_at }),
  };
}
