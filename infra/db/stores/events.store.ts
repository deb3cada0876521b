import type { JsonObject } from '../../../core/base/json';
import type { RunStatus } from '../../../core/base/run-status';
import type { Database } from '../database';
import { isUuid } from './page';

export interface EventRow {
  run_id: string;
  /** Gapless from 1; the SSE id. */
  seq: number;
  type: string;
  step_path: string | null;
  payload: JsonObject;
  at: string;
}

/** What one reader has not seen yet of one run. */
export interface LogPosition {
  runId: string;
  ownerId: string;
  /** Events after this seq. */
  after: number;
}

export interface OpenedLog {
  /** Last event of the run, as of a moment not before the page was read. */
  seq: number;
  status: RunStatus;
  /** Changes are announced from now on. */
  watched: boolean;
  page: EventRow[];
}

const COLUMNS = 'run_id, seq, type, step_path, payload, at';
const UNTIL = 'greatest(watched_until, clock_timestamp() + make_interval(secs => $1))';

const OPEN = `
  with watch as (
    update runs set watched_until = ${UNTIL}
     where id = $2 and owner_id = $3 and $1 > 0 and not af_closed(status) returning seq, status)
  select coalesce(w.seq, r.seq) as run_seq, coalesce(w.status, r.status) as run_status, w.seq is not null as watched, e.*
    from runs r left join watch w on true
    left join lateral (select ${COLUMNS} from run_events where run_id = r.id and owner_id = r.owner_id and seq > $4
                        order by seq limit $5) e on true
   where r.id = $2 and r.owner_id = $3`;

// A run that somebody writes to at this moment is left for the next time: no step waits for another run's lock here.
const RENEW = `
  with free as (select id from runs where id = any($2::uuid[]) and not af_closed(status) for no key update skip locked),
  renewed as (update runs set watched_until = ${UNTIL} where id in (select id from free) returning id)
  select r.id, af_closed(r.status) as closed, n.id is not null as renewed
    from runs r left join renewed n on n.id = r.id where r.id = any($2::uuid[])`;

// The lateral limit keeps this a loop of index scans, so the rows of one reader come in the order of seq.
const LIST_MANY = `
  select w.no, e.* from unnest($1::uuid[], $2::uuid[], $3::bigint[]) with ordinality as w (run, owner, after, no)
   cross join lateral (select ${COLUMNS} from run_events where run_id = w.run and owner_id = w.owner and seq > w.after
                        order by seq limit $4) e
   limit $5`;

export class EventsStore {
  constructor(private readonly database: Database) {}

  async listAfter(runId: string, ownerId: string, seq: number, limit: number): Promise<EventRow[]> {
    return this.database.hot<EventRow>(
      `select ${COLUMNS} from run_events where run_id = $1 and owner_id = $2 and seq > $3 order by seq limit $4`,
      [runId, ownerId, seq, limit],
    );
  }

  /** The next rows of each position, at most `limit.each` for one and `limit.all` together: who is cut off asks again. */
  async listMany(
    positions: readonly LogPosition[],
    limit: { each: number; all: number },
  ): Promise<{ pages: EventRow[][]; cut: boolean }> {
    const rows = await this.database.hot<EventRow & { no: number }>(LIST_MANY, [
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
   * The first page of a reader, and from now on for `watchSeconds` (0: leave it as it is) changes of the run are announced
   * on channel `af_run` (payload: the run's id, and ` end` behind it for the last). The page may be older than the watch:
   * events up to `seq` that are not in it have to be read again, later ones are announced. Null: no such run.
   */
  async open(position: LogPosition, watchSeconds: number, limit: number): Promise<OpenedLog | null> {
    if (!isUuid(position.runId)) {
      return null;
    }
    const rows = await this.database.hot<OpenRow>(OPEN, [
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

  /** Keeps runs watched for `seconds` from now. Neither renewed nor closed: it was locked, so ask again. */
  async renew(
    runIds: readonly string[],
    seconds: number,
  ): Promise<{ id: string; renewed: boolean; closed: boolean }[]> {
    return this.database.hot(RENEW, [seconds, runIds]);
  }
}

type OpenRow = { run_seq: number; run_status: RunStatus; watched: boolean } & (
  EventRow | { [column in keyof EventRow]: null }
);
