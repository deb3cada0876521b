import type { JsonObject } from '../../../core/base/json';
import { AppError } from '../../../core/errors/app-error';
import type { GateOutcome, RetryPlan, StepOutcome } from '../../../core/playbook/retry-plan';
import { carriedAnswers } from '../../../core/playbook/retry-marks';
import { fields, json } from '../clean-params';
import { owner, type Database, type Sql } from '../database';
import { notFound } from './not-found';
import { RUN_COLUMNS, type RunRow } from './run-types';
import type { StepsStore } from './steps.store';

/** The run that a retry makes. */
export interface NewRetry {
  id: string;
  idempotency?: { key: string; hash: string } | undefined;
}

export interface RetryCarry {
  presets: { [path: string]: JsonObject } | null;
  overrides: { [path: string]: JsonObject } | null;
  effect_root: string | null;
  effect_keys: { [path: string]: string } | null;
}

/** A sub-playbook that is to be carried out again where it ended. */
export interface ChildRepeat {
  id: string;
  /** The try before, where the caller made it itself. */
  before: string | undefined;
  parent: string;
  path: string;
  key: string;
}

interface LastEnd {
  step_path: string;
  payload: JsonObject;
}

// Steps that a person declared done have no result of their own.
const RECORDED = `select step_path, bool_or(ok) as ok from (
    select step_path, status = 'ok' as ok from step_results where run_id = $1 and owner_id = $2
    union all select step_path, true from step_attempts where run_id = $1 and owner_id = $2 and resolution = 'done') ends
  group by step_path`;
const CHILDREN = 'select step_path, ok from app_children_ended($1)';
// The text alone is searched: a payload may hold what PostgreSQL's functions for JSON refuse. Those that the database wrote have spaces.
const LAST_ENDS = `select e.step_path, e.payload from (
    select max(seq) as seq from run_events
      where run_id = $1 and owner_id = $2 and type = 'step.finished' and step_path !~ '[/\\[]' group by step_path) as last_end
    join run_events e on e.run_id = $1 and e.seq = last_end.seq
  where e.payload::text ~ '"status" ?: ?"(failed|cancelled)"'`;
// Reads payloads that hold no text of a person.
const CALLED = `with recursive ends as (
    select distinct on (step_path) step_path, (payload ->> 'child')::uuid as id from run_events
      where run_id = $1 and owner_id = $2 and type = 'child.finished' order by step_path, seq desc),
  below (step_path, id) as (select step_path, id from ends
    union select b.step_path, r.id from runs r join below b on r.parent_run_id = b.id)
  select e.step_path, e.id, exists (
    select from below b join approvals a on a.run_id = b.id where b.step_path = e.step_path) as asked from ends e`;
const RETRY = 'select app_retry_run($1) as made';

/** A retry of a closed run is a new run that goes on with its results, children and effect keys. */
export class RunRetryStore {
  constructor(
    private readonly database: Database,
    private readonly steps: StepsStore,
  ) {}

  /**
   * Outcome of every step path that an activity recorded, of every sub-playbook, and of the playbook's own steps that failed
   * without an activity, such as inline steps, or ended with the run. The last end of a path counts.
   */
  async outcomes(ownerId: string, runId: string): Promise<StepOutcome[]> {
    const [recorded, children, ends] = await this.database.read<[StepOutcome, StepOutcome, LastEnd]>(owner(ownerId), [
      { text: RECORDED, params: [runId, ownerId] },
      { text: CHILDREN, params: [runId] },
      { text: LAST_ENDS, params: [runId, ownerId] },
    ]);
    return [...recorded, ...children, ...ends.flatMap(outcomeOf)];
  }

  /** The last sub-playbook of each path that ended; `asked`: there were gates in it, or further down. */
  async called(ownerId: string, runId: string): Promise<{ step_path: string; id: string; asked: boolean }[]> {
    return this.database.query(owner(ownerId), CALLED, [runId, ownerId]);
  }

  async gates(ownerId: string, runId: string): Promise<GateOutcome[]> {
    return this.database.query<GateOutcome>(
      owner(ownerId),
      `select a.step_path, a.status, a.on_reject, a.instructions, a.edits, a.decided_by, d.created_at as received_at
        from approvals a left join approval_decisions d on d.approval_id = a.id and d.decision_id = a.decision_id
        where a.run_id = $1 and a.owner_id = $2 order by a.requested_at, a.id`,
      [runId, ownerId],
    );
  }

