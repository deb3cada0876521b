import { setTimeout as sleep } from 'node:timers/promises';
import type { Json } from '../../core/base/json';
import type { RunEvent, UnitCall } from '../../core/engine/commands';
import type { UnitOutcome } from '../../core/engine/inbox';
import type { StoredValue } from '../../core/engine/values';
import { toStepError, type StepError } from '../../core/errors/app-error';
import { isDatabaseOutage, isStorageFull } from '../../infra/db/outage';
import type {
  LeftBody,
  StepStart,
  RecordedResult,
  StepAnswer,
  StepBegin,
  StepCall,
  StepRecord,
} from '../../infra/db/stores/step-types';
import type { RunUnitsInput, RunUnitsResult } from '../../workflows/types';
import type { ActionOutcome } from '../actions/types';
import { callAction, outcomeUnknown, type CallResult } from './call';
import type { Computed } from './compute';
import type { ActionEvents } from './action-events';
import { renderUnit, withRemarks, type LocalResults, type Rendered } from './render';
import { PlatformTrouble, storageTrouble, type RunnerDeps, type RunnerEnv } from './types';
import { factsOf, finishedEvent, asStepFailure, recordBase, type StartedUnit } from './unit-records';
import { SegmentValues } from './segment-values';
import { Values } from './values';

/**
 * Carries out units one after the other. Contract:
 * 1. A unit begins only after the result of the one before is committed (the same transaction does both).
 * 2. A unit whose key has a result is not carried out: the recorded result counts.
 * 3. The first outcome that is not success ends the list; so do pause and cancel, before the next unit.
 * 4. Trouble of the platform is thrown; what a step reports is data. Nothing here decides about a run.
 */
export async function runUnits(deps: RunnerDeps, input: RunUnitsInput, env: RunnerEnv): Promise<RunUnitsResult> {
  const session = new Session(deps, input, env);
  try {
    return await session.run();
  } catch (error) {
    throw await session.giveUp(error);
  }
}

const PERSIST_FOR_MS = 120_000;
const PERSIST_EACH_MS = 500;

class Session {
  private readonly values: Values;
  private readonly large: SegmentValues;
  private readonly local: LocalResults = new Map();
  private readonly outcomes: UnitOutcome[] = [];
  /** Result of the unit before, on its way into the next transaction. */
  private unrecorded: { record: StepRecord; outcome: UnitOutcome; key: string } | undefined;
  private current: UnitCall | undefined;
  private begun = false;
  private first = true;

  constructor(
    private readonly deps: RunnerDeps,
    private readonly input: RunUnitsInput,
    private readonly env: RunnerEnv,
  ) {
    this.values = new Values(deps.blobs, input.ownerId, (handle) => this.large.get(handle));
    this.large = new SegmentValues(this.values);
  }

  async run(): Promise<RunUnitsResult> {
    for (const unit of this.input.units) {
      this.current = unit;
      const answer = await this.step({ begin: this.beginOf(unit) });
      // A late attempt found a failure that another attempt recorded for the unit before: that ends the list.
      if (this.outcomes.at(-1)?.status === 'failed') return this.stepBack(unit, answer);
      if (answer.begun === null)
        return { outcomes: this.outcomes, held: answer.control === 'pause' ? 'pause' : 'cancel' };
      if (answer.begun.result !== null) {
        if (this.accept(unit, answer.begun.result)) continue;
        return { outcomes: this.outcomes };
      }
      this.begun = true;
      if (leftBefore(answer.begun)) return this.park(unit);
      this.checkLosses(unit, answer.begun.losses);
      const goesOn = await this.carryOut(unit, answer.begun.left_with);
      this.begun = false;
      if (!goesOn) return { outcomes: this.outcomes };
    }
    if (this.unrecorded) await this.step({});
    return { outcomes: this.outcomes };
  }

  private async stepBack(unit: UnitCall, answer: StepAnswer): Promise<RunUnitsResult> {
    if (answer.begun?.result === null) await this.release(unit);
    return { outcomes: this.outcomes };
  }

