import { isJsonObject, type Json, type JsonObject } from '../base/json';
import { sha256 } from '../base/sha256';
import type { StepError } from '../errors/app-error';
import { END_ACTION } from '../transform/end-run';
import { hindranceOf } from './hindrance';
import { dropTimers, emit, frameOf, openTimer, stepOf, type Machine } from './machine';
import type { SourceWaitFacts } from './inbox';
import type { StepPlan } from '../playbook/types';
import type { Gap, Shortfall } from './gaps';
import { incompleteFact, outputFacts } from './output-facts';
import { insideGaps, noteReason } from './reasons';
import { countGaps, failureOf, gapOf, noteShortfalls, skipOf } from './shortfalls';
import type { Closing, ScopeEntry, StepNode } from './state';
import type { StoredValue } from './values';

/** Replay-sensitive. How a step ends: result, retry, skip or the end of the run. */

const FIRST_RETRY_MS = 500;
const LONGEST_RETRY_MS = 30_000;
const LONGEST_GIVEN_SECONDS = 3_600;

export const UNKNOWN: StepError = {
  code: 'internal_error',
  message: 'The step failed without a reason.',
  category: 'internal',
  retryable: false,
};

export interface SettleOptions {
  /** The runner already wrote `step.finished`. */
  recorded?: boolean;
  decision?: string;
  /** Gaps of the result. */
  gaps?: Gap[];
}

export function inlineValue(value: Json): StoredValue {
  return { value };
}

export function settleOk(m: Machine, node: StepNode, out: StoredValue, options: SettleOptions = {}): string {
  const gaps = [...(options.gaps ?? []), ...insideGaps(node)];
  if (!options.recorded) {
    emit(m, 'step.finished', node.path, {
      step: node.name,
      status: 'ok',
      try_no: node.tryNo,
      inline: true,
      started_at: new Date(node.startedAt).toISOString(),
      duration_ms: m.now - node.startedAt,
      ...outputFacts(out),
      ...incompleteFact(gaps),
    });
  }
  const entry: ScopeEntry = { status: 'ok', out };
  countGaps(m, node, stepOf(m, node.name), gaps);
  const own = gaps.map((gap) => gapOf(node, gap));
  const step = stepOf(m, node.name);
  const frame = close(m, node, options.decision === undefined ? entry : { ...entry, decision: options.decision }, own);
  if (step.kind === 'tool' && step.action === END_ACTION) endByPlaybook(m, out);
  return frame;
}

export function settleSkipped(m: Machine, node: StepNode, reason: 'condition' | 'not_available'): string {
  const step = stepOf(m, node.name);
  const { condition } = step;
  const hindrance = condition === undefined ? '' : hindranceOf(m, frameOf(m, node.frame).scope, condition);
  const skip = skipOf(node, step, reason, hindrance);
  const payload: JsonObject = { step: node.name, reason, message: skip.message };
  emit(m, 'step.skipped', node.path, condition && reason === 'condition' ? { ...payload, condition } : payload);
  if (reason === 'not_available') {
    m.state.partial = true;
    noteReason(m, node, skip);
  }
  return close(m, node, { status: 'skipped', out: { value: null } }, [skip]);
}

/** An end on purpose: as it was said, or `partial` where something is missing already. */
function endByPlaybook(m: Machine, { value }: StoredValue): void {
  const said = isJsonObject(value) ? value : {};
  const { status, code, message } = said;
  m.state.closing ??= {
    status: status === 'partial' ? 'partial' : 'complete',
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof message === 'string' ? { message } : {}),
    ended: true,
  };
}

/**
 * Decides about a failure: another try, or `on_error`. Returns the frame id when the step is closed.
 * `final`: a repeat of the whole step could not be undone (a list whose items are done), or would not help.
 */
export function settleFailed(
  m: Machine,
  node: StepNode,
  error: StepError,
  options: { final?: true } = {},
): string | undefined {
  const step = stepOf(m, node.name);
  if (!options.final && !m.state.closing && mayRetry(m, node, error)) {
    waitForRetry(m, node, error);
    return undefined;
  }
  emit(m, 'step.finished', node.path, {
    step: node.name,
    status: 'failed',
    try_no: node.tryNo,
    error: { code: error.code, message: error.message },
    on_error: step.on_error,
  });
  const failure = failureOf(node, error);
  m.state.partial = true;
  noteReason(m, node, failure);
  if (step.on_error === 'stop') {
    const closing: Closing = { status: 'failed', code: error.code, message: stopText(node, step, error) };
    m.state.closing ??= error.retryable ? { ...closing, retryable: true } : closing;
  }
  return close(m, node, { status: 'failed', out: { value: null }, error }, [failure]);
}

function stopText({ path }: StepNode, { stops_for: reader }: StepPlan, { message }: StepError): string {
  const why = reader === undefined ? '' : ` The run stops here because \`${reader}\` rests on it.`;
  return `Step ${path}: ${message}${why}`;
}

