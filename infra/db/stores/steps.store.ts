import type { Json } from '../../../core/base/json';
import { AppError, type StepError } from '../../../core/errors/app-error';
import type { StoredValue } from '../../../core/engine/values';
import { owner, type Database, type Sql } from '../database';

/** One try of a step: its attempts and, once it has one, its result. */
export interface StepTry {
  effect_key: string;
  try_no: number;
  step_path: string;
  step_name: string | null;
  action: string | null;
  /** Status of the attempt; null while it runs or is unknown. */
  status: 'ok' | 'failed' | null;
  input: Json;
  output: StoredValue | null;
  error: StepError | null;
  started_at: string;
  finished_at: string | null;
  copied_from: string | null;
  /** Attempts by workers, and how many of them were lost. */
  attempts: number;
  losses: number;
  effect: 'idempotent' | 'keyed' | 'unsafe' | null;
  effect_target: string | null;
  effect_sent_count: number;
  effect_sent_at: string | null;
  resolution: 'done' | 'not_done' | 'repeat' | null;
}

const TRIES = `
  select coalesce(r.effect_key, a.effect_key) as effect_key, coalesce(r.try_no, a.try_no) as try_no,
    coalesce(r.step_path, a.step_path) as step_path, r.step_name, r.action, r.status, r.input, r.output, r.error,
    coalesce(a.first_started_at, r.started_at) as started_at, r.finished_at, r.copied_from,
    coalesce(a.starts, 0) as attempts,
    greatest(coalesce(a.starts, 0) - coalesce(a.released, 0) - 1, 0) as losses,
    a.effect, a.effect_target, coalesce(a.effect_sent_count, 0) as effect_sent_count, a.effect_sent_at, a.resolution
  from (select * from step_results where run_id = $1 and owner_id = $2) r
  full outer join (select * from step_attempts where run_id = $1 and owner_id = $2) a
    on a.effect_key = r.effect_key and a.try_no = r.try_no`;

// Locks the run's row: an end or a cancel comes before it or after it.
const RESOLVE = `with taking as (
    select id, waits from runs where id = $1 and owner_id = $2 and not af_closed(status) and control <> 'cancel' for share),
  kept as (
    update step_attempts a set resolution = $4, resolved_at = clock_timestamp(), released = case when $4 = 'repeat' then starts else released end
      from taking
      where a.run_id = taking.id and a.owner_id = $2 and a.step_path = $3
        and a.try_no = (select max(try_no) from step_attempts b where b.run_id = $1 and b.step_path = $3)
        and not exists (select 1 from step_results r
          where r.run_id = a.run_id and r.effect_key = a.effect_key and (r.status = 'ok' or r.try_no = a.try_no))
        and (a.resolution is distinct from 'done' or $4 = 'done')
      returning a.effect_key)
  select exists (select from kept) or exists (select from taking, json_array_elements(taking.waits) w
      where w ->> 'kind' = 'attention' and w ->> 'step_path' = $3
        and not exists (select from step_attempts b where b.run_id = $1 and b.step_path = $3)) as taken`;

/** Records of a run's steps by activities. Inline steps, skips and waits are in the event log alone. */
export class StepsStore {
  constructor(private readonly database: Database) {}

  /** Tries in the order in which they began. */
  async tries(ownerId: string, runId: string): Promise<StepTry[]> {
    return this.database.query<StepTry>(owner(ownerId), `${TRIES} order by started_at, step_path, try_no`, [
      runId,
      ownerId,
    ]);
  }

  async triesOf(ownerId: string, runId: string, stepPath: string): Promise<StepTry[]> {
    return this.database.query<StepTry>(
      owner(ownerId),
      `${TRIES} where coalesce(r.step_path, a.step_path) = $3 order by started_at, try_no`,
      [runId, ownerId, stepPath],
    );
  }

  /**
   * A person's statement about a step that waits in `needs_attention`: stored with its latest attempt that has no result, before
   * the workflow learns of it. `repeat` forgives the workers lost so far. A step declared done stays done; an open run
   * that nobody has cancelled accepts an answer. A step that waits for lost content may have no attempt to store it with: then
   * only the workflow is told. Throws `step_not_waiting`.
   */
  async resolve(
    ownerId: string,
    runId: string,
    stepPath: string,
    outcome: 'done' | 'not_done' | 'repeat',
  ): Promise<void> {
    const [answer] = await this.database.query<{ taken: boolean }>(owner(ownerId), RESOLVE, [
      runId,
      ownerId,
      stepPath,
      outcome,
    ]);
    if (answer?.taken !== true) {
      throw new AppError('step_not_waiting', `The step "${stepPath}" does not wait for an answer.`, {
        category: 'conflict',
      });
    }
  }

  /**
   * Takes the results of untouched steps over into a run that retries another; `output` stays content-addressed, so
   * large values are shared. Both runs belong to the owner. Gives the step paths that were copied. May be repeated.
   * `sql`: the transaction that makes the new run.
   */
  async copyResults(
    ownerId: string,
    runs: { from: string; to: string },
    stepPaths: readonly string[],
    sql: Sql = this.database.as(owner(ownerId)),
  ): Promise<string[]> {
    const rows = await sql.query<{ step_path: string }>(
      'select step_path from app_copy_results($1, $2, $3) as copied (step_path)',
      [runs.from, runs.to, [...stepPaths]],
    );
    return rows.map((row) => row.step_path);
  }
}
