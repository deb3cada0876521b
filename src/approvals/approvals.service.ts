import { Injectable } from '@nestjs/common';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalsStore, type ApprovalRow } from '../../infra/db/stores/approvals.store';
import { DecisionsStore } from '../../infra/db/stores/decisions.store';
import type { CallerInfo } from '../http/caller';
import { orAbsent, pageBody } from '../shared/views';
import { actOf, decisionOf, rulesOf, shownOf } from './approval-views';
import type { ApprovalDto, ApprovalListDto, ApprovalSummaryDto } from './dto/approval-view.dto';
import type { ApprovalListQuery } from './dto/decide.dto';

@Injectable()
export class ApprovalsService {
  constructor(
    private readonly approvals: ApprovalsStore,
    private readonly decisions: DecisionsStore,
    private readonly acts: ApprovalActsStore,
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
    const [decisions, history, approvers, refused] = await Promise.all([
      this.decisions.list(caller.ownerId, approvalId),
      this.acts.history(caller.ownerId, approvalId),
      this.acts.approvers(caller.ownerId, approvalId),
      this.acts.refusal(caller.ownerId, approvalId),
    ]);
    return {
      ...summaryOf(row),
      ...shownOf(row),
      on_reject: row.on_reject,
      on_timeout: row.on_timeout,
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
