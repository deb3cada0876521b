-- Journal of what agents did and what people noted, by profile.
create table journal_entries (
  id uuid primary key,
  owner_id uuid not null references users (id),
  run_id uuid references runs (id),
  playbook_id uuid,
  playbook_name text,
  kind text not null default 'run' check (kind in ('run', 'note')),
  summary text not null,
  detail_entries json not null default '[]',
  entities_mentioned text[] not null default '{}'::text[],
  run_context text,
  task_status text,
  steps_completed integer not null default 0,
  entities_discovered integer not null default 0,
  outputs_produced json not null default '[]',
  effect_key text,
  created_at timestamptz not null default clock_timestamp(),
  -- Profile of the entry; profiles are hidden and never removed, so that the entry stays.
  profile_id uuid references agent_profiles (id),
  profile_owner_id uuid references users (id),
  team_id uuid references teams (id)
);

create unique index journal_effect on journal_entries (owner_id, effect_key) where effect_key is not null;
create index journal_owner_created on journal_entries (owner_id, created_at, id);
create index journal_owner_profile on journal_entries (owner_id, profile_id, created_at, id) where profile_id is not
  null;
create index journal_profile_team on journal_entries (profile_id, created_at, id) where team_id is not null;
create index journal_team on journal_entries (team_id, profile_id, created_at, id) where team_id is not null;
