import type { EffectKind } from '../actions/types';
import type { Json, JsonObject } from '../base/json';
import type { RunStatus } from '../base/run-status';
import type { RunClock } from '../engine/clock';
import type { Shortfall } from '../engine/gaps';
import type { StepPlan } from '../playbook/types';

export interface DryRunRequest {
  inputs: JsonObject;
  query?: string;
  clock: RunClock;
  /** Step name, or path for one item → the result that it gets. */
  samples: { [step: string]: Json };
  /** Gate → the decision to assume; a gate that is not named is approved. */
  decisions: { [gate: string]: DryDecision };
}
export type DryDecision = 'approved' | 'rejected' | 'timed_out';

/**
 * Origin of a step's result. `computed`: really carried out, because it is pure; `sample`: given by the caller; `live`:
 * read from the source just now; `shape`: made up from the known shape of the step's result.
 */
export type DrySource = 'computed' | 'live' | 'sample' | 'shape';

/** Asks an endpoint that only reads; undefined: it is not asked, and something stands in. */
export type LiveRead = (call: {
  connector: string;
  endpoint: string;
  inputs: JsonObject;
}) => Promise<LiveAnswer | NotLive>;
/** Reason, in words, why a source was not read. */
export interface NotLive {
  notLive: string;
}
type LiveAnswer = { ok: true; output: Json } | { ok: false; error: { code: string; message: string } };

export interface DryStep {
  step: string;
  step_path: string;
  kind: StepPlan['kind'];
  action?: string;
  status: 'ok' | 'failed' | 'skipped';
  /** Step because of which a failure would end the run. */
  stops_for?: string;
  /** Condition of the step, if it has one. */
  condition?: { text: string; result: boolean };
  /** Rendered inputs. */
  inputs?: JsonObject;
  params?: JsonObject;
  /** Effect of the step outside the platform. */
  effect?: EffectKind;
  output?: Json;
  source?: DrySource;
  /** Reason why it was not read live, if that was wanted. */
  not_live?: string;
  reason?: string;
  /** Reason, in words, why it was skipped. */
  message?: string;
  error?: { code: string; message: string };
}

export interface DryApproval {
  step: string;
  step_path: string;
  prompt: string;
  preview: Json;
  preview_total: number | null;
  action: Json;
  on_reject: string;
  on_timeout: string;
  decided_as: DryDecision | 'auto_approved';
  failures?: Shortfall[];
}

export interface DryDestination {
  type: string;
  format: string;
  config: JsonObject;
  /** Condition of the destination, which is false: nothing would be sent there. */
  skipped?: string;
}

export interface DryReport {
  status: RunStatus;
  code?: string;
  message?: string;
  steps: DryStep[];
  approvals: DryApproval[];
  destinations: DryDestination[];
  outputs: JsonObject;
  summary?: string;
  /** False: the playbook would do more steps than a dry run carries out. */
  finished: boolean;
}
