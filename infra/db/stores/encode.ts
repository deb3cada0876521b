import type { ApprovalRequest, RunEvent, StatusPatch } from '../../../core/engine/commands';
import { fields, json } from '../clean-params';
import type { StepCall } from './step-types';

/** Parameters of the functions that record steps and transitions: documents inside travel as strings. */
function eventFields(events: readonly RunEvent[] | undefined): object[] | undefined {
  return events?.map((event) => ({ ...event, payload: JSON.stringify(event.payload) }));
}

export function eventsParam(events: readonly RunEvent[] | undefined): string | null {
  return fields(filledEvents(events));
}

export function patchParam(patch: StatusPatch | undefined): string | null {
  return fields(patchFields(patch));
}

function patchFields(patch: StatusPatch | undefined): object | undefined {
  return patch && { ...patch, waits: json(patch.waits) };
}

/** The type af_step_call, and the documents of its record: input, output, error. */
export function stepParams({ events, patch, record, begin }: StepCall): (string | null)[] {
  const { input, output, error, ...recorded } = record ?? {};
  const step = {
    events: filledEvents(events),
    patch: patchFields(patch),
    record: record && withEvents(recorded),
    next: begin && withEvents(begin),
  };
  return [fields(step), json(input), json(output), json(error)];
}

function withEvents({ events, ...rest }: { events?: readonly RunEvent[] }): object {
  return { ...rest, events: eventFields(events) };
}

/** Undefined where there are none. */
export function filledEvents(events: readonly RunEvent[] | undefined): object[] | undefined {
  return events?.length === 0 ? undefined : eventFields(events);
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
