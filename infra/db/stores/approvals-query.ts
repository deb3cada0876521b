import type { Statement } from '../pipeline';
import { openPage, sortsOf, type ListPage, type PageRequest, type Param } from './page';

export type ApprovalStatus = 'waiting' | 'approved' | 'rejected' | 'timed_out' | 'cancelled' | 'auto_approved';

/** A request as it is shown: all of its columns but the rows that lie beside its preview. */
export const APPROVAL_COLUMNS = `id, run_id, owner_id, step_path, step_name, status, prompt, preview, preview_total, action, failures,
  effects_behind, digest, edit_schema, on_reject, on_timeout, requested_at, due_at, decided_at, decided_by, decision_id, instructions, edits,
  approved_digest, quorum, four_eyes, link_only, named, unknown_approvers, edited_digest, edited_by, edited_at, remind_at,
  escalate_at, reminded_at, escalated_at, status = 'waiting' and due_at <= clock_timestamp() as due_passed`;

const SORTS = sortsOf({ requested_at: { column: 'requested_at', type: 'timestamptz' } });

export interface ApprovalFilter extends PageRequest {
  sort?: keyof typeof SORTS;
  status?: ApprovalStatus[];
  runId?: string;
}

/**
 * The statement of a list of requests: those of one's own runs along their index, and those that one is asked for. Tests read its
 * plan, which is kept: what is not asked for is no part of it.
 */
export function approvalsQuery(callerId: string, filter: ApprovalFilter): { statement: Statement; page: ListPage } {
  const sort = filter.sort ?? '-requested_at';
  const page = openPage('approvals', filter, SORTS[sort]);
  const params: unknown[] = [callerId, page.take];
  const param: Param = (value) => `$${params.push(value)}`;
  const [at, id] = page.position;
  const asked = [param(filter.status ?? null), param(filter.runId ?? null), sort.startsWith('-'), param(at), param(id)];
  const own = filter.runId === undefined ? ownAlong(page, filter, param) : ownOfRun(page, filter, param);
  const text = `select ${APPROVAL_COLUMNS} from approvals where id = any(array(
      (${own}) union all select app_asked_approvals(${asked.join(', ')}, $2::integer)))
    order by ${page.order} limit $2`;
  return { statement: { text, params }, page };
}

function ownAlong(page: ListPage, { status }: ApprovalFilter, param: Param): string {
  const one = status?.length === 1 ? { column: 'status', value: `${param(status[0])}::text` } : undefined;
  const { where, order } = page.walk(param, one);
  // Several in the order of the list: past those that it does not show.
  const several = status === undefined || one ? '' : `and status = any(${param(status)}::text[])`;
  return `select id from approvals where owner_id = $1 and ${where} ${several} order by ${order} limit $2`;
}

/** A run has few: all of them, to be sorted. */
function ownOfRun(page: ListPage, { runId, status }: ApprovalFilter, param: Param): string {
  const some = status === undefined ? '' : `and status = any(${param(status)}::text[])`;
  return `select id from approvals where run_id = ${param(runId)}::uuid and owner_id = $1 and ${page.walk(param).where} ${some}`;
}
