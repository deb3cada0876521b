import type { Statement } from '../pipeline';
import type { ApprovalFilter } from './approvals.store';
import { openPage, sortsOf, type ListPage } from './page';

export const APPROVAL_SORTS = sortsOf({ requested_at: { column: 'requested_at', type: 'timestamptz' } });

/**
 * The statement of a list of requests: those of one's own runs along their index, and those that one is asked for. Tests read its
 * plan. What is not asked for is no part of it: its plan is kept.
 */
export function approvalsQuery(callerId: string, filter: ApprovalFilter): { statement: Statement; page: ListPage } {
  const sort = filter.sort ?? '-requested_at';
  const page = openPage('approvals', filter, APPROVAL_SORTS[sort]);
  const { status, runId } = filter;
  const params: unknown[] = [callerId, ...page.position, page.take, status ?? null, runId ?? null];
  const conditions = [
    'owner_id = $1',
    // One status reads its index in the order of the list; several could not.
    ...(status === undefined ? [] : [status.length === 1 ? 'status = ($5::text[])[1]' : 'status = any($5::text[])']),
    ...(runId === undefined ? [] : ['run_id = $6::uuid']),
    page.after('$2', '$3'),
  ];
  const text = `select * from approvals where id = any(array(
      (select id from approvals where ${conditions.join(' and ')} order by ${page.order} limit $4)
      union all select app_asked_approvals($5::text[], $6::uuid, ${sort.startsWith('-')}, $2, $3, $4::integer)))
    order by ${page.order} limit $4`;
  return { statement: { text, params }, page };
}
