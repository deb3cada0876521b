import type { ApprovalRequest, RunEvent, StatusPatch } from '../../../core/engine/commands';
import { fields, json } from '../clean-params';
import type { StepBegin, StepRecord } from './step-types';

/** Parameters of the functions that record steps and transitions: documents inside travel as strings. */
function eventFields(events: readonly RunEvent[] | undefined): object[] | undefined {
  return events?.map((event) => ({ ...event, payload: JSON.stringify(event.payload) }));
}

export function eventsParam(events: readonly RunEvent[] | undefined): string | null {
  return events === undefined || events.length === 0 ? null : fields(eventFields(events));
}

export function patchParam(patch: StatusPatch | undefined): string | null {
  return fields(patch === undefined ? undefined : { ...patch, waits: json(patch.waits) });
}

export function recordParams(record: StepRecord | undefined): (string | null)[] {
  if (record === undefined) {
    return [null, null, null, null];
  }
  const { input, output, error, events, ...rest } = record;
  return [fields({ ...rest, events: eventFields(events) }), json(input), json(output), json(error)];
}

export function beginParam(begin: StepBegin | undefined): string | null {
  return fields(begin === undefined ? undefined : { ...begin, events: eventFields(begin.events) });
}

export function approvalsParam(
  approvals: readonly (ApprovalRequest & { edit_schema?: unknown })[] | undefined,
): string | null {
  return approvals === undefined || approvals.length === 0
    ? null
    : fields(
        approvals.map((approval) => ({
          ...approval,
          preview: json(approval.preview),
          preview_rows: json(approval.preview_rows),
          action: json(approval.action),
          edit_schema: json(approval.edit_schema),
          policy: json(approval.policy),
          failures: json(approval.failures),
          effects_behind: json(approval.effects_behind),
        })),
      );
}
