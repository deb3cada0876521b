import { Inject, Injectable } from '@nestjs/common';
import { isTerminal } from '../../core/base/run-status';
import type { JsonObject } from '../../core/base/json';
import { AppError } from '../../core/errors/app-error';
import { editProblem } from '../../infra/approvals/edit-check';
import { ApprovalsStore, type ApprovalRow } from '../../infra/db/stores/approvals.store';
import { DecisionsStore, type DecisionRow, type TakenDecision } from '../../infra/db/stores/decisions.store';
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

/** The only way to decide: first the row, then the run, and only the run's answer counts. */
@Injectable()
export class DecisionService {
  constructor(
    private readonly approvals: ApprovalsStore,
    private readonly decisions: DecisionsStore,
    private readonly runs: RunsStore,
    @Inject(GATEWAY) private readonly gateway: RunGateway,
  ) {}

  /** Throws what `receive` throws, or what the run refused the decision with. */
  async decide(caller: CallerInfo, request: DecisionRequest): Promise<DecisionAnswerDto> {
    return this.carry(await this.receive(caller, request));
  }

  /**
   * Stores the decision with its time of receipt; a refusal here stores nothing. The run checks all of it again. Throws
   * `approval_not_found`, `invalid_edits`, `idempotency_mismatch`, or the reason why it cannot count.
   */
  async receive(caller: CallerInfo, request: DecisionRequest): Promise<TakenDecision> {
    const { ownerId, actor, via, keyId } = caller;
    if (request.edits !== undefined) await this.refuseEdits(ownerId, request.approvalId, request.edits);
    const taken = await this.decisions.take(ownerId, {
      ...request,
      actor,
      via,
      ...(keyId === undefined ? {} : { keyId }),
    });
    if ('row' in taken) return taken;
    const { refused, shown } = taken;
    throw refusal(refused, refused === 'approval_changed' ? { digest: shown } : {});
  }

  /** Delivers a decision whose row exists, from any route. */
  async carry({ row, open }: TakenDecision): Promise<DecisionAnswerDto> {
    if (row.state !== 'received') {
      return this.answer(row, row);
    }
    const answer = (open ? undefined : await this.refusedAlready(row)) ?? (await this.deliver(row, open));
    if (answer.state === 'unanswered') {
      // The deliverer may have been faster than this request.
      const now = await this.decisions.get(row.owner_id, row.approval_id, row.decision_id);
      return this.answer(row, now ?? row);
    }
    return this.answer(row, { state: answer.state, code: answer.code ?? null });
  }

  /** Settles a decision on a request that is decided, closed or over, without Temporal, because that is final. */
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

  private async refuseEdits(ownerId: string, approvalId: string, edits: JsonObject): Promise<void> {
    const approval = await this.approvals.get(ownerId, approvalId);
    // Leaves people who may not see the request to the rules.
    const problem = approval === null ? undefined : editProblem(approval.edit_schema, edits);
    if (problem === undefined) return;
    throw new AppError('invalid_edits', `The edited inputs do not fit the action: ${problem}`, {
      category: 'validation',
    });
  }

  /** Temporal away or a run that is busy is not the caller's concern: the row is kept, so they get 202. */
  private async deliver(row: DecisionRow, open: boolean): Promise<DeliveryAnswer> {
    try {
      return await this.gateway.decideApproval({
        runId: row.run_id,
        approvalId: row.approval_id,
        decisionId: row.decision_id,
        deadlineMs: DECISION_DEADLINE_MS,
        ...(open && { received: row }),
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

/** Compares two times of the database's clock. */
function isLate({ created_at: received }: DecisionRow, { due_at: due }: ApprovalRow): boolean {
  return due !== null && Date.parse(received) >= Date.parse(due);
}
