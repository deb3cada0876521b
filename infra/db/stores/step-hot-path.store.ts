import type { Json } from '../../../core/base/json';
import type { RunEvent } from '../../../core/engine/commands';
import type { StoredValue } from '../../../core/engine/values';
import { AppError } from '../../../core/errors/app-error';
import { fields, json } from '../clean-params';
import { owner, type Database, type Sql } from '../database';
import { filledEvents, stepParams } from './encode';
import type { RunControl } from './run-types';
import type { RecordedResult, StepAnswer, StepCall, StepRecord } from './step-types';

export interface EffectAttempt {
  effect_key: string;
  try_no: number;
  effect: 'idempotent' | 'keyed' | 'unsafe';
  /** Target of the request, for people. */
  target: string;
  /** Worker that began the try. */
  worker: string;
  /** Inputs as they are kept with the result, where they are whole and another run may have done the same. */
  input?: Json;
  /** Digest of all inputs. */
  digest?: string;
  /** Key of the request, where it is not the effect key. */
  left_as?: string | undefined;
  events?: RunEvent[];
}
export interface EffectAnswer {
  sent: boolean;
  control: RunControl;
  /**
   * `outcome_unknown`: an unsafe request left earlier and has no result; `recorded`: another attempt of this try was
   * quicker; `superseded`: another worker has begun this try since; `closed`: cancelled or ended; `no_attempt`; `done_before`: a run
   * that this one goes on with, or another that does, has done just this: `output`; `other_body`: another body left under the effect
   * key since the try began.
   */
  reason: 'outcome_unknown' | 'recorded' | 'superseded' | 'closed' | 'no_attempt' | 'done_before' | 'other_body' | null;
  output?: StoredValue | null;
  elsewhere?: SentElsewhere | null;
}

/** Facts about a request that another run of the family sent. */
export interface SentElsewhere {
  /** The outermost run, as people know it. */
  run_id: string;
  at: string;
  /** `done`: a person said so. */
  outcome: 'ok' | 'done' | 'unknown';
  /** True if sent with these inputs; null: they were not recorded. */
  same: boolean | null;
}

const STEP = 'select af_step($1, $2, $3, $4, $5) as answer';
const OWN_STEP = 'select app_step($1, $2, $3, $4, $5) as answer';

/** The worker's way to a run's rows: one round trip and one transaction a call, for the run's owner only. */
export class StepHotPath {
  constructor(private readonly database: Database) {}

  /** Appends events and patch, records the result of one step and begins the next, all or nothing. Throws `run_not_found`. */
  async step(runId: string, call: StepCall): Promise<StepAnswer> {
    const [row] = await this.database.hot<{ answer: StepAnswer | null }>(STEP, [runId, ...stepParams(call)]);
    return answerOf(runId, row?.answer);
  }

  /**
   * `step` with an effect on our own database in the same transaction, under the rights of the run's owner: `commit`
   * runs unless the key has a result, and gives the record. It may run again after a deadlock, so it does nothing but
   * SQL. Attempts of one key wait for each other.
   */
  async stepCommitting(
    run: { ownerId: string; runId: string },
    key: { effect_key: string; try_no: number },
    call: Omit<StepCall, 'record'>,
    commit: (sql: Sql) => Promise<StepRecord>,
  ): Promise<StepAnswer> {
    const { ownerId, runId } = run;
    return this.database.tx(owner(ownerId), async (sql) => {
      await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key.effect_key]);
      const [found] = await sql.query<{ result: RecordedResult | null }>('select app_recorded($1, $2, $3) as result', [
        runId,
        key.effect_key,
        key.try_no,
      ]);
      const existing = found?.result ?? null;
      const record = existing === null ? await commit(sql) : undefined;
      const [row] = await sql.query<{ answer: StepAnswer | null }>(OWN_STEP, [
        runId,
        ...stepParams({ ...call, ...(record && { record }) }),
      ]);
      const answer = answerOf(runId, row?.answer);
      return existing === null ? answer : { ...answer, recorded: false, existing };
    });
  }

  /** Ends an attempt without a result although its worker lives (outage, shutdown): it does not count as a loss. */
  async release(runId: string, attempt: { effect_key: string; try_no: number; worker: string }): Promise<void> {
    await this.database.hot('select af_release($1, $2, $3, $4)', [
      runId,
      attempt.effect_key,
      attempt.try_no,
      attempt.worker,
    ]);
  }

  /**
   * Ends the attempt because a source asked for a wait: no loss. `not_done`: everything that was sent was refused, so that it may
   * be sent again.
   */
  async waitStep(
    runId: string,
    attempt: { effect_key: string; try_no: number; worker: string; not_done: boolean },
  ): Promise<void> {
    await this.database.hot('select af_wait_step($1, $2, $3, $4, $5)', [
      runId,
      attempt.effect_key,
      attempt.try_no,
      attempt.worker,
      attempt.not_done,
    ]);
  }

  /** Request under this key that another run of the family sent last, and that is not known to have failed. */
  async sentElsewhere(runId: string, effectKey: string): Promise<SentElsewhere | null> {
    const [row] = await this.database.hot<{ found: SentElsewhere | null }>(
      'select af_sent_elsewhere($1, $2) as found',
      [runId, effectKey],
    );
    return row?.found ?? null;
  }

  /** Commits that a request is about to leave. When `sent` is false it must not leave. */
  async effectSent(runId: string, attempt: EffectAttempt): Promise<EffectAnswer> {
    const { input, events, ...effect } = attempt;
    const [row] = await this.database.hot<{ answer: EffectAnswer }>('select af_effect_sent($1, $2, $3) as answer', [
      runId,
      fields({ ...effect, events: filledEvents(events) }),
      json(input),
    ]);
    return row?.answer ?? { sent: false, control: 'cancel', reason: 'closed' };
  }
}

function answerOf(runId: string, answer: StepAnswer | null | undefined): StepAnswer {
  if (answer === null || answer === undefined) {
    throw new AppError('run_not_found', `There is no run "${runId}".`, { category: 'not_found' });
  }
  return answer;
}
