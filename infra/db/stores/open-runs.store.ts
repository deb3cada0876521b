import type { RunStatus } from '../../../core/base/run-status';
import { SYSTEM, type Database } from '../database';
import { OWNER_CAP, RUN_COLUMNS, RUN_FACTS, type RunFacts, type RunRow } from './run-types';

/** Facts of an open run for the reconciler. */
export interface OpenRun {
  id: string;
  owner_id: string;
  status: RunStatus;
  status_code: string | null;
  control: string;
  patch_no: number;
  playbook_slug: string;
  playbook_name: string;
  created_at: string;
  updated_at: string;
}

const HELD = `select id from runs where owner_id = $1 and status = 'pending' and status_code = '${OWNER_CAP}'`;
const RELEASE = `update runs set status_code = null, status_message = null, waits = '[]', updated_at = clock_timestamp()
  where id in ((${HELD} order by created_at, id limit greatest(0, af_owner_room($1, $2)))
    union (${HELD} and control = 'cancel'))
  returning ${RUN_COLUMNS}`;

/** Rows that the sweeper and the reconciler look after, for all owners. */
export class OpenRunsStore {
  constructor(private readonly database: Database) {}

  /** Facts of a run of any owner: activities compare them with the context that the workflow claims. */
  async facts(runId: string): Promise<RunFacts | null> {
    const [row] = await this.database.hot<RunFacts>(`select ${RUN_FACTS} from af_run_to_work($1)`, [runId]);
    return row ?? null;
  }

  /** Reads a run's row for any owner. */
  async get(runId: string): Promise<RunRow | null> {
    const [row] = await this.database.hot<RunRow>(`select ${RUN_COLUMNS} from af_run_to_work($1)`, [runId]);
    return row ?? null;
  }

  async markWorkflowStarted(runId: string): Promise<void> {
    await this.database.hot('select af_run_started($1)', [runId]);
  }

  /** Runs that a crash may have left without a workflow, oldest first. Children are started by their parents alone. */
  async pending(olderThanSeconds: number, limit: number): Promise<RunRow[]> {
    return this.database.query<RunRow>(
      SYSTEM,
      `select ${RUN_COLUMNS} from runs
        where status = 'pending' and workflow_started_at is null and parent_run_id is null
          and status_code is distinct from '${OWNER_CAP}'
          and created_at < clock_timestamp() - make_interval(secs => $1)
        order by created_at, id limit $2`,
      [olderThanSeconds, limit],
    );
  }

  /** Owners who have runs that wait for room under the cap. */
  async ownersHeld(limit: number): Promise<string[]> {
    const rows = await this.database.query<{ owner_id: string }>(
      SYSTEM,
      `select distinct owner_id from runs where status = 'pending' and status_code = '${OWNER_CAP}' order by 1 limit $1`,
      [limit],
    );
    return rows.map((row) => row.owner_id);
  }

  /** Lets runs of an owner go, oldest first, as many as there is room for; those that are cancelled need none. */
  async release(ownerId: string, cap: number): Promise<RunRow[]> {
    return this.database.tx(SYSTEM, async (sql) => {
      await sql.query('select af_lock_starts($1)', [ownerId]);
      const released = await sql.query<RunRow>(RELEASE, [ownerId, cap]);
      return released.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
    });
  }

  /**
   * Open runs whose workflow must exist, in pages by creation: pass the last row of the page before. A pending child
   * counts once its parent is closed: before that, the parent may still start it.
   */
  async open(after: { created_at: string; id: string } | null, limit: number): Promise<OpenRun[]> {
    return this.database.query<OpenRun>(
      SYSTEM,
      `select id, owner_id, status, status_code, control, patch_no, playbook_slug, playbook_name, created_at, updated_at from runs r
        where status in ('pending', 'running', 'waiting_approval', 'waiting_budget', 'needs_attention', 'paused')
          and (status <> 'pending' or workflow_started_at is not null or parent_run_id is not null)
          and not (status = 'pending' and exists (
            select 1 from runs p where p.id = r.parent_run_id and not af_closed(p.status)))
          and ($1::timestamptz is null or (created_at, id) > ($1, $2::uuid))
        order by created_at, id limit $3`,
      [after?.created_at ?? null, after?.id ?? null, limit],
    );
  }
}
