import type { Json, JsonObject } from '../base/json';
import type { RunStatus } from '../base/run-status';
import type { StepError } from '../errors/app-error';
import type { PathSegment } from '../expr/types';
import type { ApprovalPolicy, EditedStep, EffectsBehind } from '../playbook/types';
import type { RunClock } from './clock';
import type { Shortfall } from './gaps';
import type { BlobPart, ItemsRequest, StoredValue } from './values';

/**
 * Replay-sensitive. The whole state of a run as plain JSON: it is what continue-as-new carries.
 * `advance` owns it and changes it in place; nobody else writes to it.
 */
export interface EngineState {
  schema: 1;
  run: RunFacts;
  frames: { [id: string]: Frame };
  nodes: { [path: string]: StepNode };
  scopes: { [id: string]: Scope };
  /** Steps that may begin, in order. Held back while paused or draining. */
  ready: ReadyItem[];
  /** Paths of steps under which workers died: they go alone, one at a time. */
  quarantined: { [path: string]: true };
  /** Commands whose answer has not come yet. */
  open: { [id: string]: OpenCommand };
  commandNo: number;
  eventNo: number;
  patchNo: number;
  /** A step failed or was not available, and the run went on. */
  partial: boolean;
  /** Reasons of its own steps, for the run's message; absent = none so far. */
  reasons?: Reasons;
  paused: boolean;
  /** Epoch milliseconds. */
  pausedAt?: number;
  /** Number of times the run was resumed: an activity that was held before does not pause it again. */
  resumes: number;
  /** The run is ending with this status; nothing new begins. */
  closing?: Closing;
  finished: boolean;
  stepsDone: number;
  /** Decisions so far, for the report; absent = none. */
  decisions?: DecisionRecord[];
  /** Failed, unavailable and incomplete results so far; absent = none. */
  shortfalls?: Shortfall[];
  /** Last status and waits that were sent, so that only changes are sent. */
  lastStatus: string;
  output?: OutputState;
}

/** Reasons why a run is partial: the first ones of the plan in words, and the number of the others. */
export interface Reasons {
  lines: string[];
  /** Path of each line; a run that an older version began has none for its first lines. */
  paths?: string[];
  more: number;
  /** True after a failure, not for incomplete results alone. */
  failed?: true;
}

/** `wanted`: destinations whose condition had to be judged outside. `routed`: the answer has come. */
interface OutputState {
  wanted: { [destination: string]: boolean };
  /** Destinations whose condition could not be judged, and why. */
  unread?: { [destination: string]: { code: string; message: string } };
  routed?: true;
  routing_report?: Json;
  summary?: string;
}

/**
 * `path` = a step that is open already. It is carried out again, or goes on: with what its condition said (`verdict`),
 * or with the references that were loaded.
 */
export interface ReadyItem {
  frame: string;
  step: string;
  path?: string;
  verdict?: boolean;
  loaded?: true;
  /** Condition of the step still has to be judged. */
  judge?: true;
}

export interface RunFacts {
  runId: string;
  playbook: string;
  /** The run whose effect keys this one goes on with: it repeats that one. */
  effectRoot?: string;
  /** Path of a step → the run whose keys it and all below it have instead. */
  effectKeys?: { [path: string]: string };
  clock: RunClock;
  inputs: JsonObject;
  query?: string;
  approvalPolicy: ApprovalPolicy;
  /** Answers of gates that a retried run took over from the run before: step path → answer. */
  presets: { [path: string]: GateAnswer };
  /** Input override of the step that a retry starts from. */
  overrides: { [path: string]: JsonObject };
  /** Missing results of the calling run that its inputs depend on, by input; absent = none is missing. */
  lacks?: { [input: string]: Shortfall[] };
  /** Edits of the calling run's retry: inputs of this run, and steps after the call; absent = none. */
  edited?: EditedStep[];
  /** Values that the steps after the call read (retries only); absent = it is not called, or none. */
  callerReads?: CallerReads;
  /** Traits of the actions when the run started: a later change of a contract cannot change a run in flight. */
  traits: { [action: string]: ActionTraits };
}

