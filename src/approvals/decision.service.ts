import { Inject, Injectable } from '@nestjs/common';
import { isTerminal } from '../../core/base/run-status';
import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { editProblem } from '../../infra/approvals/edit-check';
import { ApprovalActsStore } from '../../infra/db/stores/approval-acts.store';
import { ApprovalsStore, type ApprovalRow } from '../../infra/db/stores/approvals.store';
import { DecisionsStore, type DecisionRow } from '../../infra/db/stores/decisions.store';
import { notFound } from '../../infra/db/stores/not-found';
import { RunsStore } from '../../infra/db/stores/runs.store';
import type { RunGateway } from '../app/ports';
import type { DeliveryAnswer } from '../../infra/temporal/run-gateway';
import { GATEWAY } from '../app/tokens';
import type { CallerInfo } from '../http/caller';
import type { DecisionAnswerDto } from './dto/approval-view.dto';
import { shownDigest } from './approval-views';
import { refusal } from './refusals';

export interface DecisionRequest {
  approvalId: string;
  decision: 'approve' | 'reject';
  decisionId: string;
  instructions?: string;
  edits?: JsonObject;
  digest?: string;
}

/** Time that a caller waits for the run to count their decision; afterwards the deliverer carries it. */
export const DECISION_DEADLINE_MS = 3_000;

/** The one road of every decision: first the row, then the run, and only the run's answer counts. */
@Injectable()
export class DecisionService {
  constructor(
    private readonly approvals: ApprovalsStore,
    private readonly acts: ApprovalActsStore,
    private readonly decisions: DecisionsStore,
    private readonly runs: RunsStore,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
  ) {}

  /** Throws what `receive` throws, or what the run refused the decision with. */
  async decide(caller: CallerInfo, request: DecisionRequest): Promise<DecisionAnswerDto> {
    return this.carry(await this.receive(caller, request));
  }

  /** From here on its time is known. Throws `approval_not_found`, `invalid_edits`, `idempotency_mismatch`, or why it cannot count. */
  async receive(caller: CallerInfo, request: DecisionRequest): Promise<DecisionRow> {
    await this.check(caller, request);
    const { decision: row } = await this.decisions.receive(caller.ownerId, {
      ...request,
      actor: caller.actor,
      via: caller.via,
      ...(caller.keyId === undefined ? {} : { keyId: caller.keyId }),
    });
    return row;
  }

  /** The way of a decision whose row is there, however it came in. */
  async carry(row: DecisionRow): Promise<DecisionAnswerDto> {
    if (row.state !== 'received') {
      return this.answer(row, row);
    }
    const answer = (await this.refusedAlready(row)) ?? (await this.deliver(row));
    if (answer.state === 'unanswered') {
      // The deliverer may have been faster than this request.
      const now = await this.decisions.get(row.owner_id, row.approval_id, row.decision_id);
      return this.answer(row, now ?? row);
    }
    return this.answer(row, { state: answer.state, code: answer.code ?? null });
  }

  /** Settles a decision on a request that is decided, closed or over, without Temporal: that is final. */
  private async refusedAlready(row: DecisionRow): Promise<DeliveryAnswer | undefined> {
    // The run's state is read as its owner: an approver need not see the run.
    const [approval, run] = await Promise.all([
      this.approvals.require(row.owner_id, row.approval_id),
      this.runs.require(row.owner_id, row.run_id),
    ]);
    const open = approval.status === 'waiting' && !isLate(row, approval);
    if (open && !isTerminal(run.status) && run.control !== 'cancel') {
      return undefined;
    }
    const outcome = await this.decisions.count(row.approval_id, row.decision_id);
    return outcome === null || outcome.state === 'received'
      ? undefined
      : { state: outcome.state, ...(outcome.code === null ? {} : { code: outcome.code }) };
  }

  /** The run checks all of this again; here the person hears at once, and nothing is kept. */
  private async check(caller: CallerInfo, request: DecisionRequest): Promise<void> {
    const { approvalId, decisionId, edits, digest } = request;
    const approval = await this.seen(caller, approvalId);
    const problem = edits === undefined ? undefined : editProblem(approval.edit_schema, edits);
    if (problem !== undefined) {
      throw new AppError('invalid_edits', `The edited inputs do not fit the action: ${problem}`, {
        category: 'validation',
      });
    }
    if (approval.status !== 'waiting') return;
    const refused = await this.refused(caller, approval, digest);
    // A decision that came in before gets its first answer, whatever the request shows by now.
    if (refused && (await this.decisions.get(caller.ownerId, approvalId, decisionId)) === null) throw refused;
  }

  /** A person who was asked and has lost the right since knows of the request: they learn that, and see none of it. */
  private async seen(caller: CallerInfo, approvalId: string): Promise<ApprovalRow> {
    const approval = await this.approvals.get(caller.ownerId, approvalId);
    if (approval !== null) return approval;
    throw (await this.acts.wasAsked(caller.ownerId, approvalId))
      ? refusal('not_allowed')
      : notFound('approval', approvalId);
  }

  private async refused(
    caller: CallerInfo,
    approval: ApprovalRow,
    digest: string | undefined,
  ): Promise<AppError | undefined> {
    const code = await this.acts.refusal(caller.ownerId, approval.id, caller.keyId);
    if (code !== null) return refusal(code);
    if (digest === undefined) return refusal('digest_required');
    const shown = shownDigest(approval);
    return digest === shown ? undefined : refusal('approval_changed', { digest: shown });
  }

  /** Temporal away or a run that is busy is not the caller's concern: the row is kept, so they get 202. */
  private async deliver(row: DecisionRow): Promise<DeliveryAnswer> {
    try {
      return await this.gateway.decideApproval({
        runId: row.run_id,
        approvalId: row.approval_id,
        decisionId: row.decision_id,
        deadlineMs: DECISION_DEADLINE_MS,
      });
    } catch (error) {
      if (error instanceof AppError && error.category === 'unavailable') {
        return { state: 'unanswered' };
      }
      throw error;
    }
  }

  private async answer(row: DecisionRow, outcome: Pick<DecisionRow, 'state' | 'code'>): Promise<DecisionAnswerDto> {
    if (outcome.state === 'refused') throw await this.refusalOf(row, outcome.code ?? 'decision_refused');
    return {
      approvalId: row.approval_id,
      decisionId: row.decision_id,
      state: outcome.state,
      decision: row.decision,
    };
  }

  private async refusalOf(row: DecisionRow, code: string): Promise<AppError> {
    if (code !== 'approval_changed') return refusal(code);
    const approval = await this.approvals.require(row.owner_id, row.approval_id);
    return refusal(code, { digest: shownDigest(approval) });
  }
}

/** Both moments are the database's. */
function isLate({ created_at: received }: DecisionRow, { due_at: due }: ApprovalRow): boolean {
  return due !== null && Date.parse(received) >= Date.parse(due);
}
