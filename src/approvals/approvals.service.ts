import { Injectable } from '@nestjs/common';
import { isTerminal } from '../../core/base/run-status';
import { isJsonObject } from '../../core/base/json';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalInboxStore } from '../../infra/db/stores/approval-inbox.store';
import { ApprovalsStore, type ApprovalRow } from '../../infra/db/stores/approvals.store';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { CallerInfo } from '../http/caller';
import { orAbsent, pageBody } from '../shared/views';
import { actOf, decisionOf, previousOf, rulesOf, shownOf } from './approval-views';
import type { ApprovalAction, ApprovalDto, ApprovalListDto, ApprovalSummaryDto } from './dto/approval-view.dto';
import type { ApprovalListQuery } from './dto/decide.dto';

@Injectable()
export class ApprovalsService {
  constructor(
    private readonly approvals: ApprovalsStore,
    private readonly decisions: DecisionsStore,
    private readonly acts: ApprovalActsStore,
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
    const [decisions, history, approvers, refused, previous, run] = await Promise.all([
      this.decisions.list(caller.ownerId, approvalId),
      this.acts.history(caller.ownerId, approvalId),
      this.acts.approvers(caller.ownerId, approvalId),
      this.acts.refusal(caller.ownerId, approvalId, caller.keyId),
      this.inbox.previous(caller.ownerId, row),
      // Where the run stands is looked up for its owner: who decides need not see the run.
      this.runs.standing(row.owner_id, row.run_id),
    ]);
    const open = refused === null && run !== null && !isTerminal(run.status);
    return {
      ...summaryOf(row),
      ...shownOf(row),
      ...orAbsent({ previous: previous && previousOf(previous) }),
      on_reject: row.on_reject,
      on_timeout: row.on_timeout,
      allowed_actions: open ? allowedActions(row) : [],
      rules: rulesOf(row, approvers, decisions),
      may_decide: refused === null && row.status === 'waiting',
      ...orAbsent({ may_not_because: refused }),
      history: history.map(actOf),
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

function allowedActions({ status, edit_schema }: ApprovalRow): ApprovalAction[] {
  if (status !== 'waiting') return [];
  return isJsonObject(edit_schema) ? ['approve', 'reject', 'edit'] : ['approve', 'reject'];
}
