-- Profiles shared with teams: the only source of what a team may use. A share that is taken back is deleted.
create table agent_team_shares (
  id uuid primary key,
  profile_id uuid not null references agent_profiles (id),
  owner_id uuid not null references users (id),
  team_id uuid not null references teams (id),
  team_file_access boolean not null default false,
  team_post_access boolean not null default false,
  journal_visibility text not null default 'own_and_scheduled' check (journal_visibility in ('own_only', 'own_and_scheduled', 'full')),
  is_active boolean not null default true,
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp(),
  unique (profile_id, team_id)
);

create index agent_team_shares_owner on agent_team_shares (owner_id, team_id);
create index agent_team_shares_team on agent_team_shares (team_id, profile_id);
