-- Tables that people keep in their workspaces, with the names and types of their columns.
create table workspace_tables (
  id uuid primary key,
  workspace_id uuid not null references workspaces (id),
  owner_id uuid not null references users (id),
  name text not null,
  sql_name text not null,
  -- Columns in order: [{name, sql_name, type}].
  columns json not null,
  upsert_key text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, name)
);
