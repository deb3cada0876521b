import { isTerminal } from '../../../core/base/run-status';
import { AppError } from '../../../core/errors/app-error';
import { fields, json } from '../clean-params';
import { owner, type Database } from '../database';
import { isDenied } from './conflicts';
import { entryParam, type AuditEntry } from './identity/audit.store';
import { notFound } from './not-found';
import { isUuid } from '../../../core/base/uuid';
import type { Page } from './page';
import {
  RUN_COLUMNS,
  RUN_COLUMNS_BUT_INPUTS,
  RUN_SUMMARY_COLUMNS,
  type NewRun,
  type RunControl,
  type RunRow,
  type RunSummary,
} from './run-types';
import { runsQuery, type RunFilter } from './runs-query';

export type { RunFilter } from './runs-query';

const CREATE = `select ${RUN_COLUMNS_BUT_INPUTS} from af_insert_run($1, $2, $3, $4)`;

const WORDS: Record<RunControl, string> = { run: 'resume', pause: 'pause', cancel: 'cancel' };

export class RunsStore {
  constructor(private readonly database: Database) {}

  /**
   * Writes the run's row once. A row with the same id, or the same idempotency key and body, is given back as it is.
   * Throws `idempotency_mismatch` when the key was used with another body, and `access_revoked` when its profile, or what
   * it is made of, is not the owner's to run any more. Keys never expire. `entry`: in the audit trail, with a row that is new.
   */
  async create(ownerId: string, run: NewRun, entry?: AuditEntry): Promise<{ run: RunRow; created: boolean }> {
    const [created] = await this.database
      .hot<Omit<RunRow, 'inputs'>>(CREATE, [
        columnsOf(ownerId, run),
        run.watch_seconds,
        entryParam(entry),
        json(run.inputs),
      ])
      .catch(orNotHis);
    if (created !== undefined) {
      return { run: { ...created, inputs: run.inputs }, created: true };
    }
    return { run: repeated(await this.existing(ownerId, run), run.idempotency?.hash), created: false };
  }

  /** The run that an earlier request with this key made, or null. Throws `idempotency_mismatch` as `create` does. */
  async byKey(ownerId: string, idempotency: { key: string; hash: string }): Promise<RunRow | null> {
    const [row] = await this.database.hot<KeyedRun>(
      `select ${RUN_COLUMNS}, idempotency_hash from af_run_by_key($1, $2)`,
      [ownerId, idempotency.key],
    );
    return row === undefined ? null : repeated(row, idempotency.hash);
  }

  async get(ownerId: string, runId: string): Promise<RunRow | null> {
    if (!isUuid(runId)) {
      return null;
    }
    const [row] = await this.database.hot<RunRow>(`select ${RUN_COLUMNS} from af_run($1, $2)`, [ownerId, runId]);
    return row ?? null;
  }

  /** Throws `run_not_found`. */
  async require(ownerId: string, runId: string): Promise<RunRow> {
    const row = await this.get(ownerId, runId);
    if (row === null) {
      throw notFound('run', runId);
    }
    return row;
  }

  /** Runs that the caller sees: their own, and those of teams (`visibleRows`). */
  async list(ownerId: string, filter: RunFilter): Promise<Page<RunSummary>> {
    const { statement, reading, page } = runsQuery(ownerId, filter);
    const [rows] = await this.database.read<[RunSummary]>(owner(ownerId), [statement], reading);
    return page.of(rows);
  }

  async children(ownerId: string, runId: string): Promise<RunSummary[]> {
    return this.database.hot<RunSummary>(`select ${RUN_SUMMARY_COLUMNS} from af_run_children($1, $2)`, [
      ownerId,
      runId,
    ]);
  }

