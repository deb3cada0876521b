import type { JsonObject } from '../../../core/base/json';
import type { RunStatus } from '../../../core/base/run-status';
import { owner, type Database, type Statement } from '../database';

/** Event type for a result that was copied from the run before. It is no event of the log. */
export const TAKEN_OVER = 'step.taken_over';

/** An event of a step, with the number of the first event of its path: the order in which steps began. */
export interface StepEventRow {
  first_seq: number;
  step_path: string;
  seq: number;
  type: string;
  payload: JsonObject;
  at: string;
}

const STEP_EVENTS = `'{step.started,step.attempt_failed,step.waiting,step.finished,step.skipped,source.called}'::text[]`;

/** Number below all events: steps whose results a retry took over have no events, and come before its own. */
export const BEFORE_STEPS = -100_000_000;

const WANTED = `(not $5 or step_path !~ '[/\\[]')
        and ($6::text is null or (starts_with(step_path, $6)
          and substr(step_path, length($6) + 1) ~ '^(\\[[0-9]+\\])?/[^/\\[]+$'))`;

const STEPS_PAGE = `with own as (
    select step_path, min(seq) as first_seq, array_agg(seq) as numbers from run_events
      where run_id = $1 and owner_id = $2 and type = any(${STEP_EVENTS}) and step_path is not null and ${WANTED}
      group by step_path),
  copied as (
    select distinct on (step_path) step_path, step_name, action, status, started_at, finished_at, copied_from
      from step_results r
      where run_id = $1 and owner_id = $2 and copied_from is not null and ${WANTED}
        and not exists (select from own where own.step_path = r.step_path)
      order by step_path, try_no desc),
  paths as (
    select step_path, first_seq, numbers from own where first_seq > $3
    union all
    select step_path, row_number() over (order by started_at, step_path) + ${BEFORE_STEPS}, null from copied),
  page as (select * from paths where first_seq > $3 order by first_seq limit $4)
  select p.first_seq, e.step_path, e.seq, e.type, e.payload, e.at
    from page p cross join unnest(p.numbers) as n (seq) join run_events e on e.run_id = $1 and e.seq = n.seq
  union all
  select p.first_seq, c.step_path, p.first_seq, '${TAKEN_OVER}', json_build_object('step', c.step_name, 'action', c.action,
      'status', c.status, 'copied_from', c.copied_from), c.finished_at
    from page p join copied c on p.numbers is null and c.step_path = p.step_path
  order by first_seq, seq`;

/**
 * Selection of a run's steps: all, those of the playbook's own list, or those directly below a step or one of its
 * items.
 */
export type StepsOf = 'all' | 'top' | { parent: string };

/** Facts of the rows beside the event log about a step path. */
export interface StepAttempts {
  step_path: string;
  attempts: number;
  losses: number;
  effects_sent: number;
}
export interface StepChild {
  id: string;
  status: RunStatus;
  playbook_slug: string;
  parent_step_path: string;
}
/** An effect of a run: something that left the platform, or was about to. */
export interface StepEffect {
  effect_key: string;
  try_no: number;
  step_path: string;
  effect: 'idempotent' | 'keyed' | 'unsafe';
  effect_target: string | null;
  effect_sent_count: number;
  effect_sent_at: string | null;
  resolution: 'done' | 'not_done' | 'repeat' | null;
  status: 'ok' | 'failed' | null;
}

export interface StepsPage {
  after: number;
  limit: number;
  of: StepsOf;
}

export function stepEventsOf(ownerId: string, runId: string, page: StepsPage): Statement {
  const parent = typeof page.of === 'object' ? page.of.parent : null;
  return { text: STEPS_PAGE, params: [runId, ownerId, page.after, page.limit, page.of === 'top', parent] };
}

/** Events of steps, inline ones included. Payloads are folded in the caller, never in SQL. */
export class RunStepsStore {
  constructor(private readonly database: Database) {}

  /** Events of at most `limit` step paths that began after event `after`. */
  async page(ownerId: string, runId: string, page: StepsPage): Promise<StepEventRow[]> {
    const [rows] = await this.database.read<[StepEventRow]>(owner(ownerId), [stepEventsOf(ownerId, runId, page)]);
    return rows;
  }

  /**
   * Number of times that workers began these steps, all tries together. By effect key, with which the primary key
   * begins.
   */
  async attempts(ownerId: string, runId: string, stepPaths: readonly string[]): Promise<StepAttempts[]> {
    return this.database.query<StepAttempts>(
      owner(ownerId),
      `select step_path, sum(starts)::integer as attempts, sum(greatest(starts - released - 1, 0))::integer as losses,
          sum(effect_sent_count)::integer as effects_sent
        from step_attempts where run_id = $1 and owner_id = $2 and effect_key = any($3) group by step_path`,
      [runId, ownerId, stepPaths.map((path) => `${runId}/${path}`)],
    );
  }

  /** Runs that these steps started, oldest first. */
  async children(ownerId: string, runId: string, stepPaths: readonly string[]): Promise<StepChild[]> {
    return this.database.query<StepChild>(
      owner(ownerId),
      `select id, status, playbook_slug, parent_step_path from runs
        where parent_run_id = $1 and owner_id = $2 and parent_step_path = any($3) order by created_at, id`,
      [runId, ownerId, stepPaths],
    );
  }

  /** Effects by key and try, after the one named. */
  async effects(
    ownerId: string,
    runId: string,
    page: { after?: { key: string; tryNo: number } | undefined; limit: number },
  ): Promise<StepEffect[]> {
    return this.database.query<StepEffect>(
      owner(ownerId),
      `select a.effect_key, a.try_no, a.step_path, a.effect, a.effect_target, a.effect_sent_count, a.effect_sent_at,
          a.resolution, r.status
        from step_attempts a
        left join step_results r on r.run_id = a.run_id and r.effect_key = a.effect_key and r.try_no = a.try_no
        where a.run_id = $1 and a.owner_id = $2 and a.effect is not null
          and ($3::text is null or (a.effect_key, a.try_no) > ($3, $4::integer))
        order by a.effect_key, a.try_no limit $5`,
      [runId, ownerId, page.after?.key ?? null, page.after?.tryNo ?? null, page.limit],
    );
  }
}
