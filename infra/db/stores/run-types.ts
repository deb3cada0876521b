import type { Json, JsonObject } from '../../../core/base/json';
import type { RunStatus } from '../../../core/base/run-status';
import type { RunClock } from '../../../core/engine/clock';
import type { StoredValue } from '../../../core/engine/values';

export type RunControl = 'run' | 'pause' | 'cancel';

/** Status code of a pending run that waits until others of its owner have ended. */
export const OWNER_CAP = 'owner_cap';

/** A run as lists show it. Timestamps are RFC 3339 text in UTC. */
export interface RunSummary {
  id: string;
  owner_id: string;
  playbook_id: string;
  playbook_version_id: string;
  playbook_slug: string;
  playbook_name: string;
  parent_run_id: string | null;
  parent_step_path: string | null;
  root_run_id: string;
  depth: number;
  retry_of: string | null;
  retry_from: string | null;
  status: RunStatus;
  status_code: string | null;
  status_message: string | null;
  waits: Json[];
  query: string | null;
  run_context: string;
  approval_policy: string;
  invoked_by: string;
  profile_id: string | null;
  profile_owner_id: string | null;
  team_id: string | null;
  control: RunControl;
  /** A share that it needs was lost then. */
  revoked_at: string | null;
  /** The run whose pause reached this one. */
  paused_by: string | null;
  seq: number;
  steps_total: number;
  steps_done: number;
  summary: string | null;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  workflow_started_at: string | null;
  created_at: string;
  started_at: string | null;
  finished_at: string | null;
  updated_at: string;
}

export interface RunRow extends RunSummary {
  inputs: JsonObject;
  clock: RunClock;
  /** Pinned connector versions: slug → connector_versions.id. */
  connectors: Record<string, string>;
  result: { [key: string]: StoredValue } | null;
  routing_report: Json;
  /** Summed up when the run closes. */
  connectors_called: CalledConnector[];
  /** How its work was chosen; null: nobody chose. */
  strategy: RunStrategy | null;
  /** Model calls that `cost_usd` does not hold. */
  unpriced_calls: number;
  /** Kinds of destinations that its playbook sends results to. */
  output_destinations: string[];
}

export interface CalledConnector {
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

export interface NewRun {
  id: string;
  playbook_id: string;
  playbook_version_id: string;
  playbook_slug: string;
  playbook_name: string;
  inputs: JsonObject;
  query?: string;
  run_context: string;
  approval_policy: string;
  invoked_by?: string;
  clock: RunClock;
  connectors?: Record<string, string>;
  steps_total?: number;
  parent?: { run_id: string; step_path: string; root_run_id: string; depth: number };
  /** Without `from` nothing of the other run is taken over. */
  retry?: { of: string; from?: string };
  strategy?: RunStrategy;
  output_destinations?: string[];
  /** The profile that it is for, and the team whose share lets its owner use it; null: the profile is their own. */
  profile?: { id: string; team_id: string | null };
  /** `hash`: of the request's body. */
  idempotency?: { key: string; hash: string };
}

export const RUN_SUMMARY_COLUMNS = `id, owner_id, playbook_id, playbook_version_id, playbook_slug, playbook_name,
  parent_run_id, parent_step_path, root_run_id, depth, retry_of, retry_from, status, status_code, status_message, waits,
  query, run_context, approval_policy, invoked_by, profile_id, profile_owner_id, team_id, control, revoked_at, paused_by, seq, steps_total, steps_done, summary, input_tokens,
  output_tokens, cost_usd, workflow_started_at, created_at, started_at, finished_at, updated_at`;
export const RUN_COLUMNS = `${RUN_SUMMARY_COLUMNS}, inputs, clock, connectors, result, routing_report, connectors_called,
  strategy, output_destinations, unpriced_calls`;
