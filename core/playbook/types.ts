import type { DestinationType } from '../actions/destinations';
import type { Json, JsonObject } from '../base/json';

/**
 * The compiled playbook: what a run pins and the engine interprets. Plain JSON, no positions.
 * Strings inside `inputs`, `params`, `condition`, `prompt`... are still source text;
 * they were parsed once at validation, so parsing them again cannot fail.
 */
export type ExecutionMode = 'deterministic' | 'llm_augmented' | 'hybrid';
export type RunContext = 'interactive' | 'background' | 'scheduled' | 'monitor';
export type ApprovalPolicy = 'require' | 'auto_approve';
export type OnError = 'skip' | 'stop' | 'retry';
type GateChoice = 'stop' | 'skip';
export type InputType =
  'string' | 'number' | 'integer' | 'boolean' | 'date' | 'entity_name' | 'list' | 'object' | 'any';

/** Rules of a value beside its type. */
export interface InputRules {
  enum?: Json[];
  /**
   * Limits, inclusive: of a number its value, of a date the day (text), of a text its characters, of a list its
   * elements.
   */
  min?: number | string;
  max?: number | string;
  /** RE2, of a text. */
  pattern?: string;
  /** Fields of an object, or of each record of a list. */
  fields?: InputField[];
}

export interface InputField {
  name: string;
  type: InputType;
  description?: string;
  required?: boolean;
}

export interface InputDeclaration extends InputRules {
  name: string;
  type: InputType;
  description?: string;
  /** Label and heading of the field in the form of a run. */
  label?: string;
  group?: string;
  required: boolean;
  default?: Json;
  extract_from?: 'query';
}

/** Shape of an `llm_task` result (spec: output_schema). */
export interface OutputSchemaField {
  name: string;
  type: string;
  description?: string;
  required?: boolean;
  fields?: OutputSchemaField[];
}
export interface OutputSchema {
  type: 'object' | 'record_set' | 'scalar';
  fields: OutputSchemaField[];
}

export interface StepCommon {
  name: string;
  /** Reference name of the result: `output_key`, else `name`. */
  key: string;
  description?: string;
  condition?: string;
  /** Names of steps of the same list. Present on any step of a list = the list is a DAG. */
  depends_on?: string[];
  on_error: OnError;
  /** Step for which `on_error` is `stop` by default, as it depends on the result. */
  stops_for?: string;
  /** Extra tries before `on_error` is applied. */
  retry_count: number;
  /** Pause before the first of them; it doubles. Absent: half a second. */
  retry_delay_seconds?: number;
  /** Codes of failures that are tried again; absent: those that a repeat may cure. */
  retry_on?: string[];
  timeout_seconds: number;
  /** An action that is not executable yet is skipped with `not_available`. */
  optional: boolean;
  /** Parsed and kept; offered later as the run's undo plan. */
  undo?: { action: string; inputs: JsonObject };
}

/**
 * `action` fields of the spec that are not inputs (`connector`, `endpoint`, `operations`, `playbook`, ...)
 * are folded into `params` by the compiler.
 */
export interface ToolStep extends StepCommon {
  kind: 'tool';
  action: string;
  inputs: JsonObject;
  params: JsonObject;
}
export interface LlmStep extends StepCommon {
  kind: 'llm_task';
  action: string;
  inputs: JsonObject;
  params: JsonObject;
  output_schema: OutputSchema;
}
export interface ApprovalStep extends StepCommon {
  kind: 'approval';
  prompt: string;
  preview_from?: string;
  preview_limit: number;
  timeout_minutes?: number;
  on_reject: GateChoice;
  /**
   * Default: stop if an effect lies behind the gate. Decided at saving, and anew at the start of a run
   * (plan-to-run.ts).
   */
  on_timeout: GateChoice;
  /**
   * Effects after the gate, noted at the start of a run (see note-gate-effects.ts) with the earlier values that they read.
   * Absent: not known.
   */
  effects_behind?: EffectsBehind;
  reads_behind?: string[];
  /** Names of all later steps with an effect; when the gate asks, gate-effects.ts finds those that a decision permits. */
  sinks_behind?: string[];
  /** Rules of the author; without any, one person decides: the run's owner. */
  rules?: GateRules;
}
/** Effects that a decision permits. */
export interface EffectSet {
  /** Steps in the order of the text. `in_each`: once for each element of a list. */
  steps: { step: string; in_each?: true }[];
  /** Further steps, which are not named. */
  more?: number;
  /** Destinations of the output, each kind once. */
  destinations?: DestinationType[];
  /** Every destination by itself. Absent in older plans. */
  targets?: DestinationTarget[];
  /** A playbook that this one is a step of goes on with an effect, or may. */
  caller?: true;
}
/**
 * Effects after an approval. `on_reject`, `on_timeout`: after a rejection or a time-out; absent if the run ends then
 * and no caller continues.
 */
