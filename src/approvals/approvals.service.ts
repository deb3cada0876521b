import { Injectable } from '@nestjs/common';
import { ApprovalViewStore } from '../../infra/db/stores/approval-view.store';
import { ApprovalsStore, type ApprovalRow } from '../../infra/db/stores/approvals.store';
import type { CallerInfo } from '../http/caller';
import { withoutNulls, pageBody } from '../shared/views';
import { allowedTo, type Viewer } from './allowed-actions';
import { changesOf } from './edit-changes';
import { actOf, decisionOf, previousOf, rulesOf, shownOf } from './approval-views';
import type { ApprovalDto, ApprovalListDto, ApprovalSummaryDto } from './dto/approval-view.dto';
import type { ApprovalListQuery } from './dto/decide.dto';

@Injectable()
export class ApprovalsService {
  constructor(
    private readonly approvals: ApprovalsStore,
    private readonly views: ApprovalViewStore,
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
  async get(caller: Viewer, approvalId: string): Promise<ApprovalDto> {
    const view = await this.views.require(caller.ownerId, approvalId, caller.keyId);
    const { approval: row, decisions, approvers } = view;
    const { actions, mayNot } = allowedTo(view, caller);
    const changes = changesOf(row, view.history);
    return {
      ...summaryOf(row),
      ...shownOf(row),
      ...(changes.length === 0 ? {} : { changes }),
      ...withoutNulls({ previous: view.previous && previousOf(view.previous) }),
      on_reject: row.on_reject,
      on_timeout: row.on_timeout,
      allowed_actions: actions,
      rules: rulesOf(row, approvers, decisions),
      may_decide: actions.includes('approve'),
      ...(view.paused && row.status === 'waiting' ? { run_paused: true as const } : {}),
      ...withoutNulls({ may_not_because: mayNot }),
      history: view.history.map(actOf),
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
    ...(row.due_passed === true ? { due_passed: true as const } : {}),
    ...withoutNulls({
      failures: row.failures,
      edited: row.effects_behind?.edited,
      due_at: row.due_at,
      decided_at: row.decided_at,
      decided_by: row.decided_by,
    }),
  };
}
