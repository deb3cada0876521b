import { setTimeout as sleep } from 'node:timers/promises';
import { canonicalJson } from '../../core/base/canonical-json';
import type { Json, JsonObject } from '../../core/base/json';
import { exceedsJsonDepth, MAX_DATA_DEPTH } from '../../core/base/json-depth';
import type { StoredValue } from '../../core/engine/values';
import type { ReportFacts, RunEvent, UnitCall } from '../../core/engine/commands';
import type { ApprovalRow } from '../../infra/db/stores/approvals.store';
import type { SentElsewhere } from '../../infra/db/stores/step-hot-path.store';
import type { LeftBody } from '../../infra/db/stores/step-types';
import { callDigest, inputDigest, keyEnd, requestDigest } from '../../core/engine/digest';
import { AppError, toStepError, type StepError } from '../../core/errors/app-error';
import { SourceWait } from '../../connectors/runtime/limits/source-wait';
import { isContentLost } from '../../core/errors/content-lost';
import { isDatabaseOutage, isStorageFull } from '../../infra/db/outage';
import { JoinedSignal } from '../../infra/joined-signal';
import type { RunUnitsInput } from '../../workflows/types';
import type { ActionContext, ActionOutcome } from '../actions/types';
import { ActionEvents } from './action-events';
import type { Rendered } from './render';
import { PlatformTrouble, storageTrouble, type RunnerDeps, type RunnerEnv } from './types';

/** Extra time in which an action whose time is over may still report what it did. */
const LAST_WORD_MS = 1000;

export type CallResult =
  | { kind: 'done'; outcome: ActionOutcome; notes: ActionEvents }
  | { kind: 'failed'; error: StepError; events: RunEvent[] }
  | { kind: 'stored'; output: StoredValue }
  | { kind: 'attention'; error: StepError }
  | { kind: 'waiting'; wait: SourceWait; spentMs: number; announced: boolean };

/** Thrown in place of a request: a run of the same family has done just this. */
class DoneBefore extends Error {
  constructor(readonly output: StoredValue) {
    super('done before');
  }
}

interface Call {
  unit: UnitCall;
  input: RunUnitsInput;
  rendered: Rendered;
  /** Requests that left at this place in runs of the family. */
  leftWith?: LeftBody[] | null;
  /** Position at which the call continues after a wait. */
  resume?: Json | undefined;
  facts?: ReportFacts | undefined;
}

/** Carries one action out inside its time limit. A failure of the step is returned as data; a failure of the platform is thrown. */
export async function callAction(deps: RunnerDeps, env: RunnerEnv, call: Call): Promise<CallResult> {
  const notes = new ActionEvents(call.unit);
  const timer = new AbortController();
  const timeout = setTimeout(() => timer.abort(), call.unit.timeoutMs);
  const joined = new JoinedSignal(env.signal, timer.signal);
  const { signal } = joined;
  const began = Date.now();
  try {
    await checkApproval(deps, call);
    const action = deps.actions[call.unit.action];
    if (!action) return { kind: 'attention', error: notHere(call.unit.action) };
    const { renderedInput: inputs, params } = call.rendered;
    const { output_schema } = call.unit;
    const work = action(
      {
        action: call.unit.action,
        inputs,
        params,
        ...(output_schema && { output_schema }),
        ...(call.facts && { facts: call.facts }),
      },
      contextOf(deps, call, { signal, notes, worker: env.worker }),
    );
    const outcome = await inTime(work, signal, timer.signal, notes);
    checkDepth(outcome);
    return { kind: 'done', outcome, notes };
  } catch (error) {
    if (error instanceof DoneBefore) return { kind: 'stored', output: error.output };
    if (error instanceof SourceWait && !env.signal.aborted)
      return waitingFor(error, { began, announced: notes.effectSent });
    return judge(deps, env, call, { error, timedOut: timer.signal.aborted, notes });
  } finally {
    clearTimeout(timeout);
    joined.release();
  }
}

function waitingFor(wait: SourceWait, { began, announced }: { began: number; announced: boolean }): CallResult {
  return { kind: 'waiting', wait, spentMs: Math.max(0, Date.now() - began - wait.sleptMs), announced };
}

/** Fails the step for a value that no JSON writer can write: storing it would fail at every attempt. */
function checkDepth(outcome: ActionOutcome): void {
  if (!('output' in outcome) || !exceedsJsonDepth(outcome.output)) return;
  throw new AppError(
    'result_too_deep',
    `The result is nested deeper than ${MAX_DATA_DEPTH} levels. Take less of it, for example by a response mapping.`,
    { category: 'validation' },
  );
}

/** A build without the action met a run that needs it: nothing is tried and nothing is lost. */
function notHere(action: string): StepError {
  const message = `This build of the worker does not have the action ${action}. Start one that has it and resolve the step with "repeat".`;
  return { code: 'not_available', message, category: 'unavailable', retryable: true };
}

