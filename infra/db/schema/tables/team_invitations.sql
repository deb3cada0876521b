-- Invitations to teams: members see each other's agents and handles, so each person decides whether to join. owner_id: the invited person.
create table team_invitations (
  id uuid default gen_random_uuid() primary key,
  owner_id uuid not null references users (id),
  team_id uuid not null references teams (id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  invited_by uuid not null references users (id),
  created_at timestamptz not null default clock_timestamp(),
  unique (team_id, owner_id)
);

create index team_invitations_owner on team_invitations (owner_id, created_at, id);
