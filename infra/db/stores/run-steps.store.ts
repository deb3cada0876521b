import type { JsonObject } from '../../../core/base/json';
import { owner, type Database } from '../database';

/** An event of a step, with the number of the first event of its path: the order in which steps began. */
export interface StepEventRow {
  first_seq: number;
  step_path: string;
  seq: number;
  type: string;
  payload: JsonObject;
  at: string;
}

const STEP_EVENTS = `'{step.started,step.attempt_failed,step.waiting,step.finished,step.skipped}'::text[]`;

/** What the event log says about steps, inline ones included. Payloads are folded in the caller, never in SQL. */
export class RunStepsStore {
  constructor(private readonly database: Database) {}

  /** Events of at most `limit` step paths that began after event `after`. `top`: only steps of the playbook's own list. */
  async page(
    ownerId: string,
    runId: string,
    page: { after: number; limit: number; top: boolean },
  ): Promise<StepEventRow[]> {
    return this.database.query<StepEventRow>(
      owner(ownerId),
      `with paths as (
         select step_path, min(seq) as first_seq from run_events
          where run_id = $1 and owner_id = $2 and type = any(${STEP_EVENTS}) and step_path is not null
            and (not $5 or step_path !~ '[/\\[]')
          group by step_path having min(seq) > $3 order by min(seq) limit $4)
       select p.first_seq, e.step_path, e.seq, e.type, e.payload, e.at
         from paths p join run_events e on e.run_id = $1 and e.step_path = p.step_path and e.type = any(${STEP_EVENTS})
        order by p.first_seq, e.seq`,
      [runId, ownerId, page.after, page.limit, page.top],
    );
  }
}
