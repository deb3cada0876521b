import type { ActionTraits, GateAnswer } from '../../core/engine/state';
import type { JsonObject } from '../../core/base/json';
import { getContract } from '../../core/actions/registry';
import type { ApprovalPolicy, Plan, StepPlan } from '../../core/playbook/types';
import { allSteps } from '../../core/playbook/walk';
import type { PlaybookRunInput, RunSettings } from '../../workflows/types';
import type { RetryCarry } from '../db/stores/run-retry.store';
import type { RunRow } from '../db/stores/run-types';

/** Input of a run's workflow, from its row and the pinned plan. */
export function runInput(row: RunRow, plan: Plan, settings: RunSettings): PlaybookRunInput {
  const input: PlaybookRunInput = {
    runId: row.id,
    ownerId: row.owner_id,
    versionId: row.playbook_version_id,
    plan,
    inputs: row.inputs,
    clock: row.clock,
    approvalPolicy: row.approval_policy as ApprovalPolicy,
    connectors: row.connectors,
    traits: traitsOf(plan),
    settings,
  };
  if (row.control === 'pause') input.paused = true;
  return row.query === null ? input : { ...input, query: row.query };
}

/** Adds the state that a run takes over from the one that it repeats. */
export function withRetry(
  input: PlaybookRunInput,
  { presets, overrides, effect_root: root, effect_keys: keys }: RetryCarry,
): PlaybookRunInput {
  const carried = {
    ...input,
    presets: (presets ?? {}) as unknown as { [path: string]: GateAnswer },
    overrides: overrides ?? {},
  };
  if (root === null) return carried;
  return keys === null ? { ...carried, effectRoot: root } : { ...carried, effectRoot: root, effectKeys: keys };
}

/** The contracts' flags as they are now: data of the run from here on. */
export function traitsOf(plan: Plan): { [action: string]: ActionTraits } {
  const traits: { [action: string]: ActionTraits } = {};
  for (const action of [...actionsOf(plan.steps)].sort()) {
    const contract = getContract(action);
    const model = contract?.step_type === 'llm_task' || action === 'research_model_call';
    traits[action] = {
      short: contract?.short ?? false,
      pure: contract?.pure ?? false,
      // An action that is not in the registry is the worker's own, and available.
      available: contract?.available ?? true,
      model,
    };
  }
  return traits;
}

function actionsOf(steps: StepPlan[]): Set<string> {
  const found = new Set<string>();
  for (const step of allSteps(steps)) {
    if (step.kind === 'tool' || step.kind === 'llm_task') found.add(step.action);
    if (step.kind === 'llm_task' && step.action === 'research_with_tools') addTools(step.params, found);
    if (step.kind === 'route' && typeof step.on !== 'string') found.add(step.on.action);
  }
  return found;
}

function addTools(params: JsonObject, found: Set<string>): void {
  found.add('research_model_call');
  found.add('call_connector');
  const tools = params['tools'];
  for (const tool of Array.isArray(tools) ? tools : [])
    if (typeof tool === 'string' && !tool.includes('.')) found.add(tool);
}

/** Memo that names the run in lists, and ties it to the product. */
export function runMemo(row: { playbook_slug: string; playbook_name: string; owner_id: string }): {
  [name: string]: string;
} {
  return { playbook: row.playbook_slug, playbook_name: row.playbook_name.slice(0, 200), owner: row.owner_id };
}

/** Summary of the run in Temporal Web: the playbook's name and the question. */
export function runSummary(row: { playbook_name: string; query: string | null }): string {
  return row.query ? `${row.playbook_name}: ${row.query}`.slice(0, 200) : row.playbook_name.slice(0, 200);
}