function judge(
  deps: RunnerDeps,
  env: RunnerEnv,
  call: Call,
  seen: { error: unknown; timedOut: boolean; notes: ActionEvents },
): CallResult {
  const { error, timedOut, notes } = seen;
  const { unit } = call;
  if (error instanceof PlatformTrouble) throw error;
  if (env.signal.aborted)
    throw new PlatformTrouble('interrupted', 'The step was interrupted.', unit.path, { cause: error });
  if (isStorageFull(error)) throw storageTrouble(error, unit.path);
  if (isDatabaseOutage(error))
    throw new PlatformTrouble('database_unavailable', 'The database does not answer.', unit.path, { cause: error });
  if (notes.unsafeSent && !(error instanceof AppError))
    return { kind: 'attention', error: toStepError(outcomeUnknown(`A request to ${notes.target}`)) };
  if (error instanceof AppError && error.code === 'effect_outcome_unknown')
    return { kind: 'attention', error: toStepError(error) };
  // The outcome of an unsafe request is known: reporting a time-out instead would let it be sent again.
  const answered = notes.unsafeSent && error instanceof AppError;
  if (!answered && error instanceof AppError && isContentLost(error)) {
    return { kind: 'attention', error: toStepError(error) };
  }
  if (timedOut && !answered && !isTimeOut(error)) {
    const message = `The step took longer than its ${unit.timeoutMs / 1000} seconds.`;
    return {
      kind: 'failed',
      error: { code: 'step_timeout', message, category: 'timeout', retryable: true },
      events: notes.all(),
    };
  }
  if (error instanceof AppError) return { kind: 'failed', error: toStepError(error), events: notes.all() };
  deps.log.error({ runId: call.input.runId, stepPath: unit.path, err: error }, 'an action failed in an unforeseen way');
  const message = `The action ${unit.action} failed in an unforeseen way; the worker's log has the details.`;
  return {
    kind: 'failed',
    error: { code: 'internal_error', message, category: 'internal', retryable: false },
    events: notes.all(),
  };
}

/**
 * Ignores results after the time limit, except the events (a source that never answered was still called) and the
 * reason: an action that ends at its own limit, just before, may need a moment to record it.
 */
async function inTime<T>(work: Promise<T>, signal: AbortSignal, time: AbortSignal, notes: ActionEvents): Promise<T> {
  try {
    return await Promise.race([work, aborted(signal)]);
  } catch (error) {
    if (!time.aborted) throw error;
    const said = work.then(
      () => undefined,
      (late: unknown) => late,
    );
    const late = await Promise.race([said, sleep(LAST_WORD_MS, undefined, { ref: false })]);
    throw isTimeOut(late) && !notes.unsafeSent ? late : error;
  }
}

function isTimeOut(error: unknown): error is AppError {
  return error instanceof AppError && error.category === 'timeout';
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const fail = (): void => reject(new Error('aborted'));
    if (signal.aborted) fail();
    else signal.addEventListener('abort', fail, { once: true });
  });
}

/** Refuses a call that was not approved: its digest must be the one that the approver saw. */
async function checkApproval(deps: RunnerDeps, { unit, input }: Call): Promise<void> {
  if (unit.approvalId === undefined) return;
  const approval = await deps.approvals.get(input.ownerId, unit.approvalId);
  const granted = approval !== null && (approval.status === 'approved' || approval.status === 'auto_approved');
  const same = granted && approval.digest === digestOf(unit, approval) && sameEdits(unit, approval.edits);
  if (same && approval.run_id === input.runId) return;
  throw new AppError(
    'approval_mismatch',
    'The action of the step differs from the approved action; ask for a new approval.',
    { category: 'forbidden' },
  );
}

/** Digest with the effects behind the gate from the run's plan, with which the run made its request. */
function digestOf(unit: UnitCall, { prompt }: ApprovalRow): string {
  const { effects_behind: behind } = unit;
  return requestDigest(callDigest(unit), { prompt, ...(behind && { effects_behind: behind }) });
}

/** Inputs that replace rendered ones: those of a retry, and above them those of the approval. */
function sameEdits(unit: UnitCall, approved: JsonObject | null): boolean {
  return canonicalJson(unit.edits ?? {}) === canonicalJson({ ...unit.overrides, ...approved });
}

function contextOf(
  deps: RunnerDeps,
  { unit, input, rendered, leftWith, resume }: Call,
  { signal, notes, worker }: { signal: AbortSignal; notes: ActionEvents; worker: string },
): ActionContext {
  const { renderedInput, params } = rendered;
  let known: string | undefined;
  // Steps that send nothing need none.
  const digest = (): string => (known ??= inputDigest(renderedInput, params));
  const effectKey = leavingKey(unit, rendered, { digest, left: leftWith ?? [] });
  return {
    runId: input.runId,
    ownerId: input.ownerId,
    playbookId: input.playbook,
    stepPath: unit.path,
    stepName: unit.name,
    effectKey,
    tryNo: unit.tryNo,
    clock: input.clock,
    connectors: input.connectors,
    timeoutMs: unit.timeoutMs,
    ...(input.deterministic === undefined ? {} : { deterministic: input.deterministic }),
    ...(unit.waitedMs === undefined ? {} : { waitedMs: unit.waitedMs }),
    ...(resume === undefined ? {} : { resume }),
    signal,
    note: (type, payload) => notes.add(type, payload),
    beforeEffect: (target) => announceEffect(deps, { unit, input, rendered, effectKey, digest, notes, worker }, target),
  };
}

