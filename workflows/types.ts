import type { Json, JsonObject } from '../core/base/json';
import type { RunStatus } from '../core/base/run-status';
import type { SharedJson } from '../core/base/shared-json';
import type { RunClock } from '../core/engine/clock';
import type {
  ApprovalRequest,
  ChildCommand,
  LoadCommand,
  RunEvent,
  StatusPatch,
  UnitCall,
} from '../core/engine/commands';
import type { Loaded, UnitOutcome } from '../core/engine/inbox';
import type { ActionTraits, EngineState, GateAnswer, ResultPart } from '../core/engine/state';
import type { RefValue, StoredValue } from '../core/engine/values';
import type { ApprovalPolicy, Plan } from '../core/playbook/types';
import type { DecideInput, SaidDecision } from './messages';

/** Data that a run needs: the workflow looks nothing up. */
export interface PlaybookRunInput {
  runId: string;
  ownerId: string;
  versionId: string;
  plan: Plan;
  inputs: JsonObject;
  query?: string;
  clock: RunClock;
  approvalPolicy: ApprovalPolicy;
  /** Pinned connector versions: slug → version id. */
  connectors: { [slug: string]: string };
  traits: { [action: string]: ActionTraits };
  presets?: { [path: string]: GateAnswer };
  overrides?: { [path: string]: JsonObject };
  /** The run whose effect keys this one goes on with. */
  effectRoot?: string;
  /** Path of a step → the run whose keys it and all below it have instead. */
  effectKeys?: { [path: string]: string };
  /** Missing results of the calling run that the inputs depend on, by input. */
  lacks?: ChildCommand['lacks'];
  /** Edits of the calling run's retry. */
  edited?: ChildCommand['edited'];
  /** Values that the steps after the call read in such a retry. */
  callerReads?: ChildCommand['callerReads'];
  /** Begin paused: no step starts before the run is resumed. */
  paused?: true;
  settings: RunSettings;
  /** Set by continue-as-new. */
  carried?: Carried;
}

/** Settings of the process that started the run; fixed for the run's life. */
export interface RunSettings {
  queuePrefix: string;
  heartbeatTimeoutMs: number;
  continueAsNewEvents: number;
  searchAttributes: boolean;
}

export interface Carried {
  state: EngineState;
  decided: { [decisionId: string]: { state: 'counted' | 'refused'; code?: string } };
  signals: number;
}

export interface PlaybookRunResult {
  runId: string;
  status: RunStatus;
  code?: string;
  message?: string;
  summary?: string;
  /** The failure is transient. */
  retryable?: true;
  outputs: { [key: string]: StoredValue };
}

/** The calling run: compared with the run's row, so that a forged start fails. */
export interface RunRef {
  runId: string;
  ownerId: string;
  versionId: string;
}

export interface Transitions {
  events: RunEvent[];
  patch?: StatusPatch;
  approvals: ApprovalRequest[];
}

export interface RunUnitsInput extends RunRef {
  units: UnitCall[];
  queue: 'main' | 'llm' | 'quarantine';
  clock: RunClock;
  connectors: { [slug: string]: string };
  playbook: string;
  /** No step of the run may call a model. */
  deterministic?: true;
  /** Transitions of the engine that travel with this activity. */
  transitions: Transitions;
  /** The run takes outcomes packed; an earlier build does not. */
  packs?: true;
}
export interface RunUnitsResult {
  outcomes: UnitOutcome[];
  /** The run's control column when it stopped the segment: the signal may not have arrived yet. */
  held?: 'pause' | 'cancel';
}
/** Answer of a step activity. `packed`: the outcomes by their number, with large parts that several of them hold once. */
export type StepsAnswer = RunUnitsResult | (Pick<RunUnitsResult, 'held'> & { packed: SharedJson });

export type LoadInput = RunRef & Omit<LoadCommand, 'kind' | 'id' | 'summary'>;
export interface StoreInput extends RunRef {
  parts: ResultPart[];
}
export interface PackInput extends RunRef {
  outputs: { [key: string]: StoredValue };
}
/** `packed`: the outputs, with what several of them hold once. Without it: the request of an earlier build. */
export type StoreOutputsInput = PackInput | (RunRef & { packed: SharedJson });

