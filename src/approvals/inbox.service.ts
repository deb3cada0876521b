import { Injectable } from '@nestjs/common';
import { isTerminal } from '../../core/base/run-status';
import { editProblem } from '../../infra/approvals/edit-check';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalInboxStore, type DueApproval } from '../../infra/db/stores/approval-inbox.store';
import { ApprovalsStore, type ApprovalRow } from '../../infra/db/stores/approvals.store';
import type { RunSummary } from '../../infra/db/stores/run-types';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { CallerInfo } from '../http/caller';
import { bulk } from '../shared/bulk';
import { withoutNulls } from '../shared/views';
import { inputsOf, shownDigest } from './approval-views';
import { DecisionService } from './decision.service';
import type {
  BulkDecideDto,
  BulkDecidedListDto,
  CheckAnswerDto,
  CheckEditsDto,
  CheckFindingDto,
  DueApprovalDto,
  InboxSummaryDto,
} from './dto/inbox.dto';
import { refusal } from './refusals';

const COUNTED_DAYS = 30;
const DUE_HOURS = 24;
const MOST_DUE = 20;

/** Reads for an inbox beside the requests themselves. */
@Injectable()
export class InboxService {
  constructor(
    private readonly inbox: ApprovalInboxStore,
    private readonly approvals: ApprovalsStore,
    private readonly acts: ApprovalActsStore,
    private readonly runs: RunsStore,
    private readonly decisions: DecisionService,
  ) {}

  async summary(caller: CallerInfo): Promise<InboxSummaryDto> {
    const { counts, oldest, due_soon } = await this.inbox.summary(caller.ownerId, {
      days: COUNTED_DAYS,
      dueHours: DUE_HOURS,
      dueLimit: MOST_DUE,
    });
    const none = { waiting: 0, approved: 0, rejected: 0, timed_out: 0, cancelled: 0, auto_approved: 0 };
    return {
      counts: { ...none, ...Object.fromEntries(counts.map(({ status, count }) => [status, count])) },
      ...(oldest === null ? {} : { oldest: dueOf(oldest) }),
      due_soon: due_soon.map(dueOf),
    };
  }

  /** Predicts the answer to an approval, and changes nothing. Throws `approval_not_found`. */
  async check(caller: CallerInfo, approvalId: string, body: CheckEditsDto): Promise<CheckAnswerDto> {
    const approval = await this.approvals.require(caller.ownerId, approvalId);
    const [run, refused] = await Promise.all([
      // The run's state is read as its owner: an approver need not see the run.
      this.runs.require(approval.owner_id, approval.run_id),
      this.acts.refusalOfYes(caller.ownerId, approval.id, caller.keyId),
    ]);
    const problems = findings(approval, { run, refused }, body);
    const inputs = inputsOf({ action: approval.action, edits: body.edits ?? approval.edits });
    return { valid: problems.length === 0, problems, ...withoutNulls({ inputs }) };
  }

  async decide(caller: CallerInfo, { items }: BulkDecideDto): Promise<BulkDecidedListDto> {
    const requests = items.map((item) => ({ ...item, approvalId: item.approvalId.toLowerCase() }));
    // All rows are written first: the time that a run takes for one decision must not make the next one late.
    const received = await bulk(requests, async (request) => ({
      status: 202,
      answer: await this.decisions.receive(caller, request),
    }));
    const outcomes = await bulk(received, async (each) => {
      if ('code' in each) return each;
      const answer = await this.decisions.carry(each.answer);
      return { status: answer.state === 'counted' ? 200 : 202, answer };
    });
    return {
      items: outcomes.map((outcome, index) => {
        const approvalId = requests[index]?.approvalId ?? '';
        if ('code' in outcome) return { approvalId, ...outcome };
        const { decisionId, state } = outcome.answer;
        return { approvalId, status: outcome.status, decisionId, state };
      }),
    };
  }
}

/** The checks of `DecisionService`, which stop at the first finding; here all at once. */
function findings(
  approval: ApprovalRow,
  { run, refused }: { run: RunSummary; refused: string | null },
  { edits, digest }: CheckEditsDto,
): CheckFindingDto[] {
  const codes: string[] = [];
  if (isTerminal(run.status) || run.control === 'cancel') codes.push('run_closed');
  else if (approval.status !== 'waiting') codes.push('approval_already_decided');
  else if (refused !== null) codes.push(refused);
  if (digest === undefined) codes.push('digest_required');
  else if (digest !== shownDigest(approval)) codes.push('approval_changed');
  const together = approval.quorum > 1 || approval.four_eyes || approval.edited_digest !== null;
  if (edits !== undefined && together) codes.push('edit_first');
  const problem = edits === undefined ? undefined : editProblem(approval.edit_schema, edits);
  const found = codes.map((code) => ({ code, message: refusal(code).message }));
  if (problem === undefined) return found;
  return [...found, { code: 'invalid_edits', message: `The edited inputs do not fit the action: ${problem}` }];
}

function dueOf(row: DueApproval): DueApprovalDto {
  return {
    approvalId: row.id,
    runId: row.run_id,
    step: row.step_name,
    prompt: row.prompt,
    requested_at: row.requested_at,
    ...withoutNulls({ failures: row.failures, edited: row.effects_behind?.edited, due_at: row.due_at }),
  };
}
