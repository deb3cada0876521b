import type { Json } from '../../../core/base/json';
import type { RunStatus } from '../../../core/base/run-status';
import type { RunEvent, StatusPatch } from '../../../core/engine/commands';
import type { StoredValue } from '../../../core/engine/values';
import type { StepError } from '../../../core/errors/app-error';
import type { RunControl } from './run-types';

/** The outcome of one try of a step. */
export interface StepRecord {
  effect_key: string;
  try_no: number;
  step_path: string;
  step_name: string;
  action: string;
  status: 'ok' | 'failed';
  /** Kept as it is, for the run's view. */
  input?: Json;
  output?: StoredValue;
  error?: StepError;
  /** RFC 3339. */
  started_at: string;
  /** Appended only when this record is the first for its key. */
  events?: RunEvent[];
}

/** The next try to begin. `worker`: unique for each start of a worker process. */
export interface StepBegin {
  effect_key: string;
  try_no: number;
  step_path: string;
  worker: string;
  /** Appended only when the try may run. */
  events?: RunEvent[];
}

export interface StepCall {
  events?: RunEvent[];
  patch?: StatusPatch;
  record?: StepRecord;
  begin?: StepBegin;
}

export interface RecordedResult {
  status: 'ok' | 'failed';
  try_no: number;
  output: StoredValue | null;
  error: StepError | null;
  started_at: string;
  finished_at: string;
}

/** Either the existing result, or the permission to run. */
export type StepStart =
  | { result: RecordedResult }
  | {
      result: null;
      /** Number of times this try was begun, this one included. */
      starts: number;
      released: number;
      /** Workers lost on this try: starts - released - 1. */
      losses: number;
      effect: 'idempotent' | 'keyed' | 'unsafe' | null;
      effect_sent_count: number;
      resolution: 'done' | 'not_done' | 'repeat' | null;
      /** Requests that left at this place in the run's family, the earliest first; null: none, or not recorded. */
      left_with: LeftBody[] | null;
    };

/** A body that left. */
export interface LeftBody {
  /** Digest of its inputs. */
  digest: string;
  key: string;
}

export interface StepAnswer {
  owner_id: string;
  /** `cancel` also when the run is closed. */
  control: RunControl;
  status: RunStatus;
  seq: number;
  /** Null without a record; false: the key had a result, see `existing`. */
  recorded: boolean | null;
  existing: RecordedResult | null;
  /** Null without `begin`, and when the run is cancelled or closed. */
  begun: StepStart | null;
}