export interface CreateChildInput extends RunRef {
  path: string;
  effectKey: string;
  playbook: string;
  version?: string;
  inputs: JsonObject;
  refs: { [ref: string]: RefValue };
  /** No step of the run may call a model. */
  deterministic?: true;
  /** A step with an effect follows, here or further up; absent: unknown. */
  effectBehind?: boolean;
  /** Likewise when a gate has ended the sub-playbook. */
  effectAfterStop?: boolean;
  /** Missing results that the inputs depend on. */
  lacks?: ChildCommand['lacks'];
  /** Edits of a retry on the call and on later steps. */
  edited?: ChildCommand['edited'];
  /** Values that the steps after the call read in a retry. */
  callerReads?: ChildCommand['callerReads'];
  /** Inputs that a retry was given; never parsed. */
  overrides?: JsonObject;
  /** The run that the try before was. */
  repeats?: string;
  transitions: Transitions;
  settings: RunSettings;
}
export interface CreateChildResult {
  runId: string;
  /** Already closed in an earlier try or taken over by a retry: nothing to start. */
  closed?: PlaybookRunResult;
  start?: {
    input: PlaybookRunInput;
    summary: string;
    attributes: { [name: string]: string };
    /** Absent when an earlier build of the worker answered. */
    memo?: { [name: string]: string };
  };
}

export interface TransitionInput extends RunRef {
  transitions: Transitions;
  /** Tells which of the requested approvals are decided already. */
  again?: true;
}
/** Unusual facts alone: each word stands in every history. */
interface TransitionResult {
  /** The run's row has its end: nothing was written. */
  closed?: true;
  decided?: DecideInput[];
}
/** Data for the row at the end of the run, beside outputs and events. */
export interface RunEnd extends RunRef {
  status: RunStatus;
  code?: string;
  message?: string;
  summary?: string;
  routing_report?: Json;
}
/** `packed`: outputs whose large parts are stored first; `tell`: where they lie then is told. */
type FinishInput = RunEnd & { transitions: Transitions } & (
    { outputs: { [key: string]: StoredValue } } | { packed: SharedJson; tell?: true }
  );
export interface FinishResult {
  status: RunStatus;
  outputs?: { [key: string]: StoredValue };
}
interface SettleDecisionInput extends RunRef {
  approvalId: string;
  decisionId: string;
}
/** Counts the decision if it is as `said`, and ends the run in the same transaction. */
interface SettleAndFinishInput extends RunEnd {
  approvalId: string;
  decisionId: string;
  said: SaidDecision;
  transitions: Transitions;
  outputs: { [key: string]: StoredValue };
}
/** Result without `status`: the run continues, as the decision was another or did not count. */
interface SettleAndFinishResult {
  settled: SettledDecision;
  status?: RunStatus;
}
export interface SignalDecisionInput extends RunRef {
  approvalId: string;
  ordinal: number;
  decision: string;
  instructions?: string;
}
export interface SettledDecision {
  state: 'counted' | 'refused' | 'unknown';
  code?: string;
  decision?: 'approved' | 'rejected';
  instructions?: string;
  edits?: JsonObject;
  decided_by?: string;
  via?: string;
  /** Time of receipt by the database's clock. */
  at?: string;
  /** The decision that was received before this one, and decided. */
  earlier?: SettledDecision;
}

/** Lifecycle activities; the step activities are registered under the names of their actions. */
export interface LifecycleActivities {
  load_values(input: LoadInput): Promise<Loaded>;
  store_results(input: StoreInput): Promise<StoredValue>;
  store_outputs(input: StoreOutputsInput): Promise<{ [key: string]: StoredValue }>;
  pack_outputs(input: PackInput): Promise<StoredValue>;
  create_child_run(input: CreateChildInput): Promise<CreateChildResult>;
}
/**
 * True: the time is over. False: the request had an end already. Or the decision or the cancel that was received in time, or
 * the time that is left by the database's clock.
 */
type ExpiryAnswer = boolean | { decided: SettledDecision } | { cancelled: true } | { wait_ms: number };

export interface LocalActivities {
  record_transition(input: TransitionInput): Promise<TransitionResult | undefined>;
  finish_run(input: FinishInput): Promise<FinishResult>;
  /** Does nothing: its answer begins another activation of the same workflow task. */
  next_turn(): Promise<void>;
  settle_decision(input: SettleDecisionInput): Promise<SettledDecision>;
  settle_and_finish(input: SettleAndFinishInput): Promise<SettleAndFinishResult>;
  signal_decision(input: SignalDecisionInput): Promise<SettledDecision>;
  expire_approval(input: RunRef & { approvalId: string }): Promise<ExpiryAnswer>;
  /** Reminds, or lets those decide whom the playbook names for that; once each, and only while it waits. */
  nudge_approval(input: RunRef & { approvalId: string; kind: 'remind' | 'escalate' }): Promise<void>;
}