/** Values that steps behind a call read, in the calling run and further up. */
export interface CallerReads {
  /** SHA-256 of those from before the call. */
  digest: string;
  /** Paths into the result of the call. */
  results: PathSegment[][];
}

export interface ActionTraits {
  short: boolean;
  pure: boolean;
  available: boolean;
  /** The step's task queue is that of models. */
  model: boolean;
}

export interface Closing {
  status: RunStatus;
  code?: string;
  message?: string;
  /** True when the failure is transient: a run that calls this one may repeat it. */
  retryable?: true;
  /** The playbook ends the run well: its output is written. */
  ended?: true;
}

/** A list of steps that is being worked on: the playbook itself, a branch, an item, an iteration. */
export interface Frame {
  /** Path of the step that owns the list; '' for the playbook. */
  owner: string;
  /** Put in front of step names: '' or `each[3]/`. */
  prefix: string;
  scope: string;
  mode: 'sequence' | 'dag' | 'parallel';
  /** Names in declaration order: looked up in the plan. */
  steps: string[];
  begun: { [name: string]: 'open' | 'closed' };
  closed: number;
  failed: number;
  /** Approvals that allow the next step of the list: step name → approval and edited inputs. */
  grants?: { [name: string]: Grant };
}

/** `gate` = key of the gate. No `approvalId`: the answer was taken over from the run that this one retries. */
export interface Grant {
  gate: string;
  approvalId?: string;
  edits?: JsonObject;
  /** Effects behind the gate, as in the gate's state. */
  behind?: EffectsBehind;
  /** Ends the key under which the step leaves: under the key itself it left with other edits. */
  keyEnd?: string;
}

export interface Scope {
  parent?: string;
  vars: { [name: string]: StoredValue };
  entries: { [key: string]: ScopeEntry };
  /** Gaps of the list whose items the variables are. */
  lacks?: Shortfall[];
}

export interface ScopeEntry {
  status: 'ok' | 'failed' | 'skipped';
  out: StoredValue;
  error?: StepError;
  decision?: string;
  /** Missing results that the entry depends on. */
  lacks?: Shortfall[];
}

export interface StepNode {
  name: string;
  path: string;
  frame: string;
  tryNo: number;
  phase: 'preparing' | 'running' | 'retry_wait' | 'gate' | 'attention' | 'container' | 'child';
  startedAt: number;
  /** Result of references that had to be loaded: reference text → value. */
  loaded?: { [ref: string]: Json };
  /** Preview of a gate, cut out of a value that lies behind a handle. */
  preview?: Preview;
  /**
   * Time of the next attempt, in epoch milliseconds. `reason`, `source`: no attempt has failed, a source asked for a
   * pause.
   */
  retry?: { since: number; at: number; reason?: string; source?: string };
  /** Waits for sources so far; they count neither as attempts nor as time of the step. */
  waited?: WaitedState;
  gate?: GateState;
  each?: EachState;
  loop?: { iteration: number };
  /** `unlabelled`: nothing gave a label, so the default was taken; why. */
  route?: { label: string; unlabelled?: string };
  research?: ResearchState;
  child?: { runId?: string; repeats?: string };
  attention?: AttentionState;
  /** Inputs that an approver edited, and the approval that allows this step. */
  approved?: Grant;
  /** Reasons inside the step why the run is partial; absent = none. */
  reasons?: Reasons;
  /** Path of the step that this call belongs to: a call of its router, or a model or tool call of its research. */
  subOf?: string;
}

/** `reads`: lost content that could not be read or kept; absent where the whole step is to be carried out. */
export interface AttentionState {
  code: string;
  message: string;
  since: number;
  reads?: 'items' | 'condition' | 'store';
}

