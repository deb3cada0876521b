-- Schedules that start runs at set times.
create table schedules (
  id uuid primary key,
  owner_id uuid not null references users (id),
  profile_id uuid references agent_profiles (id),
  playbook_id uuid references playbooks (id),
  name text not null,
  description text,
  cron_expression text not null,
  time_zone text not null default 'UTC',
  query_template text,
  inputs json not null default '{}',
  is_enabled boolean not null default true,
  pause_reason text,
  overlap_policy text not null default 'skip',
  catchup_window_seconds integer not null default 3600,
  jitter_seconds integer not null default 0,
  max_retries integer not null default 2,
  timeout_seconds integer,
  last_run_at timestamptz,
  last_run_status text,
  next_run_at timestamptz,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index schedules_owner_name on schedules (owner_id, name) where deleted_at is null;
