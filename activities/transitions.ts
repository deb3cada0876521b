import { isJsonObject, type JsonObject } from '../core/base/json';
import { editSchemaOf } from '../infra/approvals/edit-schemas';
import type { PinnedConnectors } from '../infra/db/stores/definition-types';
import type { ApprovalRequest } from '../core/engine/commands';
import type { StoredValue } from '../core/engine/values';
import type { BlobStore } from '../infra/blob/blob-store';
import type { ApprovalsStore } from '../infra/db/stores/approvals.store';
import { logRunEnds, type RunLog } from '../infra/log/run-lines';
import type { RunFacts } from '../infra/db/stores/run-types';
import type { Transition, TransitionsStore } from '../infra/db/stores/transitions.store';
import type { DecideInput } from '../workflows/messages';
import type { LocalActivities, RunEnd, TransitionInput, Transitions } from '../workflows/types';
import { Values } from './runner/values';
import { storePacked } from './stored-values';
import type { RunVerifier } from './verify';

type TransitionActivities = Pick<LocalActivities, 'record_transition' | 'finish_run' | 'next_turn'>;

/** The engine's own transitions and the end of a run: one short transaction each, repeatable. */
export function transitionActivities(deps: {
  transitions: TransitionsStore;
  approvals: ApprovalsStore;
  verifier: RunVerifier;
  connectors: PinnedConnectors;
  blobs: BlobStore;
  log: RunLog;
}): TransitionActivities {
  return {
    record_transition: async (input) => {
      await deps.verifier.verify(input);
      const transition = await withApprovals(deps, input);
      const { applied } = await deps.transitions.apply(input.runId, transition);
      if (!applied) return { closed: true };
      const decided = input.again === true ? await decidedOf(deps.approvals, input) : [];
      return decided.length > 0 ? { decided } : undefined;
    },
    finish_run: async (input) => {
      const facts = await deps.verifier.verify(input);
      const outputs =
        'packed' in input ? await storePacked(new Values(deps.blobs, input.ownerId), input.packed) : input.outputs;
      const answer = await deps.transitions.finish(input.runId, runEndOf(input, outputs, facts));
      logRunEnds(deps.log, facts, answer, input);
      return 'packed' in input && input.tell === true ? { status: answer.status, outputs } : { status: answer.status };
    },
    next_turn: () => Promise.resolve(),
  };
}

const DECIDED = ['approved', 'rejected'];

async function decidedOf(approvals: ApprovalsStore, { ownerId, transitions }: TransitionInput): Promise<DecideInput[]> {
  const rows = await Promise.all(transitions.approvals.map(({ id }) => approvals.get(ownerId, id)));
  return rows.flatMap((row) =>
    row !== null && row.decision_id !== null && DECIDED.includes(row.status)
      ? [{ approvalId: row.id, decisionId: row.decision_id }]
      : [],
  );
}

export function transitionOf(transitions: Transitions): Transition {
  const { events, patch } = transitions;
  return patch ? { events, patch } : { events };
}

interface EditSources {
  verifier: RunVerifier;
  connectors: PinnedConnectors;
}

/** The only way to make requests: they do not wait for an activity to begin. */
async function withApprovals(deps: EditSources, input: TransitionInput): Promise<Transition> {
  const transition = transitionOf(input.transitions);
  const asked = input.transitions.approvals;
  if (asked.length === 0) return transition;
  const { connectors: pins } = await deps.verifier.verify(input);
  const run = { ownerId: input.ownerId, pins };
  return {
    ...transition,
    approvals: await Promise.all(asked.map((each) => withEditSchema(deps.connectors, run, each))),
  };
}

export function runEndOf(
  input: RunEnd & { transitions: Transitions },
  outputs: { [key: string]: StoredValue },
  facts: RunFacts,
): Parameters<TransitionsStore['finish']>[1] {
  const { transitions, status, code, message, summary, routing_report } = input;
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

/** Adds the schema of the inputs that an approver may change: those of the gated action. */
async function withEditSchema(
  connectors: PinnedConnectors,
  run: Parameters<typeof editSchemaOf>[1],
  approval: ApprovalRequest,
): Promise<ApprovalRequest & { edit_schema?: JsonObject }> {
  if (!isJsonObject(approval.action)) return approval;
  const { action, params = null, inputs = null } = approval.action;
  const schema = await editSchemaOf(connectors, run, {
    action: typeof action === 'string' ? action : '',
    params,
    inputs,
  });
  return schema ? { ...approval, edit_schema: schema } : approval;
}
