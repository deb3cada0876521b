import type { Json, JsonObject } from '../base/json';
import type { RunStatus } from '../base/run-status';
import type { EditedStep, EffectsBehind, GateRules, OutputSchema } from '../playbook/types';
import type { Shortfall } from './gaps';
import type { CallerReads, DecisionRecord, ResultPart } from './state';
import type { ItemsRequest, RefValue, StoredValue } from './values';

/**
 * Replay-sensitive. Commands of the engine, data only. Every command that expects an answer has an `id`,
 * and its answer names it.
 */
export type Command =
  | RunCommand
  | TimerCommand
  | CancelCommand
  | ChildCommand
  | LoadCommand
  | StoreCommand
  | ApprovalCommand
  | FinishCommand;

/** One step, or a segment: steps that follow each other in one activity, each recorded before the next begins. */
export interface RunCommand {
  kind: 'run';
  id: string;
  /** Activity type: the action's name, or `segment`. */
  activity: string;
  summary: string;
  queue: 'main' | 'llm' | 'quarantine';
  units: UnitCall[];
}

export interface UnitCall {
  path: string;
  name: string;
  key: string;
  effectKey: string;
  /** Key under which it leaves, where another body left under the effect key; attempts and results are kept under that one. */
  leavesAs?: string;
  tryNo: number;
  action: string;
  /** The input template: rendered by the runner with `refs` and the results of earlier units of the same segment. */
  inputs: JsonObject;
  params: JsonObject;
  refs: { [ref: string]: RefValue };
  output_schema?: OutputSchema;
  /** The input override: it replaces rendered inputs as it is and is never parsed. */
  edits?: JsonObject;
  /** Part of the input override that existed before the approval: the inputs that a retry was given. */
  overrides?: JsonObject;
  /** Approval whose digest must match the call. */
  approvalId?: string;
  /** Key of the gate of that approval: values read from the gate came after the digest. */
  gate?: string;
  /** Effects behind that gate, from the plan: the digest of the request covers them. */
  effects_behind?: EffectsBehind;
  /** Facts for a step that writes a report; absent in other steps. */
  facts?: ReportFacts;
  timeoutMs: number;
  /** Milliseconds that this try has waited for sources, and where its call goes on. */
  waitedMs?: number;
  resume?: StoredValue;
  /** A result (or a field of it) above this many bytes of JSON comes back as a handle. */
  valueLimit: number;
}

/** Facts of a step's report beside its data, as far as they were known when the step was sent. */
export interface ReportFacts {
  status: string;
  decisions: DecisionRecord[];
  /** Missing data of the run, a line each. */
  missing: string[];
  /** Missing results that the data depend on, a line each. */
  lacks: string[];
  /** Paths of units before it in its segment on whose results the data rest: what those lack is known where they end. */
  rests: string[];
}

export interface TimerCommand {
  kind: 'timer';
  id: string;
  /** Epoch milliseconds. */
  at: number;
  summary: string;
}
interface CancelCommand {
  kind: 'cancel';
  id: string;
}
export interface ChildCommand {
  kind: 'child';
  id: string;
  path: string;
  name: string;
  effectKey: string;
  playbook: string;
  version?: string;
  inputs: JsonObject;
  refs: { [ref: string]: RefValue };
  /** True where a step with an effect follows, or where that is unknown. */
  effectBehind: boolean;
  /** The same, also when a gate has ended the step's playbook. Absent in older plans: not known. */
  effectAfterStop?: boolean;
  /** Missing results that its inputs depend on, by input; absent = none is missing. */
  lacks?: { [input: string]: Shortfall[] };
  /** Edits of a retry on the call and on later steps; absent = none. */
  edited?: EditedStep[];
  /** Values that the steps after the call read (retries only). */
  callerReads?: CallerReads;
  /** Inputs that a retry was given; never parsed. */
  overrides?: JsonObject;
  /** Run of the try before: this one continues with its results. */
  repeats?: string;
}
/** Loads values behind handles, or evaluates something over them. */
export interface LoadCommand {
  kind: 'load';
  id: string;
  summary: string;
  /** Answer: reference text → value (absent = not defined). */
  refs: { [ref: string]: RefValue };
  /** Condition that is evaluated outside: its references may be too large for the workflow. */
  condition?: string;
  preview?: { value: RefValue; limit: number };
  items?: ItemsRequest;
}
/** Put result parts of a list into one blob. Answer: a slice. */
export interface StoreCommand {
  kind: 'store';
  id: string;
  summary: string;
  parts: ResultPart[];
}
/** Open an approval: carried out with the next recorded transition. */
interface ApprovalCommand {
  kind: 'approval';
  approval: ApprovalRequest;
}
export interface ApprovalRequest {
  id: string;
  step_path: string;
  step_name: string;
  status: 'waiting' | 'auto_approved';
  prompt: string;
  preview: Json;
  preview_total: number | null;
  /** All rows of the list whose first ones are in `preview`; absent where it has them all, or they are large. */
  preview_rows?: Json[];
  action: Json;
  digest: string;
  on_reject: string;
  on_timeout: string;
  due_at: string | null;
  /** Absolute time, as `due_at`: it counts also if no worker runs at that moment. */
  remind_at?: string;
  escalate_at?: string;
  policy?: ApprovalPolicyRequest;
  /** Missing results that the request depends on; absent = none is missing. */
  failures?: Shortfall[];
  /** Effects behind the gate, the step of `action` included; absent in runs of older plans. */
  effects_behind?: EffectsBehind;
}
/** Approvers and quorum of a request. */
export type ApprovalPolicyRequest = Omit<GateRules, 'remind_after_minutes' | 'escalate_after_minutes'>;
export interface FinishCommand {
  kind: 'finish';
  status: RunStatus;
  code?: string;
  message?: string;
  retryable?: true;
  outputs: { [key: string]: StoredValue };
  summary?: string;
  routing_report?: Json;
}

/** An entry of the run's event log. `id` is deterministic: a repeat is ignored. */
export interface RunEvent {
  id: string;
  type: string;
  step_path?: string;
  payload: JsonObject;
}

/** Status of the run's row; `no` orders patches, an older one is ignored. */
export interface StatusPatch {
  no: number;
  status: RunStatus;
  code?: string;
  message?: string;
  waits: Json[];
  steps_done: number;
  steps_total: number;
}

export interface Advance {
  commands: Command[];
  events: RunEvent[];
  patch?: StatusPatch;
  /** Rest of the inline budget. */
  inlineBudget: number;
}