  /**
   * Sets what may happen before the next step. `cancel` stays. Throws `run_not_found`, or `run_closed` when the run has
   * ended or (for pause and run) is being cancelled, `parent_paused` for run below a paused one, or `access_revoked` when its profile may not be run any more.
   */
  async setControl(ownerId: string, runId: string, control: RunControl): Promise<RunSummary> {
    const work = this.database.query<RunSummary>(
      owner(ownerId),
      `update runs set control = $3, updated_at = clock_timestamp(),
          revoked_at = case when $3 = 'run' then null else revoked_at end
        where id = $1 and owner_id = $2 and not af_closed(status) and (control <> 'cancel' or $3 = 'cancel')
          and not ($3 = 'run' and (paused_by is not null
            or exists (select from runs p where p.id = runs.parent_run_id and p.control = 'pause')))
        returning ${RUN_SUMMARY_COLUMNS}`,
      [runId, ownerId, control],
    );
    const [row] = await orRevoked(work);
    if (row !== undefined) {
      return row;
    }
    const run = await this.require(ownerId, runId);
    if (!isTerminal(run.status) && run.control === 'pause') {
      throw new AppError(
        'parent_paused',
        `This run was started by another one, ${run.parent_run_id ?? ''}, which is paused. Resume that one: it resumes this one too.`,
        { category: 'conflict' },
      );
    }
    const why = isTerminal(run.status) ? `has ended (${run.status})` : 'is being cancelled';
    throw new AppError('run_closed', `The run ${why}, so it takes no ${WORDS[control]} any more.`, {
      category: 'conflict',
    });
  }

  /** Open runs that this one started, at all levels. Pause and resume have reached their rows with its own. */
  async openBelow(ownerId: string, runId: string): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      owner(ownerId),
      `with recursive below as (
          select id from runs where parent_run_id = $1 and owner_id = $2 and not af_closed(status)
          union all select r.id from runs r join below b on r.parent_run_id = b.id where not af_closed(r.status))
        select id from below`,
      [runId, ownerId],
    );
    return rows.map(({ id }) => id);
  }

  /** Start of this owner's latest complete or partial run of the playbook (RFC 3339), or null. */
  async lastExecution(ownerId: string, playbookId: string): Promise<string | null> {
    const [row] = await this.database.query<{ started_at: string }>(
      owner(ownerId),
      `select started_at from runs where owner_id = $1 and playbook_id = $2 and status in ('complete', 'partial')
        and started_at is not null order by started_at desc limit 1`,
      [ownerId, playbookId],
    );
    return row?.started_at ?? null;
  }

  private async existing(ownerId: string, run: NewRun): Promise<KeyedRun> {
    const [row] = await this.database.query<KeyedRun>(
      owner(ownerId),
      `select ${RUN_COLUMNS}, idempotency_hash from runs where owner_id = $1 and (id = $2 or idempotency_key = $3)
        order by (id = $2) desc limit 1`,
      [ownerId, run.id, run.idempotency?.key ?? null],
    );
    if (row === undefined) {
      throw new AppError('run_id_taken', 'This run id belongs to somebody else.', { category: 'conflict' });
    }
    return row;
  }
}

/** Turns a refusal into an error for the caller: the function that makes the row checks everything that the row refers to. */
function orNotHis(error: unknown): never {
  if (!isDenied(error)) {
    throw error;
  }
  throw new AppError(
    'access_revoked',
    'What the run is made of (its profile, playbook, connectors or parent) is not yours to run, or not any more.',
    { category: 'forbidden' },
  );
}

/** Turns a refusal into an error: the row-level policy of runs checks again whether the run's profile may still be run. */
async function orRevoked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isDenied(error)) {
      throw error;
    }
    throw new AppError(
      'access_revoked',
      'The agent profile of this run is not shared with you any more, or is not active. The run can be cancelled; it goes on when the profile is yours to run again.',
      { category: 'forbidden' },
    );
  }
}

type KeyedRun = RunRow & { idempotency_hash: string | null };

function repeated({ idempotency_hash: kept, ...row }: KeyedRun, hash: string | undefined): RunRow {
  if (kept !== (hash ?? null)) {
    throw new AppError(
      'idempotency_mismatch',
      'This Idempotency-Key was used before with another request body. Send the same body, or a new key for a new run.',
      { category: 'validation' },
    );
  }
  return row;
}

/** The run by column of `runs`, for af_insert_run; its inputs go beside it. */
function columnsOf(ownerId: string, run: NewRun): string | null {
  const { parent, retry, profile, watch_seconds: _, idempotency, inputs: __, ...facts } = run;
  return fields({
    ...Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, isDocument(fact) ? json(fact) : fact])),
    owner_id: ownerId,
    parent_run_id: parent?.run_id,
    parent_step_path: parent?.step_path,
    root_run_id: parent?.root_run_id ?? run.id,
    depth: parent?.depth,
    retry_of: retry?.of,
    retry_from: retry?.from,
    profile_id: profile?.id,
    team_id: profile?.team_id,
    idempotency_key: idempotency?.key,
    idempotency_hash: idempotency?.hash,
  });
}

/** True if it is kept as `json`. */
function isDocument(fact: unknown): boolean {
  return typeof fact === 'object' && fact !== null;
}