  /**
   * Writes row and results in one transaction, so that no retry starts without its results. False: a run with this
   * idempotency key exists already. Throws as `refuse`.
   */
  async create(ownerId: string, runId: string, retry: NewRetry, plan: RetryPlan): Promise<boolean> {
    const { id: newRunId, idempotency } = retry;
    return this.database.tx(owner(ownerId), async (sql) => {
      const [made] = await sql.query<{ made: boolean }>(RETRY, [
        fields({
          id: newRunId,
          run: runId,
          begins_with: plan.from,
          presets: orNull(carriedAnswers(plan)),
          overrides: orNull(plan.overrides),
          key: idempotency?.key,
          hash: idempotency?.hash,
          renewed: plan.renewed,
          shares_keys: plan.sharesKeys,
        }),
      ]);
      if (made?.made !== true) {
        if (idempotency !== undefined && (await hasKey(sql, ownerId, idempotency.key))) {
          return false;
        }
        throw await whyNot(sql, runId);
      }
      await this.steps.copyResults(ownerId, { from: runId, to: newRunId }, plan.keep, sql);
      return true;
    });
  }

  /** State that a retry carries over, for the start of its workflow. */
  async carried(runId: string): Promise<RetryCarry> {
    const [row] = await this.database.hot<RetryCarry>(
      'select retry_presets as presets, retry_overrides as overrides, effect_root, effect_keys from af_run_to_work($1)',
      [runId],
    );
    return row ?? { presets: null, overrides: null, effect_root: null, effect_keys: null };
  }

  /**
   * The run that continues the run before, under its keys; that run itself, where nothing of it is to be
   * repeated; or undefined: there is none.
   */
  async repeatChild(ownerId: string, { id, before, parent, path, key }: ChildRepeat): Promise<RunRow | undefined> {
    const [row] = await this.database.hot<RunRow>(
      `select ${RUN_COLUMNS} from af_repeat_child($1, $2, $3, $4, $5, $6)`,
      [id, ownerId, before ?? null, parent, path, key],
    );
    return row;
  }

  /** Child of the repeated runs at this path, and whether a person asked to continue it. */
  async childBefore(
    ownerId: string,
    { parent, path }: Pick<ChildRepeat, 'parent' | 'path'>,
  ): Promise<{ run_id: string; asked: boolean } | undefined> {
    const [row] = await this.database.hot<{ run_id: string; asked: boolean }>(
      'select run_id, asked from af_child_before($1, $2, $3)',
      [parent, ownerId, path],
    );
    return row;
  }

  /** A sub-playbook of a requested retry continues the earlier one, with its results that still hold. */
  async retryChild(
    ownerId: string,
    { id, before, parent, path, key }: ChildRepeat & { before: string },
    plan: RetryPlan,
  ): Promise<RunRow | undefined> {
    const { from, keep, renewed, sharesKeys } = plan;
    const [row] = await this.database.hot<RunRow>(`select ${RUN_COLUMNS} from af_retry_child($1)`, [
      fields({
        id,
        owner: ownerId,
        before,
        parent,
        path,
        key,
        begins_with: from,
        presets: orNull(carriedAnswers(plan)),
        keep,
        renewed,
        shares_keys: sharesKeys,
      }),
    ]);
    return row;
  }

  /** Throws why the run cannot be repeated: `run_not_found`, `run_is_sub_playbook`, `run_not_closed`, `access_revoked`, `playbook_withdrawn`. */
  async refuse(ownerId: string, runId: string): Promise<never> {
    throw await whyNot(this.database.as(owner(ownerId)), runId);
  }
}

function outcomeOf({ step_path, payload: { status } }: LastEnd): StepOutcome[] {
  if (status === 'cancelled') return [{ step_path, ok: false, cancelled: true }];
  return status === 'failed' ? [{ step_path, ok: false }] : [];
}

const REASONS: Record<string, [message: string, category: 'conflict' | 'forbidden']> = {
  run_is_sub_playbook: ['The run belongs to another one, which goes on in it: retry that one.', 'conflict'],
  run_not_closed: ['Only a run that has ended can be retried: wait for it, or cancel it first.', 'conflict'],
  access_revoked: [
    'The agent profile of this run is not shared with you any more, or is not active. Ask its owner.',
    'forbidden',
  ],
  playbook_withdrawn: [
    'The agent profile of this run does not run this playbook any more. Ask its owner to add it to the skills again.',
    'conflict',
  ],
};

/** The function that makes a retry checks the same; nothing: the obstacle has gone since. */
async function whyNot(sql: Sql, runId: string): Promise<AppError> {
  const [row] = await sql.query<{ why: string | null }>('select app_why_no_retry($1) as why', [runId]);
  const why = row?.why ?? 'run_id_taken';
  const [message, category] = REASONS[why] ?? [];
  if (why === 'run_not_found') return notFound('run', runId);
  if (message === undefined || category === undefined) {
    return new AppError('run_id_taken', 'The run could not be repeated. Try again.', { category: 'conflict' });
  }
  return new AppError(why, message, { category });
}

async function hasKey(sql: Sql, ownerId: string, key: string): Promise<boolean> {
  const found = await sql.query('select 1 from runs where owner_id = $1 and idempotency_key = $2', [ownerId, key]);
  return found.length > 0;
}

function orNull(map: { [path: string]: JsonObject }): string | null {
  return Object.keys(map).length === 0 ? null : json(map);
}