export interface WaitedState {
  /** Milliseconds. */
  ms: number;
  /** Milliseconds of the step's own time that were used before the last wait. */
  spentMs: number;
  /** Position at which the call continues. */
  resume?: StoredValue;
}

export interface Preview {
  rows: Json;
  /** Rows before the limit; null when it is no list. */
  total: number | null;
  /** All rows, where there are more than the limit, and they are not too large to travel. */
  all?: Json[];
  /** True when there is no value at the place; null is a value. */
  missing?: true;
}

export interface GateAnswer {
  decision: 'approved' | 'rejected' | 'skipped' | 'auto_approved';
  instructions?: string;
  edits?: JsonObject;
  decided_by?: string;
  /** Time of receipt by the database's clock; absent where nobody sent it. */
  at?: string;
}

/** Decision of a gate, or a person's statement about a step's effect. Null: nobody, not known, or no statement. */
export interface DecisionRecord {
  step: string;
  decision: string;
  by: string | null;
  at: string;
  instructions: string | null;
}

interface GateState {
  /** Missing results that the request depends on, as it shows them. */
  failures?: Shortfall[];
  approvalId: string;
  since: number;
  dueAt?: number;
  /** Step that runs next after an approval. */
  gated?: string;
  /** Effects behind the gate that the request names, where they are not those of the plan. */
  behind?: EffectsBehind;
}

export interface EachState {
  total: number;
  next: number;
  active: number;
  failed: number;
  /** Items at hand; `base` is the index of the first. */
  items: StoredValue[];
  base: number;
  /** The items after those at hand, in pieces that were stored. */
  windows: BlobPart[];
  loading?: true;
  /** The pieces that are on their way. */
  asked?: ItemsRequest;
  /** Results of closed items by index, until they are stored. */
  results: { [index: string]: ResultPart };
  resultBytes: number;
  /** Bytes of results that lie outside but are not in a slice yet. */
  outsideBytes: number;
  storing?: true;
  slices: ResultSlice[];
  errors: Json[];
  /** Gaps of the results of items. */
  lacks?: Shortfall[];
  /** The platform cannot go on with this list: it fails when nothing of it is in flight. */
  broken?: StepError;
}
export type ResultPart = { kind: 'value'; value: Json } | { kind: 'stored'; stored: StoredValue };

/** Results from `from` on, stored together. */
interface ResultSlice {
  from: number;
  parts: BlobPart[];
}

export interface ResearchState {
  round: number;
  messages: Json[];
  /** Tool calls of the round in the model's order; `answer` once there is one. */
  calls: ToolCall[];
  /** Gaps of its tools' answers so far; absent = none. */
  lacks?: ToolLack[];
}

export interface ToolCall {
  id: string;
  tool: string;
  inputs: JsonObject;
  params: JsonObject;
  error?: string;
  answer?: Json;
}

export interface ToolLack {
  tool: string;
  round: number;
  code: string;
  message: string;
  certain: boolean;
  /** True for a gap that a later call of the tool without it removes. */
  passing: boolean;
}

export type OpenCommand =
  | { kind: 'run'; paths: string[]; resumes: number; cancelled?: true }
  | { kind: 'timer'; purpose: TimerPurpose; path: string; at: number }
  | { kind: 'child'; path: string; cancelled?: true }
  | { kind: 'load'; path: string; purpose: LoadPurpose; refs: string[]; cancelled?: true }
  | { kind: 'store'; path: string; from: number; count: number; cancelled?: true }
  | { kind: 'output'; resumes: number; cancelled?: true };

/** `remind` and `escalate` fire beside a waiting gate and change nothing of it here. */
export type TimerPurpose = 'retry' | 'gate' | 'yield' | 'remind' | 'escalate';

/** `destination`: the path is the index of the output's destination. */
export type LoadPurpose = 'step' | 'items' | 'condition' | 'destination';
