import type { JsonObject } from '../core/base/json';
import { editSchema } from '../core/actions/edit-schema';
import type { ApprovalRequest } from '../core/engine/commands';
import type { Transition, TransitionsStore } from '../infra/db/stores/transitions.store';
import type { FinishInput, LocalActivities, Transitions } from '../workflows/types';
import type { RunFacts, RunVerifier } from './verify';

type TransitionActivities = Pick<LocalActivities, 'record_transition' | 'finish_run'>;

/** The engine's own transitions and the end of a run: one short transaction each, repeatable. */
export function transitionActivities(deps: {
  transitions: TransitionsStore;
  verifier: RunVerifier;
}): TransitionActivities {
  return {
    record_transition: async (input) => {
      await deps.verifier.verify(input);
      const { applied } = await deps.transitions.apply(input.runId, transitionOf(input.transitions));
      // Said only where it matters: each word stands in every history.
      return applied ? undefined : { closed: true };
    },
    finish_run: async (input) => {
      const facts = await deps.verifier.verify(input);
      const { status } = await deps.transitions.finish(input.runId, endOf(input, facts));
      return { status };
    },
  };
}

export function transitionOf(transitions: Transitions): Transition {
  const { events, patch, approvals } = transitions;
  const transition: Transition = { events };
  if (patch) transition.patch = patch;
  if (approvals.length > 0) transition.approvals = approvals.map(withEditSchema);
  return transition;
}

function endOf(input: FinishInput, facts: RunFacts): Parameters<TransitionsStore['finish']>[1] {
  const { transitions, status, code, message, summary, routing_report, outputs } = input;
  return {
    status,
    events: transitions.events,
    ...(transitions.patch && { patch: transitions.patch }),
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    ...(summary !== undefined && { summary }),
    ...(routing_report !== undefined && { routing_report }),
    result: outputs,
    journal: {
      summary: summary ?? `${facts.playbook_name}: ${status}${message === undefined ? '' : `. ${message}`}`,
      outputs_produced: Array.isArray(routing_report) ? routing_report : [],
    },
  };
}

/** What an approver may change: the inputs of the gated action, by its contract. */
function withEditSchema(approval: ApprovalRequest): ApprovalRequest & { edit_schema?: JsonObject } {
  const action = approval.action;
  if (typeof action !== 'object' || action === null || Array.isArray(action)) return approval;
  const name = typeof action['action'] === 'string' ? action['action'] : '';
  const schema = editSchema(name, action['inputs'] ?? null);
  return schema ? { ...approval, edit_schema: schema } : approval;
}