  /**
   * Records the wait. Otherwise another end of the step, before it announces its request again, would hide that a request was
   * sent.
   */
  private async park(unit: UnitCall): Promise<RunUnitsResult> {
    const elsewhere = await this.deps.steps.sentElsewhere(this.input.runId, unit.effectKey);
    const error = toStepError(outcomeUnknown(`A request of the step ${unit.path}`, elsewhere));
    this.outcomes.push({ path: unit.path, status: 'attention', error });
    await this.release(unit);
    return { outcomes: this.outcomes };
  }

  private async release(unit: UnitCall): Promise<void> {
    await this.deps.steps.release(this.input.runId, {
      effect_key: unit.effectKey,
      try_no: unit.tryNo,
      worker: this.env.worker,
    });
  }

  /** One transaction: the engine's transitions (first time), the result of the unit before, the next begin. */
  private async step(call: Pick<StepCall, 'begin'>): Promise<StepAnswer> {
    const { transitions } = this.input;
    const request: StepCall = { ...call };
    if (this.first) {
      request.events = transitions.events;
      if (transitions.patch) request.patch = transitions.patch;
    }
    const waiting = this.unrecorded;
    if (waiting) request.record = waiting.record;
    const answer = await this.persist(request);
    if (this.first && answer.owner_id !== this.input.ownerId)
      throw this.trouble('context_mismatch', 'The run belongs to somebody else.');
    this.first = false;
    this.unrecorded = undefined;
    if (waiting && answer.recorded === false && answer.existing)
      this.replace(waiting.outcome, waiting.key, answer.existing);
    return answer;
  }

  /** A result that is only in memory is saved even if that takes long: a repeat of the step could do its effect again. */
  private async persist(request: StepCall): Promise<StepAnswer> {
    const deadline = Date.now() + PERSIST_FOR_MS;
    for (;;) {
      try {
        return await this.deps.steps.step(this.input.runId, request);
      } catch (error) {
        const passing = isDatabaseOutage(error) || isStorageFull(error);
        if (!passing || !request.record || Date.now() > deadline || this.env.signal.aborted) throw error;
        await sleep(PERSIST_EACH_MS);
      }
    }
  }

  /** A late attempt takes what is recorded. */
  private replace(outcome: UnitOutcome, key: string, existing: RecordedResult): void {
    delete outcome.error;
    outcome.status = existing.status;
    if (existing.status === 'ok') {
      outcome.output = existing.output ?? { value: null };
      this.local.set(key, outcome.output);
    } else if (existing.error) outcome.error = existing.error;
  }

  private accept(unit: UnitCall, recorded: RecordedResult): boolean {
    const outcome: UnitOutcome = { path: unit.path, status: recorded.status };
    this.replace(outcome, unit.key, recorded);
    this.outcomes.push(outcome);
    return recorded.status === 'ok';
  }

  private beginOf(unit: UnitCall): StepBegin {
    const { effectKey, tryNo, path } = unit;
    const payload = {
      at: new Date().toISOString(),
      step: unit.name,
      action: unit.action,
      try_no: tryNo,
      attempt: this.env.attempt,
    };
    const id = `${path}:s:${tryNo}:${this.input.queue}:${this.env.attempt}`;
    return {
      effect_key: effectKey,
      try_no: tryNo,
      step_path: path,
      worker: this.env.worker,
      events: [{ id, type: 'step.started', step_path: path, payload }],
    };
  }

  /** A step during which workers were lost continues alone; one that loses workers alone too needs a person. */
  private checkLosses(unit: UnitCall, losses: number): void {
    const { quarantineAfter, workerLostAfter } = this.deps;
    if (this.input.queue === 'quarantine') {
      if (losses >= quarantineAfter + workerLostAfter) {
        throw this.trouble('worker_lost', `${losses} workers were lost while they carried out ${unit.path}.`);
      }
    } else if (losses >= quarantineAfter)
      throw this.trouble('quarantine', `${losses} workers were lost under ${unit.path}.`);
  }

