import { WorkflowNotFoundError, type Client, type WorkflowExecutionDescription } from '@temporalio/client';
import { status as grpc } from '@grpc/grpc-js';
import type { RunStatus } from '../../core/base/run-status';
import type { Logger } from '../log/logger';
import { logRunEnds } from '../log/run-lines';
import type { OpenRun, OpenRunsStore } from '../db/stores/open-runs.store';
import type { TransitionsStore } from '../db/stores/transitions.store';
import { failureMessage } from './failure-message';
import { Periodic } from './periodic';
import { codeOf, type TemporalRunGateway } from './run-gateway';
import { workflowId } from './run-start';

const PAGE = 200;
/** A run that closed by itself writes its own end; only an older one is closed from outside. */
const GRACE_MS = 10_000;
const FAILING_ATTEMPTS = 3;

export interface ReconcilerDeps {
  client: Client;
  runs: OpenRunsStore;
  transitions: TransitionsStore;
  gateway: TemporalRunGateway;
  log: Logger;
  seconds: number;
}

/**
 * Compares open rows with Temporal. What ended outside (terminated, timed out, failed, deleted) gets a terminal status
 * with a code; a workflow task that keeps failing shows as `needs_attention`; problems that attempts
 * of a step meet again and again (a full disk, no database) are shown; a cancel or pause that did not get
 * through is sent again.
 */
export class Reconciler extends Periodic {
  constructor(deps: ReconcilerDeps) {
    super('reconciler', deps.seconds, () => reconcile(deps), deps.log);
  }
}

async function reconcile(deps: ReconcilerDeps): Promise<void> {
  let last: OpenRun | null = null;
  for (;;) {
    const page: OpenRun[] = await deps.runs.open(last, PAGE);
    for (const run of page) await check(deps, run);
    last = page.at(-1) ?? null;
    if (page.length < PAGE || last === null) return;
  }
}

async function check(deps: ReconcilerDeps, run: OpenRun): Promise<void> {
  let found: WorkflowExecutionDescription;
  try {
    found = await deps.client.workflow.getHandle(workflowId(run.id)).describe();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError) && codeOf(error) !== grpc.NOT_FOUND) throw error;
    if (isSettled(run)) await closeMissing(deps, run);
    return;
  }
  if (found.status.name === 'RUNNING') return checkRunning(deps, run, found);
  const end = ENDS[found.status.name];
  if (end && isClosedLongEnough(found)) await close(deps, run, end.status, end.code, end.message);
}

/** The run was cancelled, or its parent has ended before its start. */
function closeMissing(deps: ReconcilerDeps, run: OpenRun): Promise<void> {
  return run.control === 'cancel'
    ? close(deps, run, 'cancelled', 'cancelled', 'The run was cancelled.')
    : close(deps, run, 'failed', 'workflow_missing', 'The workflow of this run does not exist any more.');
}

const ENDS: { [status: string]: { status: RunStatus; code: string; message: string } | undefined } = {
  TERMINATED: { status: 'failed', code: 'workflow_terminated', message: 'The run was terminated from outside.' },
  TIMED_OUT: { status: 'timed_out', code: 'workflow_timed_out', message: 'The workflow of this run timed out.' },
  FAILED: { status: 'failed', code: 'workflow_failed', message: 'The workflow of this run failed.' },
  CANCELLED: { status: 'cancelled', code: 'cancelled', message: 'The run was cancelled.' },
  COMPLETED: { status: 'failed', code: 'workflow_closed', message: 'The workflow ended without recording its result.' },
};

function isSettled(run: OpenRun): boolean {
  return Date.now() - Date.parse(run.created_at) > GRACE_MS;
}

function isClosedLongEnough(found: WorkflowExecutionDescription): boolean {
  return Date.now() - (found.closeTime?.getTime() ?? Date.now()) > GRACE_MS;
}

async function close(
  deps: ReconcilerDeps,
  run: OpenRun,
  status: RunStatus,
  code: string,
  message: string,
): Promise<void> {
  const answer = await deps.transitions.closeFromOutside(
    { id: run.id, playbook_name: run.playbook_name },
    status,
    code,
    message,
  );
  if (!answer.closed) return;
  deps.log.warn({ runId: run.id, code }, 'a run was closed from outside');
  logRunEnds(deps.log, run, answer, { status, code });
}

async function checkRunning(deps: ReconcilerDeps, run: OpenRun, found: WorkflowExecutionDescription): Promise<void> {
  if (run.control === 'cancel') await deps.gateway.cancelRun(run.id);
  if (run.control === 'pause' && run.status !== 'paused') await deps.gateway.pauseRun(run.id);
  if (run.control === 'run' && run.status === 'paused') await deps.gateway.resumeRun(run.id);
  const attempt = found.raw.pendingWorkflowTask?.attempt ?? 0;
  const message = attempt >= FAILING_ATTEMPTS ? await taskFailure(deps.client, run.id) : undefined;
  const { transitions } = deps;
  if (message) {
    await transitions.flag(run.id, 'needs_attention', { code: 'workflow_task_failing', message });
    return;
  }
  const trouble = await troubleOf(deps.client, run.id, found);
  if (trouble) await transitions.flag(run.id, run.status, trouble);
  else if (COVERING.includes(run.status_code ?? '')) await transitions.unflag(run.id);
}

/** Failures that are repeated until the platform works again, where only an operator can help. */
const TROUBLES = ['storage_full', 'database_unavailable'];
const COVERING = ['workflow_task_failing', ...TROUBLES];
/** A single attempt that met a short outage is not reported. */
const TROUBLED_ATTEMPTS = 2;

async function troubleOf(
  client: Client,
  runId: string,
  { raw }: WorkflowExecutionDescription,
): Promise<{ code: string; message: string } | undefined> {
  for (const { attempt, lastFailure } of raw.pendingActivities ?? []) {
    const code = lastFailure?.applicationFailureInfo?.type ?? '';
    if ((attempt ?? 0) <= TROUBLED_ATTEMPTS || !TROUBLES.includes(code)) continue;
    const message = (await failureMessage(client, workflowId(runId), lastFailure)) ?? code;
    return { code, message: message.slice(0, 1000) };
  }
  return undefined;
}

/** The first failure of a series is in the history, the repeats are not. A mere time-out (no worker) is no failure. */
async function taskFailure(client: Client, runId: string): Promise<string | undefined> {
  const { namespace } = client.options;
  const id = workflowId(runId);
  const page = await client.connection.workflowService.getWorkflowExecutionHistoryReverse({
    namespace,
    execution: { workflowId: id },
    maximumPageSize: 20,
  });
  for (const event of page.history?.events ?? []) {
    const failed = event.workflowTaskFailedEventAttributes;
    if (failed)
      return ((await failureMessage(client, id, failed.failure)) ?? 'The workflow task fails.').slice(0, 1000);
    if (event.workflowTaskCompletedEventAttributes) return undefined;
  }
  return undefined;
}
