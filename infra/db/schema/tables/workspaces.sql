-- Workspaces: each has a database schema of its own for the tables of a person.
create table workspaces (
  id uuid primary key,
  owner_id uuid not null references users (id),
  slug text not null,
  name text not null,
  schema_name text not null unique,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);

create unique index workspaces_owner_slug on workspaces (owner_id, slug) where deleted_at is null;
