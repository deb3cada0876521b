import type { Json, JsonObject } from '../../../core/base/json';
import { owner, type Database, type Statement } from '../database';
import { actsOf, approversOf, refusalOf, type ActRow, type ApproverRow } from './approval-acts.store';
import { APPROVAL_COLUMNS } from './approvals-query';
import type { ApprovalRow, ApprovalStatus } from './approvals.store';
import { decisionsOf, type DecisionRow } from './decisions.store';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';

/** Decision of a person at the same gate of an earlier run of the same playbook. */
export interface PreviousApproval {
  id: string;
  run_id: string;
  status: ApprovalStatus;
  action: Json;
  edits: JsonObject | null;
  digest: string | null;
  decided_at: string;
  decided_by: string | null;
}

export const APPROVAL_ACTS = ['approve', 'reject', 'edit', 'delegate', 'comment'] as const;
export type ApprovalAct = (typeof APPROVAL_ACTS)[number];

/** A request with everything that its viewer is shown. */
export interface ApprovalView {
  approval: ApprovalRow;
  decisions: DecisionRow[];
  history: ActRow[];
  approvers: ApproverRow[];
  /** Reason why they may not decide; null: they may. */
  refused: string | null;
  /** True when the run is paused. */
  paused: boolean;
  previous: PreviousApproval | null;
  /** Acts that they may do now, by each act's own rules; none once it is over. */
  acts: ApprovalAct[];
}

/** Requests at the same gate that are looked through for an earlier one. */
const LOOKED_BACK = 2_000;
/** `$1`: the request, `$2`: who asks. Found along the index, as far as the first that fits. */
const PREVIOUS = `select a.id, a.run_id, a.status, a.action, a.edits, a.decided_at, a.decided_by,
    coalesce(a.approved_digest, a.digest) as digest
  from (select * from approvals where owner_id = $2 and step_path = (select step_path from approvals where id = $1)
      and (requested_at, id) < ((select requested_at from approvals where id = $1), $1)
    order by requested_at desc, id desc limit ${LOOKED_BACK}) a
  join runs r on r.id = a.run_id
  where a.status in ('approved', 'rejected', 'auto_approved')
    and r.playbook_id = (select o.playbook_id from approvals t join runs o on o.id = t.run_id where t.id = $1)
  order by a.requested_at desc, a.id desc limit 1`;

export class ApprovalViewStore {
  constructor(private readonly database: Database) {}

  /**
   * Reads a request with its acts in one round trip. `keyId`: the API key that was shown. Throws `approval_not_found`.
   */
  async require(userId: string, approvalId: string, keyId?: string): Promise<ApprovalView> {
    if (!isUuid(approvalId)) throw notFound('approval', approvalId);
    const [[approval], decisions, history, approvers, [refusal], [previous], [may], [run]] = await this.database.read<
      [
        ApprovalRow,
        DecisionRow,
        ActRow,
        ApproverRow,
        { code: string | null },
        PreviousApproval,
        { acts: ApprovalAct[] },
        { paused: boolean | null },
      ]
    >(owner(userId), [
      { text: `select ${APPROVAL_COLUMNS} from approvals where id = $1`, params: [approvalId] },
      decisionsOf(approvalId),
      actsOf(approvalId),
      approversOf(approvalId),
      refusalOf(approvalId, keyId),
      previousOf(userId, approvalId),
      { text: 'select app_approval_acts($1, $2) as acts', params: [approvalId, keyId ?? null] },
      { text: 'select app_approval_paused($1) as paused', params: [approvalId] },
    ]);
    if (approval === undefined) throw notFound('approval', approvalId);
    return {
      approval,
      decisions,
      history,
      approvers,
      refused: refusal?.code ?? null,
      paused: run?.paused === true,
      previous: previous ?? null,
      acts: may?.acts ?? [],
    };
  }
}

/** Tests read its plan. */
export function previousOf(userId: string, approvalId: string): Statement {
  return { text: PREVIOUS, params: [approvalId, userId] };
}
