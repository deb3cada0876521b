-- Runs of playbooks: what they were started with, where they stand and how they ended. The history itself is in Temporal.
create table runs (
  id uuid primary key,
  owner_id uuid not null references users (id),
  playbook_id uuid not null references playbooks (id),
  playbook_version_id uuid not null references playbook_versions (id),
  playbook_slug text not null,
  playbook_name text not null,
  parent_run_id uuid references runs (id),
  parent_step_path text,
  root_run_id uuid not null,
  depth integer not null default 0,
  retry_of uuid references runs (id),
  retry_from text,
  status text not null default 'pending' check (status in ('pending', 'running', 'waiting_approval', 'waiting_budget', 'needs_attention', 'paused', 'suppressed', 'complete', 'partial', 'rejected', 'failed', 'cancelled', 'timed_out')),
  status_code text,
  status_message text,
  -- Status, code and message that the reconciler replaced (failing workflow task), to be restored.
  covered json,
  -- Present waits: [{kind, step_path, since, until, ...}]
  waits json not null default '[]',
  inputs json not null,
  query text,
  run_context text not null,
  approval_policy text not null,
  invoked_by text not null default 'api',
  clock json not null,
  connectors json not null default '{}',
  idempotency_key text,
  idempotency_hash text,
  -- Control, read by the transaction that records a step: cancel and pause act before the next step.
  control text not null default 'run' check (control in ('run', 'pause', 'cancel')),
  seq bigint not null default 0,
  -- End of the time in which a client follows the event stream: only then does a run pay for NOTIFY, which serialises commits.
  watched_until timestamptz,
  patch_no bigint not null default 0,
  steps_total integer not null default 0,
  steps_done integer not null default 0,
  summary text,
  -- StoredValue of the run's outputs, and the routing report of its destinations.
  result json,
  routing_report json,
  input_tokens bigint not null default 0,
  output_tokens bigint not null default 0,
  cost_usd numeric,
  workflow_started_at timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null default now(),
  -- Answers of gates (step path → answer) and edited inputs of the first step (step path → inputs) that a retry takes over
  -- beside results. The workflow gets both unchanged.
  retry_presets json,
  retry_overrides json,
  profile_id uuid references agent_profiles (id),
  profile_owner_id uuid references users (id),
  team_id uuid references teams (id),
  schedule_id uuid references schedules (id),
  monitor_id uuid references monitors (id),
  strategy text check (strategy in ('pipeline', 'playbook', 'research', 'direct')),
  connectors_called json not null default '[]',
  output_destinations json not null default '[]',
  -- Time at which the right to run the profile was lost. The run stops before its next step, and is resumed only when its owner
  -- may run the profile again.
  revoked_at timestamptz,
  -- Run whose id is the prefix of the effect keys, in a run that repeats another; null: its own id.
  effect_root uuid,
  -- Run whose pause was passed on to this one.
  paused_by uuid,
  -- Model calls missing from cost_usd: their model has no known price, or the provider reported no tokens.
  unpriced_calls integer not null default 0,
  -- Set when a person asked for this run: every failed step is tried again, whatever the error.
  asked_again boolean not null default false,
  -- Step path → run whose id is the prefix of the effect keys of that step and of all below it, where that is not
  -- `effect_root`.
  effect_keys jsonb
) with (fillfactor=70);

create index runs_active on runs (owner_id) where status in ('pending', 'running') and status_code is distinct from 'owner_cap';
create index runs_effect_root on runs (effect_root) where effect_root is not null;
create index runs_held on runs (owner_id, created_at, id) where status = 'pending' and status_code = 'owner_cap';
create index runs_last_execution on runs (owner_id, playbook_id, started_at desc) where status in ('complete', 'partial');
create index runs_open on runs (created_at, id) where status in ('pending', 'running', 'waiting_approval', 'waiting_budget', 'needs_attention', 'paused');
create index runs_owner_created on runs (owner_id, created_at, id);
create unique index runs_owner_idempotency on runs (owner_id, idempotency_key) where idempotency_key is not null;
create index runs_owner_playbook on runs (owner_id, playbook_id, created_at, id);
create index runs_owner_profile on runs (owner_id, profile_id, created_at, id) where profile_id is not null;
create index runs_owner_slug on runs (owner_id, playbook_slug, created_at, id);
create index runs_owner_status on runs (owner_id, status, created_at, id);
create index runs_owner_team on runs (owner_id, team_id, created_at, id) where team_id is not null;
create index runs_parent on runs (parent_run_id) where parent_run_id is not null;
create index runs_profile_owner_team on runs (profile_owner_id, team_id, created_at, id) where team_id is not null;
create index runs_profile_team on runs (profile_id, created_at, id) where team_id is not null;
create index runs_team on runs (team_id, profile_id, created_at, id) where team_id is not null;
create index runs_team_owner on runs (profile_owner_id, created_at, id) where team_id is not null;
