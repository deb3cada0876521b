import { isJsonObject, type Json, type JsonObject } from '../../core/base/json';
import { TAKEN_OVER, type StepEventRow } from '../../infra/db/stores/run-steps.store';
import { withoutNulls } from '../shared/views';
import type { StepDto } from './dto/step-view.dto';

export type FoldedStep = StepDto & { first_seq: number };

/** Folds the events of each path, in order, into where the step stands. */
export function stepViews(rows: readonly StepEventRow[]): FoldedStep[] {
  const steps = new Map<string, FoldedStep>();
  for (const row of rows) {
    const before = steps.get(row.step_path) ?? begin(row);
    steps.set(row.step_path, { ...before, ...changeOf(row, before) });
  }
  return [...steps.values()];
}

function begin(row: StepEventRow): FoldedStep {
  return {
    first_seq: row.first_seq,
    step: text(row.payload, 'step') ?? row.step_path,
    step_path: row.step_path,
    status: 'running',
    tries: 0,
  };
}

function changeOf(row: StepEventRow, before: FoldedStep): Partial<FoldedStep> {
  const { payload } = row;
  switch (row.type) {
    case 'step.started':
      return {
        status: 'running',
        tries: Math.max(before.tries, number(payload, 'try_no') ?? 1),
        started_at: before.started_at ?? row.at,
        ...withoutNulls({ action: text(payload, 'action') ?? null }),
      };
    case 'step.attempt_failed':
      return { ...errorOf(payload['error']), tries: Math.max(before.tries, number(payload, 'try_no') ?? 1) };
    case 'step.waiting':
      return { status: 'waiting', ...withoutNulls({ reason: text(payload, 'reason') ?? null }) };
    case 'source.called':
      return {
        requests: (before.requests ?? 0) + (number(payload, 'requests') ?? 0),
        requests_failed: (before.requests_failed ?? 0) + (number(payload, 'requests_failed') ?? 0),
      };
    case 'step.skipped':
      return {
        status: 'skipped',
        finished_at: row.at,
        ...withoutNulls({ reason: text(payload, 'reason') ?? null, message: skipMessage(payload) ?? null }),
      };
    case TAKEN_OVER:
      return {
        status: endOf(payload['status']),
        finished_at: row.at,
        ...withoutNulls({ action: text(payload, 'action') ?? null, copied_from: text(payload, 'copied_from') ?? null }),
      };
    default:
      return finished(row);
  }
}

function finished({ payload, at }: StepEventRow): Partial<FoldedStep> {
  return {
    status: endOf(payload['status']),
    finished_at: at,
    ...errorOf(payload['error']),
    ...withoutNulls({
      duration_ms: number(payload, 'duration_ms') ?? null,
      size: number(payload, 'size') ?? null,
      output_preview: payload['output_preview'] ?? null,
      incomplete: (payload['incomplete'] ?? null) as unknown as StepDto['incomplete'] | null,
    }),
  };
}

/** Runs that began before wrote the condition alone. */
function skipMessage(payload: JsonObject): string | undefined {
  const condition = text(payload, 'condition');
  return text(payload, 'message') ?? (condition === undefined ? undefined : `its condition is false: ${condition}`);
}

function endOf(status: Json | undefined): StepDto['status'] {
  return status === 'failed' || status === 'cancelled' ? status : 'ok';
}

function errorOf(error: Json | undefined): Pick<Partial<StepDto>, 'error'> {
  return isJsonObject(error) ? { error: error as unknown as NonNullable<StepDto['error']> } : {};
}

function text(payload: JsonObject, field: string): string | undefined {
  const value = payload[field];
  return typeof value === 'string' ? value : undefined;
}

function number(payload: JsonObject, field: string): number | undefined {
  const value = payload[field];
  return typeof value === 'number' ? value : undefined;
}