  private async carryOut(unit: UnitCall, leftWith: LeftBody[] | null): Promise<boolean> {
    this.env.beat(unit.path);
    const startedAt = new Date();
    const large = await asStepFailure(unit, () => this.deps.compute.tryRun(unit, this.local, this.values));
    if (large) return this.finish({ unit, startedAt, rendered: COMPUTED }, large);
    const rendered = await asStepFailure(unit, () => renderUnit(unit, this.local, this.values));
    if ('kind' in rendered) return this.finish({ unit, startedAt, rendered: NOTHING_RENDERED }, rendered);
    const { resume } = unit;
    const kept = resume && (await asStepFailure(unit, async () => ({ value: await this.values.load(resume) })));
    if (kept && 'kind' in kept) return this.finish({ unit, startedAt, rendered }, kept);
    const facts = factsOf(unit, this.input.units, this.outcomes);
    const call = { unit, input: this.input, rendered, leftWith, resume: kept?.value, facts };
    return this.finish({ unit, startedAt, rendered }, await callAction(this.deps, this.env, call));
  }

  private async finish(base: StartedUnit, result: CallResult | Computed): Promise<boolean> {
    const { unit } = base;
    if (result.kind === 'attention') {
      this.outcomes.push({ path: unit.path, status: 'attention', error: result.error });
      await this.release(unit);
      return false;
    }
    if (result.kind === 'waiting') return this.wait(base, result);
    if (result.kind === 'failed') return this.fail(base, result);
    if (result.kind === 'stored') return this.keep(base, result.output, []);
    if ('commit' in result.outcome) return this.commit(base, result.outcome, result.notes);
    const output = withRemarks(result.outcome.output, base.rendered);
    const stored = await asStepFailure(unit, async () => ({
      kind: 'stored' as const,
      output: await this.offload(output, unit.valueLimit),
    }));
    if (stored.kind === 'failed') return this.fail(base, { ...stored, events: result.notes.all() });
    if (stored.kind === 'attention') return this.finish(base, stored);
    return this.keep(base, stored.output, result.notes.all());
  }

  /** Stores large parts on their own: later steps pass them on, in this activity and in others. */
  private offload(output: Json, limit: number): Promise<StoredValue> {
    return this.values.offload(output, limit, (value) => this.large.put(value));
  }

  /** Ends without a failure and without a result: the run holds the timer, and what was read so far is stored outside of it. */
  private async wait(base: StartedUnit, { wait, spentMs, announced }: Waiting): Promise<boolean> {
    const { unit } = base;
    const { until, reason, source, resume } = wait;
    const stored = await asStepFailure(unit, async () => ({
      output: resume === undefined ? undefined : await this.values.offload(resume, RESUME_LIMIT),
    }));
    if ('kind' in stored) return this.finish(base, stored);
    const facts = { until, reason, source, askedMs: Math.max(0, until - Date.now()), spentMs };
    const kept = stored.output ? { ...facts, resume: stored.output } : facts;
    this.outcomes.push({ path: unit.path, status: 'waiting', wait: kept });
    const { worker } = this.env;
    const attempt = { effect_key: unit.effectKey, try_no: unit.tryNo, worker };
    // Covers this start only: an earlier start may have sent a request.
    await this.deps.steps.waitStep(this.input.runId, { ...attempt, not_done: announced && !wait.acted });
    return false;
  }

  private keep(base: StartedUnit, output: StoredValue, events: RunEvent[]): boolean {
    const outcome: UnitOutcome = { path: base.unit.path, status: 'ok', output };
    const record: StepRecord = {
      ...recordBase(base),
      status: 'ok',
      output,
      events: [...events, finishedEvent(base, output)],
    };
    this.unrecorded = { record, outcome, key: base.unit.key };
    this.outcomes.push(outcome);
    this.local.set(base.unit.key, output);
    return true;
  }

