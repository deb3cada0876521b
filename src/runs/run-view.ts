import { isTerminal } from '../../core/base/run-status';
import type { StoredValue } from '../../core/engine/values';
import type { RunRow, RunSummary } from '../../infra/db/stores/run-types';
import type { PinnedConnector } from '../../infra/db/stores/run-view.store';
import type { StepTry } from '../../infra/db/stores/steps.store';
import { withoutNulls } from '../shared/views';
import type { ChildRunDto, RunAction, RunDto, RunSummaryDto, RunUsageDto } from './dto/run-view.dto';
import type { StepDto, StepTryDto } from './dto/step-view.dto';
import type { WaitDto } from './events/event-parts.dto';

export function runSummary(row: RunSummary): RunSummaryDto {
  return {
    runId: row.id,
    status: row.status,
    ...withoutNulls(reasonOf(row)),
    waits: waitsOf(row),
    allowed_actions: allowedActions(row),
    playbook: {
      id: row.playbook_id,
      slug: row.playbook_slug,
      name: row.playbook_name,
      version_id: row.playbook_version_id,
    },
    run_context: row.run_context,
    owner_id: row.owner_id,
    steps_total: row.steps_total,
    steps_done: row.steps_done,
    created_at: row.created_at,
    ...withoutNulls({
      query: row.query,
      profile_id: row.profile_id,
      team_id: row.team_id,
      parent_run_id: row.parent_run_id,
      root_run_id: row.parent_run_id === null ? null : row.root_run_id,
      retry_of: row.retry_of,
      started_at: row.started_at,
      finished_at: row.finished_at,
    }),
  };
}

/** Reason of the status. That a run was stopped by a lost share is known to the database, not to the workflow. */
function reasonOf(row: RunSummary): { code: string | null; message: string | null } {
  return row.revoked_at !== null && row.status === 'paused' && row.status_code === null
    ? {
        code: 'access_revoked',
        message: 'The person who started this run may not use its profile any more, or their account was deactivated.',
      }
    : { code: row.status_code, message: row.status_message };
}

/** A run that no worker has taken up yet has written no waits. */
export function waitsOf({ status, waits, created_at, paused_by }: RunSummary): WaitDto[] {
  if (status === 'pending' && waits.length === 0) return [{ kind: 'start', since: created_at, until: null }];
  const shown = waits as unknown as WaitDto[];
  return shown.map((wait) => (wait.kind === 'paused' ? { ...wait, ...pauseOf(shown, paused_by) } : wait));
}

/** Meaning of a pause for this wait. */
function pauseOf(waits: WaitDto[], pausedBy: string | null): Pick<WaitDto, 'message' | 'paused_by'> {
  const what =
    pausedBy === null
      ? 'Nothing new begins, here and in the runs that it started, until it is resumed.'
      : `Paused with the run ${pausedBy}: resume that one.`;
  const clock = waits.some(({ kind }) => kind === 'approval')
    ? ' Its requests can be decided meanwhile, and their time runs on.'
    : '';
  return { message: what + clock, ...withoutNulls({ paused_by: pausedBy }) };
}

function allowedActions(row: RunSummary): RunAction[] {
  if (isTerminal(row.status)) return row.parent_run_id === null ? ['retry'] : [];
  if (row.control === 'cancel') return ['cancel'];
  const asks = waitsOf(row).some((wait) => wait.kind === 'attention' && wait.step_path !== undefined);
  return ['cancel', row.control === 'pause' ? 'resume' : 'pause', ...(asks ? (['resolve'] as const) : [])];
}

export interface RunParts {
  run: RunRow;
  versionNo: number | null;
  connectors: PinnedConnector[];
  children: RunSummary[];
  steps: StepDto[];
  temporalUi: string | undefined;
}

export function runDetail({ run, versionNo, connectors, children, steps, temporalUi }: RunParts): RunDto {
  const summary = runSummary(run);
  const base = `/api/agent-factory/runs/${run.id}`;
  return {
    ...summary,
    playbook: { ...summary.playbook, ...withoutNulls({ version_no: versionNo }) },
    inputs: run.inputs,
    approval_policy: run.approval_policy,
    clock: { ...run.clock },
    control: run.control,
    steps,
    ...outputsOf(run.result),
    connectors: connectors.map(({ version_no, ...pinned }) => ({ ...pinned, ...withoutNulls({ version_no }) })),
    connectors_called: run.connectors_called,
    output_destinations: run.output_destinations,
    ...withoutNulls({
      summary: run.summary,
      strategy: run.strategy,
      routing_report: run.routing_report,
      retry_from: run.retry_from,
    }),
    usage: usageOf(run),
    children: children.map(childOf),
    links: { events: `${base}/events`, steps: `${base}/steps`, ...withoutNulls({ temporal_ui: temporalUi ?? null }) },
  };
}

function usageOf({ input_tokens, output_tokens, cost_usd, unpriced_calls }: RunRow): RunUsageDto {
  return { input_tokens, output_tokens, cost_usd, unpriced_calls };
}

/** Large parts are not in the row: their place is null, and `outputs_omitted` names it. */
function outputsOf(result: RunRow['result']): Pick<RunDto, 'outputs' | 'outputs_omitted'> {
  if (result === null) {
    return {};
  }
  const entries = Object.entries(result);
  const outputs = Object.fromEntries(entries.map(([key, stored]) => [key, stored.value]));
  const omitted = entries.flatMap(([key, stored]) =>
    omittedFields(stored).map((field) => (field === '' ? key : `${key}.${field}`)),
  );
  return { outputs, ...(omitted.length > 0 ? { outputs_omitted: omitted } : {}) };
}

function omittedFields(stored: StoredValue): string[] {
  return Object.keys(stored.handles ?? {});
}

function childOf(row: RunSummary): ChildRunDto {
  return {
    runId: row.id,
    status: row.status,
    playbook: row.playbook_slug,
    ...withoutNulls({ step_path: row.parent_step_path }),
  };
}

export function tryView(row: StepTry): StepTryDto {
  return {
    step_path: row.step_path,
    try_no: row.try_no,
    started_at: row.started_at,
    attempts: row.attempts,
    losses: row.losses,
    effect_sent_count: row.effect_sent_count,
    ...withoutNulls({
      action: row.action,
      status: row.status,
      input: row.input,
      finished_at: row.finished_at,
      error: row.error,
      effect: row.effect,
      effect_target: row.effect_target,
      copied_from: row.copied_from,
    }),
    ...(row.output === null ? {} : { output: row.output.value }),
    ...(row.output?.handles === undefined ? {} : { omitted: omittedFields(row.output) }),
  };
}
