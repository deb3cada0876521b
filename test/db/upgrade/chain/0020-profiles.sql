-- Agent profiles, teams, what hangs on them, and the tables that schedules, monitors, webhooks and plugins will fill.
-- 0020-sharing.sql says who sees what of them.
set local role af_migrate;

-- ── teams ───────────────────────────────────────────────────────────────────────────────────────
-- owner_id: who founded it. What somebody may do in a team follows from team_members alone.
create table teams (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  description text,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);

create table team_members (
  team_id uuid not null references teams (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  primary key (team_id, user_id)
);
create index team_members_user on team_members (user_id, team_id);

-- What the scopes of a group are about (`macro:analyst`).
create table topics (
  id uuid primary key,
  owner_id uuid not null references users (id),
  team_id uuid references teams (id),
  slug text not null,
  name text not null,
  description text,
  created_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create unique index topics_owner_slug on topics (owner_id, slug) where deleted_at is null;

-- ── profiles ────────────────────────────────────────────────────────────────────────────────────
create table agent_profiles (
  id uuid primary key,
  owner_id uuid not null references users (id),
  handle text not null,
  name text not null,
  description text,
  icon text,
  is_active boolean not null default true,
  model_preference text,
  max_research_rounds integer not null default 3,
  system_prompt_additions text,
  knowledge_config json not null default '{}',
  output_config json not null default '{}',
  journal_config json not null default '{}',
  default_execution_mode text not null default 'hybrid'
    check (default_execution_mode in ('deterministic', 'llm_augmented', 'hybrid')),
  default_run_context text not null default 'interactive'
    check (default_run_context in ('interactive', 'background', 'scheduled', 'monitor')),
  default_approval_policy text not null default 'require' check (default_approval_policy in ('require', 'auto_approve')),
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create unique index agent_profiles_owner_handle on agent_profiles (owner_id, handle) where deleted_at is null;
create index agent_profiles_owner_created on agent_profiles (owner_id, created_at, id) where deleted_at is null;

-- Credentials of a person at a provider. `ciphertext` is encrypted by the application and bound to its row.
create table connections (
  id uuid primary key,
  owner_id uuid not null references users (id),
  provider text not null,
  name text not null,
  kind text not null check (kind in ('api_key', 'basic', 'oauth2')),
  account text,
  scopes text[] not null default '{}',
  ciphertext bytea,
  key_id text,
  status text not null default 'active' check (status in ('active', 'expired', 'revoked')),
  expires_at timestamptz,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create unique index connections_owner_name on connections (owner_id, provider, name) where deleted_at is null;

-- `credentials`: names of the owner's secrets by auth field, never values.
create table profile_connectors (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  connector_id uuid not null references connectors (id),
  connection_id uuid references connections (id),
  credentials json not null default '{}',
  config_overrides json not null default '{}',
  permissions json not null default '{}',
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (profile_id, connector_id)
);
create index profile_connectors_connector on profile_connectors (connector_id);

create table profile_skills (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  skill_type text not null check (skill_type in ('built_in', 'playbook')),
  skill_name text,
  playbook_id uuid references playbooks (id),
  priority integer not null default 0,
  parameters json not null default '{}',
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  check ((skill_type = 'built_in') = (skill_name is not null) and (skill_type = 'playbook') = (playbook_id is not null)),
  unique (profile_id, skill_name),
  unique (profile_id, playbook_id)
);
create index profile_skills_playbook on profile_skills (playbook_id) where playbook_id is not null;

-- The only truth about what a team may use. A share that is taken back is gone.
create table agent_team_shares (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  team_id uuid not null references teams (id),
  team_file_access boolean not null default false,
  team_post_access boolean not null default false,
  journal_visibility text not null default 'own_and_scheduled'
    check (journal_visibility in ('own_only', 'own_and_scheduled', 'full')),
  is_active boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (profile_id, team_id)
);
create index agent_team_shares_team on agent_team_shares (team_id, profile_id);

-- ── what starts runs by itself ──────────────────────────────────────────────────────────────────
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

-- How far a detection step of a monitor has looked.
create table monitor_watermarks (
  monitor_id uuid not null references monitors (id),
  step_name text not null,
  owner_id uuid not null references users (id),
  watermark_type text not null check (watermark_type in ('timestamp', 'cursor', 'hash', 'offset')),
  watermark_value text not null,
  metadata json not null default '{}',
  items_found_last integer not null default 0,
  last_checked_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  primary key (monitor_id, step_name)
);

-- ── runs and what they leave ────────────────────────────────────────────────────────────────────
alter table runs
  add column profile_id uuid references agent_profiles (id),
  add column profile_owner_id uuid references users (id),
  add column team_id uuid references teams (id),
  add column schedule_id uuid references schedules (id),
  add column monitor_id uuid references monitors (id),
  add column strategy text check (strategy in ('pipeline', 'playbook', 'research', 'direct')),
  add column connectors_called json not null default '[]',
  add column output_destinations json not null default '[]';
create index runs_profile on runs (profile_id, created_at, id) where profile_id is not null;
create index runs_team on runs (team_id, profile_id, created_at, id) where team_id is not null;
create index runs_team_owner on runs (profile_owner_id, created_at, id) where team_id is not null;
-- A change of the status is no HOT update anyway: runs_open and runs_last_execution name it.
create index runs_owner_status on runs (owner_id, status, created_at, id);
create index runs_owner_playbook on runs (owner_id, playbook_id, created_at, id);
create index runs_owner_slug on runs (owner_id, playbook_slug, created_at, id);

-- An entry stays when its profile is deleted: profiles are hidden, never removed.
alter table journal_entries
  add column profile_id uuid references agent_profiles (id),
  add column profile_owner_id uuid references users (id),
  add column team_id uuid references teams (id);
create index journal_profile on journal_entries (profile_id, created_at, id) where profile_id is not null;
create index journal_team on journal_entries (team_id, profile_id, created_at, id) where team_id is not null;

-- What an entry says about its run's profile comes from the run, whoever writes the entry.
create function af_journal_of_run() returns trigger language plpgsql as $$
begin
  select r.profile_id, r.profile_owner_id, r.team_id, r.playbook_id
    into new.profile_id, new.profile_owner_id, new.team_id, new.playbook_id
    from runs r where r.id = new.run_id;
  return new;
end $$;
create trigger journal_of_run before insert on journal_entries for each row when (new.run_id is not null)
  execute function af_journal_of_run();

create table discoveries (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid not null references runs (id),
  profile_id uuid references agent_profiles (id),
  discovery_type text not null
    check (discovery_type in ('new_entity', 'new_relationship', 'entity_merge', 'new_external_id', 'pattern_detected')),
  entity_name text,
  entity_type text,
  entity_id text,
  relationship_type text,
  related_entity_name text,
  source_connector text,
  source_endpoint text,
  confidence real,
  details json not null default '{}',
  created_at timestamptz not null default clock_timestamp()
);
create index discoveries_owner_created on discoveries (owner_id, created_at, id);
create index discoveries_run on discoveries (run_id, created_at, id);

create table entity_reviews (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  source_entity_name text not null,
  source_entity_type text,
  candidate_entity_name text not null,
  candidate_entity_id text,
  confidence real not null,
  match_details json not null default '{}',
  context json not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'approved_merge', 'rejected', 'skipped')),
  reviewed_at timestamptz,
  reviewed_by uuid references users (id),
  created_at timestamptz not null default clock_timestamp()
);
create index entity_reviews_owner on entity_reviews (owner_id, status, created_at, id);

create table entity_resolutions (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  action text not null check (action in ('auto_merge', 'user_merge', 'user_split', 'create_new', 'flag_review')),
  source_entity_name text not null,
  source_entity_type text,
  target_entity_name text,
  target_entity_id text,
  confidence real,
  match_method text,
  match_details json not null default '{}',
  is_reversible boolean not null default true,
  reversed_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index entity_resolutions_owner on entity_resolutions (owner_id, created_at, id);

-- ── what goes out ───────────────────────────────────────────────────────────────────────────────
create table notifications (
  id uuid primary key,
  owner_id uuid not null references users (id),
  kind text not null,
  title text not null,
  body text,
  run_id uuid references runs (id),
  approval_id uuid references approvals (id),
  read_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index notifications_owner on notifications (owner_id, created_at, id);

-- The key that signs deliveries is the owner's secret of that name.
create table webhooks (
  id uuid primary key,
  owner_id uuid not null references users (id),
  name text not null,
  url text not null,
  events text[] not null,
  secret_name text,
  is_enabled boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  deleted_at timestamptz
);
create unique index webhooks_owner_name on webhooks (owner_id, name) where deleted_at is null;

-- Rows that people change count their changes, as in 0018.
do $$
declare
  v_table text;
begin
  foreach v_table in array array['teams', 'team_members', 'agent_profiles', 'connections', 'profile_connectors',
    'profile_skills', 'agent_team_shares', 'schedules', 'monitors', 'webhooks'] loop
    execute format('create trigger %I before update on %I for each row execute function af_next_version()',
      v_table || '_next_version', v_table);
  end loop;
end $$;

-- ── plugins ─────────────────────────────────────────────────────────────────────────────────────
-- owner_id null: comes with the installation; everybody reads it, only the loader writes it.
create table plugins (
  id uuid primary key,
  owner_id uuid references users (id),
  name text not null,
  version text not null,
  description text,
  connection_type text not null,
  required_config json not null default '[]',
  tool_contracts json not null default '[]',
  tool_pack_name text not null,
  is_builtin boolean not null default false,
  is_enabled boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create unique index plugins_name on plugins (coalesce(owner_id, '00000000-0000-0000-0000-000000000000'), name);

create table plugin_settings (
  id uuid primary key,
  owner_id uuid not null references users (id),
  plugin_id uuid not null references plugins (id),
  connection_id uuid references connections (id),
  custom_config json not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default clock_timestamp(),
  unique (owner_id, plugin_id)
);
