import type { JsonObject } from '../../../core/base/json';
import type { RunStatus } from '../../../core/base/run-status';
import type { Database } from '../database';

export interface EventRow {
  run_id: string;
  /** Gapless from 1; the SSE id. */
  seq: number;
  type: string;
  step_path: string | null;
  payload: JsonObject;
  at: string;
}

export class EventsStore {
  constructor(private readonly database: Database) {}

  async listAfter(runId: string, ownerId: string, seq: number, limit: number): Promise<EventRow[]> {
    return this.database.hot<EventRow>(
      `select run_id, seq, type, step_path, payload, at from run_events
        where run_id = $1 and owner_id = $2 and seq > $3 order by seq limit $4`,
      [runId, ownerId, seq, limit],
    );
  }

  /**
   * From now on and for `seconds`, changes of the run are announced on channel `af_run` (payload: the run's id, and ` end` behind it for the last). Read the
   * log after this returned: what was committed before is in it, what comes later is announced. Null: no such run.
   */
  async watch(runId: string, ownerId: string, seconds: number): Promise<{ seq: number; status: RunStatus } | null> {
    const [row] = await this.database.hot<{ seq: number; status: RunStatus }>(
      `update runs set watched_until = greatest(watched_until, clock_timestamp() + make_interval(secs => $3))
        where id = $1 and owner_id = $2 returning seq, status`,
      [runId, ownerId, seconds],
    );
    return row ?? null;
  }
}
