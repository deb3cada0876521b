-- Monitors: what a profile watches, and how often.
create table monitors (
  id uuid primary key,
  owner_id uuid not null references users (id),
  profile_id uuid references agent_profiles (id),
  playbook_id uuid references playbooks (id),
  name text not null,
  interval_seconds integer not null check (interval_seconds > 0),
  active_hours json,
  config json not null default '{}',
  is_enabled boolean not null default true,
  pause_reason text,
  last_checked_at timestamptz,
  last_run_status text,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create unique index monitors_owner_name on monitors (owner_id, name) where deleted_at is null;
