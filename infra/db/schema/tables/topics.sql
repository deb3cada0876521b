-- Subjects of scope groups (`macro:analyst`), for people to read.
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
