import { Context } from '@temporalio/activity';
import { createHash } from 'node:crypto';
import { SUB_PLAYBOOK } from '../core/actions/render-inputs';
import { ownField, type JsonObject } from '../core/base/json';
import { isTerminal } from '../core/base/run-status';
import { AppError } from '../core/errors/app-error';
import { asksAgain } from '../core/playbook/retry-marks';
import { planRetry } from '../core/playbook/retry-plan';
import type { Plan } from '../core/playbook/types';
import { checkRunInputs } from '../core/validate/run-inputs';
import type { BlobStore } from '../infra/blob/blob-store';
import type { VersionRow } from '../infra/db/stores/definition-types';
import type { OpenRunsStore } from '../infra/db/stores/open-runs.store';
import { planFacts } from '../infra/db/stores/plan-facts';
import type { ChildRepeat, RunRetryStore } from '../infra/db/stores/run-retry.store';
import type { RunRow } from '../infra/db/stores/run-types';
import type { RunsStore } from '../infra/db/stores/runs.store';
import type { TransitionsStore } from '../infra/db/stores/transitions.store';
import { logRunStarted, type RunLog } from '../infra/log/run-lines';
import { pinnedPlan } from '../infra/temporal/plan-to-run';
import { retryFacts, type RetryReader } from '../infra/temporal/retry-facts';
import { runInput, runMemo, runSummary, withRetry } from '../infra/temporal/run-input';
import type { CreateChildInput, CreateChildResult, LifecycleActivities, PlaybookRunInput } from '../workflows/types';
import { pinConnectors, versionToCall, type ChildDefinitions } from './child-definitions';
import { withEngineErrors, withHeartbeat } from './platform';
import { renderUnit } from './runner/render';
import { Values } from './runner/values';
import { transitionOf } from './transitions';
import type { RunVerifier } from './verify';

const MAX_DEPTH = 5;
const ENDING_MS = 120_000;
const ENDING_LOOK_MS = 500;

export interface ChildActivityDeps extends ChildDefinitions {
  runs: RunsStore;
  openRuns: OpenRunsStore;
  retries: RunRetryStore;
  transitions: TransitionsStore;
  blobs: BlobStore;
  verifier: RunVerifier;
  heartbeatMs: number;
  /**
   * Milliseconds to wait for the end of an earlier sub-playbook; absent = two minutes. A cancelled one ends within
   * seconds.
   */
  endingMs?: number | undefined;
  log: RunLog;
}

/** A playbook as a step: writes the row of the child run, under an id that comes from the parent's effect key. */
export function childActivities(deps: ChildActivityDeps): Pick<LifecycleActivities, 'create_child_run'> {
  return {
    create_child_run: async (input) => {
      await deps.verifier.verify(input);
      await deps.transitions.apply(input.runId, transitionOf(input.transitions));
      return withHeartbeat(deps.heartbeatMs, () => withEngineErrors(() => createChild(deps, input)));
    },
  };
}

async function createChild(deps: ChildActivityDeps, input: CreateChildInput): Promise<CreateChildResult> {
  const parent = await deps.openRuns.get(input.runId);
  if (!parent) throw new AppError('run_not_found', 'The parent run is gone.', { category: 'internal' });
  if (isTerminal(parent.status))
    throw new AppError('run_closed', 'The run that calls the sub-playbook has ended.', { category: 'conflict' });
  const childId = childIdOf(input.effectKey);
  const row = (await deps.openRuns.get(childId)) ?? (await newChild(deps, input, parent, childId));
  await noteStarted(deps, input, row);
  if (isTerminal(row.status)) return { runId: row.id, closed: closedResult(row) };
  const version = await deps.playbooks.pinned(row);
  if (!version)
    throw new AppError('playbook_version_not_found', 'The pinned version of the sub-playbook is gone.', {
      category: 'internal',
    });
  await deps.openRuns.markWorkflowStarted(row.id);
  return {
    runId: row.id,
    start: {
      input: await startOf(deps, input, row, version),
      summary: runSummary(row),
      attributes: attributesOf(row),
      memo: runMemo(row),
    },
  };
}

