-- Accounts of people and services.
create table users (
  id uuid primary key,
  handle text not null unique,
  display_name text not null,
  created_at timestamptz not null default now(),
  -- Kind of account. Rows are never deleted, so that what a person did stays theirs.
  kind text not null default 'person' check (kind in ('person', 'service')),
  status text not null default 'active' check (status in ('active', 'deactivated', 'anonymised')),
  scopes text[] not null default '{}'::text[],
  -- Maker of a service account, who may take it back.
  managed_by uuid references users (id),
  deactivated_at timestamptz,
  constraint users_managed check ((kind = 'service') = (managed_by is not null))
);

create index users_managed_by on users (managed_by) where managed_by is not null;