/**
 * Failure of a call whose outcome is unknown: it is not repeated and not recorded as failed, because a person can find out.
 */
export function outcomeUnknown(what: string, elsewhere?: SentElsewhere | null): AppError {
  const known = elsewhere ? ` ${toldOf(elsewhere)}` : '';
  const message = `${what} left and its outcome is unknown.${known} Say whether it was done, not done, or should be repeated.`;
  return new AppError('effect_outcome_unknown', message, { category: 'conflict' });
}

/** Facts for a person who answers for a request that another run sent. */
function toldOf({ run_id, at, outcome, same }: SentElsewhere): string {
  const inputs = same === null ? '' : same ? ' with the same inputs' : ' with other inputs';
  const known = {
    ok: 'there it succeeded, so that it is done',
    done: 'there a person said that it was done',
    unknown: 'its outcome is not known there either',
  }[outcome];
  return `The run ${run_id} sent it last, at ${new Date(at).toISOString()}${inputs}; ${known}.`;
}

/** Commits that a request is about to leave; without that commit it must not. */
async function announceEffect(
  deps: RunnerDeps,
  call: Pick<Call, 'unit' | 'input' | 'rendered'> & {
    effectKey: string;
    digest: () => string;
    notes: ActionEvents;
    worker: string;
  },
  target: { description: string; effect: 'idempotent' | 'keyed' | 'unsafe' },
): Promise<void> {
  const { unit, input, rendered, effectKey, digest, notes, worker } = call;
  const payload: { [field: string]: Json } = {
    at: new Date().toISOString(),
    step: unit.name,
    effect_key: effectKey,
    target: target.description,
    effect: target.effect,
  };
  const event = {
    id: `${unit.path}:es:${unit.tryNo}:${crypto.randomUUID()}`,
    type: 'effect.sent',
    step_path: unit.path,
    payload,
  };
  const answer = await deps.steps.effectSent(input.runId, {
    effect_key: unit.effectKey,
    try_no: unit.tryNo,
    effect: target.effect,
    target: target.description,
    worker,
    ...comparable(unit, input, rendered),
    digest: digest(),
    ...(effectKey === unit.effectKey ? {} : { left_as: effectKey }),
    events: [event],
  });
  if (answer.sent) {
    notes.effectSent = true;
    notes.unsafeSent = target.effect === 'unsafe';
    notes.target = target.description;
    return;
  }
  if (answer.reason === 'outcome_unknown') {
    throw outcomeUnknown(`A request to ${target.description}`, answer.elsewhere);
  }
  if (answer.output) throw new DoneBefore(answer.output);
  // A repeat of the step takes the recorded answer.
  throw new PlatformTrouble('interrupted', NOT_SENT[answer.reason ?? 'closed'], unit.path);
}

/** Prefix of keys that several retries share: a UUID of version 3, as `af_shared_key` makes it. */
const SHARED_KEYS = /^[0-9a-f]{8}-[0-9a-f]{4}-3/;

/**
 * A key stands for one body, and a body keeps the key under which it left first: a target that honours keys takes it for a repeat. Another
 * body (one that retries share a key with, other edits, other instructions) has a key of its own. Where nobody noted what left, edits alone tell.
 */
function leavingKey(
  { leavesAs, effectKey }: UnitCall,
  { renderedInput }: Rendered,
  { digest, left }: { digest: () => string; left: readonly LeftBody[] },
): string {
  const before = left.length === 0 ? undefined : left.find((body) => body.digest === digest());
  if (before !== undefined) return before.key;
  const key = leavesAs ?? effectKey;
  if (SHARED_KEYS.test(key)) return `${key}~${keyEnd(renderedInput)}`;
  return left.some((body) => body.key === effectKey) ? `${effectKey}~${digest().slice(0, 16)}` : key;
}

/** Inputs by which a retry knows what an earlier build did before: as they are kept, where that is all of them. */
function comparable(
  { effectKey }: UnitCall,
  { runId }: RunUnitsInput,
  { shown, renderedInput }: Rendered,
): { input?: Json } {
  if (effectKey.startsWith(`${runId}/`)) return {};
  const isWhole = canonicalJson(shown['inputs'] ?? null) === canonicalJson(renderedInput);
  return isWhole ? { input: shown } : {};
}

/** Reason why no request was sent, where that says nothing about the step. */
const NOT_SENT = {
  recorded: 'Another attempt of the step has its result.',
  done_before: 'Another run of the family has done the step.',
  other_body: 'Another body left under the key of the step; it leaves under a key of its own.',
  superseded: 'Another worker carries the step out now; nothing left from here.',
  closed: 'The run was cancelled before the request left.',
  no_attempt: 'Nobody began this attempt of the step; nothing left.',
} as const;