async function startOf(
  deps: ChildActivityDeps,
  { effectBehind = true, effectAfterStop = effectBehind, settings, lacks, edited, callerReads }: CreateChildInput,
  row: RunRow,
  version: VersionRow<Plan>,
): Promise<PlaybookRunInput> {
  const plan = await pinnedPlan(deps.connectors, row, version, { effectBehind, effectAfterStop });
  const start = {
    ...runInput(row, plan, settings),
    ...(lacks === undefined ? {} : { lacks }),
    ...(edited === undefined ? {} : { edited }),
    ...(callerReads === undefined ? {} : { callerReads }),
  };
  return row.effect_root === null ? start : withRetry(start, await deps.retries.carried(row.id));
}

/** A repeated child continues the run before it; so does a child of a run that repeats another one. */
async function newChild(
  deps: ChildActivityDeps,
  input: CreateChildInput,
  parent: RunRow,
  childId: string,
): Promise<RunRow> {
  const { ownerId, path, repeats, effectKey } = input;
  const repeat = { id: childId, before: repeats, parent: parent.id, path, key: `child:${effectKey}` };
  const repeated =
    repeats === undefined && parent.retry_of === null ? undefined : await repeatedChild(deps, ownerId, repeat);
  if (repeated === undefined) return insertChild(deps, input, parent, childId);
  if (repeated.id === childId) logRunStarted(deps.log, repeated);
  return repeated;
}

async function repeatedChild(
  deps: ChildActivityDeps,
  ownerId: string,
  repeat: ChildRepeat,
): Promise<RunRow | undefined> {
  const found = repeat.before === undefined ? await deps.retries.childBefore(ownerId, repeat) : undefined;
  const id = repeat.before ?? found?.run_id;
  const before = id === undefined ? null : await endOf(deps, id);
  return found?.asked === true && before !== null
    ? retriedChild(deps, before, repeat)
    : deps.retries.repeatChild(ownerId, repeat);
}

/** A new child would repeat the effects of one that is still ending, so that one is awaited first. */
async function endOf(deps: ChildActivityDeps, id: string): Promise<RunRow | null> {
  const until = Date.now() + (deps.endingMs ?? ENDING_MS);
  for (;;) {
    const run = await deps.openRuns.get(id);
    // A child that never began is ended with its caller and does nothing.
    if (run === null || isTerminal(run.status) || run.workflow_started_at === null) return run;
    if (Date.now() >= until)
      throw new AppError(
        'sub_playbook_not_ended',
        `The sub-playbook ${id}, which this call goes on with, has not ended yet (${run.status}). Wait for its end, or cancel it; then retry this run.`,
        { category: 'conflict' },
      );
    await Context.current().sleep(ENDING_LOOK_MS);
  }
}

/** Retries a child run as the API would: its good results stay. */
async function retriedChild(deps: ChildActivityDeps, before: RunRow, repeat: ChildRepeat): Promise<RunRow | undefined> {
  const { presets } = await deps.retries.carried(repeat.parent);
  const callerRepeats = asksAgain(ownField(presets ?? {}, repeat.path));
  if (before.status === 'complete' && !callerRepeats) return before;
  if (!isTerminal(before.status)) return undefined;
  const version = await deps.playbooks.pinned(before);
  if (!version) return undefined;
  const plan = planRetry({ ...(await retryFacts(readerOf(deps), before, version)), callerRepeats });
  if (before.status === 'partial' && plan.from === null && !callerRepeats) return before;
  return deps.retries.retryChild(before.owner_id, { ...repeat, before: before.id }, plan);
}

function readerOf({ retries, connectors, openRuns, playbooks }: ChildActivityDeps): RetryReader {
  const child: RetryReader['child'] = async (id) => {
    const run = await openRuns.get(id);
    const version = run && (await playbooks.pinned(run));
    return run && version ? { run, version } : undefined;
  };
  return { retries, connectors, child };
}

async function insertChild(
  deps: ChildActivityDeps,
  input: CreateChildInput,
  parent: RunRow,
  childId: string,
): Promise<RunRow> {
  const version = await versionToCall(deps, input, parent);
  requireMode(input, version);
  await checkAncestry(deps, parent, version);
  const inputs = await inputsOf(deps, input, version.body);
  const { run } = await deps.runs.create(input.ownerId, {
    id: childId,
    playbook_id: version.definition_id,
    playbook_version_id: version.id,
    playbook_slug: version.slug,
    playbook_name: version.body.playbook.name,
    inputs,
    run_context: parent.run_context,
    approval_policy: parent.approval_policy,
    invoked_by: 'playbook',
    clock: await clockOf(deps, parent, version),
    connectors: await pinConnectors(deps, parent, version.body),
    ...planFacts(version.body),
    parent: { run_id: parent.id, step_path: input.path, root_run_id: parent.root_run_id, depth: parent.depth + 1 },
    idempotency: { key: `child:${input.effectKey}`, hash: 'child' },
  });
  logRunStarted(deps.log, run);
  return run;
}

