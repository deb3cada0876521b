import type { Shortfall } from '../../../core/engine/gaps';
import type { EffectsBehind } from '../../../core/playbook/types';
import { owner, type Database } from '../database';
import type { ApprovalStatus } from './approvals.store';

export interface DueApproval {
  id: string;
  run_id: string;
  step_name: string;
  prompt: string;
  failures: Shortfall[] | null;
  effects_behind: EffectsBehind | null;
  requested_at: string;
  due_at: string | null;
}
export interface InboxSummary {
  counts: { status: ApprovalStatus; count: number }[];
  oldest: DueApproval | null;
  due_soon: DueApproval[];
}

/** Limit of counting: above it the number says "at least". */
const MAX_COUNTED = 10_000;
const DUE = 'id, run_id, step_name, prompt, failures, effects_behind, requested_at, due_at';
const DECIDED = ['approved', 'rejected', 'timed_out', 'cancelled', 'auto_approved'];
const WAITING = `(select id, status from approvals where owner_id = $1 and status = 'waiting' limit $2::integer)
  union
  select id, status from approvals where id = any(array(
    select app_asked_approvals('{waiting}', null, false, null, null, $2::integer)))`;

/** Counts that an inbox shows above its list. */
export class ApprovalInboxStore {
  constructor(private readonly database: Database) {}

  /**
   * Counts requests of one's own runs, and those that one is asked for: all waiting ones, decided ones of the last `days`; each part reads
   * an index and at most `MAX_COUNTED` of it.
   */
  async summary(ownerId: string, within: { days: number; dueHours: number; dueLimit: number }): Promise<InboxSummary> {
    return this.database.tx(owner(ownerId), async (sql) => {
      const counts = await sql.query<InboxSummary['counts'][number]>(
        `select status, count(id)::integer as count from (
           ${WAITING}
           union
           (select id, status from approvals
             where owner_id = $1 and status <> 'waiting' and requested_at > now() - make_interval(days => $3)
             order by requested_at desc limit $2::integer)
           union
           select id, status from approvals where requested_at > now() - make_interval(days => $3) and id = any(array(
             select app_asked_approvals($4::text[], null, true, null, null, $2::integer)))) a
         group by status`,
        [ownerId, MAX_COUNTED, within.days, DECIDED],
      );
      const [oldest] = await sql.query<DueApproval>(
        `select ${DUE} from approvals where id = any(array(
            (select id from approvals where owner_id = $1 and status = 'waiting' order by requested_at, id limit 1)
            union all select app_asked_approvals('{waiting}', null, false, null, null, 1)))
          order by requested_at, id limit 1`,
        [ownerId],
      );
      const due_soon = await sql.query<DueApproval>(
        `select ${DUE} from approvals where due_at > now() and due_at < now() + make_interval(hours => $3) and id = any(array(
            select id from (${WAITING}) w))
          order by due_at, id limit $4`,
        [ownerId, MAX_COUNTED, within.dueHours, within.dueLimit],
      );
      return { counts, oldest: oldest ?? null, due_soon };
    });
  }
}
