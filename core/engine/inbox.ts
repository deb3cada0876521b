import type { Json, JsonObject } from '../base/json';
import type { StepError } from '../errors/app-error';
import type { Preview } from './state';
import type { BlobPart, StoredValue } from './values';

/** Replay-sensitive. What happened; the only things that move a run. `now` is the driver's deterministic clock. */
export type EngineEvent =
  | { type: 'outcomes'; id: string; outcomes: UnitOutcome[]; held?: 'pause' | 'cancel' }
  | { type: 'lost'; id: string; path: string; reason: 'quarantine' | 'worker_lost'; message: string }
  | { type: 'broken'; id: string; error: StepError }
  | { type: 'timer'; id: string }
  | ({ type: 'loaded'; id: string } & Loaded)
  | { type: 'stored'; id: string; stored: StoredValue }
  | { type: 'child_started'; id: string; runId: string }
  | {
      type: 'child_closed';
      id: string;
      status: string;
      code?: string;
      message?: string;
      retryable?: true;
      output: StoredValue;
    }
  | { type: 'gate'; approvalId: string; answer: GateEvent }
  | { type: 'resolve'; path: string; outcome: 'done' | 'not_done' | 'repeat' }
  | { type: 'pause' }
  | { type: 'resume' }
  | { type: 'cancel' };

export interface Loaded {
  values: { [ref: string]: Json };
  verdict?: boolean;
  preview?: Preview;
  /** Absent although they were asked for: the value is no list. */
  items?: LoadedItems;
}
export interface LoadedItems {
  list: StoredValue[];
  /** Number of all items (first piece only), and the pieces after it. */
  total?: number;
  windows?: BlobPart[];
  /** True when there is no value at the place. */
  missing?: true;
}

export interface GateEvent {
  decision: 'approved' | 'rejected' | 'timed_out';
  instructions?: string;
  edits?: JsonObject;
  decided_by?: string;
  via?: string;
  /** Time of receipt; absent in histories of older versions. */
  at?: string;
}

/** Fewer outcomes than units and no failure = the run was paused or cancelled between two of them (`held`). */
export interface UnitOutcome {
  path: string;
  status: 'ok' | 'failed' | 'attention' | 'waiting';
  output?: StoredValue;
  error?: StepError;
  /** Facts of the wait, with `waiting`. */
  wait?: SourceWaitFacts;
}

/** Facts of a wait that a source asked for: the unit continues after it, with the data read so far. */
export interface SourceWaitFacts {
  /** Epoch milliseconds. */
  until: number;
  reason: string;
  /** Origin that is waited for. */
  source: string;
  /** Wait that the source asked for, in milliseconds from its answer: a run may learn of it much later. */
  askedMs?: number;
  /** Milliseconds of its own time that the unit has used up. */
  spentMs: number;
  resume?: StoredValue;
}