/** A deterministic run has no model anywhere in it, whatever the sub-playbook was when its caller was saved. */
function requireMode({ deterministic }: CreateChildInput, { slug, body }: VersionRow<Plan>): void {
  if (deterministic !== true || body.execution_mode === 'deterministic') return;
  throw new AppError(
    'model_not_allowed',
    `The run is deterministic, but the playbook ${slug} is ${body.execution_mode} by now. Write execution_mode: deterministic there, or hybrid in the playbook that runs it.`,
    { category: 'forbidden' },
  );
}

async function checkAncestry(deps: ChildActivityDeps, parent: RunRow, version: VersionRow<Plan>): Promise<void> {
  if (parent.depth + 1 > MAX_DEPTH) {
    throw new AppError(
      'sub_playbook_too_deep',
      `Playbooks may call each other ${MAX_DEPTH} levels deep; this call is deeper.`,
      { category: 'validation' },
    );
  }
  let ancestor: RunRow | null = parent;
  while (ancestor) {
    if (ancestor.playbook_id === version.definition_id) {
      throw new AppError(
        'sub_playbook_cycle',
        `The playbook ${version.slug} is already running further up; it cannot call itself.`,
        { category: 'validation' },
      );
    }
    ancestor = ancestor.parent_run_id === null ? null : await deps.openRuns.get(ancestor.parent_run_id);
  }
}

async function inputsOf(deps: ChildActivityDeps, input: CreateChildInput, plan: Plan): Promise<JsonObject> {
  const unit = {
    path: input.path,
    name: '',
    key: '',
    effectKey: '',
    tryNo: 1,
    action: SUB_PLAYBOOK,
    inputs: input.inputs,
    params: {},
    refs: input.refs,
    timeoutMs: 0,
    valueLimit: 0,
  };
  const { renderedInput } = await renderUnit(unit, new Map(), new Values(deps.blobs, input.ownerId));
  const { values, problems } = checkRunInputs(plan.inputs, { ...renderedInput, ...input.overrides });
  if (problems.length === 0) return values;
  throw new AppError(
    'invalid_inputs',
    `The inputs do not fit the playbook ${plan.playbook.id}: ${problems.map((problem) => problem.message).join(' ')}`,
    { category: 'validation' },
  );
}

/** A child shares its parent's moment; only its own last execution is another. */
async function clockOf(deps: ChildActivityDeps, parent: RunRow, version: VersionRow<Plan>): Promise<RunRow['clock']> {
  const { last_execution_date: _other, ...clock } = parent.clock;
  const last = await deps.runs.lastExecution(parent.owner_id, version.definition_id);
  return last === null ? clock : { ...clock, last_execution_date: last.slice(0, 10) };
}

async function noteStarted(deps: ChildActivityDeps, input: CreateChildInput, row: RunRow): Promise<void> {
  const payload = { at: new Date().toISOString(), step: input.path, child: row.id, playbook: row.playbook_slug };
  await deps.transitions.apply(input.runId, {
    events: [{ id: `${input.path}:child:${row.id}`, type: 'child.started', step_path: input.path, payload }],
  });
}

function attributesOf(row: RunRow): { [name: string]: string } {
  return { AfOwner: row.owner_id, AfPlaybook: row.playbook_slug, AfRunContext: row.run_context, AfStatus: 'running' };
}

function closedResult(row: RunRow): CreateChildResult['closed'] {
  return {
    runId: row.id,
    status: row.status,
    outputs: row.result ?? {},
    ...(row.status_code !== null && { code: row.status_code }),
    ...(row.status_message !== null && { message: row.status_message }),
    ...(row.summary !== null && { summary: row.summary }),
  };
}

/** Name-based: a repeated activity finds the row of its first try (form of RFC 9562 version 8). */
function childIdOf(effectKey: string): string {
  const hex = createHash('sha256').update(`child:${effectKey}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
