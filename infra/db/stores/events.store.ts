import type { JsonObject } from '../../../core/base/json';
import type { RunStatus } from '../../../core/base/run-status';
import type { Database } from '../database';
import { isUuid } from '../../../core/base/uuid';

export interface EventRow {
  run_id: string;
  /** Gapless from 1; the SSE id. */
  seq: number;
  type: string;
  step_path: string | null;
  payload: JsonObject;
  at: string;
}

/** Position of one reader in the log of one run. */
export interface LogPosition {
  runId: string;
  ownerId: string;
  /** Events after this seq. */
  after: number;
}

export interface EventLogState {
  /** Last event of the run, as of a moment not before the page was read. */
  seq: number;
  status: RunStatus;
  /** Changes are announced from now on. */
  watched: boolean;
  page: EventRow[];
}

export class EventsStore {
  constructor(private readonly database: Database) {}

  async listAfter(runId: string, ownerId: string, seq: number, limit: number): Promise<EventRow[]> {
    const { pages } = await this.listMany([{ runId, ownerId, after: seq }], { each: limit, all: limit });
    return pages[0] ?? [];
  }

  /** The next rows of each position, at most `limit.each` for one and `limit.all` together: who is cut off asks again. */
  async listMany(
    positions: readonly LogPosition[],
    limit: { each: number; all: number },
  ): Promise<{ pages: EventRow[][]; cut: boolean }> {
    const rows = await this.database.hot<EventRow & { no: number }>('select * from af_log_pages($1, $2, $3, $4, $5)', [
      positions.map((each) => each.runId),
      positions.map((each) => each.ownerId),
      positions.map((each) => each.after),
      limit.each,
      limit.all,
    ]);
    const pages = positions.map((): EventRow[] => []);
    for (const { no, ...row } of rows) {
      pages[no - 1]?.push(row);
    }
    return { pages, cut: rows.length >= limit.all };
  }

  /**
   * Reads the first page, and lets the run announce its changes for `watchSeconds` (0: unchanged) on channel `af_run`
   * (payload: the run's id, with ` end` for the last). The page may be older than the watch: events up to `seq` that
   * are not in it have to be read again, later ones are announced. Null: no such run.
   */
  async open(position: LogPosition, watchSeconds: number, limit: number): Promise<EventLogState | null> {
    if (!isUuid(position.runId)) {
      return null;
    }
    const rows = await this.database.hot<OpenRow>('select * from af_open_log($1, $2, $3, $4, $5)', [
      watchSeconds,
      position.runId,
      position.ownerId,
      position.after,
      limit,
    ]);
    const [first] = rows;
    if (first === undefined) {
      return null;
    }
    const page = rows.flatMap(({ run_seq: _seq, run_status: _status, watched: _watched, ...row }) =>
      row.seq === null ? [] : [row],
    );
    return { seq: first.run_seq, status: first.run_status, watched: first.watched, page };
  }

  /** Keeps runs watched for `seconds` from now. Neither renewed nor closed: the row was locked, so ask again. */
  async renew(
    runIds: readonly string[],
    seconds: number,
  ): Promise<{ id: string; renewed: boolean; closed: boolean }[]> {
    return this.database.hot('select * from af_renew_watch($1, $2)', [seconds, runIds]);
  }
}

type OpenRow = { run_seq: number; run_status: RunStatus; watched: boolean } & (
  EventRow | { [column in keyof EventRow]: null }
);
