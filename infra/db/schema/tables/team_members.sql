-- Members of teams and their roles: the only source of what a person may do in a team.
create table team_members (
  team_id uuid not null references teams (id),
  user_id uuid not null references users (id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  row_version bigint not null default 1,
  created_at timestamptz not null default clock_timestamp(),
  primary key (team_id, user_id)
);

create index team_members_user on team_members (user_id, team_id);