export interface EffectsBehind extends EffectSet {
  on_reject?: EffectSet;
  on_timeout?: EffectSet;
  /** Steps behind the gate with other inputs than those of the playbook; absent = none. */
  edited?: EditedStep[];
  /** SHA-256 of the values from before the gate that later steps read, in callers too (retries only). */
  reads?: string;
}
/** A step with inputs that a retry was given, or that an approver wrote in an earlier run. */
export interface EditedStep {
  /** `(caller) f`: a step of the playbook that started this one. */
  step: string;
  /** Replacement of the playbook's inputs: secrets masked, large values shortened. */
  inputs: JsonObject;
  /** SHA-256 of these inputs as they are. */
  digest: string;
}
/** One destination of the output. */
export interface DestinationTarget {
  type: DestinationType;
  /** Name as the author wrote it; words in braces are filled in at the end. */
  name?: string;
  /** Format of a file or document. */
  format?: OutputDestination['format'];
}
/** Approvers as the author names them: people by handle or id, teams by name or id, scopes as `group:role`. */
export interface Approvers {
  users?: string[];
  teams?: string[];
  scopes?: string[];
}
export interface GateRules {
  approvers?: Approvers;
  quorum?: number;
  four_eyes?: boolean;
  link_only?: boolean;
  remind_after_minutes?: number;
  escalate_after_minutes?: number;
  escalate_to?: Approvers;
}
export interface ParallelStep extends StepCommon {
  kind: 'parallel';
  steps: StepPlan[];
}
export interface ForEachStep extends StepCommon {
  kind: 'for_each';
  /** A whole-string reference or a literal list. */
  items: Json;
  as: string;
  max_parallel: number;
  steps: StepPlan[];
}
export interface LoopStep extends StepCommon {
  kind: 'loop';
  until: string;
  max_iterations: number;
  steps: StepPlan[];
}
export interface RouteStep extends StepCommon {
  kind: 'route';
  /** Template whose rendered text is the label, or an llm_task whose result field `label` is. */
  on: string | LlmStep;
  routes: { label: string; steps: StepPlan[] }[];
  default?: string;
}
export interface SubPlaybookStep extends StepCommon {
  kind: 'run_playbook';
  playbook: string;
  version?: string;
  inputs: JsonObject;
  /** Written at the start of a run (see plan-to-run.ts). Absent: not known. */
  effect_behind?: boolean;
  /** True when a gate that ended the sub-playbook ends this run, too. */
  ends_with_gate?: boolean;
  /** The same: an effect follows, here or in a run that called this one, also when a gate ended the sub-playbook. */
  goes_on_after_gate?: boolean;
  /** Values from before the call that effects after it read, as for a gate. */
  reads_behind?: string[];
}
export type StepPlan =
  ToolStep | LlmStep | ApprovalStep | ParallelStep | ForEachStep | LoopStep | RouteStep | SubPlaybookStep;

export interface OutputSection {
  title: string;
  /** Reference without braces: a step key with an optional path. */
  source: string;
  format?: string;
}
export interface OutputDestination {
  type: DestinationType;
  format: 'markdown' | 'json' | 'csv' | 'xlsx' | 'structured';
  condition?: string;
  config: JsonObject;
}
export interface OutputPlan {
  format: 'markdown' | 'json' | 'csv' | 'structured';
  template?: string;
  title?: string;
  sections: OutputSection[];
  auto_enrich_graph: boolean;
  save_to: 'document' | 'workspace' | 'both' | 'none';
  destinations: OutputDestination[];
  /** Template text for the run's `summary`; rendered without a model. */
  summary?: string;
  summary_prompt?: string;
}

export const TRIGGER_TYPES = ['keyword', 'regex', 'semantic'] as const;
/** Questions that the playbook answers. */
export interface Trigger {
  pattern: string;
  type: (typeof TRIGGER_TYPES)[number];
  priority: number;
}

/** Fields by which lists show and sort a playbook; runs do not read them. Older plans have none. */
export interface PlaybookAbout {
  category?: string;
  tags?: string[];
  triggers?: Trigger[];
  /** Slugs or types that the author names beside those in the steps. */
  required_connectors?: string[];
}

interface PlaybookHead extends PlaybookAbout {
  id: string;
  name: string;
  version?: string;
  description?: string;
}

export interface Plan {
  schema: 1;
  playbook: PlaybookHead;
  execution_mode: ExecutionMode;
  run_context: RunContext;
  approval_policy: ApprovalPolicy;
  inputs: InputDeclaration[];
  steps: StepPlan[];
  output?: OutputPlan;
}
