import { isUuid } from '../base/uuid';
import type { EffectKind, FieldSpec } from '../actions/types';
import { endpointName } from '../playbook/endpoint-name';
import { allSteps } from '../playbook/walk';
import type { ApprovalStep, ExecutionMode, InputDeclaration, LlmStep, Plan, StepPlan } from '../playbook/types';

/** Models that the installation can call. */
export interface ModelFacts {
  /** Reason why a step that names no model would fail; absent: it would not. */
  fault?: string;
  /** Providers that there is a key for. */
  providers: readonly string[];
}

export interface TeamEntry {
  id: string;
  name: string;
}

export interface EndpointEntry {
  parameters: FieldSpec[];
  /** Fields of the result: `results`, `count`... for a record set. Empty = not known, any field is accepted. */
  outputs: FieldSpec[];
  effect: EffectKind;
}
export interface ConnectorEntry {
  slug: string;
  type: string;
  endpoints: { [name: string]: EndpointEntry };
}
export interface ModelStep {
  name: string;
  /** Provider of the model that it names. */
  provider?: string;
}
export interface PlaybookEntry {
  inputs: InputDeclaration[];
  /** Slugs of the playbooks that it runs itself. */
  calls: string[];
  execution_mode?: ExecutionMode;
  /** Names of its gates that can be passed without an approval: by a time-out or a rejection. */
  open_gates?: string[];
  /** Steps of the playbook itself that call a model. */
  model_steps?: ModelStep[];
}

/**
 * Definitions of the owner, loaded before validation: look-ups are synchronous and pure. The slugs of `collect...Slugs`
 * are needed; all slugs make better suggestions. For cycles through several playbooks the entries of called playbooks
 * must be loaded too.
 */
export interface Catalogue {
  connector(slug: string): ConnectorEntry | undefined;
  connectorSlugs(): string[];
  playbook(slug: string): PlaybookEntry | undefined;
  playbookSlugs(): string[];
  /** Absent: not known. */
  models?: ModelFacts;
  /** Teams of the owner. Absent: not known. */
  teams?: readonly TeamEntry[];
  /** Handles that gates of the plan name and nobody active has. Absent: not known. */
  unknownUsers?: readonly string[];
  /** Handles of the people of the owner's teams, for suggestions. */
  colleagues?: readonly string[];
}

export const EMPTY_CATALOGUE: Catalogue = {
  connector: () => undefined,
  connectorSlugs: () => [],
  playbook: () => undefined,
  playbookSlugs: () => [],
};

/** Slugs of the connectors that a plan names: by calls, by detection, by tools of a model, by what undoes a step. Each once, in order. */
export function collectConnectorSlugs(plan: Plan): string[] {
  const slugs = plannedSteps(plan).flatMap((step) => [...namedBy(step), ...connectorOf(step.undo?.action ?? '')]);
  return [...new Set(slugs)];
}

/** Slugs that the steps name at any depth, and what the author asks for beside them (slugs or types), in order of the alphabet. */
export function requiredConnectors(plan: Plan): string[] {
  return [...new Set([...collectConnectorSlugs(plan), ...(plan.playbook.required_connectors ?? [])])].sort();
}

function namedBy(step: StepPlan): string[] {
  if (step.kind === 'tool') return stringsOf([step.params['connector'], step.inputs['connector']]);
  if (step.kind !== 'llm_task' || !Array.isArray(step.params['tools'])) return [];
  return stringsOf(step.params['tools']).flatMap(connectorOf);
}

function connectorOf(name: string): string[] {
  const named = endpointName(name);
  return named === undefined ? [] : [named.connector];
}

/** True if a gate of the plan names teams. */
export function namesTeams(plan: Plan): boolean {
  return allSteps(plan.steps).some(
    (step) =>
      step.kind === 'approval' &&
      (step.rules?.approvers?.teams !== undefined || step.rules?.escalate_to?.teams !== undefined),
  );
}

/** Handles that the gates of a plan name, each once. Ids are not among them: they are looked at when a request opens. */
export function namedUsers(plan: Plan): string[] {
  const names = allSteps(plan.steps).flatMap((step) =>
    step.kind === 'approval'
      ? [...(step.rules?.approvers?.users ?? []), ...(step.rules?.escalate_to?.users ?? [])]
      : [],
  );
  return [...new Set(names)].filter((name) => !isUuid(name));
}

/** Slugs of the playbooks that a plan runs. Each once, in order. */
export function collectPlaybookSlugs(plan: Plan): string[] {
  return [...new Set(plannedSteps(plan).flatMap((step) => (step.kind === 'run_playbook' ? [step.playbook] : [])))];
}

/** Entry of a playbook for those that call it. */
export function playbookEntry(plan: Plan): PlaybookEntry {
  const gates = allSteps(plan.steps).filter((step) => step.kind === 'approval' && canPassUnapproved(step));
  return {
    inputs: plan.inputs,
    calls: collectPlaybookSlugs(plan),
    execution_mode: plan.execution_mode,
    open_gates: gates.map(({ name }) => name),
    model_steps: plannedSteps(plan).flatMap((step) => (step.kind === 'llm_task' ? [modelStep(step)] : [])),
  };
}

export function modelStep({ name, params: { model } }: LlmStep): ModelStep {
  return typeof model === 'string' ? { name, provider: model.split('/', 1)[0] ?? '' } : { name };
}

/** True if a gate can be passed without an approval. */
export function canPassUnapproved({ on_reject, on_timeout, timeout_minutes }: ApprovalStep): boolean {
  return on_reject === 'skip' || (on_timeout === 'skip' && timeout_minutes !== undefined);
}

/** All steps and the model steps that decide routes. */
export function plannedSteps(plan: Plan): (StepPlan | LlmStep)[] {
  return allSteps(plan.steps).flatMap((step) =>
    step.kind === 'route' && typeof step.on !== 'string' ? [step, step.on] : [step],
  );
}

function stringsOf(values: readonly unknown[]): string[] {
  return values.filter((value): value is string => typeof value === 'string' && value !== '');
}