  private async fail(base: StartedUnit, { error, events }: { error: StepError; events: RunEvent[] }): Promise<boolean> {
    const { unit } = base;
    const outcome: UnitOutcome = { path: unit.path, status: 'failed', error };
    const payload = {
      at: new Date().toISOString(),
      step: unit.name,
      try_no: unit.tryNo,
      error: { code: error.code, message: error.message },
    };
    const event: RunEvent = {
      id: `${unit.path}:x:${unit.tryNo}`,
      type: 'step.attempt_failed',
      step_path: unit.path,
      payload,
    };
    this.outcomes.push(outcome);
    this.unrecorded = {
      record: { ...recordBase(base), status: 'failed', error, events: [...events, event] },
      outcome,
      key: unit.key,
    };
    await this.step({});
    return outcome.status === 'ok';
  }

  /** An effect on our own database: in the transaction of its result, so it happens once or not at all. */
  private async commit(base: StartedUnit, effect: Committing, notes: ActionEvents): Promise<boolean> {
    const { unit } = base;
    let output: StoredValue = { value: null };
    const key = { effect_key: unit.effectKey, try_no: unit.tryNo };
    let answer: StepAnswer;
    const before = notes.count;
    try {
      answer = await this.deps.steps.stepCommitting(this.input, key, {}, async (sql) => {
        // Repeated transaction: the notes of the first try were rolled back.
        notes.forgetSince(before);
        output = { value: await effect.commit(sql) };
        return { ...recordBase(base), status: 'ok', output, events: [...notes.all(), finishedEvent(base, output)] };
      });
    } catch (error) {
      // Events of the transaction were rolled back with it.
      notes.forgetSince(before);
      return this.commitFailed(base, effect, { error, notes });
    }
    const outcome: UnitOutcome = { path: unit.path, status: 'ok', output };
    if (answer.recorded === false && answer.existing) this.replace(outcome, unit.key, answer.existing);
    this.outcomes.push(outcome);
    this.local.set(unit.key, outcome.output ?? { value: null });
    return outcome.status === 'ok';
  }

  /** Records the failure with the action's events before its commit and those about the rollback. */
  private async commitFailed(
    base: StartedUnit,
    effect: Committing,
    { error, notes }: { error: unknown; notes: ActionEvents },
  ): Promise<boolean> {
    const rethrow = (): Promise<never> => Promise.reject(error instanceof Error ? error : new Error(String(error)));
    const { unit } = base;
    const action = { ...this.deps.actions, [unit.action]: rethrow };
    const call = { unit, input: this.input, rendered: base.rendered };
    const judged = await callAction({ ...this.deps, actions: action }, this.env, call);
    if (judged.kind !== 'failed') throw error;
    await effect.takenBack?.(error);
    return this.fail(base, { ...judged, events: [...notes.all(), ...judged.events] });
  }

  private trouble(code: PlatformTrouble['code'], message: string): PlatformTrouble {
    return new PlatformTrouble(code, message, this.current?.path ?? '');
  }

  /** Releases the attempt before the call is repeated: its worker is alive, so it is not a loss. */
  async giveUp(error: unknown): Promise<unknown> {
    const unit = this.current;
    if (unit && this.begun) await this.release(unit).catch(() => undefined);
    if (error instanceof PlatformTrouble) return error;
    if (isStorageFull(error)) return storageTrouble(error, unit?.path ?? '');
    if (isDatabaseOutage(error))
      return new PlatformTrouble('database_unavailable', 'The database does not answer.', unit?.path ?? '', {
        cause: error,
      });
    return error;
  }
}

const NOTHING_RENDERED: Rendered = { renderedInput: {}, params: {}, shown: {} };
const COMPUTED: Rendered = { renderedInput: {}, params: {}, shown: { note: 'computed apart from the worker' } };

/**
 * True if an earlier start of this attempt sent an effect that cannot be repeated, and no person has allowed it since.
 */
function leftBefore({ effect, effect_sent_count, resolution }: Extract<StepStart, { result: null }>): boolean {
  return effect === 'unsafe' && effect_sent_count > 0 && resolution !== 'repeat' && resolution !== 'not_done';
}

type Waiting = Extract<CallResult, { kind: 'waiting' }>;

/** Bytes of a waiting call's state that travel through the history; a larger one is stored outside. */
const RESUME_LIMIT = 4096;

type Committing = Extract<ActionOutcome, { commit: unknown }>;
