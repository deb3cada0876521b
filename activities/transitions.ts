import type { JsonObject } from '../core/base/json';
import { getContract } from '../core/actions/registry';
import type { FieldSpec } from '../core/actions/types';
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
      await deps.transitions.apply(input.runId, transitionOf(input.transitions));
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
  const contract = typeof action['action'] === 'string' ? getContract(action['action']) : undefined;
  if (!contract) return approval;
  const named = contract.inputs.map((field) => [field.name, schemaOf(field)] as const);
  const shown = action['inputs'];
  const given = typeof shown === 'object' && shown !== null && !Array.isArray(shown) ? Object.keys(shown) : [];
  const open = given
    .filter((name) => !contract.inputs.some((field) => field.name === name))
    .map((name) => [name, {}] as const);
  return {
    ...approval,
    edit_schema: { type: 'object', additionalProperties: false, properties: Object.fromEntries([...named, ...open]) },
  };
}

const SCALARS: { [type: string]: JsonObject | undefined } = {
  string: { type: 'string' },
  date: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  record: { type: 'object' },
};

function schemaOf(field: FieldSpec): JsonObject {
  if (field.type.endsWith('[]') || field.type === 'record_set' || field.type === 'list') return { type: 'array' };
  const base = SCALARS[field.type] ?? {};
  return field.enum ? { ...base, enum: field.enum } : base;
}
