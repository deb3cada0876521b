-- Teams. owner_id: the founder, who has no right from that; rights follow from team_members.
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