/** Answers that a repeat of the same question does not change, and what a person said of an effect. */
const FINAL = ['llm_refused'];
const SAID = ['effect_not_done', 'effect_outcome_unknown'];
/** Failures of our own data: the same inputs do not fit the next time either. */
const OF_INPUTS = ['bad_request', 'validation', 'too_large'];

/**
 * True if a repeat may cure the failure and an attempt is left: `retry_count` first, then the one attempt of `on_error:
 * retry`. By the older rule that attempt was added for any failure.
 */
function mayRetry(m: Machine, node: StepNode, error: StepError): boolean {
  if (FINAL.includes(error.code)) return false;
  const { retry_count: tries, on_error, retry_on: codes } = stepOf(m, node.name);
  const extra = on_error === 'retry' ? 1 : 0;
  const mayPass = codes === undefined ? error.retryable : isNamed(error, codes);
  if (mayPass) return node.tryNo < 1 + tries + extra;
  return extra === 1 && node.tryNo === 1 && codes === undefined && !m.newer('final-failures');
}

/** The author knows the source: what it says with this code passes. */
function isNamed(error: StepError, codes: readonly string[]): boolean {
  return codes.includes(error.code) && !SAID.includes(error.code) && !OF_INPUTS.includes(error.category);
}

/** Doubles from try to try. Where the author names the first one, up to a fifth more, so that many steps do not come back at once. */
function pauseBefore(m: Machine, node: StepNode): number {
  const { retry_delay_seconds: seconds } = stepOf(m, node.name);
  const times = 2 ** (node.tryNo - 1);
  if (seconds === undefined) return Math.min(FIRST_RETRY_MS * times, LONGEST_RETRY_MS);
  const pause = Math.min(seconds * times, Math.max(seconds, LONGEST_GIVEN_SECONDS)) * 1_000;
  // Random by the step's path, so that a replay gives the same.
  const chance = Number.parseInt(sha256(`${m.state.run.runId}/${node.path}/${node.tryNo}`).slice(0, 8), 16) / 2 ** 32;
  return Math.round(pause * (1 + chance / 5));
}

function waitForRetry(m: Machine, node: StepNode, error: StepError): void {
  const asked = error.details?.['retry_after_ms'];
  const delay = typeof asked === 'number' && asked > 0 ? asked : pauseBefore(m, node);
  node.tryNo += 1;
  node.phase = 'retry_wait';
  delete node.waited;
  const at = m.now + delay;
  node.retry = { since: m.now, at };
  emit(m, 'step.waiting', node.path, {
    step: node.name,
    reason: 'retry',
    since: new Date(m.now).toISOString(),
    until: new Date(at).toISOString(),
    try_no: node.tryNo,
    error: { code: error.code, message: error.message },
  });
  openTimer(m, { purpose: 'retry', path: node.path, at });
}

/**
 * A source asks for a pause. That is no failure and no attempt, and the run itself holds the timer: no worker is occupied
 * meanwhile, and pause and cancel work as at any other moment.
 */
export function waitForSource(m: Machine, node: StepNode, wait: SourceWaitFacts): undefined {
  if (m.state.closing) return undefined;
  const { reason, source, askedMs, spentMs, resume } = wait;
  const at = Math.max(wait.until, m.now + 1);
  node.phase = 'retry_wait';
  node.retry = { since: m.now, at, reason, source };
  node.waited = {
    ms: (node.waited?.ms ?? 0) + (askedMs ?? at - m.now),
    spentMs: (node.waited?.spentMs ?? 0) + spentMs,
  };
  if (resume) node.waited.resume = resume;
  emit(m, 'step.waiting', node.path, {
    step: node.name,
    reason,
    source,
    since: new Date(m.now).toISOString(),
    until: new Date(at).toISOString(),
    try_no: node.tryNo,
  });
  openTimer(m, { purpose: 'retry', path: node.path, at });
  return undefined;
}

/** Writes the result into its scope and counts the step in its list. The caller continues with the frame. */
function close(m: Machine, node: StepNode, entry: ScopeEntry, own: readonly Shortfall[]): string {
  const step = stepOf(m, node.name);
  const frame = frameOf(m, node.frame);
  const scope = m.state.scopes[frame.scope];
  const lacks = noteShortfalls(m, node, own);
  if (scope) scope.entries[step.key] = lacks === undefined ? entry : { ...entry, lacks };
  frame.begun[node.name] = 'closed';
  dropTimers(m, node.path);
  delete m.state.nodes[node.path];
  delete m.state.quarantined[node.path];
  frame.closed += 1;
  if (entry.status === 'failed') frame.failed += 1;
  if (!node.path.includes('[')) m.state.stepsDone += 1;
  return node.frame;
}
