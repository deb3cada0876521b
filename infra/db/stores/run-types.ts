import type { Json, JsonObject } from '../../../core/base/json';
import type { RunStatus } from '../../../core/base/run-status';
import type { RunClock } from '../../../core/engine/clock';
import type { StoredValue } from '../../../core/engine/values';

export type RunControl = 'run' | 'pause' | 'cancel';

/** Status code of a pending run that waits until others of its owner have ended. */
export const OWNER_CAP = 'owner_cap';

/** A column of `runs`: of its value the type alone counts. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
const column = <T>(): T => undefined as T;

/**
 * Columns of a run in lists. Timestamps are RFC 3339 text in UTC. A new column is a line here: types and statements are
 * made of it.
 */
const SUMMARY = {
  id: column<string>(),
  owner_id: column<string>(),
  playbook_id: column<string>(),
  playbook_version_id: column<string>(),
  playbook_slug: column<string>(),
  playbook_name: column<string>(),
  parent_run_id: column<string | null>(),
  parent_step_path: column<string | null>(),
  root_run_id: column<string>(),
  depth: column<number>(),
  retry_of: column<string | null>(),
  retry_from: column<string | null>(),
  status: column<RunStatus>(),
  status_code: column<string | null>(),
  status_message: column<string | null>(),
  waits: column<Json[]>(),
  query: column<string | null>(),
  run_context: column<string>(),
  approval_policy: column<string>(),
  invoked_by: column<string>(),
  profile_id: column<string | null>(),
  profile_owner_id: column<string | null>(),
  team_id: column<string | null>(),
  control: column<RunControl>(),
  /** Time at which the run lost its profile share. */
  revoked_at: column<string | null>(),
  /** The run whose pause reached this one. */
  paused_by: column<string | null>(),
  seq: column<number>(),
  steps_total: column<number>(),
  steps_done: column<number>(),
  summary: column<string | null>(),
  input_tokens: column<number>(),
  output_tokens: column<number>(),
  cost_usd: column<number | null>(),
  workflow_started_at: column<string | null>(),
  created_at: column<string>(),
  started_at: column<string | null>(),
  finished_at: column<string | null>(),
  updated_at: column<string>(),
};
export type RunSummary = typeof SUMMARY;
export const RUN_SUMMARY_COLUMNS = Object.keys(SUMMARY).join(', ');

/** Columns of a run itself beside those. */
const DETAILS = {
  inputs: column<JsonObject>(),
  clock: column<RunClock>(),
  /** Pinned connector versions: slug → connector_versions.id. */
  connectors: column<Record<string, string>>(),
  result: column<{ [key: string]: StoredValue } | null>(),
  routing_report: column<Json>(),
  /** Summed up when the run closes. */
  connectors_called: column<CalledConnector[]>(),
  /** Choice of the run's work; null = none was made. */
  strategy: column<RunStrategy | null>(),
  /** Model calls that `cost_usd` does not hold. */
  unpriced_calls: column<number>(),
  /** Kinds of destinations that its playbook sends results to. */
  output_destinations: column<string[]>(),
  /** Prefix of its effect keys; null = the run's id. */
  effect_root: column<string | null>(),
};
export type RunRow = RunSummary & typeof DETAILS;
const RUN_NAMES = [...Object.keys(SUMMARY), ...Object.keys(DETAILS)];
export const RUN_COLUMNS = RUN_NAMES.join(', ');
/** Columns for callers that already have the run's inputs: they may be megabytes. */
export const RUN_COLUMNS_BUT_INPUTS = RUN_NAMES.filter((name) => name !== 'inputs').join(', ');

/** Facts of a run that never change once its workflow has begun, without its inputs, which may be megabytes. */
const FACTS = [
  'id',
  'owner_id',
  'playbook_slug',
  'created_at',
  'playbook_id',
  'playbook_version_id',
  'playbook_name',
  'root_run_id',
  'depth',
  'run_context',
  'approval_policy',
  'connectors',
] as const satisfies readonly (keyof RunRow)[];
export type RunFacts = Pick<RunRow, (typeof FACTS)[number]>;
export const RUN_FACTS = FACTS.join(', ');

export function factsOf(row: RunRow): RunFacts {
  return Object.fromEntries(FACTS.map((name) => [name, row[name]])) as unknown as RunFacts;
}

interface CalledConnector {
  connector: string;
  endpoint: string;
  calls: number;
  /** Calls without a result. */
  failed: number;
  requests: number;
  /** Calls that a kept answer stood in for. */
  stale: number;
}

export type RunStrategy = 'pipeline' | 'playbook' | 'research' | 'direct';

/** Facts that the starter of a run gives, and optional ones: these are null, or the table's default. */
const GIVEN = [
  'id',
  'playbook_id',
  'playbook_version_id',
  'playbook_slug',
  'playbook_name',
  'inputs',
  'run_context',
  'approval_policy',
  'clock',
] as const;
const OPTIONAL = ['query', 'invoked_by', 'connectors', 'steps_total', 'strategy', 'output_destinations'] as const;

/**
 * Columns that a run has from its start. `npm run schema` writes from it the functions that take a new run and make its
 * row: no other column can be given, and a retry takes no other one over.
 */
export const RUN_START = {
  given: [
    ...GIVEN,
    ...OPTIONAL,
    'owner_id',
    'parent_run_id',
    'parent_step_path',
    'root_run_id',
    'depth',
    'retry_of',
    'retry_from',
    'profile_id',
    'team_id',
    'idempotency_key',
    'idempotency_hash',
  ],
  /** Set by functions of the database alone. */
  derived: [
    'profile_owner_id',
    'retry_presets',
    'retry_overrides',
    'effect_root',
    'effect_keys',
    'asked_again',
    'watched_until',
  ],
} as const;

export interface NewRun extends Pick<RunRow, (typeof GIVEN)[number]>, Partial<Pick<RunRow, (typeof OPTIONAL)[number]>> {
  parent?: { run_id: string; step_path: string; root_run_id: string; depth: number };
  /** Retried run; without `from` nothing of it is taken over. */
  retry?: { of: string; from?: string };
  /** The profile that it is for, and the team whose share lets its owner use it; null: the profile is their own. */
  profile?: { id: string; team_id: string | null };
  /** Seconds from now in which its end is announced. */
  watch_seconds?: number;
  /** `hash`: of the request's body. */
  idempotency?: { key: string; hash: string };
}
