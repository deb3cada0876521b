import type { Json, JsonObject } from '../../core/base/json';
import type { RunClock } from '../../core/engine/clock';
import type { ReportFacts } from '../../core/engine/commands';
import type { OutputSchema } from '../../core/playbook/types';
import type { Sql } from '../../infra/db/database';

/** One call of an action: everything is rendered, nothing is parsed again. */
export interface ActionCall {
  action: string;
  inputs: JsonObject;
  params: JsonObject;
  output_schema?: OutputSchema;
  /** Facts of a report beside its data; absent in steps that an older worker's run sent. */
  facts?: ReportFacts;
}

export interface ActionContext {
  runId: string;
  ownerId: string;
  playbookId: string;
  stepPath: string;
  stepName: string;
  /** `runId/stepPath`: the same for every attempt of this step and item. */
  effectKey: string;
  /** 1 for the first try that the engine asked for, 2 for its first retry... */
  tryNo: number;
  clock: RunClock;
  /** Pinned connector versions of the run: connector slug → connector_versions.id. */
  connectors: Record<string, string>;
  timeoutMs: number;
  /** No step of the run may call a model. */
  deterministic?: true;
  /** Milliseconds that this try has waited for sources before, and the state that its call had saved (SourceWait.resume). */
  waitedMs?: number;
  resume?: Json;
  /** Aborts on timeout, cancel and shutdown. */
  signal: AbortSignal;
  /** Adds an event that is recorded in the transaction of the result. */
  note(type: string, payload: JsonObject): void;
  /**
   * Commits the attempt row and the event `effect.sent`. Await it before an `unsafe` (and before a `keyed` or
   * `idempotent`) request leaves. Throws `effect_outcome_unknown` when an earlier unsafe attempt has no result.
   */
  beforeEffect(target: { description: string; effect: 'idempotent' | 'keyed' | 'unsafe' }): Promise<void>;
}

/**
 * `output`: the result. `commit`: an effect on our own database, carried out in the transaction that
 * records the result; a repeat never runs it twice. A rollback undoes its notes too. `takenBack`: called after that,
 * where the step failed with it, to note what must stay; never throws.
 */
export type ActionOutcome =
  { output: Json } | { commit: (sql: Sql) => Promise<Json>; takenBack?: (error: unknown) => Promise<void> };

/** Throws AppError for what the tool reports, SourceWait when it has to go on later; anything about the platform itself is thrown as it is. */
export type Action = (call: ActionCall, context: ActionContext) => Promise<ActionOutcome>;
export type ActionTable = Record<string, Action>;
